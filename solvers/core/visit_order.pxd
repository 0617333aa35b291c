from libc.stdint cimport int8_t, int32_t, uint64_t


cdef class VisitOrder:
    cdef readonly Py_ssize_t n_passes, length
    cdef Py_ssize_t position, n
    cdef bint full
    cdef uint64_t random
    cdef Py_ssize_t[::1] examples
    cdef int8_t[::1] moved
    cdef int32_t[::1] due, wait

    cdef void begin(self) noexcept nogil
    cdef bint ahead(self, Py_ssize_t m) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef void wake(self, const Py_ssize_t[::1] examples) noexcept nogil
