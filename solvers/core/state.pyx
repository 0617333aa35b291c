"""What a solver of the pattern family knows: coefficients, scores, dual value.

a (n x k)  coefficients, a_ir <= C [r = y_i] and sum_r a_ir = 0 (our scaling: a = C tau)
f (k x n)  scores f_ir = sum_j a_jr K_ji
g          f_ir - margin [r = y_i] of one example; with margin 1 the paper's F in margin units
           (F = beta g)

The scores are running sums; ``correct`` replaces them by sums made afresh.
"""

import numpy as np


cdef class State:
    def __init__(self, const Py_ssize_t[::1] y, Py_ssize_t k, double C, double margin=1.0):
        self.y, self.n, self.k, self.C, self.margin = y, y.shape[0], k, C, margin
        self.a = np.zeros((self.n, k))
        self.f = np.zeros((k, self.n))
        self.g = np.empty(k)
        self.a_new = np.empty(k)
        self.delta = np.empty(k)
        self.support = np.zeros(self.n, dtype=np.int8)
        self.blocked = np.full(self.n, -1, dtype=np.int64)

    def correct(self, f):
        """Put scores f (n x k) that were computed from scratch in place of the running sums."""
        np.asarray(self.f)[:] = np.asarray(f).T

    def put(self, a, f):
        """Go on from coefficients and scores (both n x k)."""
        np.asarray(self.a)[:] = a
        np.asarray(self.support)[:] = np.any(np.asarray(self.a) != 0.0, axis=1)
        self.correct(f)
        self.n_updates += 1

    def snapshot(self):
        """What is to be known of a solution, the scores as they are (`solvers.snapshot`)."""
        tried = np.flatnonzero(np.asarray(self.blocked) == self.n_updates)
        return {
            "a": np.array(self.a), "f": np.array(self.f), "n_updates": self.n_updates,
            "blocked": tried,
        }

    def restore(self, state):
        """Go on from a state."""
        np.asarray(self.a)[:] = state["a"]
        np.asarray(self.support)[:] = np.any(np.asarray(self.a) != 0.0, axis=1)
        np.asarray(self.f)[:] = state["f"]
        self.n_updates = state["n_updates"]
        np.asarray(self.blocked)[:] = -1
        np.asarray(self.blocked)[state["blocked"]] = self.n_updates

    def scale(self, double t):
        """Multiply coefficients and scores by t > 0: a step along a ray of a hard margin's dual."""
        np.asarray(self.a)[:] *= t
        np.asarray(self.f)[:] *= t
        self.n_updates += 1

    cdef bint is_blocked(self, Py_ssize_t i) noexcept nogil:
        """Whether i was tried in vain and nothing has moved since."""
        return self.blocked[i] == self.n_updates

    cdef void margins(self, Py_ssize_t i) noexcept nogil:
        """Fill g for example i."""
        cdef Py_ssize_t r
        for r in range(self.k):
            self.g[r] = self.f[r, i]
        self.g[self.y[i]] -= self.margin

    cdef double gain(self, Py_ssize_t p, double A) noexcept nogil:
        """The gain of D by the step of p from a_p to ``a_new``: what counts as progress."""
        cdef Py_ssize_t r
        cdef double linear = 0.0, square = 0.0, highest = self.g[0]
        for r in range(self.k):
            highest = max(highest, self.g[r])
        for r in range(self.k):
            # The steps sum to 0, so any constant may be taken off g; this one keeps the digits.
            self.delta[r] = self.a_new[r] - self.a[p, r]
            linear += self.delta[r] * (highest - self.g[r])
            square += self.delta[r] * self.delta[r]
        return linear - 0.5 * A * square

    cdef void accept(self, Py_ssize_t p) noexcept nogil:
        """a_p <- a_new."""
        cdef Py_ssize_t r
        self.support[p] = 0
        for r in range(self.k):
            self.a[p, r] = self.a_new[r]
            if self.a_new[r] != 0.0:
                self.support[p] = 1
        self.n_updates += 1

    cdef void add_row(self, const double* row) noexcept nogil:
        """f_ir += delta_r row_i for all examples: the step of the example whose row it is."""
        cdef Py_ssize_t i, r
        cdef double d
        cdef double* f
        for r in range(self.k):
            d = self.delta[r]
            if d != 0.0:
                f = &self.f[r, 0]
                for i in range(self.n):
                    f[i] += d * row[i]
