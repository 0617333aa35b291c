"""Preprocessing of the attributes: explicit, recorded, and learned from the training part only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from ._types import Matrix
from .suggest import unknown

Pair = tuple[Matrix, Matrix]


def scale(how: str, X_train: Matrix, X_test: Matrix) -> Pair:
    """Scale the training and the test part.

    An attribute that is constant in the training part carries no information there: ``range`` and
    ``unit_variance`` make it 0 in both parts, so that it cannot throw a test example far away.

    Parameters
    ----------
    how : {"none", "range", "unit_variance", "div255"}
        ``none``: as published. ``range``: each attribute to [-1, 1] over the training part (test
        values may lie outside). ``unit_variance``: each attribute divided by its standard deviation
        over the training part, without a shift. ``div255``: everything divided by 255.
    X_train, X_test : ndarray or csr_matrix of float64
        Attributes. ``range`` refuses a CSR matrix, since the shift would fill its zeros.
    """
    if how not in SCALINGS:
        raise unknown("scaling", how, SCALINGS)
    return SCALINGS[how](X_train, X_test)


def _none(X_train: Matrix, X_test: Matrix) -> Pair:
    return X_train, X_test


def _range(X_train: Matrix, X_test: Matrix) -> Pair:
    if sparse.issparse(X_train):
        raise ValueError(
            "scaling 'range' shifts the attributes and would fill a sparse matrix; use 'none', "
            "'unit_variance' or 'div255', or store the data in a dense format (CSV, NPZ, Parquet)"
        )
    low, high = _extremes(X_train)
    varies = high > low
    width = np.where(varies, high - low, 1.0)

    def apply(X: np.ndarray) -> np.ndarray:
        return np.where(varies, 2.0 * ((X - low) / width) - 1.0, 0.0)

    return apply(X_train), apply(X_test)


def _unit_variance(X_train: Matrix, X_test: Matrix) -> Pair:
    low, high = _extremes(X_train)
    # Relative to the largest value, so that squares neither overflow nor vanish.
    size = np.maximum(np.maximum(np.abs(low), np.abs(high)), np.finfo(float).tiny)
    spread = _deviation(X_train, size) * size
    varies = (high > low) & (spread >= np.finfo(float).tiny)
    factor = np.divide(1.0, spread, out=np.zeros(len(size)), where=varies)
    return _times(X_train, factor), _times(X_test, factor)


def _div255(X_train: Matrix, X_test: Matrix) -> Pair:
    return X_train / 255.0, X_test / 255.0


def _extremes(X: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest value of each attribute."""
    low, high = X.min(axis=0), X.max(axis=0)
    if sparse.issparse(X):
        low, high = low.toarray().ravel(), high.toarray().ravel()
    if np.any(np.maximum(np.abs(low), np.abs(high)) > np.finfo(float).max / 8):
        raise ValueError("an attribute is too large to be scaled; divide it first")
    return low, high


def _deviation(X: Matrix, size: np.ndarray) -> np.ndarray:
    """Return the standard deviation of each attribute divided by `size`."""
    if not sparse.issparse(X):
        return np.asarray((X / size).std(axis=0))
    # sum of (x - mean)^2 over the stored entries, and mean^2 for each zero that is not stored
    scaled = X.multiply(1.0 / size).tocsc()
    mean = np.asarray(scaled.mean(axis=0)).ravel()
    stored = np.diff(scaled.indptr)
    columns = np.repeat(np.arange(X.shape[1]), stored)
    squares = np.bincount(columns, (scaled.data - mean[columns]) ** 2, X.shape[1])
    return np.sqrt((squares + (X.shape[0] - stored) * mean**2) / X.shape[0])


def _times(X: Matrix, factor: np.ndarray) -> Matrix:
    """Multiply each attribute by its factor."""
    if not sparse.issparse(X):
        return X * factor
    scaled = sparse.csr_matrix(X.multiply(factor))
    scaled.eliminate_zeros()
    return scaled


SCALINGS: dict[str, Callable[[Matrix, Matrix], Pair]] = {
    "none": _none,
    "range": _range,
    "unit_variance": _unit_variance,
    "div255": _div255,
}
