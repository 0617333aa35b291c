"""A training set as a kernel machine reads it: checked, with labels as indices and its kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from .certificate import training_scores
from .kernels import KernelChoice, kernel_function

LARGEST = 1e150  # a kernel value whose square is a number still

NO_VALUE = (
    "the kernel gave NaN or infinity (an overflow, or a negative number to a fractional degree): "
    "scale the data or choose other kernel parameters"
)


@dataclass(frozen=True)
class Training:
    """Examples, labels, kernel.

    Attributes
    ----------
    X : ndarray or CSR of shape (n, d)
        The examples; for a precomputed kernel its matrix, (n, n).
    y : int ndarray of shape (n,)
        Labels as indices of ``classes``.
    classes : ndarray of shape (k,)
    kernel : KernelChoice
        With numbers for its parameters.
    gram : ndarray or CSR
        What the compiled rows take: the kernel matrix where it is given or a Python function
        makes it, else the examples.
    """

    X: Any
    y: np.ndarray
    classes: np.ndarray
    kernel: KernelChoice
    gram: Any

    @classmethod
    def of(
        cls, X: Any, labels: np.ndarray, kernel: KernelChoice, *, symmetric: bool = True
    ) -> Training:
        """Check a training set; ``symmetric``: the kernel has to be so, and not indefinite."""
        classes, y = np.unique(labels, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"y has one class only, {str(classes[0])!r}; it needs two or more")
        gram = X
        given = kernel.name == "precomputed" or callable(kernel.name)
        if kernel.name == "precomputed":
            check_square(X)
        elif callable(kernel.name):
            gram = np.ascontiguousarray(kernel_function(kernel.name)(X, X))
        if symmetric and given:
            check_kernel_matrix(gram)
        training = cls(X, y.astype(np.intp), classes, kernel, gram)
        check_size(gram if given else training.diagonal())
        if not given:
            check_size(squared_lengths(X))
        return training

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.classes)

    def diagonal(self) -> np.ndarray:
        """K(x_i, x_i) for all examples, the shift of a penalized bias included."""
        return np.asarray(self.kernel.rows(self.gram).diagonal)

    def score(self, coefficients: np.ndarray) -> np.ndarray:
        """The scores (n x c) of the training set by coefficients (n x c), from scratch."""
        if self.kernel.name == "precomputed":
            support = np.flatnonzero(np.any(coefficients != 0.0, axis=1))
            a = coefficients[support]
            return np.asarray(self.X[:, support] @ a + self.kernel.shift * a.sum(axis=0))
        return training_scores(self.X, coefficients, self.kernel.function())


def squared_lengths(X: Any) -> np.ndarray:
    """||x_i||^2 for all examples."""
    with np.errstate(over="ignore"):
        squares = X.multiply(X).sum(axis=1) if sp.issparse(X) else np.einsum("ij,ij->i", X, X)
    return np.asarray(squares)


def check_size(values: np.ndarray) -> None:
    """Refuse kernel values, or squared lengths, that are no numbers or whose squares are none."""
    if not (np.abs(values) <= LARGEST).all():
        raise ValueError(NO_VALUE)


def without_duplicates(X: Any) -> Any:
    """X, or a copy that sums up the entries of a sparse matrix that stand for one place."""
    if sp.issparse(X) and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def check_square(K: np.ndarray) -> None:
    """Refuse a precomputed kernel that is not square."""
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"a precomputed kernel must be square, not of shape {K.shape}")


def check_kernel_matrix(K: np.ndarray) -> None:
    """Refuse a kernel matrix of the training set that cannot be one.

    Raises
    ------
    ValueError
        If K is not finite, not square, not symmetric, or has a minor of two rows that is negative.
    """
    if not np.isfinite(K).all():
        raise ValueError("the kernel gave NaN or infinity")
    check_square(K)
    scale = np.abs(K).max(initial=0.0)
    if np.abs(K - K.T).max(initial=0.0) > 1e-8 * scale:
        raise ValueError("a kernel must be symmetric, K(x, z) = K(z, x)")
    diagonal = K.diagonal()
    if diagonal.min(initial=0.0) < 0.0:
        raise ValueError("the kernel is indefinite: its diagonal has a negative value")
    norms = np.sqrt(diagonal)
    if np.any(np.abs(K) > np.outer(norms, norms) + 1e-8 * scale):
        raise ValueError("the kernel is indefinite: |K(x, z)| exceeds (K(x, x) K(z, z))^(1/2)")
