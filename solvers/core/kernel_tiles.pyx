"""Columns of the kernel matrix, some hundred at a time, in single or double precision.

A tile holds K(z_e, x_i) for some examples z_e and a range of the training examples x_i. The inner
products of a tile come from one matrix product, or for short vectors from a loop of its own, or from
the non-zeros of sparse examples; while they are in the cache of the processor they are turned into
kernel values (``kernel``: 0 linear, 1 polynomial, 2 Gaussian) and written to where each column is
held, which is given by its address.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from scipy.linalg.cython_blas cimport dgemm, sgemm

cdef extern from "kernel_tiles.h" nogil:
    void gaussian_f32(
        const float* products, float* out, const float* norms, float norm_p, float gamma,
        Py_ssize_t m)
    void gaussian_f64(
        const double* products, double* out, const double* norms, double norm_p, double gamma,
        Py_ssize_t m)
    void polynomial_f32(
        const float* products, float* out, float gamma, float coef0, double degree, Py_ssize_t m)
    void polynomial_f64(
        const double* products, double* out, double gamma, double coef0, double degree,
        Py_ssize_t m)
    void short_products_f32(
        const float* A, const float* X, Py_ssize_t stride, Py_ssize_t d, Py_ssize_t m, float* out)
    void short_products_f64(
        const double* A, const double* X, Py_ssize_t stride, Py_ssize_t d, Py_ssize_t m,
        double* out)

ctypedef fused real:
    float
    double

cdef enum:
    WIDTH = 512  # training examples of a tile


cdef struct Values:
    int kernel
    double gamma, coef0, degree


cdef inline void values(
    Values how, const real* products, real* out, const real* norms, real norm, Py_ssize_t m
) noexcept nogil:
    """Kernel values from inner products."""
    if how.kernel == 2:
        if real is float:
            gaussian_f32(products, out, norms, norm, <float>how.gamma, m)
        else:
            gaussian_f64(products, out, norms, norm, how.gamma, m)
    elif how.kernel == 1:
        if real is float:
            polynomial_f32(products, out, <float>how.gamma, <float>how.coef0, how.degree, m)
        else:
            polynomial_f64(products, out, how.gamma, how.coef0, how.degree, m)
    else:
        memcpy(out, products, m * sizeof(real))


def dense_columns(
    const real[:, ::1] Z,        # q x d: whose columns
    const real[::1] z_norms,     # their squared lengths
    const real[:, ::1] X,        # n x d training examples
    const real[::1] norms,
    const int64_t[::1] out,      # q addresses of n values
    Py_ssize_t low,
    Py_ssize_t high,
    int kernel, double gamma, double coef0, double degree,
):
    """The columns at the examples low .. high - 1, by matrix products."""
    cdef Values how = Values(kernel, gamma, coef0, degree)
    cdef Py_ssize_t tile, start, e
    cdef int d = <int>X.shape[1], q = <int>Z.shape[0], m, width = WIDTH
    cdef real one = 1.0, zero = 0.0
    cdef real* work = <real*>malloc(q * WIDTH * sizeof(real))
    if work == NULL:
        raise MemoryError()
    with nogil:
        for tile in range((high - low + WIDTH - 1) // WIDTH):
            start = low + tile * WIDTH
            m = <int>min(<Py_ssize_t>WIDTH, high - start)
            # BLAS counts by columns: our row-major matrices are their transposes to it.
            if real is float:
                sgemm(b"T", b"N", &m, &q, &d, &one, <float*>&X[start, 0], &d, <float*>&Z[0, 0], &d,
                      &zero, work, &width)
            else:
                dgemm(b"T", b"N", &m, &q, &d, &one, <double*>&X[start, 0], &d, <double*>&Z[0, 0],
                      &d, &zero, work, &width)
            for e in range(q):
                values(how, work + e * WIDTH, <real*>out[e] + start, &norms[start], z_norms[e], m)
    free(work)


def short_columns(
    const real[:, ::1] Z,        # q x d, with q a multiple of 4: whose columns
    const real[::1] z_norms,     # their squared lengths
    const real[:, ::1] X,        # d x N training examples, feature by feature; N: see below
    const real[::1] norms,
    const int64_t[::1] out,      # addresses of n values; they may be fewer than q
    Py_ssize_t low,
    Py_ssize_t high,
    int kernel, double gamma, double coef0, double degree,
):
    """The columns at the examples low .. high - 1, for few features.

    N is n rounded up to a multiple of 64, so that whole vectors can be read.
    """
    cdef Values how = Values(kernel, gamma, coef0, degree)
    cdef Py_ssize_t tile, start, p, e, m, padded, d = X.shape[0], q = out.shape[0]
    cdef real work[4 * WIDTH]
    with nogil:
        for tile in range((high - low + WIDTH - 1) // WIDTH):
            start = low + tile * WIDTH
            m = min(<Py_ssize_t>WIDTH, high - start)
            padded = (m + 63) // 64 * 64
            for p in range(0, q, 4):
                if real is float:
                    short_products_f32(&Z[p, 0], &X[0, start], X.shape[1], d, padded, work)
                else:
                    short_products_f64(&Z[p, 0], &X[0, start], X.shape[1], d, padded, work)
                for e in range(p, min(p + 4, q)):
                    values(
                        how, work + (e - p) * padded, <real*>out[e] + start, &norms[start],
                        z_norms[e], m)


def sparse_columns(
    const double[::1] data,              # examples whose columns are wanted, by rows (CSR)
    const int[::1] indices,
    const long long[::1] indptr,
    const real[::1] z_norms,
    const double[::1] column_data,       # training examples by features (CSC)
    const int[::1] column_indices,
    const long long[::1] column_indptr,
    const real[::1] norms,
    const int64_t[::1] out,
    Py_ssize_t low,
    Py_ssize_t high,
    int kernel, double gamma, double coef0, double degree,
):
    """The whole columns number low .. high - 1: each adds up the columns of its non-zeros."""
    cdef Values how = Values(kernel, gamma, coef0, degree)
    cdef Py_ssize_t e, s, t, n = norms.shape[0]
    cdef double value
    cdef real* work = <real*>malloc(max(n, 1) * sizeof(real))
    if work == NULL:
        raise MemoryError()
    with nogil:
        for e in range(low, high):
            memset(work, 0, n * sizeof(real))
            for s in range(indptr[e], indptr[e + 1]):
                value = data[s]
                for t in range(column_indptr[indices[s]], column_indptr[indices[s] + 1]):
                    work[column_indices[t]] += <real>(value * column_data[t])
            values(how, work, <real*>out[e], &norms[0], z_norms[e], n)
    free(work)


def kernel_values(
    double[:, ::1] K,            # in: inner products; out: kernel values
    const double[::1] row_norms,
    const double[::1] norms,
    int kernel, double gamma, double coef0, double degree,
):
    """Turn a block of inner products into kernel values, in place."""
    cdef Values how = Values(kernel, gamma, coef0, degree)
    cdef Py_ssize_t tile, start, i, m
    cdef double work[WIDTH]
    if kernel == 0:
        return
    with nogil:
        for i in range(K.shape[0]):
            for tile in range((K.shape[1] + WIDTH - 1) // WIDTH):
                start = tile * WIDTH
                m = min(<Py_ssize_t>WIDTH, K.shape[1] - start)
                memcpy(work, &K[i, start], m * sizeof(double))
                values(how, work, &K[i, start], &norms[start], row_norms[i], m)
