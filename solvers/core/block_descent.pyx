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
    cdef double[::1] margins, old, new

    def __init__(
        self, ReducedProblem reduced, Py_ssize_t k, double C, bint boxes, double share=0.6
    ):
        self.reduced, self.k, self.C, self.boxes, self.share = reduced, k, C, boxes, share
        self.margins, self.old, self.new = np.empty(k), np.empty(k), np.empty(k)

    def snapshot(self):
        """What was counted; nothing else lasts from one block to the next."""
        return {"n_updates": self.n_updates, **self.reduced.counted()}

    def restore(self, state):
        """Go on counting from a state."""
        self.n_updates = state["n_updates"]
        self.reduced.count_from(state)

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
        cdef long long done = 0, moved
        cdef bint changed
        cdef real worst, level
        dtype = np.asarray(g).dtype
        # up is only read where each coefficient has its bound
        cdef real[:, ::1] up_values = np.zeros((k if self.boxes else 1, q), dtype)
        cdef real[:, ::1] down_values = np.zeros((k, q), dtype)
        cdef real[::1] own_values = np.empty(q, dtype), psi_values = np.empty(q, dtype)
        cdef real[::1] lowest_values = np.empty(q, dtype)
        cdef real* up = &up_values[0, 0]
        cdef real* down = &down_values[0, 0]
        cdef real* own = &own_values[0]
        cdef real* psi = &psi_values[0]
        cdef real* scores = &g[0, 0]
        cdef const real* row
        cdef double* coefficients
        cdef double* old = &self.old[0]
        cdef double* new = &self.new[0]
        cdef double* margins = &self.margins[0]
        with nogil:
            for i in range(q):
                self.bounds(&a[i, 0], y[i], up + i, down + i, q)
            while True:
                if self.boxes:
                    for i in range(q):
                        own[i] = scores[y[i] * q + i]
                if real is float:
                    worst = scan_f32(
                        scores, up, down, own, self.boxes, q, k, psi, &lowest_values[0])
                else:
                    worst = scan_f64(
                        scores, up, down, own, self.boxes, q, k, psi, &lowest_values[0])
                if worst <= tol or done >= limit:
                    break
                level = max(<real>(self.share * worst), <real>tol)
                moved = 0
                for i in range(q):
                    if psi[i] < level or self.violation(scores + i, up + i, down + i, y[i], q) < level:
                        continue
                    row, coefficients, changed = &K[i, 0], &a[i, 0], False
                    for r in range(k):
                        margins[r] = scores[r * q + i]
                        old[r] = coefficients[r]
                    self.reduced.solve(row[i], margins, old, y[i], k, self.C, 0.0, new)
                    for r in range(k):
                        if new[r] != old[r]:
                            changed = True
                            coefficients[r] = new[r]
                            if real is float:
                                add_row_f32(scores + r * q, row, <float>(new[r] - old[r]), q)
                            else:
                                add_row_f64(scores + r * q, row, new[r] - old[r], q)
                    if changed:
                        moved += 1
                        self.bounds(coefficients, y[i], up + i, down + i, q)
                        if done + moved >= limit:
                            break
                done += moved
                if moved == 0:
                    break
        self.n_updates += done
        return worst

    cdef void bounds(
        self,
        const double* a,    # the coefficients of one example
        Py_ssize_t y,
        real* up,           # its penalties: one value for each class, q apart
        real* down,
        Py_ssize_t q,
    ) noexcept nogil:
        """The penalties of one example."""
        cdef Py_ssize_t r
        for r in range(self.k):
            down[r * q] = 0.0 if a[r] < 0.0 else HUGE
            if self.boxes:
                up[r * q] = 0.0 if a[r] > -self.C else HUGE
        if self.boxes:
            up[y * q] = down[y * q] = HUGE
        else:
            down[y * q] = 0.0 if a[y] < self.C else HUGE

    cdef real violation(
        self,
        const real* g,      # the scores and penalties of one example: q apart
        const real* up,
        const real* down,
        Py_ssize_t y,
        Py_ssize_t q,
    ) noexcept nogil:
        """The violation of one example as it is now."""
        cdef Py_ssize_t r
        cdef real highest = -HUGE, lowest = HUGE, above
        for r in range(self.k):
            above = g[r * q] - up[r * q] if self.boxes else g[r * q]
            highest = max(highest, above)
            lowest = min(lowest, g[r * q] + down[r * q])
        if self.boxes:
            return max(highest - g[y * q], g[y * q] - lowest)
        return highest - lowest
