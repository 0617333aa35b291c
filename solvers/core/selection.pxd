from .state cimport State


cdef class SelectionValue:
    cdef double value(self, State s, Py_ssize_t i) noexcept nogil
