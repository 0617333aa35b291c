"""The sections of the benchmark, one a file: `run` measures and returns a `Section`."""
