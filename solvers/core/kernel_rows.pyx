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
from libc.string cimport memcpy
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


cdef double[::1] diagonal_of(KernelFunction kernel, const double[::1] norms, double shift):
    """The values K(x_i, x_i), which the norms determine."""
    cdef Py_ssize_t i
    cdef double[::1] values = np.array(norms)
    for i in range(norms.shape[0]):
        kernel.apply(&values[i], &norms[i], norms[i], 1)
        values[i] += shift
    return values


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
    """Examples as CSR; a row costs the non-zeros of all examples (CS01 section 7)."""

    cdef const double[::1] data
    cdef const int[::1] indices
    cdef const long long[::1] indptr
    cdef const double[::1] norms
    cdef double[::1] spread  # x_p as a dense vector; all zeros between calls
    cdef KernelFunction kernel

    def __init__(
        self,
        const double[::1] data,
        const int[::1] indices,
        const long long[::1] indptr,
        Py_ssize_t n_features,
        KernelFunction kernel,
        double shift=0.0,
    ):
        cdef Py_ssize_t i, t
        cdef double[::1] norms
        self.data, self.indices, self.indptr = data, indices, indptr
        self.kernel, self.shift, self.n = kernel, shift, indptr.shape[0] - 1
        norms = np.zeros(self.n)
        for i in range(self.n):
            for t in range(indptr[i], indptr[i + 1]):
                norms[i] += data[t] * data[t]
        self.norms = norms
        self.spread = np.zeros(n_features)
        self.diagonal = diagonal_of(kernel, norms, shift)

    cdef void compute(self, Py_ssize_t p, double* out) noexcept nogil:
        cdef Py_ssize_t i, t
        cdef double total
        for t in range(self.indptr[p], self.indptr[p + 1]):
            self.spread[self.indices[t]] = self.data[t]
        for i in range(self.n):
            total = 0.0
            for t in range(self.indptr[i], self.indptr[i + 1]):
                total = total + self.data[t] * self.spread[self.indices[t]]
            out[i] = total
        for t in range(self.indptr[p], self.indptr[p + 1]):
            self.spread[self.indices[t]] = 0.0
        self.kernel.apply(out, &self.norms[0], self.norms[p], self.n)


cdef class PrecomputedRows(KernelRows):
    """The kernel matrix is given: a row is a copy."""

    cdef const double[:, ::1] K

    def __init__(self, const double[:, ::1] K, double shift=0.0):
        self.K, self.shift, self.n = K, shift, K.shape[0]
        self.diagonal = np.diagonal(K) + shift

    cdef void compute(self, Py_ssize_t p, double* out) noexcept nogil:
        memcpy(out, &self.K[p, 0], self.n * sizeof(double))
