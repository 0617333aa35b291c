"""What a solver has to show before its times count: agreement with a reference, and manners."""
