"""What the outer loops that choose their examples by value have in common.

Solves the dual of the multiclass support vector machine

    max D(a) = sum_i a_{i,y_i} - 1/2 sum_ij K_ij <a_i, a_j>
    s.t. a_ir <= C [r = y_i],   sum_r a_ir = 0,

one example at a time, until psi_i < tol for all i (CS01 eq. 32, in margin units). Which example is
next is the matter of the subclasses; what is done with it is here.
"""

from libc.float cimport DBL_EPSILON
from libc.math cimport sqrt

from ..snapshot import joined, part_of

from .cooling cimport Threshold
from .loop cimport Loop
from .reduced_problem cimport ReducedProblem
from .row_cache cimport RowCache
from .selection cimport SelectionValue
from .state cimport State

cdef double FINEST = 1e-15  # inner tolerances below this make no difference in double precision


cdef class SelectingLoop(Loop):
    """Base: takes the steps, and goes on after corrections of scores and tolerance."""

    def __init__(
        self,
        State state,
        RowCache cache,
        ReducedProblem reduced,
        SelectionValue selection,
        Threshold threshold,
        double tol,
        double inner_tol,
    ):
        Loop.__init__(self, state, cache, reduced)
        self.selection, self.threshold, self.tol = selection, threshold, tol
        self.inner_tol = max(inner_tol, FINEST)
        self.level = threshold.value(0.0)

    def resume(self, f):
        """Go on from scores f (n x k) computed from scratch, after the running sums had drifted."""
        self.state.correct(f)
        self.status = "running"

    def tighten(self, double tightest):
        """Ask for a tenth of the tolerance, unless that is below ``tightest``; go on then."""
        if self.tol / 10.0 < tightest:
            return False
        self.tol /= 10.0
        self.selection.tol = self.tol
        self.threshold.smallest = self.selection.smallest()
        self.level = self.threshold.value(self.t)
        self.status = "running"
        return True

    def snapshot(self):
        """See `Loop`."""
        mine = {"tol": self.tol, "inner_tol": self.inner_tol, "t": self.t}
        return {**Loop.snapshot(self), **mine, **joined(threshold=self.threshold.snapshot())}

    def restore(self, state):
        """See `Loop`."""
        Loop.restore(self, state)
        self.tol, self.inner_tol, self.t = state["tol"], state["inner_tol"], state["t"]
        self.selection.tol = self.tol
        self.threshold.smallest = self.selection.smallest()
        self.threshold.restore(part_of(state, "threshold"))

    cdef void optimize(self, State s, Py_ssize_t p) noexcept nogil:
        """Solve the reduced problem of p; where that gains nothing, solve it more exactly."""
        cdef double A = self.cache.rows.diagonal[p]
        self.last = p
        self.n_iter += 1
        s.margins(p)
        if self.selection.psi(s, p) <= self.rounding(s, p, A):
            s.blocked[p] = s.n_updates
            return
        while True:
            self.reduced.solve(
                A, &s.g[0], &s.a[p, 0], s.y[p], s.k, s.C, self.inner_tol, &s.a_new[0]
            )
            if s.gain(p, A) > 0.0:
                s.accept(p)
                s.add_row(self.cache.get(p))
                return
            if self.inner_tol <= FINEST:
                s.blocked[p] = s.n_updates
                return
            self.inner_tol = max(self.inner_tol / 10.0, FINEST)

    cdef double rounding(self, State s, Py_ssize_t p, double A) noexcept nogil:
        """What psi_p has to exceed, or its steps would chase the rounding of the scores for ever.

        A step rounds all n k scores, by some u = 2^-53 of their size, and mends one example. Where
        its psi^2 is below what the roundings add up to, about n k u^2, nothing is won. And where
        the fixed point stands still it may be off by k times its last change.
        """
        cdef Py_ssize_t r
        cdef double score = 0.0, coefficient = 0.0
        for r in range(s.k):
            score = max(score, abs(s.g[r]))
            coefficient = max(coefficient, abs(s.a[p, r]))
        return DBL_EPSILON * (sqrt(s.n * s.k) + 4 * s.k) * (score + A * coefficient)
