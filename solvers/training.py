"""A training set as a kernel machine reads it: checked, with labels as indices and its kernel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from .certificate import support_of, training_scores
from .kernels import NO_VALUE, KernelChoice, kernel_function, squared_lengths

LARGEST = 1e150  # a kernel value whose square is a number still


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
        classes, y = classes_of(labels)
        gram = X
        if kernel.name == "precomputed":
            check_square(X)
        elif callable(kernel.name):
            gram = np.ascontiguousarray(kernel_function(kernel.name)(X, X))
        if symmetric and kernel.given:
            check_kernel_matrix(gram)
        training = cls(X, y, classes, kernel, gram)
        if kernel.given:
            check_size(gram)
        else:
            check_size(squared_lengths(X))
            check_size(training.diagonal)
        return training

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.classes)

    @cached_property
    def diagonal(self) -> np.ndarray:
        """K(x_i, x_i) for all examples, the shift of a penalized bias included."""
        return self.kernel.diagonal(self.gram)

    def block(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """K(x_i, x_j) for i in rows and j in columns, that shift included."""
        if self.kernel.given:
            K = self.gram[np.ix_(rows, columns)]
            return np.asarray(K + self.kernel.shift if self.kernel.shift else K)
        return self.kernel.function()(self.gram[rows], self.gram[columns])

    def with_matrix(self) -> Training:
        """The same training set with its kernel as a precomputed matrix; the shift stays apart."""
        if self.kernel.name == "precomputed":
            return self
        K = self.gram
        if not self.kernel.given:
            plain = replace(self.kernel, bias="none")
            K = np.ascontiguousarray(plain.function()(self.X, self.X))
            if not np.isfinite(K).all():
                raise ValueError(NO_VALUE)
        return replace(self, X=K, gram=K, kernel=replace(self.kernel, name="precomputed"))

    def score(self, coefficients: np.ndarray) -> np.ndarray:
        """The scores (n x c) of the training set by coefficients (n x c), from scratch."""
        if self.kernel.name == "precomputed":
            support = support_of(coefficients)
            a = coefficients[support]
            return np.asarray(self.X[:, support] @ a + self.kernel.shift * a.sum(axis=0))
        if self.kernel.name == "linear":  # by the weights: n d c products, not n^2
            support = support_of(coefficients)
            a = coefficients[support]
            weights = self.X[support].T @ a
            return np.asarray(self.X @ weights + self.kernel.shift * a.sum(axis=0))
        return training_scores(self.X, coefficients, self.kernel.function())


def classes_of(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The classes in their order, and each label as an index of them.

    Raises
    ------
    ValueError
        If there is one class only.
    """
    classes, y = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"y has one class only, {str(classes[0])!r}; it needs two or more")
    return classes, y.astype(np.intp)


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
