cdef class State:
    cdef readonly Py_ssize_t n
    cdef readonly Py_ssize_t k
    cdef readonly double C
    cdef readonly double margin
    cdef readonly long long n_updates
    cdef const Py_ssize_t[::1] y
    cdef double[:, ::1] a
    cdef double[:, ::1] f
    cdef double[::1] g
    cdef double[::1] a_new
    cdef double[::1] delta
    cdef char[::1] support
    cdef long long[::1] blocked

    cdef bint is_blocked(self, Py_ssize_t i) noexcept nogil
    cdef void margins(self, Py_ssize_t i) noexcept nogil
    cdef double gain(self, Py_ssize_t p, double A) noexcept nogil
    cdef void accept(self, Py_ssize_t p) noexcept nogil
    cdef void add_row(self, const double* row) noexcept nogil
