from .reduced_problem cimport ReducedProblem
from .state cimport State


cdef class SelectionValue:
    cdef double tol
    cdef const double[::1] diagonal

    cdef double psi(self, State s, Py_ssize_t i) noexcept nogil
    cdef double value(self, State s, Py_ssize_t i) noexcept nogil
    cdef double smallest(self) noexcept nogil


cdef class Violation(SelectionValue):
    pass


cdef class Gain(SelectionValue):
    cdef double gain(self, State s, Py_ssize_t i) noexcept nogil


cdef class PairGain(Gain):
    pass


cdef class TrueGain(Gain):
    cdef ReducedProblem reduced
