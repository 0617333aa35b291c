"""The baseline of Crammer & Singer: figure 2 with the examples in turn (CS01 section 7).

Solves the dual stated in ``selecting_loop``. Each visit of an example p computes the constants of
its reduced problem from a whole kernel row, B_p = sum_{i != p} K_ip a_i - e_y, and sets a_p to the
solution. There is no test of optimality: it ends after a fixed number of passes.
"""

import numpy as np

from .clock cimport monotonic
from .loop cimport Loop
from .reduced_problem cimport ReducedProblem
from .row_cache cimport RowCache
from .state cimport State


cdef class CyclicLoop(Loop):
    """Runs in slices; between them the caller may look at everything."""

    cdef double inner_tol
    cdef long long n_visits

    def __init__(
        self, State state, RowCache cache, ReducedProblem reduced, double inner_tol, long long passes
    ):
        Loop.__init__(self, state, cache, reduced)
        self.inner_tol, self.n_visits = inner_tol, passes * state.n

    @property
    def scores(self):
        """The n x k scores f. None are kept here: they cost a kernel row for each support vector."""
        cdef Py_ssize_t p
        f = np.zeros((self.state.n, self.state.k))
        for p in range(self.state.n):
            if self.state.support[p]:
                f += np.outer(self.cache.row(p), self.state.a[p])
        return f

    def run(self, long long until, double seconds):
        """Go on to iteration ``until``, to the end, or for about ``seconds``; return the status."""
        cdef double stop = monotonic() + seconds
        with nogil:
            while self.n_iter < until and self.n_iter < self.n_visits and monotonic() < stop:
                self.last = self.n_iter % self.state.n
                self.visit(self.state, self.last)
                self.n_iter += 1
        if self.n_iter >= self.n_visits:
            self.status = "passes"
        return self.status

    cdef void visit(self, State s, Py_ssize_t p) noexcept nogil:
        cdef Py_ssize_t i, r
        cdef double A = self.cache.rows.diagonal[p]
        cdef const double* row = self.cache.get(p)
        for r in range(s.k):
            s.g[r] = 0.0
        for i in range(s.n):
            if s.support[i]:
                for r in range(s.k):
                    s.g[r] += row[i] * s.a[i, r]
        s.g[s.y[p]] -= 1.0
        self.reduced.solve(
            A, &s.g[0], &s.a[p, 0], s.y[p], s.k, s.C, self.inner_tol, &s.a_new[0]
        )
        if s.gain(p, A) > 0.0:
            s.accept(p)
