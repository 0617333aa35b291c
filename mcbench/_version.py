"""The version of mcbench."""

__version__ = "0.1.0"
