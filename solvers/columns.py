"""Sources of kernel columns for the block solver: which loop makes them, from which arrays."""

from __future__ import annotations

from ctypes import c_char
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from .core.block_scores import gather, mirror
from .core.kernel_rows import compressed
from .core.kernel_tiles import dense_columns, short_columns, sparse_columns
from .kernels import KernelChoice, centre_of, compiled_values, held, squared_lengths
from .training import Training
from .workers import Workers

SOME = 512  # examples that are converted at a time
SHORT = 48  # features up to which the products have their own loop


class Columns(Protocol):
    """Where kernel columns come from, without the shift of a penalized bias.

    Attributes
    ----------
    n : int
        Values of a column.
    dtype : dtype
        float32 or float64.
    alike : bool
        Whether a column has the same bits whichever others it is computed together with.
    """

    n: int
    dtype: np.dtype
    alike: bool

    def compute(self, examples: np.ndarray, out: np.ndarray, team: Workers) -> None:
        """Write the columns of some examples to as many addresses."""

    def square(self, examples: np.ndarray, columns: np.ndarray, team: Workers) -> np.ndarray:
        """The kernel matrix of some examples, whose columns are at these addresses."""


class Gathered:
    """Base: the matrix of some examples is picked out of their columns."""

    dtype: np.dtype
    alike = True

    def square(self, examples: np.ndarray, columns: np.ndarray, team: Workers) -> np.ndarray:
        """The kernel matrix of some examples, whose columns are at these addresses."""
        K = np.empty((len(examples), len(examples)), self.dtype)
        team.split(lambda low, high: gather(columns, examples, K, low, high), len(K), grain=128)
        mirror(K)
        return K


class DenseColumns(Gathered):
    """Columns of dense examples.

    Features that are the same for all examples add nothing to a distance, and those that are 0
    nothing to a product; they are left out. Distances do not change when a centre is taken off, and
    lose fewer digits.
    """

    def __init__(self, X: np.ndarray, kernel: KernelChoice, dtype: Any) -> None:
        self.n, self.dtype = X.shape[0], np.dtype(dtype)
        centre = centre_of(X) if kernel.name == "rbf" else np.zeros(X.shape[1])
        lowest, highest = X.min(axis=0), X.max(axis=0)
        same = (lowest == highest) & ((kernel.name == "rbf") | (lowest == 0.0))
        used = np.arange(min(1, X.shape[1])) if same.all() else np.flatnonzero(~same)
        self.X = np.empty((self.n, len(used)), dtype)
        for low in range(0, self.n, SOME):
            self.X[low : low + SOME] = X[low : low + SOME, used] - centre[used]
        self.norms = np.einsum("ij,ij->i", self.X, self.X)
        self.how = compiled_values(kernel)
        self.short = self.alike = len(used) <= SHORT
        if self.short:
            self.by_feature = np.zeros((len(used), -(-self.n // 64) * 64), dtype)
            self.by_feature[:, : self.n] = self.X.T

    def compute(self, examples: np.ndarray, out: np.ndarray, team: Workers) -> None:
        """Write the columns of some examples to as many addresses."""
        if self.short:
            padded = np.append(examples, np.repeat(examples[:1], -len(examples) % 4))
            Z, norms = self.X[padded], self.norms[padded]

            def work(low: int, high: int) -> None:
                short_columns(Z, norms, self.by_feature, self.norms, out, low, high, *self.how)

        else:
            Z, norms = self.X[examples], self.norms[examples]

            def work(low: int, high: int) -> None:
                dense_columns(Z, norms, self.X, self.norms, out, low, high, *self.how)

        team.split(work, self.n)

    def square(self, examples: np.ndarray, columns: np.ndarray, team: Workers) -> np.ndarray:
        """The kernel matrix of some examples, whose columns are at these addresses."""
        if not self.short:
            return super().square(examples, columns, team)
        q = len(examples)
        # Short products are quicker than picking values from all over the memory.
        Z = np.zeros((-(-q // 64) * 64, self.X.shape[1]), self.dtype)
        Z[:q] = self.X[examples]
        norms, by_feature = np.zeros(len(Z), self.dtype), np.ascontiguousarray(Z.T)
        norms[:q] = self.norms[examples]
        K = np.empty((q, q), self.dtype)
        rows = K.ctypes.data + K.strides[0] * np.arange(q, dtype=np.int64)
        short_columns(Z, norms, by_feature, norms, rows, 0, q, *self.how)
        return K


class SparseColumns(Gathered):
    """Columns of sparse examples (CSR), by way of their features."""

    def __init__(self, X: sp.csr_array, kernel: KernelChoice, dtype: Any) -> None:
        self.n, self.dtype = X.shape[0], np.dtype(dtype)
        self.X = X
        self.columns = compressed(X.tocsc())
        self.norms = squared_lengths(X).astype(dtype)
        self.how = compiled_values(kernel)

    def compute(self, examples: np.ndarray, out: np.ndarray, team: Workers) -> None:
        """Write the columns of some examples to as many addresses."""
        rows, norms = compressed(self.X[examples]), self.norms[examples]

        def work(low: int, high: int) -> None:
            sparse_columns(*rows, norms, *self.columns, self.norms, out, low, high, *self.how)

        team.split(work, len(examples), grain=8)


class GivenColumns(Gathered):
    """Columns of a kernel matrix that is there."""

    def __init__(self, K: np.ndarray, dtype: Any) -> None:
        self.n, self.dtype, self.K = K.shape[0], np.dtype(dtype), K

    def compute(self, examples: np.ndarray, out: np.ndarray, team: Workers) -> None:
        """Write the columns of some examples to as many addresses."""

        def work(low: int, high: int) -> None:
            for example, address in zip(examples[low:high], out[low:high], strict=True):
                column = (c_char * (self.n * self.dtype.itemsize)).from_address(int(address))
                np.frombuffer(column, self.dtype)[:] = self.K[example]

        team.split(work, len(examples), grain=64)


def columns_of(training: Training, storage: str, dtype: Any) -> Columns:
    """The source for a training set; ``storage`` is "auto", "dense" or "sparse"."""
    kernel = training.kernel
    if kernel.given:
        return GivenColumns(training.gram, dtype)
    X = held(training.gram, storage)
    return (SparseColumns if sp.issparse(X) else DenseColumns)(X, kernel, dtype)
