"""The algorithm of Crammer & Singer: always the example of the largest value (CS01 figure 4).

The value is the violation psi in the paper, or a gain. What figure 4 leaves open are parts: the
working set and its selection value, the threshold, the source of kernel rows, the optimizer of the
reduced problem. For the problem that is solved see ``selecting_loop``.
"""

from .clock cimport monotonic
from .cooling cimport Threshold
from .reduced_problem cimport ReducedProblem
from .row_cache cimport RowCache
from .selecting_loop cimport SelectingLoop
from .state cimport State
from .working_set cimport WorkingSet


cdef class KKTLoop(SelectingLoop):
    """Runs in slices; between them the caller may look at everything."""

    cdef WorkingSet working_set

    def __init__(
        self,
        State state,
        RowCache cache,
        ReducedProblem reduced,
        WorkingSet working_set,
        Threshold threshold,
        double tol,
        double inner_tol,
    ):
        SelectingLoop.__init__(
            self, state, cache, reduced, working_set.selection, threshold, tol, inner_tol
        )
        self.working_set = working_set

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
                    self.t += 1.0
                elif self.working_set.worst >= self.threshold.smallest:
                    # Nothing reaches the threshold: lower it at once, not in its own time.
                    self.t = self.threshold.skip(self.t, self.working_set.worst)
                else:
                    ended = True
                    break
                self.level = self.threshold.value(self.t)
        if ended:
            self.status = "stalled" if self.working_set.stuck else "converged"
        return self.status
