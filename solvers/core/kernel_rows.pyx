"""Rows of the kernel matrix, computed when they are asked for.

``KernelRows`` gives K(x_p, x_i) for all i. Its subclasses differ in how the examples are held:
dense, sparse (CSR), or as a kernel matrix that is already there. The kernel
itself is a ``KernelFunction``, which turns inner products into kernel values in place:

    linear  <x, z>
    poly    (gamma <x, z> + coef0)^degree
    rbf     exp(-gamma ||x - z||^2), with ||x - z||^2 = ||x||^2 + ||z||^2 - 2 <x, z>

``shift`` is added to every value: 1 for the bias inside the norm (CS01 section 3: K + 1).
All arithmetic is in double precision. Rows and seconds are counted.
"""

from libc.math cimport exp, pow as cpow
from libc.string cimport memcpy, memset
from scipy.linalg.cython_blas cimport dgemv

import numpy as np

from .clock cimport monotonic


cdef class KernelFunction:
    """The linear kernel; subclasses override ``apply``."""

    cdef void apply(
        self,
        double* values,        # in: <x_p, x_j>; out: K(x_p, x_j)
        const double* norms,   # in: ||x_j||^2
        double norm_p,         # in: ||x_p||^2
        Py_ssize_t m,
    ) noexcept nogil:
        pass


cdef class PolynomialKernel(KernelFunction):
    """(gamma <x, z> + coef0)^degree."""

    cdef double gamma, coef0, degree

    def __init__(self, double gamma, double coef0, double degree):
        self.gamma, self.coef0, self.degree = gamma, coef0, degree

    cdef void apply(
        self, double* values, const double* norms, double norm_p, Py_ssize_t m
    ) noexcept nogil:
        cdef Py_ssize_t j
        for j in range(m):
            values[j] = cpow(self.gamma * values[j] + self.coef0, self.degree)


cdef class GaussianKernel(KernelFunction):
    """exp(-gamma ||x - z||^2)."""

    cdef double gamma

    def __init__(self, double gamma):
        self.gamma = gamma

    cdef void apply(
        self, double* values, const double* norms, double norm_p, Py_ssize_t m
    ) noexcept nogil:
        cdef Py_ssize_t j
        cdef double squared
        for j in range(m):
            squared = norms[j] + norm_p - 2.0 * values[j]
            values[j] = exp(-self.gamma * squared) if squared > 0.0 else 1.0


cdef class KernelRows:
    """Base: bookkeeping around ``compute``, which the subclasses define."""

    cdef void row(self, Py_ssize_t p, double* out) noexcept nogil:
        """out[i] = K(x_p, x_i) for i = 0 .. n - 1."""
        cdef double start = monotonic()
        cdef Py_ssize_t i
        self.compute(p, out)
        if self.shift != 0.0:
            for i in range(self.n):
                out[i] += self.shift
        self.n_rows += 1
        self.seconds += monotonic() - start

    cdef void compute(self, Py_ssize_t p, double* out) noexcept nogil:
        pass


def diagonal_of(KernelFunction kernel, const double[::1] norms, double shift):
    """The values K(x_i, x_i), which the norms determine."""
    cdef Py_ssize_t i
    cdef double[::1] values = np.array(norms)
    for i in range(norms.shape[0]):
        kernel.apply(&values[i], &norms[i], norms[i], 1)
        values[i] += shift
    return np.asarray(values)


cdef class DenseRows(KernelRows):
    """Examples as an n x d array; a row is one matrix-vector product."""

    cdef const double[:, ::1] X
    cdef const double[::1] norms
    cdef KernelFunction kernel

    def __init__(self, const double[:, ::1] X, KernelFunction kernel, double shift=0.0):
        self.X, self.kernel, self.shift, self.n = X, kernel, shift, X.shape[0]
        self.norms = np.einsum("ij,ij->i", X, X)
        self.diagonal = diagonal_of(kernel, self.norms, shift)

    cdef void compute(self, Py_ssize_t p, double* out) noexcept nogil:
        cdef int d = <int>self.X.shape[1], n = <int>self.n, one = 1
        cdef double unit = 1.0, zero = 0.0
        cdef double* X = <double*>&self.X[0, 0]
        # BLAS counts by columns: our row-major X is its d x n matrix, transposed.
        dgemv(b"T", &d, &n, &unit, X, &d, X + p * self.X.shape[1], &one, &zero, out, &one)
        self.kernel.apply(out, &self.norms[0], self.norms[p], self.n)


cdef class SparseRows(KernelRows):
    """Examples as a sparse matrix, by rows and by columns (CS01 section 7).

    A row adds up, for each non-zero of x_p, the non-zeros of its column: where a share s of the
    values is not zero, that is s^2 of the work of the dense product.
    """

    cdef const double[::1] data        # by rows (CSR)
    cdef const int[::1] indices
    cdef const long long[::1] indptr
    cdef const double[::1] column_data  # by columns (CSC)
    cdef const int[::1] column_indices
    cdef const long long[::1] column_indptr
    cdef const double[::1] norms
    cdef KernelFunction kernel

    def __init__(self, rows, columns, KernelFunction kernel, double shift=0.0):
        cdef Py_ssize_t i, t
        cdef double[::1] norms
        self.data, self.indices, self.indptr = compressed(rows)
        self.column_data, self.column_indices, self.column_indptr = compressed(columns)
        self.kernel, self.shift, self.n = kernel, shift, rows.shape[0]
        norms = np.zeros(self.n)
        for i in range(self.n):
            for t in range(self.indptr[i], self.indptr[i + 1]):
                norms[i] += self.data[t] * self.data[t]
        self.norms = norms
        self.diagonal = diagonal_of(kernel, norms, shift)

    cdef void compute(self, Py_ssize_t p, double* out) noexcept nogil:
        cdef Py_ssize_t s, t, column
        cdef double value
        memset(out, 0, self.n * sizeof(double))
        for s in range(self.indptr[p], self.indptr[p + 1]):
            value, column = self.data[s], self.indices[s]
            for t in range(self.column_indptr[column], self.column_indptr[column + 1]):
                out[self.column_indices[t]] += value * self.column_data[t]
        self.kernel.apply(out, &self.norms[0], self.norms[p], self.n)


def compressed(matrix):
    """The arrays of a CSR or CSC matrix in the types that the loops read: 64-bit offsets."""
    return (
        matrix.data,
        matrix.indices.astype(np.int32, copy=False),
        matrix.indptr.astype(np.int64, copy=False),
    )


cdef class PrecomputedRows(KernelRows):
    """The kernel matrix is given: a row is a copy."""

    cdef const double[:, ::1] K

    def __init__(self, const double[:, ::1] K, double shift=0.0):
        self.K, self.shift, self.n = K, shift, K.shape[0]
        self.diagonal = np.diagonal(K) + shift

    cdef void compute(self, Py_ssize_t p, double* out) noexcept nogil:
        memcpy(out, &self.K[p, 0], self.n * sizeof(double))
