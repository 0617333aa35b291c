"""The reduced problem of one example p (CS01 section 6, eq. 20), in our scaling.

Solves   min  1/2 A ||a||^2 + <b, a>   subject to   a <= C e_y,  sum_r a_r = 0,

with A = K_pp and b = g - A a_old, where g_r = f_r(x_p) - [r = y]. With tau = a / C and
D = b / (C A) + e_y (eq. 33) the solution is tau_r = min(theta, D_r) - D_r + [r = y], where theta
solves sum_r min(theta, D_r) = sum_r D_r - 1 (eq. 37). Written with the excess over theta,

    tau = e_y - (D - theta)_+    and    sum_r (D_r - theta)_+ = 1,

so that e_y - tau is the projection of D onto the simplex.

A theta that is only approximately right misses the sum constraint. Feasibility is restored by
dividing the excess by its sum: e_y - tau is then again a point of the simplex, exactly.

A = 0 (an all-zero example under the linear kernel) leaves min <b, a>, whose optimum is a vertex:
a_y = C, and -C on the wrong class of the largest b (the first one of equals).
"""

import numpy as np


cdef class ReducedProblem:
    """Base: everything but the search for theta, ``level``."""

    def __init__(self, Py_ssize_t k):
        self.D = np.empty(k)

    def __call__(self, double A, g, a_old, Py_ssize_t y, double C, double tol):
        """Solve one reduced problem; for tests and for looking at one by hand."""
        cdef double[::1] scores = np.ascontiguousarray(g, dtype=np.float64)
        cdef double[::1] a_new = np.array(a_old, dtype=np.float64)
        self.solve(
            A, &scores[0], &a_new[0], y, scores.shape[0], C, tol, &a_new[0]
        )
        return np.asarray(a_new)

    cdef void solve(
        self,
        double A,             # in: K_pp
        const double* g,      # in: k scores less the margin
        const double* a_old,  # in: k coefficients
        Py_ssize_t y,
        Py_ssize_t k,
        double C,
        double tol,           # in: relative accuracy of theta, where it is approximate
        double* a_new,        # out: k coefficients; may be the memory of a_old
    ) noexcept nogil:
        cdef Py_ssize_t r
        cdef double theta, total = 0.0
        if A <= 0.0:
            self.vertex(g, y, k, C, a_new)
            return
        for r in range(k):
            self.D[r] = g[r] / (C * A) - a_old[r] / C
        self.D[y] += 1.0
        theta = self.level(k, tol)
        for r in range(k):
            a_new[r] = max(self.D[r] - theta, 0.0)
            total += a_new[r]
        for r in range(k):
            a_new[r] *= -C / total
        # Near its bound a_y is taken from there, so that it can reach it; else from the sum
        # constraint, so that a small one keeps its digits.
        if a_new[y] > -0.5 * C:
            a_new[y] += C
            return
        total = 0.0
        for r in range(k):
            if r != y:
                total += a_new[r]
        a_new[y] = -total

    cdef double level(self, Py_ssize_t k, double tol) noexcept nogil:
        """theta for the k values ``self.D``."""
        return 0.0

    cdef void vertex(
        self, const double* g, Py_ssize_t y, Py_ssize_t k, double C, double* a_new
    ) noexcept nogil:
        cdef Py_ssize_t r, worst = 0 if y != 0 else 1
        for r in range(k):
            if r != y and g[r] > g[worst]:
                worst = r
        for r in range(k):
            a_new[r] = 0.0
        a_new[y] = C
        a_new[worst] = -C


cdef class FixedPoint(ReducedProblem):
    """CS01 figure 3: theta <- 1/k sum_r max(theta, D_r) - 1/k, until it changes little.

    From theta_1 = mean(D) - 1/k every step moves up towards the solution, by a factor of at most
    1 - 1/k in the distance (theorem 2). It starts afresh each time.
    """

    cdef double level(self, Py_ssize_t k, double tol) noexcept nogil:
        cdef Py_ssize_t r
        cdef double theta, following
        theta = 0.0
        for r in range(k):
            theta += self.D[r]
        theta = (theta - 1.0) / k
        while True:
            self.n_inner += 1
            following = -1.0
            for r in range(k):
                following += max(theta, self.D[r])
            following /= k
            # Multiplied out, so that theta = 0 needs no division; rounding ends the rise at last.
            if following <= theta or following - theta <= tol * abs(theta):
                return max(following, theta)
            theta = following


cdef class Exact(ReducedProblem):
    """theta by dropping, again and again, the D_r that the current theta leaves without excess.

    With S the set of r still in, theta = (sum_{r in S} D_r - 1) / |S| only rises, and no r that
    falls out comes back (Michelot 1986, Condat 2016): at most k rounds, two or three as a rule.
    """

    cdef double level(self, Py_ssize_t k, double tol) noexcept nogil:
        cdef Py_ssize_t r, n_in = k, n_before = k + 1
        cdef double theta, total = 0.0
        for r in range(k):
            total += self.D[r]
        theta = (total - 1.0) / k
        while n_in < n_before:
            self.n_inner += 1
            n_before = n_in
            n_in, total = 0, -1.0
            for r in range(k):
                if self.D[r] > theta:
                    n_in += 1
                    total += self.D[r]
            theta = total / n_in
        return theta
