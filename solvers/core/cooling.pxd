cdef class Threshold:
    cdef double smallest
    cdef readonly bint from_values

    cdef double at(self, double t) noexcept nogil
    cdef double value(self, double t) noexcept nogil
    cdef double first_below(self, double worst) noexcept nogil
    cdef double skip(self, double t, double worst) noexcept nogil
    cdef double of_values(self, double largest, double mean) noexcept nogil
