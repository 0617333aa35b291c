"""The data sets, one file each (the six of the IDA benchmark in one)."""
