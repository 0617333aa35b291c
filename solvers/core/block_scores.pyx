"""All scores after a step on a block of examples.

The scores are laid out class by class, g[r, i] = f_r(x_i) - margin [r = y_i], and a step d of the
coefficients of the block moves them by

    g[r, i] += sum_j d_jr K(x_j, x_i),

a sum over the kernel columns of the examples j that moved for class r. It is made tile by tile, of
256 examples i and 32 examples j, for all classes: the tile is read from memory once, and stays in the
nearest cache of the processor meanwhile, as do the sums.

Kernel columns are given by their addresses, so that they may lie anywhere.
"""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef extern from "block_scores.h" nogil:
    enum:
        TILE  # examples of a tile
    void add_columns_f32(
        const float** columns, const float* weights, Py_ssize_t n_columns, Py_ssize_t offset,
        float* sums)
    void add_columns_ends_f32(
        const float** columns, const float* weights, Py_ssize_t n_columns, Py_ssize_t offset,
        Py_ssize_t m, float* sums)
    void fetch_f32(const float** columns, Py_ssize_t n_columns, Py_ssize_t offset)
    void add_sums_f32(const float* sums, Py_ssize_t m, double* scores)
    void add_columns_f64(
        const double** columns, const double* weights, Py_ssize_t n_columns, Py_ssize_t offset,
        double* sums)
    void add_columns_ends_f64(
        const double** columns, const double* weights, Py_ssize_t n_columns, Py_ssize_t offset,
        Py_ssize_t m, double* sums)
    void fetch_f64(const double** columns, Py_ssize_t n_columns, Py_ssize_t offset)
    void add_sums_f64(const double* sums, Py_ssize_t m, double* scores)
    void largest_scores(
        const double* scores, Py_ssize_t stride, Py_ssize_t k, Py_ssize_t m, double* largest)

ctypedef fused real:
    float
    double

cdef enum:
    COLUMNS = 32  # of a tile: with 256 values of four bytes 32 kB
    CHUNK = 256  # examples whose violations are looked at together

ROWS = COLUMNS  # of the block that belong together in the argument ``first`` of add_step


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
    const int64_t[::1] block,       # addresses of the columns of the block
    const int64_t[::1] columns,     # those of the columns that moved, class after class
    const real[::1] weights,        # the step of each
    const Py_ssize_t[:, ::1] first,  # k x (b + 1): where class r has its part of the b-th ROWS rows
    Py_ssize_t low,
    Py_ssize_t high,
):
    """Add a step to the scores of the examples low .. high - 1."""
    cdef Py_ssize_t start, tile, r, b, m, at, count, k = g.shape[0]
    cdef real* sums = <real*>malloc(k * TILE * sizeof(real))
    cdef real* sums_r
    if sums == NULL:
        raise MemoryError()
    with nogil:
        for tile in range((high - low + TILE - 1) // TILE):
            start = low + tile * TILE
            m = min(<Py_ssize_t>TILE, high - start)
            memset(sums, 0, k * TILE * sizeof(real))
            for b in range(first.shape[1] - 1):
                at = (b + 1) * COLUMNS
                count = min(block.shape[0] - at, <Py_ssize_t>COLUMNS)
                if count > 0 and m == TILE:
                    if real is float:
                        fetch_f32(<const float**>&block[at], count, start)
                    else:
                        fetch_f64(<const double**>&block[at], count, start)
                for r in range(k):
                    at, count, sums_r = first[r, b], first[r, b + 1] - first[r, b], sums + r * TILE
                    if count == 0:
                        continue
                    if real is float:
                        if m == TILE:
                            add_columns_f32(
                                <const float**>&columns[at], &weights[at], count, start, sums_r)
                        else:
                            add_columns_ends_f32(
                                <const float**>&columns[at], &weights[at], count, start, m, sums_r)
                    elif m == TILE:
                        add_columns_f64(
                            <const double**>&columns[at], &weights[at], count, start, sums_r)
                    else:
                        add_columns_ends_f64(
                            <const double**>&columns[at], &weights[at], count, start, m, sums_r)
            for r in range(k):
                if real is float:
                    add_sums_f32(sums + r * TILE, m, &g[r, start])
                else:
                    add_sums_f64(sums + r * TILE, m, &g[r, start])
    free(sums)


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
