"""The optimization problems of the machines: what primal, dual and violation are, one a file."""

from .crammer_singer import CrammerSinger

__all__ = ["CrammerSinger"]
