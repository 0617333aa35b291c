from .reduced_problem cimport ReducedProblem
from .row_cache cimport RowCache
from .state cimport State


cdef class Loop:
    cdef readonly State state
    cdef readonly RowCache cache
    cdef readonly ReducedProblem reduced
    cdef readonly double level
    cdef readonly Py_ssize_t last
    cdef readonly long long n_iter
    cdef readonly str status
