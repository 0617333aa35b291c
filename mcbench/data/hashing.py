"""Content hashes of canonical arrays.

A canonical array is X as C-order little-endian float64 or y (and any array of row numbers) as
little-endian int64. Its hash says what the data are, whichever mirror, file format or data type
they came in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from scipy import sparse

from ._types import Matrix

_BLOCK = 1 << 20  # entries converted at a time: 8 MB
_DENSE_LIMIT = 1 << 27  # a sparse matrix with more entries is hashed by its stored entries


def array_hash(array: np.ndarray, dtype: str) -> str:
    """SHA-256 of an array converted to `dtype`, block by block.

    Parameters
    ----------
    array : ndarray
        Any numeric array.
    dtype : {"<f8", "<i8"}
        Canonical type.
    """
    digest = hashlib.sha256()
    for block in _blocks(array):
        digest.update(np.ascontiguousarray(block, dtype=dtype).tobytes())
    return digest.hexdigest()


def matrix_hash(X: Matrix) -> str:
    """SHA-256 of an attribute matrix; the same for a dense and a CSR matrix of equal values.

    Only a CSR matrix of more than 2^27 entries, zeros included, is hashed by its stored entries.
    """
    if sparse.issparse(X) and X.shape[0] * X.shape[1] > _DENSE_LIMIT:
        X = X.copy()
        X.sum_duplicates()
        X.eliminate_zeros()
        digest = hashlib.sha256(f"csr {X.shape[0]} {X.shape[1]}\n".encode())
        for part, dtype in ((X.indptr, "<i8"), (X.indices, "<i8"), (X.data, "<f8")):
            digest.update(array_hash(part, dtype).encode())
        return digest.hexdigest()
    digest = hashlib.sha256()
    for block in _blocks(X):
        dense = block.toarray() if sparse.issparse(block) else block
        digest.update(np.ascontiguousarray(dense, dtype="<f8").tobytes())
    return digest.hexdigest()


def combined_hash(lines: Iterable[tuple[str, str, str]]) -> str:
    """One hash for a data set from the hashes of its arrays.

    Parameters
    ----------
    lines : iterable of (part, array, sha256)
        For example ``("train", "X", "5f0c...")``.
    """
    text = "".join(f"{part} {array} {sha}\n" for part, array, sha in lines)
    return hashlib.sha256(text.encode()).hexdigest()


def _blocks(array: Matrix) -> Iterable[Matrix]:
    """Rows of `array`, some at a time."""
    width = max(1, int(np.prod(array.shape[1:])))
    step = max(1, _BLOCK // width)
    for start in range(0, array.shape[0], step):
        yield array[start : start + step]
