cdef class KernelFunction:
    cdef void apply(
        self, double* values, const double* norms, double norm_p, Py_ssize_t m
    ) noexcept nogil


cdef class KernelRows:
    cdef readonly Py_ssize_t n
    cdef readonly long long n_rows
    cdef readonly double seconds
    cdef readonly double[::1] diagonal
    cdef double shift

    cdef void row(self, Py_ssize_t p, double* out) noexcept nogil
    cdef void compute(self, Py_ssize_t p, double* out) noexcept nogil
