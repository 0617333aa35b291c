"""Data sets: embedded, fetched on demand, or the user's own; split and scaled as in the papers."""

from ._types import Data, DataUnavailable
from .definition import DatasetInfo
from .load import load
from .registry import datasets

__all__ = ["Data", "DataUnavailable", "DatasetInfo", "datasets", "load"]
