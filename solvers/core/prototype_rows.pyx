"""Passes over the training set for the multi-prototype machine, with kernel rows.

Solves, for given assignments y_i of examples to prototypes of their classes,

    max D(a) = sum_i a_{i,y_i} - 1/2 sum_ij K_ij <a_i, a_j>
    s.t. a_{i,y_i} <= C,  a_ir = 0 for the other prototypes r of the class,
         a_ir <= 0 for those of other classes,  sum_r a_ir = 0

(AS05 eq. 11), one example at a time, in the order of its passes. Without the barred prototypes,
those of the example's class that it is not assigned to, the reduced problem of an example is that
of ``reduced_problem``, with the assigned prototype in the place of the class.
"""

import numpy as np

from libc.math cimport HUGE_VAL

from ..snapshot import joined, part_of

from .clock cimport monotonic
from .cooling cimport Threshold
from .reduced_problem cimport ReducedProblem
from .row_cache cimport RowCache
from .selecting_loop cimport SelectingLoop
from .selection cimport Violation
from .state cimport State
from .visit_order cimport VisitOrder


cdef class PrototypeViolation(Violation):
    """psi_i without the barred prototypes.

    Parameters
    ----------
    first, end : intp ndarray of shape (R,)
        For each prototype, the range of the prototypes of its class.
    """

    cdef const Py_ssize_t[::1] first, end

    def __init__(
        self,
        double tol,
        const double[::1] diagonal,
        const Py_ssize_t[::1] first,
        const Py_ssize_t[::1] end,
    ):
        Violation.__init__(self, tol, diagonal, len(first))
        self.first, self.end = first, end

    cdef double psi(self, State s, Py_ssize_t i) noexcept nogil:
        cdef Py_ssize_t r, n = s.n, y = s.y[i]
        cdef const double* f = &s.f[0, i]  # f[r n] = f_r(x_i)
        cdef const double* a = &s.a[i, 0]
        cdef double own = f[y * n] - s.margin
        cdef double highest = own, lowest = own if a[y] < s.C else HUGE_VAL
        for r in range(self.first[y]):
            highest = max(highest, f[r * n])
        for r in range(self.end[y], s.k):
            highest = max(highest, f[r * n])
        if s.support[i]:
            for r in range(s.k):
                if a[r] < 0.0:
                    lowest = min(lowest, f[r * n])
        return highest - lowest


cdef class Allowed(ReducedProblem):
    """The reduced problem of an example without the barred prototypes, which stay at 0.

    Parameters
    ----------
    inner : ReducedProblem
        Solves it.
    first, end
        As for `PrototypeViolation`.
    """

    cdef ReducedProblem inner
    cdef const Py_ssize_t[::1] first, end
    cdef double[::1] g, a

    def __init__(
        self, ReducedProblem inner, const Py_ssize_t[::1] first, const Py_ssize_t[::1] end
    ):
        self.inner, self.first, self.end = inner, first, end
        self.g, self.a = np.empty(len(first)), np.empty(len(first))

    def count_from(self, state):
        """See `ReducedProblem`."""
        ReducedProblem.count_from(self, state)
        self.inner.count_from(state)

    cdef void solve(
        self,
        double A,
        const double* g,
        const double* a_old,
        Py_ssize_t y,
        Py_ssize_t k,
        double C,
        double tol,
        double* a_new,
    ) noexcept nogil:
        cdef Py_ssize_t r, m = 0, own = self.first[y], end = self.end[y]
        for r in range(k):
            if r < own or r >= end or r == y:
                self.g[m], self.a[m] = g[r], a_old[r]
                m += 1
        self.inner.solve(A, &self.g[0], &self.a[0], own, m, C, tol, &self.a[0])
        m = 0
        for r in range(k):
            if r < own or r >= end or r == y:
                a_new[r] = self.a[m]
                m += 1
            else:
                a_new[r] = 0.0
        self.n_inner, self.n_pair_steps = self.inner.n_inner, self.inner.n_pair_steps


cdef class PrototypeRows(SelectingLoop):
    """Runs in slices, which may end inside a pass.

    The state's labels are the assignments; whoever changes one drops the example's coefficients.

    Attributes
    ----------
    worst, stepped : float
        The largest violation that the present pass has met, and the largest that it stepped on.
    """

    cdef VisitOrder order
    cdef readonly double worst, stepped
    cdef readonly long long n_visits

    def __init__(
        self,
        State state,
        RowCache cache,
        ReducedProblem reduced,
        PrototypeViolation selection,
        double tol,
        double inner_tol,
        seed,
    ):
        SelectingLoop.__init__(
            self, state, cache, reduced, selection, Threshold(selection), tol, inner_tol
        )
        self.order = VisitOrder(state.n, seed)

    def snapshot(self):
        """See `Loop`."""
        mine = {"worst": self.worst, "stepped": self.stepped, "n_visits": self.n_visits}
        return {**SelectingLoop.snapshot(self), **mine, **joined(order=self.order.snapshot())}

    def restore(self, state):
        """See `Loop`."""
        SelectingLoop.restore(self, state)
        self.worst, self.stepped = state["worst"], state["stepped"]
        self.n_visits = state["n_visits"]
        self.order.restore(part_of(state, "order"))

    def begin(self, bint full):
        """Begin a pass: over all examples, or over those that are due; whether it is over all."""
        self.order.full = full
        self.order.begin()
        self.worst = self.stepped = 0.0
        return self.order.full

    def run(self, long long until, double seconds, double least):
        """Go on with the pass, to iteration ``until`` or for about ``seconds``.

        Steps are taken on violations above ``least``. Returns whether the pass has ended.
        """
        cdef double stop = monotonic() + seconds
        cdef bint ended = False
        with nogil:
            while self.n_iter < until:
                self.visit(self.order.examples[self.order.position], least)
                self.n_visits += 1
                ended = self.order.ahead(1)
                if ended:
                    self.order.settle()
                if ended or monotonic() >= stop:
                    break
        return ended

    cdef void visit(self, Py_ssize_t i, double least) noexcept nogil:
        cdef long long before = self.state.n_updates
        cdef double psi = self.selection.psi(self.state, i)
        self.worst = max(self.worst, psi)
        if psi > least and not self.state.is_blocked(i):
            self.optimize(self.state, i)
        self.order.moved[i] = self.state.n_updates > before
        if self.order.moved[i]:
            self.stepped = max(self.stepped, psi)

    def drop(self, const Py_ssize_t[::1] examples):
        """Put the coefficients of some examples to 0."""
        cdef Py_ssize_t q, r, p
        cdef State s = self.state
        for q in range(len(examples)):
            p = examples[q]
            for r in range(s.k):
                s.delta[r], s.a[p, r] = -s.a[p, r], 0.0
            s.support[p] = 0
            s.n_updates += 1
            s.add_row(self.cache.get(p))

    def wake(self, const Py_ssize_t[::1] examples):
        """Let some examples be due in the next pass."""
        self.order.wake(examples)
