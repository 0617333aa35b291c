"""The optimization problems of the machines: what primal, dual and violation are, one a file."""

from .crammer_singer import CrammerSinger
from .linear_program import LinearProgram

__all__ = ["CrammerSinger", "LinearProgram"]
