from .kernel_rows cimport KernelRows


cdef class RowCache:
    cdef KernelRows rows
    cdef readonly long long n_hits
    cdef double[::1] buffer

    cdef const double* get(self, Py_ssize_t p) noexcept nogil
