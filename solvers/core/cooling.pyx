"""Accuracy as a function of the iteration (CS01 section 7, cooling).

An example may be chosen when its violation reaches rho(t), with t = 0, 1, ... counting
iterations. rho starts at rho0 = 0.999, where no violation of the first iterations (they are at
most 1) is far above it, and never falls below the final accuracy ``tol``. When nothing reaches
rho(t), ``skip`` moves t to where rho has fallen to the largest violation, so that no level is
waited out.
"""

from libc.math cimport HUGE_VAL, ceil, exp, log, log10, pow as cpow

cdef double RHO0 = 0.999


cdef class Threshold:
    """The fixed threshold: rho(t) = tol."""

    def __init__(self, double tol):
        self.tol = tol

    cdef double at(self, double t) noexcept nogil:
        return self.tol

    cdef double first_below(self, double worst) noexcept nogil:
        """The real t with rho(t) = worst."""
        return HUGE_VAL

    cdef double value(self, double t) noexcept nogil:
        """The threshold in force at iteration t."""
        return max(self.tol, self.at(t))

    cdef double skip(self, double t, double worst) noexcept nogil:
        """The first t' >= t with rho(t') <= worst."""
        cdef double later = max(t, ceil(self.first_below(worst)))
        while self.at(later) > worst and later < HUGE_VAL:
            later = later * (1.0 + 1e-12) + 1.0
        return later


cdef class Exponential(Threshold):
    """rho(t) = rho0 exp(-t)."""

    cdef double at(self, double t) noexcept nogil:
        return RHO0 * exp(-t)

    cdef double first_below(self, double worst) noexcept nogil:
        return log(RHO0 / worst)


cdef class Linear(Threshold):
    """rho(t) = rho0 / (t + 1)."""

    cdef double at(self, double t) noexcept nogil:
        return RHO0 / (t + 1.0)

    cdef double first_below(self, double worst) noexcept nogil:
        return RHO0 / worst - 1.0


cdef class Logarithmic(Threshold):
    """rho(t) = rho0 / log10(t + 10)."""

    cdef double at(self, double t) noexcept nogil:
        return RHO0 / log10(t + 10.0)

    cdef double first_below(self, double worst) noexcept nogil:
        return cpow(10.0, RHO0 / worst) - 10.0
