"""Kernel functions on blocks of examples, as scikit-learn defines their parameters."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from .core.kernel_rows import (
    DenseRows,
    GaussianKernel,
    KernelFunction,
    KernelRows,
    PolynomialKernel,
    PrecomputedRows,
    SparseRows,
    diagonal_of,
)
from .core.kernel_tiles import kernel_values

KERNELS = ("linear", "poly", "rbf", "precomputed")

Kernel = Callable[[Any, Any], np.ndarray]

KINDS = {"linear": 0, "poly": 1, "rbf": 2}  # as the compiled loops count them

SOME = 500  # examples that tell where the centre is
TINIEST = 1e-300  # a variance that counts as one


NO_VALUE = (
    "the kernel gave NaN or infinity (an overflow, or a negative number to a fractional degree): "
    "scale the data or choose other kernel parameters"
)


def numeric_gamma(gamma: str | float, X: Any) -> float:
    """The number behind gamma: "scale" is 1 / (d Var X), "auto" is 1 / d.

    Parameters
    ----------
    gamma : {"scale", "auto"} or float
    X : array or CSR of shape (n, d)
        The training examples.
    """
    n_features = max(X.shape[1], 1)
    if gamma == "auto":
        return 1.0 / n_features
    if gamma == "scale":
        if sp.issparse(X):
            variance = X.multiply(X).mean() - X.mean() ** 2
        else:
            variance = X.var() if X.size else 0.0
        # 0, or so little that its inverse is no number: any gamma will do.
        return 1.0 / (n_features * variance) if variance > TINIEST else 1.0
    return float(gamma)


def kernel_function(
    kernel: str | Kernel,
    *,
    gamma: float = 1.0,
    degree: float = 3,
    coef0: float = 0.0,
    bias: str = "none",
) -> Kernel:
    """The function that gives the float64 block K(A, B) of shape (len(A), len(B)).

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf"} or callable
        <x, z>; (gamma <x, z> + coef0)^degree; exp(-gamma ||x - z||^2); or a function of two
        blocks of examples. (A precomputed kernel has no function: its rows are the examples.)
    gamma, degree, coef0 : float
        The kernel's parameters; those that it does not have are ignored.
    bias : {"none", "penalized"}
        "penalized" adds 1 to every value (CS01 section 3: K + 1).
    """
    shift = 1.0 if bias == "penalized" else 0.0
    if not callable(kernel):
        return NamedKernel(kernel, gamma, degree, coef0, shift)

    def block(A: Any, B: Any) -> np.ndarray:
        K = real_values(kernel(A, B))
        if K.shape != (A.shape[0], B.shape[0]):
            raise ValueError(
                f"the kernel returned an array of shape {K.shape} for {A.shape[0]} and "
                f"{B.shape[0]} examples; it must return one value for each pair"
            )
        return K + shift if shift else K

    return block


@dataclass(frozen=True)
class NamedKernel:
    """A kernel with a name: products of matrices, turned into kernel values by compiled loops.

    It may be called by several threads at once.
    """

    name: str
    gamma: float
    degree: float
    coef0: float
    shift: float

    def __call__(self, A: Any, B: Any) -> np.ndarray:
        """The float64 block K(A, B) of shape (len(A), len(B))."""
        return self.against(B)(A)

    def against(self, B: Any) -> Callable[[Any], np.ndarray]:
        """The function that gives K(A, B) for any A; what B alone decides is computed once.

        Raises
        ------
        ValueError
            Where an example is so long that its kernel values are no numbers.
        """
        centre = centre_of(B) if self.name == "rbf" and not sp.issparse(B) else None
        if centre is not None:
            B = B - centre
        norms = finite_lengths(B)
        values = compiled_values(self)

        def block(A: Any) -> np.ndarray:
            if centre is not None:
                A = (A.toarray() if sp.issparse(A) else A) - centre
            K = A @ B.T
            K = np.ascontiguousarray(K.toarray() if sp.issparse(K) else K)
            kernel_values(K, finite_lengths(A), norms, *values)
            if self.shift:
                K += self.shift
            return K

        return block


def compiled_values(kernel: NamedKernel | KernelChoice) -> tuple[int, float, float, float]:
    """A kernel with a name as the compiled tiles take it."""
    return KINDS[str(kernel.name)], kernel.gamma, kernel.coef0, kernel.degree


def centre_of(X: np.ndarray) -> np.ndarray:
    """A point amid the examples: the median of each feature over some of them.

    Distances do not change when it is taken off, and lose fewer digits in ||x||^2 + ||z||^2 -
    2 <x, z>. A single example far away does not move it.
    """
    return np.median(X[:: max(1, len(X) // SOME)], axis=0) if len(X) else np.zeros(X.shape[1])


def finite_lengths(X: Any) -> np.ndarray:
    """||x||^2 for each of the examples X, which have to be numbers."""
    squares = squared_lengths(X)
    if not np.isfinite(squares).all():
        raise ValueError(NO_VALUE)
    return squares


def real_values(K: Any) -> np.ndarray:
    """What a kernel returned as float64, unless it is no array of real numbers."""
    values = K if isinstance(K, np.ndarray) else np.empty(0, dtype=object)
    with contextlib.suppress(TypeError, ValueError):
        values = np.asarray(K)
    if values.dtype.kind not in "biuf":
        raise ValueError(
            f"the kernel returned {type(K).__name__} of {values.dtype}; it must return an array "
            "of real numbers"
        )
    return np.asarray(values, dtype=np.float64)


@dataclass(frozen=True)
class KernelChoice:
    """A kernel with numbers for its parameters."""

    name: str | Kernel
    gamma: float
    degree: float
    coef0: float
    bias: str

    @property
    def given(self) -> bool:
        """Whether its values come as a matrix, from the user or from the user's function."""
        return self.name == "precomputed" or callable(self.name)

    @property
    def shift(self) -> float:
        """What the penalized bias adds to every kernel value."""
        return 1.0 if self.bias == "penalized" else 0.0

    def function(self) -> Kernel:
        """The kernel on blocks of examples, in NumPy."""
        return kernel_function(
            self.name, gamma=self.gamma, degree=self.degree, coef0=self.coef0, bias=self.bias
        )

    def compiled(self) -> KernelFunction:
        """The kernel for the compiled rows; the shift is theirs."""
        if self.name == "poly":
            return PolynomialKernel(self.gamma, self.coef0, self.degree)
        if self.name == "rbf":
            return GaussianKernel(self.gamma)
        return KernelFunction()

    def rows(self, gram: Any, storage: str = "auto", constant: float = 0.0) -> KernelRows:
        """The compiled source of kernel rows.

        Parameters
        ----------
        gram : ndarray or CSR
            The examples; for a precomputed kernel or a function, the kernel matrix.
        storage : {"auto", "dense", "sparse"}
            How examples are held; "auto" is as they are given.
        constant : float
            Added to every value, as a solver may need it.
        """
        shift = self.shift + constant
        if self.given:
            return PrecomputedRows(gram, shift)
        X = held(gram, storage)
        if sp.issparse(X):
            return SparseRows(X, X.tocsc(), self.compiled(), shift)
        if self.name == "rbf":
            X = X - centre_of(X)
        return DenseRows(np.ascontiguousarray(X), self.compiled(), shift)

    def diagonal(self, gram: Any) -> np.ndarray:
        """K(x, x) for each example of ``gram``, which is what `rows` takes."""
        if self.given:
            return np.asarray(np.diagonal(gram) + self.shift)
        return np.asarray(diagonal_of(self.compiled(), squared_lengths(gram), self.shift))


def held(X: Any, storage: str) -> Any:
    """The examples as an array or in CSR format; ``storage`` is "auto", "dense" or "sparse"."""
    if storage == "sparse" or (storage == "auto" and sp.issparse(X)):
        return sp.csr_array(X)
    return X.toarray() if sp.issparse(X) else X


def squared_lengths(X: Any) -> np.ndarray:
    """||x||^2 for each of the examples X, infinite where it overflows."""
    with np.errstate(over="ignore"):
        squares = X.multiply(X).sum(axis=1) if sp.issparse(X) else np.einsum("ij,ij->i", X, X)
    return np.asarray(squares, dtype=np.float64).ravel()
