cdef class ReducedProblem:
    cdef readonly long long n_inner
    cdef double[::1] D

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
    cdef double level(self, Py_ssize_t k, double tol) noexcept nogil
    cdef void vertex(
        self, const double* g, Py_ssize_t y, Py_ssize_t k, double C, double* a_new
    ) noexcept nogil
