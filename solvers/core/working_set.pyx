"""Among which examples the next one is looked for.

``choose(level)`` returns the example with the largest value, not below the level (the smallest
index among equals), or -1, with ``worst`` then the largest value of all examples that can still
move and ``stuck`` telling whether one that cannot is left.
"""

from libc.math cimport HUGE_VAL

from .selection cimport SelectionValue
from .state cimport State


cdef class WorkingSet:
    """All examples (CS01 figure 4): every scan and every update goes over the training set."""

    def __init__(self, State s, SelectionValue selection):
        self.s, self.selection = s, selection

    cdef Py_ssize_t choose(self, double level) noexcept nogil:
        cdef Py_ssize_t i, best = -1
        cdef double most = -HUGE_VAL
        self.stuck = False
        for i in range(self.s.n):
            self.see(i, &best, &most)
        self.worst = most
        return best if most >= level else -1

    cdef void see(self, Py_ssize_t i, Py_ssize_t* best, double* most) noexcept nogil:
        """Take example i into account for the largest value."""
        cdef double value
        if self.s.is_blocked(i):
            self.stuck = True
            return
        value = self.selection.value(self.s, i)
        if value > most[0] or (value == most[0] and i < best[0]):
            best[0], most[0] = i, value


cdef class ActiveSet(WorkingSet):
    """The examples with non-zero coefficients first (CS01 section 7, maintaining an active set).

    Only when none of them reaches the level are the others scanned, and the worst one is taken:
    its step admits it.
    """

    cdef Py_ssize_t choose(self, double level) noexcept nogil:
        cdef Py_ssize_t i, best = -1
        cdef double most = -HUGE_VAL
        self.stuck = False
        # In the order of the examples, not of a list: the scores then come in straight streams.
        for i in range(self.s.n):
            if self.s.support[i]:
                self.see(i, &best, &most)
        if most >= level:
            return best
        for i in range(self.s.n):
            if not self.s.support[i]:
                self.see(i, &best, &most)
        self.worst = most
        return best if most >= level else -1
