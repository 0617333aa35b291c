from .selection cimport SelectionValue
from .state cimport State


cdef class WorkingSet:
    cdef State s
    cdef SelectionValue selection
    cdef readonly double worst
    cdef readonly bint stuck

    cdef Py_ssize_t choose(self, double level) noexcept nogil
    cdef void see(self, Py_ssize_t i, Py_ssize_t* best, double* most) noexcept nogil
