from .reduced_problem cimport ReducedProblem


cdef struct Step:
    Py_ssize_t up
    Py_ssize_t down
    double v
    double gain
    bint clipped


cdef Step basic_step(
    double A,
    const double* g,
    const double* a,
    Py_ssize_t y,
    double C,
    Py_ssize_t r1,
    Py_ssize_t r2,
) noexcept nogil
cdef Step best_step(
    double A, const double* g, const double* a, Py_ssize_t y, Py_ssize_t k, double C
) noexcept nogil


cdef class TwoVariable(ReducedProblem):
    cdef double[::1] g

    cdef void improve(
        self, double A, double* a, Py_ssize_t y, Py_ssize_t k, double C, double tol
    ) noexcept nogil
    cdef void update(
        self, double A, double* a, Py_ssize_t y, double C, Step step
    ) noexcept nogil
    cdef double smallest_gain(
        self, double A, const double* a, Py_ssize_t k, double tol
    ) noexcept nogil


cdef class Basic(TwoVariable):
    pass


cdef class AllPairs(TwoVariable):
    cdef double accuracy(
        self, double A, const double* a, Py_ssize_t k, double tol
    ) noexcept nogil
    cdef bint ended(self, double V, double V_before, double phi) noexcept nogil


cdef class AllPairsRelative(AllPairs):
    pass


cdef class OptKKT(TwoVariable):
    pass
