"""All scores after a step on a block of examples.

The scores are laid out class by class, g[r, i] = f_r(x_i) - margin [r = y_i], and a step d of the
coefficients of the block moves them by

    g[r, i] += sum_j d_jr K(x_j, x_i),

a sum over the kernel columns of the examples j that moved for class r. It is made for some hundred
examples at a time, for all classes: their part of the columns stays in the cache of the processor,
and so do their scores, from which the violations follow at once.

Kernel columns are given by their addresses, so that they may lie anywhere.
"""

from libc.stdint cimport int64_t, uint8_t

cdef extern from "block_scores.h" nogil:
    void add_columns_f32(
        const float** columns, const float* weights, Py_ssize_t n_columns, Py_ssize_t offset,
        Py_ssize_t m, double* scores)
    void add_columns_f64(
        const double** columns, const double* weights, Py_ssize_t n_columns, Py_ssize_t offset,
        Py_ssize_t m, double* scores)
    void largest_scores(
        const double* scores, Py_ssize_t stride, Py_ssize_t k, Py_ssize_t m, double* largest)

ctypedef fused real:
    float
    double

cdef enum:
    CHUNK = 256  # examples at a time: with 512 columns of four bytes half a megabyte


def gather(
    const int64_t[::1] columns, const Py_ssize_t[::1] examples, real[:, ::1] out, Py_ssize_t low,
    Py_ssize_t high,
):
    """out[a, b] = K(x_a, x_b) for b <= a and a in low .. high - 1, from the examples' columns."""
    cdef Py_ssize_t a, b
    cdef const real* column
    with nogil:
        for a in range(low, high):
            column = <const real*>columns[a]
            for b in range(a + 1):
                out[a, b] = column[examples[b]]


def mirror(real[:, ::1] K):
    """K[a, b] = K[b, a] for b > a."""
    cdef Py_ssize_t a, b, tile_a, tile_b, q = K.shape[0]
    with nogil:
        # Tile by tile: rows that are a power of two apart share their places in the cache.
        for tile_a in range(0, q, 16):
            for tile_b in range(tile_a, q, 16):
                for b in range(tile_b, min(tile_b + 16, q)):
                    for a in range(tile_a, min(tile_a + 16, b)):
                        K[a, b] = K[b, a]


def add_step(
    double[:, ::1] g,               # in and out: k x n scores
    const int64_t[::1] columns,     # addresses of the columns that moved, class after class
    const real[::1] weights,        # the step of each
    const Py_ssize_t[::1] first,    # k + 1: where each class begins
    Py_ssize_t low,
    Py_ssize_t high,
):
    """Add a step to the scores of the examples low .. high - 1."""
    cdef Py_ssize_t tile, start, r, m, at
    with nogil:
        for tile in range((high - low + CHUNK - 1) // CHUNK):
            start = low + tile * CHUNK
            m = min(<Py_ssize_t>CHUNK, high - start)
            for r in range(g.shape[0]):
                at = first[r]
                if first[r + 1] == at:
                    continue
                if real is float:
                    add_columns_f32(
                        <const float**>&columns[at], &weights[at], first[r + 1] - at, start, m,
                        &g[r, start])
                else:
                    add_columns_f64(
                        <const double**>&columns[at], &weights[at], first[r + 1] - at, start, m,
                        &g[r, start])


def violations(
    const double[:, ::1] g,         # in: k x n scores
    const double[:, ::1] a,         # in: n x k coefficients
    const uint8_t[::1] support,     # in: whether an example has a coefficient
    const Py_ssize_t[::1] y,        # in: labels
    double C,
    bint boxes,                     # in: the conditions of boxes (WW98), not of simplices (CS01)
    double[::1] psi,                # out: the violation of each example
    Py_ssize_t low,
    Py_ssize_t high,
):
    """The violations of the optimality conditions by the examples low .. high - 1."""
    cdef Py_ssize_t tile, start, i, r, m, k = g.shape[0], n = g.shape[1]
    cdef double own, worst, lowest
    with nogil:
        for tile in range((high - low + CHUNK - 1) // CHUNK):
            start = low + tile * CHUNK
            m = min(<Py_ssize_t>CHUNK, high - start)
            largest_scores(&g[0, start], n, k, m, &psi[start])
            for i in range(start, start + m):
                own = g[y[i], i]
                if not support[i]:
                    psi[i] -= own
                elif boxes:
                    worst = 0.0
                    for r in range(k):
                        if r != y[i]:
                            if a[i, r] > -C:
                                worst = max(worst, g[r, i] - own)
                            if a[i, r] < 0.0:
                                worst = max(worst, own - g[r, i])
                    psi[i] = worst
                else:
                    lowest = own if a[i, y[i]] < C else psi[i]
                    for r in range(k):
                        if a[i, r] < 0.0:
                            lowest = min(lowest, g[r, i])
                    psi[i] -= lowest
