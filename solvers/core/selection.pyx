"""How much an example deserves to be chosen: the selection value V_i (AS05 section 5.3).

``value(i)`` is V_i by the present scores and coefficients, and ``smallest()`` the threshold at
which the required accuracy, psi_i < tol for all i, is met: when no value reaches it.
"""

from libc.float cimport DBL_MIN
from libc.math cimport HUGE_VAL

from .reduced_problem cimport Exact
from .state cimport State
from .two_variable cimport best_step


cdef class SelectionValue:
    """Base.

    Parameters
    ----------
    tol : float
        The accuracy that is required of every psi_i, in margin units.
    diagonal : array of shape (n,)
        K(x_i, x_i).
    k : int
        Number of classes.
    """

    def __init__(self, double tol, const double[::1] diagonal, Py_ssize_t k):
        self.tol, self.diagonal = tol, diagonal

    cdef double psi(self, State s, Py_ssize_t i) noexcept nogil:
        """The violation of the optimality conditions (CS01 eq. 32), in margin units:

        psi_i = max_r g_ir - min { g_ir : a_ir < C [r = y_i] },   g_ir = f_r(x_i) - margin [r = y_i].

        The coefficients are optimal if and only if psi_i = 0 for all i.
        """
        cdef Py_ssize_t r, k = s.k, n = s.n, y = s.y[i]
        cdef const double* f = &s.f[0, i]  # f[r n] = f_r(x_i)
        cdef const double* a = &s.a[i, 0]
        cdef double own = f[y * n] - s.margin
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

    cdef double value(self, State s, Py_ssize_t i) noexcept nogil:
        return 0.0

    cdef double smallest(self) noexcept nogil:
        return 0.0


cdef class Violation(SelectionValue):
    """KKT: V_i = psi_i."""

    cdef double value(self, State s, Py_ssize_t i) noexcept nogil:
        return self.psi(s, i)

    cdef double smallest(self) noexcept nogil:
        return self.tol


cdef class Gain(SelectionValue):
    """Base of the values that are a gain of L = 2 D, the papers' Lagrangian.

    What the fit has to reach is an accuracy in psi. So V_i = 0 where psi_i < tol, however much
    there is to gain, and V_i > 0 elsewhere, however little.
    """

    cdef double value(self, State s, Py_ssize_t i) noexcept nogil:
        cdef double gain
        if not (self.psi(s, i) >= self.tol):
            return 0.0
        s.margins(i)
        gain = self.gain(s, i)
        return gain if gain > DBL_MIN else DBL_MIN

    cdef double gain(self, State s, Py_ssize_t i) noexcept nogil:
        """The gain for example i, whose margins are in s.g."""
        return 0.0

    cdef double smallest(self) noexcept nogil:
        return DBL_MIN


cdef class PairGain(Gain):
    """AMG: the gain of the best two-variable step, a lower bound of the gain of the example."""

    cdef double gain(self, State s, Py_ssize_t i) noexcept nogil:
        return best_step(self.diagonal[i], &s.g[0], &s.a[i, 0], s.y[i], s.k, s.C).gain


cdef class TrueGain(Gain):
    """BMG: what the example gains when its reduced problem is solved, exactly."""

    def __init__(self, double tol, const double[::1] diagonal, Py_ssize_t k):
        Gain.__init__(self, tol, diagonal, k)
        self.reduced = Exact(k)

    cdef double gain(self, State s, Py_ssize_t i) noexcept nogil:
        cdef double A = self.diagonal[i]
        self.reduced.solve(A, &s.g[0], &s.a[i, 0], s.y[i], s.k, s.C, 0.0, &s.a_new[0])
        return 2.0 * s.gain(i, A)
