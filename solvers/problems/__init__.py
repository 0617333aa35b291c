"""The optimization problems of the machines: what primal, dual and violation are, one a file."""

from .crammer_singer import CrammerSinger
from .linear_program import LinearProgram
from .multi_prototype import MultiPrototype
from .one_vs_one import DAG, OneVsOne
from .one_vs_rest import OneVsRest
from .weston_watkins import WestonWatkins

__all__ = [
    "DAG",
    "CrammerSinger",
    "LinearProgram",
    "MultiPrototype",
    "OneVsOne",
    "OneVsRest",
    "WestonWatkins",
]
