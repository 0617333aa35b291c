"""The reduced problem of one example p (CS01 section 6, eq. 20), in our scaling.

Solves   min  1/2 A ||a||^2 + <b, a>   subject to   a <= C e_y,  sum_r a_r = 0,

with A = K_pp and b = g - A a_old, where g_r = f_r(x_p) - [r = y]. With d = b / A the solution is

    a_r = -(d_r - theta)_+  for r != y,    a_y = min(C, theta - d_y),

where theta is the one number for which these sum up to 0:

    sum_{r != y} (d_r - theta)_+ = min(C, theta - d_y).

This is CS01 eqs. 33-37 multiplied by C: its D_r is d_r / C + [r = y] and its theta is ours / C.
Nothing is divided by C here, so that C may be as large as it likes, or infinite (hard margin).

A theta that is only approximately right misses the sum constraint. Feasibility is restored from
the wrong classes: a_y is what they sum up to; where that would exceed C, they are scaled so that
it is exactly C.

A = 0 (an all-zero example under the linear kernel) leaves min <b, a>, whose optimum is a vertex:
a_y = C, and -C on the wrong class of the largest b (the first one of equals). With C infinite
there is no such vertex, the problem of the whole training set has no solution, and the caller
refuses it before it comes here; the coefficients then stay as they are.
"""

import numpy as np

from libc.math cimport isinf


cdef class ReducedProblem:
    """Base: what all optimizers share; ``optimize`` is theirs and solves the case A > 0.

    Attributes
    ----------
    n_inner : int
        Iterations so far: of the fixed point, rounds of the exact projection, sweeps over all
        pairs, steps of the other two-variable optimizers.
    n_pair_steps : int
        Two-variable steps so far.
    """

    def __init__(self, Py_ssize_t k):
        pass

    def counted(self):
        """What was counted; nothing else lasts from one problem to the next."""
        return {"n_inner": self.n_inner, "n_pair_steps": self.n_pair_steps}

    def count_from(self, state):
        """Go on counting from a state."""
        self.n_inner, self.n_pair_steps = state["n_inner"], state["n_pair_steps"]

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
        double C,             # in: may be infinite
        double tol,           # in: the optimizer's accuracy, where it is approximate
        double* a_new,        # out: k coefficients; may be the memory of a_old
    ) noexcept nogil:
        if A <= 0.0:
            self.vertex(g, a_old, y, k, C, a_new)
        else:
            self.optimize(A, g, a_old, y, k, C, tol, a_new)

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
        pass

    cdef void vertex(
        self,
        const double* g,
        const double* a_old,
        Py_ssize_t y,
        Py_ssize_t k,
        double C,
        double* a_new,
    ) noexcept nogil:
        """The solution for A = 0."""
        cdef Py_ssize_t r, worst = 0 if y != 0 else 1
        if isinf(C):
            for r in range(k):
                a_new[r] = a_old[r]
            return
        for r in range(k):
            if r != y and g[r] > g[worst]:
                worst = r
        for r in range(k):
            a_new[r] = 0.0
        a_new[y] = C
        a_new[worst] = -C

    cdef bint restore(
        self, Py_ssize_t y, Py_ssize_t k, double C, bint at_bound, double* a_new
    ) noexcept nogil:
        """Meet the sum constraint exactly, given the wrong classes and whether a_y is C.

        False if they are all zero and a_y is C, which leaves nothing to be scaled.
        """
        cdef Py_ssize_t r
        cdef double scale, total = 0.0
        for r in range(k):
            if r != y:
                total -= a_new[r]
        if not (at_bound or total >= C):
            a_new[y] = total
            return True
        if total <= 0.0:
            return False
        scale = C / total
        for r in range(k):
            a_new[r] *= scale
        a_new[y] = C
        return True


cdef class Projection(ReducedProblem):
    """Solved by its theta, which ``level`` finds: (C e_y - a) / C is a projection onto the simplex.
    """

    def __init__(self, Py_ssize_t k):
        self.d = np.empty(k)

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
        cdef double theta
        for r in range(k):
            self.d[r] = g[r] / A - a_old[r]
        theta = self.level(y, k, C, tol)
        for r in range(k):
            a_new[r] = min(theta - self.d[r], 0.0)
        if not self.restore(y, k, C, self.d[y] + C <= theta, a_new):
            # C is so small beside d that theta is the largest d_r itself, to the last digit.
            self.vertex(&self.d[0], a_old, y, k, C, a_new)

    cdef double level(self, Py_ssize_t y, Py_ssize_t k, double C, double tol) noexcept nogil:
        """theta for the k values ``self.d``."""
        return 0.0


cdef class FixedPoint(Projection):
    """CS01 figure 3: theta <- 1/k [sum_{r != y} max(theta, d_r) + max(theta - C, d_y)].

    From theta_1 = mean(d) every step moves up towards the solution, by a factor of at most
    1 - 1/k in the distance (theorem 2), until it changes by no more than ``tol`` of itself. It
    starts afresh each time.
    """

    cdef double level(self, Py_ssize_t y, Py_ssize_t k, double C, double tol) noexcept nogil:
        cdef Py_ssize_t r
        cdef double theta = 0.0, following
        for r in range(k):
            theta += self.d[r]
        theta /= k
        while True:
            self.n_inner += 1
            following = max(theta - C, self.d[y])
            for r in range(k):
                if r != y:
                    following += max(theta, self.d[r])
            following /= k
            # Multiplied out, so that theta = 0 needs no division; rounding ends the rise at last,
            # and so does a value that is not a number.
            if not (following > theta and following - theta > tol * abs(theta)):
                return max(following, theta)
            theta = following


cdef class Exact(Projection):
    """theta by dropping, again and again, the d_r that the current theta leaves without excess.

    With S the set of r still in (y is in while d_y + C > theta),

        theta = (sum_{r in S} d_r - [y not in S] C) / |S|

    only rises, and no r that falls out comes back (Michelot 1986, Condat 2016): at most k rounds,
    two or three as a rule.
    """

    cdef double level(self, Py_ssize_t y, Py_ssize_t k, double C, double tol) noexcept nogil:
        cdef Py_ssize_t r, n_in = k, n_before = k + 1
        cdef bint y_in
        cdef double theta, total = 0.0
        for r in range(k):
            total += self.d[r]
        theta = total / k
        while n_in < n_before:
            self.n_inner += 1
            n_before = n_in
            y_in = self.d[y] + C > theta
            n_in = 1 if y_in else 0
            total = self.d[y] if y_in else -C
            for r in range(k):
                if r != y and self.d[r] > theta:
                    n_in += 1
                    total += self.d[r]
            if n_in == 0:  # C vanishes beside d
                return theta
            theta = total / n_in
        return theta
