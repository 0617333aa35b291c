"""Kernel rows of the training examples, kept between checkpoints as far as memory allows."""

from collections.abc import Callable
from typing import Any

import numpy as np

MB = 2**20
STEP = 256

Kernel = Callable[[Any, Any], np.ndarray]


class KeptRows:
    """K(x_j, z) for training examples x_j against fixed points z, each row computed once.

    Parameters
    ----------
    kernel : callable
        Gives the float64 block K(A, B).
    X : array or CSR
        Training examples.
    Z : array or CSR
        The points to be evaluated.

    Attributes
    ----------
    groups : list of ndarray
        The rows in the groups in which they were computed.
    """

    def __init__(self, kernel: Kernel, X: Any, Z: Any) -> None:
        self._kernel = kernel
        self._X, self._Z = X, Z
        self._rows = np.empty((X.shape[0], Z.shape[0]))
        self._known = np.zeros(X.shape[0], dtype=bool)
        self.groups: list[np.ndarray] = []

    def scores(self, dual_coef: np.ndarray) -> np.ndarray:
        """Return f_r(z) = sum_j a_jr K(x_j, z) for every point, summed anew each time."""
        result = np.zeros((dual_coef.shape[1], self._Z.shape[0]))
        support = np.flatnonzero(np.any(dual_coef != 0.0, axis=1))
        for start in range(0, len(support), STEP):
            part = support[start : start + STEP]
            unknown = part[~self._known[part]]
            if len(unknown):
                self.compute(unknown)
            result += dual_coef[part].T @ self._rows[part]
        return result.T

    def compute(self, rows: np.ndarray) -> None:
        """Compute some rows together; the last bits may depend on which these are."""
        self._rows[rows] = self._kernel(self._X[rows], self._Z)
        self._known[rows] = True
        self.groups.append(rows)

    @staticmethod
    def needed_mb(n: int, m: int) -> float:
        """Return the memory for n training examples against m points."""
        return n * m * 8 / MB
