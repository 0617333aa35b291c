"""How much an example deserves to be chosen."""

from libc.math cimport HUGE_VAL

from .state cimport State


cdef class SelectionValue:
    """The violation of the optimality conditions (CS01 eq. 32), in margin units:

    psi_i = max_r g_ir - min { g_ir : a_ir < C [r = y_i] },   g_ir = f_r(x_i) - [r = y_i].

    The coefficients are optimal if and only if psi_i = 0 for all i.
    """

    cdef double value(self, State s, Py_ssize_t i) noexcept nogil:
        cdef Py_ssize_t r, y = s.y[i]
        cdef double g, highest = -HUGE_VAL, lowest = HUGE_VAL
        cdef bint inner = s.support[i]
        for r in range(s.k):
            g = s.f[r, i]
            if r == y:
                g -= 1.0
                if s.a[i, r] < s.C:
                    lowest = min(lowest, g)
            elif inner and s.a[i, r] < 0.0:
                lowest = min(lowest, g)
            highest = max(highest, g)
        return highest - lowest
