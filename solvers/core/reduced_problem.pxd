cdef class ReducedProblem:
    cdef readonly long long n_inner
    cdef readonly long long n_pair_steps

    cdef void solve(
        self,
        double A,
        const double* g,
        const double* a_old,
        Py_ssize_t y,
        Py_ssize_t k,
        double C,
        double tol,
        double* a_new,
    ) noexcept nogil
    cdef void optimize(
        self,
        double A,
        const double* g,
        const double* a_old,
        Py_ssize_t y,
        Py_ssize_t k,
        double C,
        double tol,
        double* a_new,
    ) noexcept nogil
    cdef void vertex(
        self,
        const double* g,
        const double* a_old,
        Py_ssize_t y,
        Py_ssize_t k,
        double C,
        double* a_new,
    ) noexcept nogil
    cdef bint restore(
        self, Py_ssize_t y, Py_ssize_t k, double C, bint at_bound, double* a_new
    ) noexcept nogil


cdef class Projection(ReducedProblem):
    cdef double[::1] d

    cdef double level(self, Py_ssize_t y, Py_ssize_t k, double C, double tol) noexcept nogil


cdef class FixedPoint(Projection):
    pass


cdef class Exact(Projection):
    pass
