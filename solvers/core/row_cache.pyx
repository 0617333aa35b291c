"""Where kernel rows come from: computed every time, or remembered (CS01 section 7, caching).

``RowCache`` remembers nothing. ``LRUCache`` keeps whole rows, as many as fit into its bytes, and
gives up the least recently used one; with room for n rows it is the full cache. Memory is taken
row by row as rows arrive, never more than the bound. Pointers returned by ``get`` hold until the
next call.
"""

from libc.stdlib cimport free, malloc

import numpy as np

from .kernel_rows cimport KernelRows


def rows_within(double megabytes, Py_ssize_t n):
    """How many rows of n values fit into so many megabytes (2^20 bytes): one at least, n at most."""
    return int(max(1, min(n, megabytes * 2**20 / (8 * n))))


cdef class RowCache:
    """No cache: every row is computed again."""

    def __init__(self, KernelRows rows):
        self.rows = rows
        self.buffer = np.empty(rows.n)

    def row(self, Py_ssize_t p):
        """A copy of row p, by way of the cache; for tests and for looking at one by hand."""
        cdef const double* values = self.get(p)
        return np.array(<const double[:self.rows.n]>values)

    def snapshot(self):
        """Which rows are held, and what was counted."""
        return {
            "held": self.in_order(), "n_hits": self.n_hits, "n_rows": self.rows.n_rows,
            "seconds": self.rows.seconds,
        }

    def restore(self, state):
        """Hold the rows of a state again: computing them takes seconds, but counts as no rows."""
        for p in state["held"]:
            self.get(p)
        self.n_hits, self.rows.n_rows = state["n_hits"], state["n_rows"]
        self.rows.seconds += state["seconds"]

    def in_order(self):
        """The examples whose rows are held, the least recently used one first."""
        return np.empty(0, dtype=np.intp)

    cdef const double* get(self, Py_ssize_t p) noexcept nogil:
        """The n values K(x_p, x_i)."""
        self.rows.row(p, &self.buffer[0])
        return &self.buffer[0]


cdef class LRUCache(RowCache):
    """At most ``capacity`` whole rows; the least recently used one makes room for a new one."""

    cdef readonly Py_ssize_t capacity  # rows
    cdef readonly Py_ssize_t n_held
    cdef double** slots            # one row each, allocated at its first use
    cdef Py_ssize_t[::1] slot_of   # example -> slot, or -1
    cdef Py_ssize_t[::1] held      # slot -> example
    cdef Py_ssize_t[::1] newer     # slots in order of use: a ring through the head at `capacity`
    cdef Py_ssize_t[::1] older

    def __cinit__(self, KernelRows rows, Py_ssize_t capacity):
        capacity = min(capacity, rows.n)
        if capacity < 1:
            raise ValueError(f"the kernel cache holds {capacity} rows and needs room for one")
        self.capacity = capacity
        self.slots = <double**>malloc(capacity * sizeof(double*))
        if self.slots == NULL:
            raise MemoryError()

    def __init__(self, KernelRows rows, Py_ssize_t capacity):
        RowCache.__init__(self, rows)
        self.slot_of = np.full(rows.n, -1, dtype=np.intp)
        self.held = np.full(self.capacity, -1, dtype=np.intp)
        self.newer = np.full(self.capacity + 1, self.capacity, dtype=np.intp)
        self.older = np.full(self.capacity + 1, self.capacity, dtype=np.intp)

    def __dealloc__(self):
        cdef Py_ssize_t s
        if self.slots != NULL:
            for s in range(self.n_held):
                free(self.slots[s])
            free(self.slots)

    def in_order(self):
        """See `RowCache`."""
        cdef Py_ssize_t s = self.newer[self.capacity]
        examples = []
        while s != self.capacity:
            examples.append(self.held[s])
            s = self.newer[s]
        return np.array(examples, dtype=np.intp)

    cdef void unlink(self, Py_ssize_t s) noexcept nogil:
        self.older[self.newer[s]] = self.older[s]
        self.newer[self.older[s]] = self.newer[s]

    cdef void make_newest(self, Py_ssize_t s) noexcept nogil:
        cdef Py_ssize_t head = self.capacity, newest = self.older[head]
        self.older[s], self.newer[s] = newest, head
        self.newer[newest] = s
        self.older[head] = s

    cdef const double* get(self, Py_ssize_t p) noexcept nogil:
        cdef Py_ssize_t s = self.slot_of[p]
        if s >= 0:
            self.n_hits += 1
            self.unlink(s)
            self.make_newest(s)
            return self.slots[s]
        if self.n_held < self.capacity:
            self.slots[self.n_held] = <double*>malloc(self.rows.n * sizeof(double))
            if self.slots[self.n_held] == NULL:
                if self.n_held == 0:  # not even one row: serve from the buffer
                    return RowCache.get(self, p)
                s = self.newer[self.capacity]  # memory is short: stay at this size
                self.evict(s)
            else:
                s = self.n_held
                self.n_held += 1
        else:
            s = self.newer[self.capacity]
            self.evict(s)
        self.rows.row(p, self.slots[s])
        self.slot_of[p] = s
        self.held[s] = p
        self.make_newest(s)
        return self.slots[s]

    cdef void evict(self, Py_ssize_t s) noexcept nogil:
        """Take slot s, the least recently used, away from its example."""
        self.unlink(s)
        self.slot_of[self.held[s]] = -1
