"""How much an example deserves to be chosen."""

from libc.math cimport HUGE_VAL

from .state cimport State


cdef class SelectionValue:
    """The violation of the optimality conditions (CS01 eq. 32), in margin units:

    psi_i = max_r g_ir - min { g_ir : a_ir < C [r = y_i] },   g_ir = f_r(x_i) - [r = y_i].

    The coefficients are optimal if and only if psi_i = 0 for all i.
    """

    cdef double value(self, State s, Py_ssize_t i) noexcept nogil:
        cdef Py_ssize_t r, k = s.k, n = s.n, y = s.y[i]
        cdef const double* f = &s.f[0, i]  # f[r n] = f_r(x_i)
        cdef const double* a = &s.a[i, 0]
        cdef double own = f[y * n] - 1.0
        cdef double highest = own, lowest = own if a[y] < s.C else HUGE_VAL
        for r in range(y):
            highest = max(highest, f[r * n])
        for r in range(y + 1, k):
            highest = max(highest, f[r * n])
        if s.support[i]:
            for r in range(k):
                if a[r] < 0.0:  # a wrong class: a_iy is never negative
                    lowest = min(lowest, f[r * n])
        return highest - lowest
