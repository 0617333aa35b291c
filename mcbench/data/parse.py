"""Small readers shared by the data sets."""

from __future__ import annotations

import math

import numpy as np

_IDX_TYPES: dict[int, np.dtype] = {8: np.dtype("u1"), 12: np.dtype(">i4")}


def number_table(content: bytes, separator: str | None = None) -> np.ndarray:
    """Read a table of numbers, one row a line; blank lines are skipped."""
    text = content.decode("ascii")
    rows = [line.split(separator) for line in text.splitlines() if line.strip()]
    return np.array(rows, dtype=np.float64)


def idx(content: bytes) -> np.ndarray:
    """Read an idx file, the format of MNIST: big-endian header, then uint8 or int32 values."""
    if len(content) < 4 or content[2] not in _IDX_TYPES:
        raise ValueError("not an idx file of uint8 or int32")
    ndim = content[3]
    shape = tuple(int(n) for n in np.frombuffer(content, ">i4", ndim, 4))
    return np.frombuffer(content, _IDX_TYPES[content[2]], math.prod(shape), 4 + 4 * ndim).reshape(
        shape
    )
