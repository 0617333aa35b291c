"""The algorithm of Crammer & Singer with its choice of examples by violation (CS01 figure 4).

Solves the dual of the multiclass support vector machine

    max D(a) = sum_i a_{i,y_i} - 1/2 sum_ij K_ij <a_i, a_j>
    s.t. a_ir <= C [r = y_i],   sum_r a_ir = 0,

one example at a time, until psi_i < tol for all i (CS01 eq. 32, in margin units). What figure 4
leaves open are parts: the working set and its selection value, the threshold, the source of
kernel rows, the optimizer of the reduced problem.
"""

from .clock cimport monotonic
from .cooling cimport Threshold
from .loop cimport Loop
from .reduced_problem cimport ReducedProblem
from .row_cache cimport RowCache
from .state cimport State
from .working_set cimport WorkingSet

cdef double FINEST = 1e-15  # inner tolerances below this make no difference in double precision


cdef class KKTLoop(Loop):
    """Runs in slices; between them the caller may look at everything."""

    cdef WorkingSet working_set
    cdef Threshold threshold
    cdef double tol, inner_tol, t

    def __init__(
        self,
        State state,
        RowCache cache,
        WorkingSet working_set,
        ReducedProblem reduced,
        Threshold threshold,
        double tol,
    ):
        Loop.__init__(self, state, cache, reduced)
        self.working_set, self.threshold, self.tol = working_set, threshold, tol
        self.inner_tol = max(tol / 2.0, FINEST)
        self.level = threshold.value(0.0)

    def run(self, long long until, double seconds):
        """Go on to iteration ``until``, to the end, or for about ``seconds``; return the status."""
        cdef double stop = monotonic() + seconds
        cdef Py_ssize_t p
        cdef bint ended = False
        with nogil:
            while self.n_iter < until and monotonic() < stop:
                p = self.working_set.choose(self.level)
                if p >= 0:
                    self.optimize(self.state, p)
                    self.last = p
                    self.n_iter += 1
                    self.t += 1.0
                elif self.working_set.worst >= self.tol:
                    # Nothing reaches the threshold: lower it at once, not in its own time.
                    self.t = self.threshold.skip(self.t, self.working_set.worst)
                else:
                    ended = True
                    break
                self.level = self.threshold.value(self.t)
        if ended:
            self.status = "stalled" if self.working_set.stuck else "converged"
        return self.status

    def resume(self, f):
        """Go on from scores f (n x k) computed from scratch, after the running sums had drifted."""
        self.state.correct(f)
        self.status = "running"

    def tighten(self, double tightest):
        """Ask for a tenth of the tolerance, unless that is below ``tightest``; go on then."""
        if self.tol / 10.0 < tightest:
            return False
        self.tol /= 10.0
        self.threshold.tol = self.tol
        self.level = self.threshold.value(self.t)
        self.status = "running"
        return True

    cdef void optimize(self, State s, Py_ssize_t p) noexcept nogil:
        """Solve the reduced problem of p; where that gains nothing, solve it more exactly."""
        cdef double A = self.cache.rows.diagonal[p]
        s.margins(p)
        while True:
            self.reduced.solve(
                A, &s.g[0], &s.a[p, 0], s.y[p], s.k, s.C, self.inner_tol, &s.a_new[0]
            )
            if s.gain(p, A) > 0.0:
                s.accept(p)
                self.working_set.moved(p)
                return
            if self.inner_tol <= FINEST:
                s.blocked[p] = s.n_updates
                return
            self.inner_tol = max(self.inner_tol / 10.0, FINEST)
