"""Other implementations as solvers: each is optional, and skipped with the reason where absent."""
