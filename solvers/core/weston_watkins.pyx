"""One example's part of the machine of Weston & Watkins: its violation and its reduced problem.

Written with alpha_m = -a_m >= 0 for the classes m other than y, and a_y = s = sum_m alpha_m, the
reduced problem of an example,  min 1/2 A ||a||^2 + <b, a>  with A = K_pp and b = g - A a_old, is

    min  A/2 (s^2 + sum_m alpha_m^2) - sum_m c_m alpha_m     subject to   0 <= alpha_m <= C,

where c_m = b_m - b_y is how far class m is short of its margin as long as alpha = 0. The objective
is strictly convex for A > 0, and its optimality conditions, one for each m, are

    A (s + alpha_m) = c_m  inside the box,   <= c_m  at alpha_m = C,   >= c_m  at alpha_m = 0.

With t = A s they read  A alpha_m = clip(c_m - t, 0, A C), and summed over m they leave one equation
for t:

    t = sum_m clip(c_m - t, 0, A C).

Its left side rises and its right side falls, so that it has one root, t >= 0, and both sides are
linear between the break points c_m (below which m has a coefficient) and c_m - A C (below which
the coefficient is C). Where F is the set of classes between their two break points and U that of
the classes below both, the root of the linear piece is

    t = (A C |U| + sum_{m in F} c_m) / (1 + |F|).

Starting above all break points, with F and U empty and t = 0, the pieces are passed downwards until
the root of a piece does not lie below its lower end. The c_m come from a heap, so only those that
end in F or U are ever ordered: O(k + q log k) for q of them. Nothing is divided by A, so A = 0 (an
all-zero example under the linear kernel) needs no other way: both break points are then c_m, and
alpha_m = C wherever c_m > 0. (Wang & Scott 2021 solve the same problem exactly, by sorting.)
"""

import numpy as np

from libc.math cimport HUGE_VAL

from .reduced_problem cimport ReducedProblem
from .selection cimport Violation
from .state cimport State


cdef class BoxState(State):
    """A state that values steps by the wrong classes alone.

    The step of a_y is what those of the others sum up to, but the difference of two rounded a_y
    need not be: a last step onto a bound would seem to gain nothing.
    """

    cdef double gain(self, Py_ssize_t p, double A) noexcept nogil:
        cdef Py_ssize_t r, y = self.y[p]
        cdef double linear = 0.0, square = 0.0, total = 0.0, d
        for r in range(self.k):
            d = self.a_new[r] - self.a[p, r]
            self.delta[r] = d
            if r != y:
                linear += d * (self.g[y] - self.g[r])
                square += d * d
                total += d
        return linear - 0.5 * A * (square + total * total)


cdef class BoxViolation(Violation):
    """The violation of the optimality conditions of the box, in margin units.

    With G_m = g_m - g_y = margin - (f_y - f_m), how far class m is short of its margin, an
    example violates them by the largest G_m of the m with alpha_m < C and the largest -G_m of
    those with alpha_m > 0. All coefficients are optimal if and only if none does.
    """

    cdef double psi(self, State s, Py_ssize_t i) noexcept nogil:
        cdef Py_ssize_t r, k = s.k, n = s.n, y = s.y[i]
        cdef const double* f = &s.f[0, i]  # f[r n] = f_r(x_i)
        cdef const double* a = &s.a[i, 0]
        cdef double own = f[y * n] - s.margin, worst = 0.0
        if not s.support[i]:
            for r in range(k):
                if r != y:
                    worst = max(worst, f[r * n] - own)
            return worst
        for r in range(k):
            if r != y:
                if a[r] > -s.C:
                    worst = max(worst, f[r * n] - own)
                if a[r] < 0.0:
                    worst = max(worst, own - f[r * n])
        return worst


cdef class BoxProblem(ReducedProblem):
    """The exact solution, from the largest break point down."""

    cdef double[::1] c

    def __init__(self, Py_ssize_t k):
        ReducedProblem.__init__(self, k)
        self.c = np.empty(k)

    cdef void solve(
        self,
        double A,             # in: K_pp
        const double* g,      # in: k scores less the margin
        const double* a_old,  # in: k coefficients
        Py_ssize_t y,
        Py_ssize_t k,
        double C,
        double tol,           # not used: the solution is exact
        double* a_new,        # out: k coefficients; may be the memory of a_old
    ) noexcept nogil:
        cdef Py_ssize_t r, m = 0
        cdef double height = A * C  # of the box, in margin units; C = inf needs A > 0
        cdef double b_y = g[y] - A * a_old[y], short_by, alpha, t, total = 0.0
        for r in range(k):
            if r != y:
                self.c[m] = g[r] - A * a_old[r] - b_y
                m += 1
        t = root(&self.c[0], m, height, &self.n_inner)
        for r in range(k):
            if r == y:
                continue
            short_by = g[r] - A * a_old[r] - b_y
            if short_by <= t:
                alpha = 0.0
            elif short_by - height >= t:
                alpha = C
            else:
                alpha = min((short_by - t) / A, C)
            a_new[r] = -alpha
            total += alpha
        a_new[y] = total


cdef double root(double* c, Py_ssize_t m, double height, long long* n_pieces) noexcept nogil:
    """The root of t = sum_j clip(c_j - t, 0, height) for the m values c, which are put in order."""
    cdef Py_ssize_t j, left = m, n_upper = 0
    cdef double t = 0.0, total = 0.0, enters, leaves
    for j in range(m // 2 - 1, -1, -1):
        sift(c, j, m)
    # c[:left] is a heap; c[left:m] rises and holds F and, at its end, U.
    while True:
        n_pieces[0] += 1
        enters = c[0] if left > 0 else -HUGE_VAL
        leaves = c[m - 1 - n_upper] - height if left + n_upper < m else -HUGE_VAL
        if t >= max(enters, leaves) or n_upper == m:  # the latter with NaN only
            return t
        if left > 0 and not enters < leaves:
            left -= 1
            c[0], c[left] = c[left], c[0]
            sift(c, 0, left)
            total += enters
        else:
            total -= c[m - 1 - n_upper]
            n_upper += 1
        # With an infinite box no class ever leaves for U.
        t = (total + (height * n_upper if n_upper > 0 else 0.0)) / (1 + m - left - n_upper)


cdef void sift(double* heap, Py_ssize_t j, Py_ssize_t m) noexcept nogil:
    """Let the value at j sink to its place in a heap of m values, the largest at 0."""
    cdef double value = heap[j]
    cdef Py_ssize_t child = 2 * j + 1
    while child < m:
        if child + 1 < m and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= value:
            break
        heap[j] = heap[child]
        j = child
        child = 2 * j + 1
    heap[j] = value
