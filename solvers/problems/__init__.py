"""The optimization problems of the machines: what primal, dual and violation are, one a file."""

from .crammer_singer import CrammerSinger
from .weston_watkins import WestonWatkins

__all__ = ["CrammerSinger", "WestonWatkins"]
