"""Learning vector quantization: codewords pulled and pushed by one example at a time.

A codebook m_1 .. m_p, each codeword with a class, gives x the class of its nearest codeword. One
step takes an example x of class y; with s = +1 where classes agree and -1 where they do not:

LVQ1    m_c += s alpha(t) (x - m_c) for the nearest codeword m_c;
OLVQ1   the same with a rate of its own for each codeword,
        alpha_c <- alpha_c / (1 + s alpha_c), never above where it began;
LVQ2.1  for the two nearest codewords, if one has the class y and the other has not, and if x is
        in the window min(d_1 / d_2, d_2 / d_1) > (1 - w) / (1 + w):
        m_i += alpha(t) (x - m_i) for the one of class y, m_j -= alpha(t) (x - m_j) for the other.

alpha(t) falls linearly from its first value to 0 over the steps of a phase. Distances are
Euclidean; of codewords equally near, the first counts as nearer. Sources: Kohonen, Proc. IEEE 78,
1990; Kohonen et al., LVQ_PAK, TR A30, 1996.
"""

from libc.math cimport HUGE_VAL


cdef class Phase:
    """So many steps by one rule, on a codebook that is changed in place.

    Parameters
    ----------
    prototypes : double array of shape (p, d)
        The codewords, in / out.
    classes : intp array of shape (p,)
        Their classes.
    rate : double
        The learning rate alpha(0).
    steps : int
        The steps after which the rate is 0.
    """

    cdef double[:, ::1] prototypes
    cdef const Py_ssize_t[::1] classes
    cdef double rate
    cdef readonly long long done, steps

    def __init__(
        self,
        double[:, ::1] prototypes,
        const Py_ssize_t[::1] classes,
        double rate,
        long long steps,
    ):
        self.prototypes, self.classes = prototypes, classes
        self.rate, self.steps, self.done = rate, steps, 0

    def run(self, const double[:, ::1] X, const Py_ssize_t[::1] y, const Py_ssize_t[::1] order):
        """One step for each example named by ``order``, as far as there are steps left."""
        cdef Py_ssize_t t
        cdef long long n = min(<long long>order.shape[0], self.steps - self.done)
        with nogil:
            for t in range(n):
                self.step(&X[order[t], 0], y[order[t]])
                self.done += 1

    cdef void step(self, const double* x, Py_ssize_t y) noexcept nogil:
        pass

    cdef double alpha(self) noexcept nogil:
        """The rate of this step."""
        return self.rate * (1.0 - self.done / <double>self.steps)

    cdef double squared_distance(self, const double* x, Py_ssize_t c) noexcept nogil:
        cdef Py_ssize_t j
        cdef double difference, total = 0.0
        for j in range(self.prototypes.shape[1]):
            difference = x[j] - self.prototypes[c, j]
            total += difference * difference
        return total

    cdef Py_ssize_t nearest(self, const double* x) noexcept nogil:
        cdef Py_ssize_t c, best = 0
        cdef double distance, smallest = HUGE_VAL
        for c in range(self.prototypes.shape[0]):
            distance = self.squared_distance(x, c)
            if distance < smallest:
                best, smallest = c, distance
        return best

    cdef void move(self, const double* x, Py_ssize_t c, double by) noexcept nogil:
        """Move a codeword towards x, or away from it where ``by`` is negative."""
        cdef Py_ssize_t j
        for j in range(self.prototypes.shape[1]):
            self.prototypes[c, j] += by * (x[j] - self.prototypes[c, j])


cdef class LVQ1(Phase):
    """The nearest codeword, with one rate for all."""

    cdef void step(self, const double* x, Py_ssize_t y) noexcept nogil:
        cdef Py_ssize_t c = self.nearest(x)
        self.move(x, c, self.alpha() if self.classes[c] == y else -self.alpha())


cdef class OLVQ1(Phase):
    """The nearest codeword, with the rate that suits it best.

    Parameters
    ----------
    rates : double array of shape (p,)
        The rate of each codeword, in / out; none rises above ``rate``.
    """

    cdef double[::1] rates

    def __init__(
        self,
        double[:, ::1] prototypes,
        const Py_ssize_t[::1] classes,
        double rate,
        long long steps,
        double[::1] rates,
    ):
        Phase.__init__(self, prototypes, classes, rate, steps)
        self.rates = rates

    cdef void step(self, const double* x, Py_ssize_t y) noexcept nogil:
        cdef Py_ssize_t c = self.nearest(x)
        cdef double s = 1.0 if self.classes[c] == y else -1.0
        self.rates[c] = min(self.rates[c] / (1.0 + s * self.rates[c]), self.rate)
        self.move(x, c, s * self.rates[c])


cdef class LVQ21(Phase):
    """The two nearest codewords, where the border between their classes is near.

    Parameters
    ----------
    window : double
        The relative width w of the window.
    """

    cdef double ratio  # the window's bound on the ratio of squared distances
    cdef readonly long long moves

    def __init__(
        self,
        double[:, ::1] prototypes,
        const Py_ssize_t[::1] classes,
        double rate,
        long long steps,
        double window,
    ):
        Phase.__init__(self, prototypes, classes, rate, steps)
        self.ratio = ((1.0 - window) / (1.0 + window)) ** 2
        self.moves = 0

    cdef void step(self, const double* x, Py_ssize_t y) noexcept nogil:
        cdef Py_ssize_t c, first = 0, second = 0
        cdef double distance, d_first = HUGE_VAL, d_second = HUGE_VAL
        cdef bint first_right
        for c in range(self.prototypes.shape[0]):
            distance = self.squared_distance(x, c)
            if distance < d_first:
                second, d_second = first, d_first
                first, d_first = c, distance
            elif distance < d_second:
                second, d_second = c, distance
        first_right = self.classes[first] == y
        # d_first <= d_second, so that their ratio is the smaller one of the two.
        if first_right == (self.classes[second] == y) or d_first <= self.ratio * d_second:
            return
        self.move(x, first, self.alpha() if first_right else -self.alpha())
        self.move(x, second, -self.alpha() if first_right else self.alpha())
        self.moves += 1
