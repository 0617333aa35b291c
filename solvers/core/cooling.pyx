"""How large the value of an example must be for it to be chosen: the threshold rho.

Cooled with the iterations (CS01 section 7): rho(t) with t = 0, 1, ... starts at rho0 = 0.999, where
no violation of the first iterations (they are at most 1) is far above it. t counts what the outer
loop counts: examples chosen (CS01), or passes over the training set (AS05 section 5.3). When
nothing reaches rho(t), ``skip`` moves t to where rho has fallen to the largest value, so that no
level is waited out.

Or taken from the values at the start of a pass (AS05 section 5.3): a share of the largest one, or
their mean. Neither is above the largest, so that there is always one to choose.

None falls below ``smallest``, which no value reaches when the final accuracy is met.
"""

from libc.math cimport HUGE_VAL, ceil, exp, log, log10, pow as cpow

from .selection cimport SelectionValue

cdef double RHO0 = 0.999


cdef class Threshold:
    """The fixed threshold: rho(t) = ``smallest``."""

    def __init__(self, SelectionValue selection):
        self.smallest = selection.smallest()

    def snapshot(self):
        """What is not known from the time and the accuracy."""
        return {}

    def restore(self, state):
        """Go on from a state."""

    cdef double at(self, double t) noexcept nogil:
        return 0.0

    cdef double first_below(self, double worst) noexcept nogil:
        """The real t with rho(t) = worst."""
        return HUGE_VAL

    cdef double value(self, double t) noexcept nogil:
        """The threshold in force at t."""
        return max(self.smallest, self.at(t))

    cdef double skip(self, double t, double worst) noexcept nogil:
        """The first t' >= t with rho(t') <= worst."""
        cdef double later = max(t, ceil(self.first_below(worst)))
        while self.at(later) > worst and later < HUGE_VAL:
            later = later * (1.0 + 1e-12) + 1.0
        return later

    cdef double of_values(self, double largest, double mean) noexcept nogil:
        """rho by the values of all examples, where it is taken ``from_values``."""
        return self.smallest


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
    """rho(t) = rho0 / log10(t + 10).

    It is so slow that a double holds no t at which it is below 0.00325. Skipped to there, it stays
    at the value that it was skipped to, which is what it would do for a very long time.
    """

    cdef double beyond

    def snapshot(self):
        """See `Threshold`."""
        return {"beyond": self.beyond}

    def restore(self, state):
        """See `Threshold`."""
        self.beyond = state["beyond"]

    cdef double at(self, double t) noexcept nogil:
        return RHO0 / log10(t + 10.0) if t < HUGE_VAL else self.beyond

    cdef double first_below(self, double worst) noexcept nogil:
        return cpow(10.0, RHO0 / worst) - 10.0

    cdef double skip(self, double t, double worst) noexcept nogil:
        self.beyond = worst
        return Threshold.skip(self, t, worst)


cdef class ShareOfLargest(Threshold):
    """MAX: rho = mu max_i V_i."""

    cdef double mu

    def __init__(self, SelectionValue selection, double mu):
        Threshold.__init__(self, selection)
        self.mu, self.from_values = mu, True

    cdef double of_values(self, double largest, double mean) noexcept nogil:
        return max(self.smallest, self.mu * largest)


cdef class Mean(Threshold):
    """MEAN: rho = 1/n sum_i V_i."""

    def __init__(self, SelectionValue selection):
        Threshold.__init__(self, selection)
        self.from_values = True

    cdef double of_values(self, double largest, double mean) noexcept nogil:
        # The mean of equal values may be rounded up, to where none of them is.
        return max(self.smallest, min(mean, largest))
