"""Descent on a block of examples with its small kernel matrix: all else stands still.

The reduced problem of one example is solved exactly, and its step is carried to the scores of the
block, which are few: q x k numbers beside a q x q matrix, all in the cache of the processor. Passes
go over the examples whose violation psi is at least a share of the largest one at the start of the
pass, in their order; most steps of the greedy choice at a fraction of its search.
"""

import numpy as np

from .reduced_problem cimport ReducedProblem

cdef extern from "block_descent.h" nogil:
    float scan_f32(
        const float* g, const float* up, const float* down, const float* own, bint boxes,
        Py_ssize_t q, Py_ssize_t k, float* psi, float* lo)
    double scan_f64(
        const double* g, const double* up, const double* down, const double* own, bint boxes,
        Py_ssize_t q, Py_ssize_t k, double* psi, double* lo)
    void add_row_f32(float* g, const float* row, float step, Py_ssize_t q)
    void add_row_f64(double* g, const double* row, double step, Py_ssize_t q)

ctypedef fused real:
    float
    double

cdef double HUGE = 1e30


cdef class BlockDescent:
    """The descent for one machine.

    Parameters
    ----------
    reduced : ReducedProblem
        Solves the problem of one example.
    k : int
        Classes.
    C : float
        The bound.
    boxes : bool
        Whether each coefficient has its bound (Weston & Watkins), or the one of the own class has
        it (Crammer & Singer).
    share : float
        Of the largest violation: who takes part in a pass.

    Attributes
    ----------
    n_updates : int
        Examples optimized so far.
    """

    cdef readonly long long n_updates
    cdef readonly ReducedProblem reduced
    cdef double C, share
    cdef bint boxes
    cdef Py_ssize_t k
    cdef double[::1] scores, old, new

    def __init__(
        self, ReducedProblem reduced, Py_ssize_t k, double C, bint boxes, double share=0.5
    ):
        self.reduced, self.k, self.C, self.boxes, self.share = reduced, k, C, boxes, share
        self.scores, self.old, self.new = np.empty(k), np.empty(k), np.empty(k)

    def descend(
        self,
        const real[:, ::1] K,        # q x q
        real[:, ::1] g,              # in and out: k x q scores less the margin
        double[:, ::1] a,            # in and out: q x k coefficients
        const Py_ssize_t[::1] y,     # labels
        double tol,
        long long limit,
    ):
        """Descend until no violation of the block exceeds tol, or for ``limit`` updates.

        Returns
        -------
        float
            The largest violation at the last look; that of the block or, at the limit, before it.
        """
        cdef Py_ssize_t q = K.shape[0], k = self.k, i, r
        cdef real* column
        cdef double worst, level, psi
        cdef long long done = 0, moved
        dtype = np.asarray(g).dtype
        # up is only read where each coefficient has its bound
        cdef real[:, ::1] up = np.zeros((k if self.boxes else 1, q), dtype)
        cdef real[:, ::1] down = np.zeros((k, q), dtype)
        cdef real[::1] own = np.empty(q, dtype), lo = np.empty(q, dtype), hi = np.empty(q, dtype)
        with nogil:
            for i in range(q):
                self.bounds(a, y[i], i, up, down)
            while True:
                if self.boxes:
                    for i in range(q):
                        own[i] = g[y[i], i]
                if real is float:
                    worst = scan_f32(
                        &g[0, 0], &up[0, 0], &down[0, 0], &own[0], self.boxes, q, k, &hi[0],
                        &lo[0])
                else:
                    worst = scan_f64(
                        &g[0, 0], &up[0, 0], &down[0, 0], &own[0], self.boxes, q, k, &hi[0],
                        &lo[0])
                if worst <= tol or done >= limit:
                    break
                level = max(self.share * worst, tol)
                moved = 0
                for i in range(q):
                    if hi[i] < level:
                        continue
                    psi = self.psi(a, g, up, down, y[i], i)
                    if psi < level:
                        continue
                    for r in range(k):
                        self.scores[r] = g[r, i]
                        self.old[r] = a[i, r]
                    self.reduced.solve(
                        K[i, i], &self.scores[0], &self.old[0], y[i], k, self.C, 0.0, &self.new[0])
                    psi = 0.0
                    for r in range(k):
                        if self.new[r] != self.old[r]:
                            psi = 1.0
                            a[i, r] = self.new[r]
                            if real is float:
                                add_row_f32(
                                    &g[r, 0], &K[i, 0], <float>(self.new[r] - self.old[r]), q)
                            else:
                                add_row_f64(&g[r, 0], &K[i, 0], self.new[r] - self.old[r], q)
                    if psi != 0.0:
                        moved += 1
                        self.bounds(a, y[i], i, up, down)
                        if done + moved >= limit:
                            break
                done += moved
                if moved == 0:
                    break
        self.n_updates += done
        return worst

    cdef void bounds(
        self, double[:, ::1] a, Py_ssize_t y, Py_ssize_t i, real[:, ::1] up, real[:, ::1] down
    ) noexcept nogil:
        """The penalties of one example."""
        cdef Py_ssize_t r
        for r in range(self.k):
            down[r, i] = 0.0 if a[i, r] < 0.0 else HUGE
            if self.boxes:
                up[r, i] = 0.0 if a[i, r] > -self.C else HUGE
        if self.boxes:
            up[y, i] = down[y, i] = HUGE
        else:
            down[y, i] = 0.0 if a[i, y] < self.C else HUGE

    cdef double psi(
        self,
        double[:, ::1] a,
        real[:, ::1] g,
        real[:, ::1] up,
        real[:, ::1] down,
        Py_ssize_t y,
        Py_ssize_t i,
    ) noexcept nogil:
        """The violation of one example as it is now."""
        cdef Py_ssize_t r
        cdef real highest, lowest
        if self.boxes:
            highest, lowest = -HUGE, HUGE
            for r in range(self.k):
                highest = max(highest, g[r, i] - up[r, i])
                lowest = min(lowest, g[r, i] + down[r, i])
            return max(highest - g[y, i], g[y, i] - lowest)
        highest, lowest = g[0, i], g[0, i] + down[0, i]
        for r in range(1, self.k):
            highest = max(highest, g[r, i])
            lowest = min(lowest, g[r, i] + down[r, i])
        return highest - lowest
