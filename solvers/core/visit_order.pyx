"""In which order the passes of a descent visit the examples, and which ones they leave out.

A pass goes through a list of examples in random order. An example that was not violated is left
out of the next 1, 3, 7, 15 passes, as long as it stays so. A pass that is ``full`` leaves out none.
"""

import numpy as np

cdef int32_t LONGEST = 16  # passes after which every example is visited again


cdef class VisitOrder:
    """The list of the present pass, and how far it has come.

    Parameters
    ----------
    n : int
        Examples.
    seed : int
        Of the permutations.

    Attributes
    ----------
    n_passes : int
        Passes begun.
    length : int
        Examples in the present pass.
    """

    def __init__(self, Py_ssize_t n, uint64_t seed):
        self.n = n
        self.random = seed * 2 + 1
        self.examples = np.empty(n, dtype=np.intp)
        self.moved = np.zeros(n, dtype=np.int8)
        self.due = np.zeros(n, dtype=np.int32)
        self.wait = np.ones(n, dtype=np.int32)
        self.full = True
        self.begin()

    def snapshot(self):
        """The list, how far it has come, when examples are due, and the generator of permutations."""
        return {
            "n_passes": self.n_passes, "position": self.position, "full": self.full,
            "random": self.random, "examples": np.array(self.examples[: self.length]),
            "moved": np.array(self.moved), "due": np.array(self.due), "wait": np.array(self.wait),
        }

    def restore(self, state):
        """Go on from a state."""
        self.n_passes, self.position = state["n_passes"], state["position"]
        self.full, self.random = state["full"], state["random"]
        self.length = len(state["examples"])
        np.asarray(self.examples)[: self.length] = state["examples"]
        np.asarray(self.moved)[:] = state["moved"]
        np.asarray(self.due)[:] = state["due"]
        np.asarray(self.wait)[:] = state["wait"]

    cdef void begin(self) noexcept nogil:
        """List the examples that are due, in random order (xorshift, Fisher & Yates)."""
        cdef Py_ssize_t i, j
        self.n_passes += 1
        self.length = self.position = 0
        for i in range(self.n):
            if self.full or self.due[i] <= self.n_passes:
                self.examples[self.length] = i
                self.length += 1
        if self.length == 0:
            self.full = True
            for i in range(self.n):
                self.examples[i] = i
            self.length = self.n
        for i in range(self.length - 1, 0, -1):
            self.random ^= self.random << 13
            self.random ^= self.random >> 7
            self.random ^= self.random << 17
            j = <Py_ssize_t>((self.random >> 32) * <uint64_t>(i + 1) >> 32)
            self.examples[i], self.examples[j] = self.examples[j], self.examples[i]

    cdef bint ahead(self, Py_ssize_t m) noexcept nogil:
        """Take note of m visits; whether the pass has ended with them."""
        self.position += m
        return self.position == self.length

    cdef void settle(self) noexcept nogil:
        """Decide for each example visited when it is due again."""
        cdef Py_ssize_t q, i
        for q in range(self.length):
            i = self.examples[q]
            self.wait[i] = 1 if self.moved[i] else min(2 * self.wait[i], LONGEST)
            self.due[i] = self.n_passes + self.wait[i]

    cdef void wake(self, const Py_ssize_t[::1] examples) noexcept nogil:
        """Let some examples be due in the next pass."""
        cdef Py_ssize_t q
        for q in range(examples.shape[0]):
            self.wait[examples[q]], self.due[examples[q]] = 1, 0
