"""The data sets that come with the package, one compressed NumPy archive each."""

from __future__ import annotations

import io
from importlib import resources

import numpy as np

from .canonical import Canonical

FOLDER = "embedded"


def read_embedded(name: str) -> Canonical:
    """Return the rows of an embedded data set, in the small data type they are kept in."""
    content = (resources.files(__package__) / FOLDER / f"{name}.npz").read_bytes()
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return Canonical(arrays["X"], arrays["y"].astype(np.int64))
