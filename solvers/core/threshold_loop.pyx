"""Passes over the training set: every example whose value reaches a threshold (AS05 section 5.3).

At the beginning of a pass the threshold rho is set. Then the examples are visited in turn, and one
is optimized if its value, by the scores as they are at its visit, is not below rho. A pass in which
nothing happened has seen all values as they stand: then either the accuracy is met, or the
threshold was cooled too little and falls at once to the largest of them. For the problem that is
solved see ``selecting_loop``.
"""

from libc.math cimport HUGE_VAL

from .clock cimport monotonic
from .cooling cimport Threshold
from .reduced_problem cimport ReducedProblem
from .row_cache cimport RowCache
from .selecting_loop cimport SelectingLoop
from .selection cimport SelectionValue
from .state cimport State


cdef class ThresholdLoop(SelectingLoop):
    """Runs in slices, which may end inside a pass; an iteration is an example optimized."""

    cdef Py_ssize_t visited    # in this pass
    cdef long long start       # iterations and updates before this pass
    cdef double largest        # value seen in this pass
    cdef bint stuck            # whether this pass met an example that cannot move

    def snapshot(self):
        """See `Loop`."""
        mine = {
            "visited": self.visited, "start": self.start, "largest": self.largest,
            "stuck": self.stuck,
        }
        return {**SelectingLoop.snapshot(self), **mine}

    def restore(self, state):
        """See `Loop`."""
        SelectingLoop.restore(self, state)
        self.visited, self.start = state["visited"], state["start"]
        self.largest, self.stuck = state["largest"], state["stuck"]

    def run(self, long long until, double seconds):
        """Go on to iteration ``until``, to the end, or for about ``seconds``; return the status."""
        cdef double stop = monotonic() + seconds
        cdef bint ended = False
        with nogil:
            while not ended and self.n_iter < until and monotonic() < stop:
                if self.visited == 0:
                    self.begin_pass()
                self.visit(self.visited)
                self.visited += 1
                if self.visited == self.state.n:
                    self.visited = 0
                    ended = self.end_pass()
        if ended:
            self.status = "stalled" if self.stuck else "converged"
        return self.status

    cdef void begin_pass(self) noexcept nogil:
        cdef Py_ssize_t i
        cdef double value, largest = 0.0, total = 0.0
        self.start = self.n_iter + self.state.n_updates
        self.largest, self.stuck = -HUGE_VAL, False
        if not self.threshold.from_values:
            self.level = self.threshold.value(self.t)
            return
        for i in range(self.state.n):
            if not self.state.is_blocked(i):
                value = self.selection.value(self.state, i)
                if value > 0.0:
                    largest = max(largest, value)
                    total += value
        self.level = self.threshold.of_values(largest, total / self.state.n)

    cdef void visit(self, Py_ssize_t i) noexcept nogil:
        cdef double value
        if self.state.is_blocked(i):
            self.stuck = True
            return
        value = self.selection.value(self.state, i)
        if value > self.largest:
            self.largest = value
        if value >= self.level:
            self.optimize(self.state, i)

    cdef bint end_pass(self) noexcept nogil:
        """Set the time for the next pass, or say that none is needed."""
        if self.n_iter + self.state.n_updates > self.start:
            self.t += 1.0
            return False
        if not (self.largest >= self.threshold.smallest):
            return True
        self.t = self.threshold.skip(self.t, self.largest)
        return False
