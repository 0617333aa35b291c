from .cooling cimport Threshold
from .loop cimport Loop
from .selection cimport SelectionValue
from .state cimport State


cdef class SelectingLoop(Loop):
    cdef SelectionValue selection
    cdef Threshold threshold
    cdef double tol
    cdef double inner_tol
    cdef double t

    cdef void optimize(self, State s, Py_ssize_t p) noexcept nogil
    cdef double rounding(self, State s, Py_ssize_t p, double A) noexcept nogil
