"""The commands of the command line, one file each: `configure` its options, `main` does it."""
