"""The reduced problem by steps on two coefficients (AS02 figures 1 and 2, AS05 figures 1-6).

A step takes v >= 0 from a_down and gives it to a_up: the sum stays 0. With g_r = f_r - [r = y] it
raises the papers' Lagrangian L = 2 D by

    V(v) = 2 v (g_down - g_up - A v),        largest at v = (g_down - g_up) / (2 A)

(AS05 eq. 14, where alpha_r is a_r for r = y and -a_r for the others), and g_up rises by A v,
g_down falls by it. So ``up`` is the one of a pair with the smaller g. Only it has a bound: a_up may
rise to C if it is y, to 0 if not, and v is clipped there.

All start from the present coefficients (``a_old``) and improve them. They take the accuracy as a
difference of scores: ``tol`` stands for phi_V = tol^2 / (2 A), the gain of a step that is not
clipped on two classes whose g differ by tol. Differences that are within the rounding of g are
none.
"""

import numpy as np

from .reduced_problem cimport ReducedProblem

cdef double ROUNDING = 2e-15  # of a score, relative to its size


cdef Step basic_step(
    double A,
    const double* g,
    const double* a,
    Py_ssize_t y,
    double C,
    Py_ssize_t r1,
    Py_ssize_t r2,
) noexcept nogil:
    """The step on a pair that gains most (AS05 figure 1)."""
    cdef Step step
    cdef double difference = g[r2] - g[r1], room
    step.up, step.down = r1, r2
    if difference < 0.0:
        step.up, step.down, difference = r2, r1, -difference
    room = C - a[y] if step.up == y else -a[step.up]
    step.clipped = not (difference < 2.0 * A * room)
    step.v = room if step.clipped else difference / (2.0 * A)
    step.gain = 2.0 * step.v * (difference - A * step.v)
    return step


cdef Step best_step(
    double A, const double* g, const double* a, Py_ssize_t y, Py_ssize_t k, double C
) noexcept nogil:
    """The step that gains most of all, in O(k); its gain is 0 where no step gains.

    No coefficient is bounded below, so whatever goes up gains most from the class of the largest g.
    """
    cdef Py_ssize_t r, down = 0
    cdef Step step, best
    for r in range(1, k):
        if g[r] > g[down]:
            down = r
    best.up, best.down, best.v, best.gain, best.clipped = down, down, 0.0, 0.0, False
    for r in range(k):
        if r != down:
            step = basic_step(A, g, a, y, C, r, down)
            if step.gain > best.gain:
                best = step
    return best


cdef class TwoVariable(ReducedProblem):
    """Base: the copy of g that follows the steps, and what becomes of a pair."""

    def __init__(self, Py_ssize_t k):
        self.g = np.empty(k)

    cdef void optimize(
        self,
        double A,
        const double* g,
        const double* a_old,
        Py_ssize_t y,
        Py_ssize_t k,
        double C,
        double tol,
        double* a_new,
    ) noexcept nogil:
        cdef Py_ssize_t r
        for r in range(k):
            self.g[r] = g[r]
            a_new[r] = a_old[r]
        self.improve(A, a_new, y, k, C, tol)
        # The steps leave the sum at 0 up to rounding; many of them must not add up.
        self.restore(y, k, C, a_new[y] >= C, a_new)

    cdef void improve(
        self, double A, double* a, Py_ssize_t y, Py_ssize_t k, double C, double tol
    ) noexcept nogil:
        """Raise D by steps from a, in place."""
        pass

    cdef void update(
        self, double A, double* a, Py_ssize_t y, double C, Step step
    ) noexcept nogil:
        """Take a step (AS05 figure 2)."""
        cdef double bound = C if step.up == y else 0.0
        a[step.up] = bound if step.clipped else min(a[step.up] + step.v, bound)
        a[step.down] -= step.v
        self.g[step.up] += A * step.v
        self.g[step.down] -= A * step.v
        self.n_pair_steps += 1

    cdef double smallest_gain(
        self, double A, const double* a, Py_ssize_t k, double tol
    ) noexcept nogil:
        """phi_V for an accuracy of tol, above what rounding seems to gain in a sweep.

        Each g is rounded as the score that it comes from, |g| + A |a| in size, and a sweep adds up
        the seeming gains of some k^2 pairs.
        """
        cdef Py_ssize_t r
        cdef double size = 0.0
        for r in range(k):
            size = max(size, abs(self.g[r]) + A * abs(a[r]))
        tol = max(tol, ROUNDING * k * size)
        return tol * tol / (2.0 * A)


cdef class Basic(TwoVariable):
    """AS05 figure 4: one step, on the pair of the largest gain, in O(k)."""

    cdef void improve(
        self, double A, double* a, Py_ssize_t y, Py_ssize_t k, double C, double tol
    ) noexcept nogil:
        cdef Step step = best_step(A, &self.g[0], a, y, k, C)
        self.n_inner += 1
        if step.gain > 0.0:
            self.update(A, a, y, C, step)


cdef class AllPairs(TwoVariable):
    """AS05 figure 5: sweeps over the k (k - 1) / 2 pairs, until one gains V(t) <= phi_V."""

    cdef void improve(
        self, double A, double* a, Py_ssize_t y, Py_ssize_t k, double C, double tol
    ) noexcept nogil:
        cdef Py_ssize_t r1, r2
        cdef Step step
        cdef double V = 0.0, V_before, phi = self.accuracy(A, a, k, tol)
        while True:
            self.n_inner += 1
            V_before, V = V, 0.0
            for r1 in range(k):
                for r2 in range(r1 + 1, k):
                    step = basic_step(A, &self.g[0], a, y, C, r1, r2)
                    if step.gain > 0.0:
                        V += step.gain
                        self.update(A, a, y, C, step)
            if self.ended(V, V_before, phi):
                return

    cdef double accuracy(
        self, double A, const double* a, Py_ssize_t k, double tol
    ) noexcept nogil:
        """phi_V."""
        return self.smallest_gain(A, a, k, tol)

    cdef bint ended(self, double V, double V_before, double phi) noexcept nogil:
        """Whether a sweep that gained V, after one that gained V_before, is the last."""
        return V <= phi


cdef class AllPairsRelative(AllPairs):
    """AS02 figure 2: until (V(t) - V(t - 1)) / V(t) <= phi_V, which here is tol itself.

    The gains of the sweeps fall as a rule, V(2) <= V(1), and the quotient is then negative: the
    rule ends after the second sweep whatever phi_V is, and the outer loop has to come back. It
    goes on only while the gains rise. V(0) = 0, and a sweep without gain ends it.
    """

    cdef double accuracy(
        self, double A, const double* a, Py_ssize_t k, double tol
    ) noexcept nogil:
        return tol

    cdef bint ended(self, double V, double V_before, double phi) noexcept nogil:
        return not (V > 0.0 and V - V_before > phi * V)


cdef class OptKKT(TwoVariable):
    """AS05 figure 6: the best of three steps, each for a way to miss optimality (its eq. 15).

    They are between y and the wrong class of the largest score; y and the wrong class of the
    largest score among those with a coefficient; and the wrong classes of the largest score and of
    the smallest one among those with a coefficient. O(k) each time, until a step gains no more
    than phi_V.
    """

    cdef void improve(
        self, double A, double* a, Py_ssize_t y, Py_ssize_t k, double C, double tol
    ) noexcept nogil:
        cdef Py_ssize_t r, r1, r2, r3
        cdef Step step, best
        cdef double phi = self.smallest_gain(A, a, k, tol)
        while True:
            self.n_inner += 1
            r1 = r2 = r3 = -1
            for r in range(k):
                if r == y:
                    continue
                if r1 < 0 or self.g[r] > self.g[r1]:
                    r1 = r
                if a[r] < 0.0:
                    if r2 < 0 or self.g[r] > self.g[r2]:
                        r2 = r
                    if r3 < 0 or self.g[r] < self.g[r3]:
                        r3 = r
            best = basic_step(A, &self.g[0], a, y, C, y, r1)
            if r2 >= 0:  # a_y > 0
                step = basic_step(A, &self.g[0], a, y, C, y, r2)
                if step.gain > best.gain:
                    best = step
                step = basic_step(A, &self.g[0], a, y, C, r1, r3)
                if step.gain > best.gain:
                    best = step
            if best.gain > 0.0:
                self.update(A, a, y, C, best)
            if not (best.gain > phi):
                return
