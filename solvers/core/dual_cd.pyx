"""Passes of dual coordinate descent for the linear machine of Crammer & Singer.

What is solved, and one visit, is in ``dual_cd.h``; which examples a pass visits is in
``visit_order``. Where these show no violation above the tolerance, a pass over all examples follows,
and only that one can end the descent.

The first passes are in single precision, which halves the memory to be moved. They end where the
violations come near their rounding; the weights are then made afresh in double precision.
"""

import numpy as np

from libc.float cimport DBL_EPSILON, FLT_EPSILON
from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from ..snapshot import joined, part_of

from .clock cimport monotonic
from .visit_order cimport VisitOrder

cdef extern from "dual_cd.h" nogil:
    ctypedef struct Machine:
        Py_ssize_t width
        double C
        const int64_t* start
        const int32_t* column
        const double* x
        const float* x_single
        const double* A
        const Py_ssize_t* y
        const Py_ssize_t* first
        const Py_ssize_t* end
        double* W
        float* W_single
        double* a
        double* margin
        double* g
        double* d
        double* delta

    Py_ssize_t visit(
        const Machine* s, const Py_ssize_t* examples, Py_ssize_t m, double least, double noise,
        int8_t* moved, double* violations
    )
    void drop(const Machine* s, const Py_ssize_t* examples, Py_ssize_t m)
    void project(const Machine* s, const Py_ssize_t* examples, Py_ssize_t m, double* P)
    void combine_f(
        const int64_t* start, const int32_t* column, const float* x, Py_ssize_t width,
        const Py_ssize_t* examples, Py_ssize_t m, const double* P, float* V
    )
    void combine_d(
        const int64_t* start, const int32_t* column, const double* x, Py_ssize_t width,
        const Py_ssize_t* examples, Py_ssize_t m, const double* P, double* V
    )
    void evaluate_f(
        const int64_t* start, const int32_t* column, const float* x, Py_ssize_t width,
        const Py_ssize_t* examples, Py_ssize_t m, const double* margin, const float* V, double* F
    )
    void evaluate_d(
        const int64_t* start, const int32_t* column, const double* x, Py_ssize_t width,
        const Py_ssize_t* examples, Py_ssize_t m, const double* margin, const double* V, double* F
    )

cdef Py_ssize_t LANES = 16  # numbers in a vector of single precision: rows are multiples of it
cdef Py_ssize_t CHUNK = 128  # visits between two looks at the clock
cdef double LEAST = 0.1  # of tol: violations that are worth a step
cdef double SINGLE = 1e-4  # of the scores: violations below are for double precision


def aligned(shape, dtype):
    """Zeros that begin at a multiple of 64 bytes."""
    cdef Py_ssize_t size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 64, dtype=np.uint8)
    offset = -raw.ctypes.data % 64
    return raw[offset : offset + size].view(dtype).reshape(shape)


cdef class Descent:
    """The descent and its state.

    Parameters
    ----------
    start, column, x
        The examples in CSR form; column None: all features are stored, row by row.
    d, k : int
        Features, classes.
    y : intp ndarray of shape (n,)
    A : ndarray of shape (n,)
        Squared lengths.
    C, tol : float
    seed : int
        Of the permutations.
    first, end : intp ndarray of shape (k,), optional
        Of each class y, the range of classes that its examples may have no coefficients for, y
        itself excepted. Only y itself by default.

    Attributes
    ----------
    coefficients : ndarray of shape (n, k)
    W : ndarray of shape (d, width)
        The weights in double precision; current once ``single`` is False.
    single : bool
        Whether the passes are in single precision.
    n_iter, n_visits, n_passes : int
        Examples optimized; examples visited; passes begun.
    worst : float
        The largest violation that the last whole pass met, at its visits.
    """

    cdef Machine machine
    cdef readonly object W, a, coefficients
    cdef object W_single, arrays
    cdef readonly bint single
    cdef readonly long long n_iter
    cdef readonly long long n_visits
    cdef readonly Py_ssize_t last
    cdef public double tol
    cdef readonly double worst
    cdef public double best
    cdef Py_ssize_t n, k
    cdef double[3] violations
    cdef VisitOrder order

    def __init__(
        self,
        const int64_t[::1] start,
        const int32_t[::1] column,
        const double[::1] x,
        Py_ssize_t d,
        Py_ssize_t k,
        const Py_ssize_t[::1] y,
        const double[::1] A,
        double C,
        double tol,
        uint64_t seed,
        first=None,
        end=None,
    ):
        cdef Py_ssize_t n = len(y), width = (k + LANES - 1) // LANES * LANES
        cdef double[:, ::1] W = aligned((d, width), np.float64)
        cdef double[:, ::1] a = aligned((n, width), np.float64)
        cdef float[:, ::1] W_single = aligned((d, width), np.float32)
        with np.errstate(over="ignore"):  # the caller goes to double precision at once then
            x_single_array = np.asarray(x, dtype=np.float32)
        cdef float[::1] x_single = x_single_array
        cdef double[:, ::1] scratch = aligned((4, width), np.float64)
        scratch[0, k:] = INFINITY
        self.n, self.k, self.tol = n, k, tol
        self.order = VisitOrder(n, seed)
        self.W, self.a, self.W_single = np.asarray(W), np.asarray(a), np.asarray(W_single)
        self.coefficients = self.a[:, :k]
        cdef const Py_ssize_t[::1] lowest = np.arange(k) if first is None else first
        cdef const Py_ssize_t[::1] highest = np.arange(1, k + 1) if end is None else end
        self.arrays = [start, column, x, y, A, scratch, x_single, lowest, highest]
        self.machine.first, self.machine.end = &lowest[0], &highest[0]
        self.last = -1
        self.worst = self.best = INFINITY
        self.single = True
        self.machine.width, self.machine.C = width, C
        self.machine.start = &start[0]
        self.machine.column = NULL if column is None or not len(column) else &column[0]
        self.machine.x = &x[0] if len(x) else NULL
        self.machine.x_single = &x_single[0] if len(x) else NULL
        self.machine.y, self.machine.A = &y[0], &A[0]
        self.machine.W, self.machine.W_single = &W[0, 0], &W_single[0, 0]
        self.machine.a = &a[0, 0]
        self.machine.margin, self.machine.g = &scratch[0, 0], &scratch[1, 0]
        self.machine.d, self.machine.delta = &scratch[2, 0], &scratch[3, 0]

    @property
    def n_passes(self):
        """Passes begun."""
        return self.order.n_passes

    def to_double(self):
        """Go on in double precision, with weights made afresh."""
        if self.single:
            self.single = False
            self.machine.x_single = NULL
            self.W_single = self.arrays[6] = None
        self.refresh()
        self.again()

    def snapshot(self):
        """The state (`solvers.snapshot`): weights are running sums, in the precision of the passes.

        Those in double precision are made afresh before they are read, as long as that is single.
        """
        return {
            "a": self.a.copy(), "W": (self.W_single if self.single else self.W).copy(),
            "single": self.single, "n_iter": self.n_iter, "n_visits": self.n_visits,
            "last": self.last, "tol": self.tol, "worst": self.worst, "best": self.best,
            "violations": np.array(self.violations), **joined(order=self.order.snapshot()),
        }

    def restore(self, state):
        """Go on from a state."""
        if self.single and not state["single"]:
            self.to_double()
        self.a[:] = state["a"]
        (self.W_single if self.single else self.W)[:] = state["W"]
        self.n_iter, self.n_visits, self.last = state["n_iter"], state["n_visits"], state["last"]
        self.tol, self.worst, self.best = state["tol"], state["worst"], state["best"]
        for r in range(3):
            self.violations[r] = state["violations"][r]
        self.order.restore(part_of(state, "order"))

    @property
    def weights(self):
        """The weights (d x k), in the precision of the passes."""
        return (self.W_single if self.single else self.W)[:, : self.k]

    def again(self, bint full=True):
        """Go on with a pass over all examples, or over those that are due."""
        self.order.full = full
        self.begin_pass()

    def wake(self, const Py_ssize_t[::1] examples):
        """Let some examples be due in the next pass."""
        self.order.wake(examples)

    def drop(self, const Py_ssize_t[::1] examples):
        """Put the coefficients of some examples to 0."""
        if len(examples):
            with nogil:
                drop(&self.machine, &examples[0], examples.shape[0])

    def refresh(self):
        """Make the weights afresh from the coefficients."""
        support = np.flatnonzero(self.a.any(axis=1))
        self.put_weights(self.combined(support, self.a[support]))

    def put_weights(self, W):
        """Take over weights (d x width) that belong to the coefficients."""
        self.W[:] = W
        if self.single:
            self.W_single[:] = W

    def combined(self, const Py_ssize_t[::1] examples, const double[:, ::1] P):
        """sum_q x_q P[q] over some examples, for all classes, in double precision: (d, width)."""
        cdef double[:, ::1] V = aligned(self.W.shape, np.float64)
        cdef Machine* s = &self.machine
        if len(examples):
            with nogil:
                combine_d(
                    s.start, s.column, s.x, s.width,
                    &examples[0], examples.shape[0], &P[0, 0], &V[0, 0]
                )
        return np.asarray(V)

    def products(self, const Py_ssize_t[::1] examples, const double[:, ::1] V):
        """<V, x_q> for some examples and all classes: (len(examples), width)."""
        cdef double[:, ::1] F = aligned((len(examples), self.machine.width), np.float64)
        cdef double[::1] none = np.zeros(self.machine.width)
        cdef Machine* s = &self.machine
        if len(examples):
            with nogil:
                evaluate_d(
                    s.start, s.column, s.x, s.width,
                    &examples[0], examples.shape[0], &none[0], &V[0, 0], &F[0, 0]
                )
        return np.asarray(F)

    def project(self, const Py_ssize_t[::1] examples, double[:, ::1] P):
        """Put the nearest coefficients in place of P, among those 0 where P is infinite.

        Where that is so of a_y, it is C instead.
        """
        P[:, self.k :] = INFINITY
        if len(examples):
            with nogil:
                project(&self.machine, &examples[0], examples.shape[0], &P[0, 0])

    def gram_times(self, const Py_ssize_t[::1] examples, const double[:, ::1] P):
        """sum_q <x_p, x_q> P[q] for some examples p and q, in the precision of the passes.

        Returns
        -------
        ndarray of shape (len(examples), width)
        float
            sum_pq <x_p, x_q> <P[p], P[q]>.
        """
        cdef double[:, ::1] F = aligned((len(examples), self.machine.width), np.float64)
        cdef double[::1] none = np.zeros(self.machine.width)
        cdef float[:, ::1] V_single
        cdef double[:, ::1] V
        cdef Machine* s = &self.machine
        cdef Py_ssize_t m = len(examples)
        if self.single:
            V_single = aligned(self.W.shape, np.float32)
            with nogil:
                combine_f(
                    s.start, s.column, s.x_single, s.width,
                    &examples[0], m, &P[0, 0], &V_single[0, 0]
                )
                evaluate_f(
                    s.start, s.column, s.x_single, s.width,
                    &examples[0], m, &none[0], &V_single[0, 0], &F[0, 0]
                )
            square = np.einsum("ij,ij->", V_single, V_single, dtype=np.float64)
        else:
            V = self.combined(examples, P)
            with nogil:
                evaluate_d(
                    s.start, s.column, s.x, s.width,
                    &examples[0], m, &none[0], &V[0, 0], &F[0, 0]
                )
            square = np.einsum("ij,ij->", V, V)
        return np.asarray(F), float(square)

    def run(self, long long until, double seconds, Py_ssize_t passes):
        """Go on to iteration ``until``, to the end of pass ``passes``, or for about ``seconds``.

        Returns
        -------
        str
            "running", "converged"; "rounding": only violations below it are left.
        """
        cdef double stop = monotonic() + seconds
        cdef double noise = self.noise()
        cdef Py_ssize_t m, q
        cdef VisitOrder order = self.order
        with nogil:
            while self.n_iter < until and order.n_passes <= passes:
                m = min(order.length - order.position, CHUNK, until - self.n_iter)
                self.n_iter += visit(
                    &self.machine, &order.examples[order.position], m, LEAST * self.tol, noise,
                    &order.moved[0], self.violations
                )
                for q in range(order.position, order.position + m):
                    if order.moved[order.examples[q]]:
                        self.last = order.examples[q]
                self.n_visits += m
                if order.ahead(m):
                    with gil:
                        status = self.end_pass()
                        if status != "running":
                            return status
                        noise = self.noise()
                if monotonic() >= stop:
                    break
        return "running"

    cdef double noise(self):
        """Rounding of a score beside its size, as in ``selecting_loop``."""
        cdef double epsilon = FLT_EPSILON if self.single else DBL_EPSILON
        return epsilon * (sqrt(self.n * self.k) + 4 * self.k)

    cdef end_pass(self):
        """Say how the pass went, and begin the next one."""
        cdef bint all_seen = self.order.full
        cdef double worst = self.violations[0], stepped = self.violations[1]
        self.worst = worst
        self.best = min(self.best, worst)
        self.order.settle()
        self.order.full = worst <= self.tol or stepped == 0.0
        if self.order.full and all_seen:
            if worst <= self.tol:
                self.begin_pass()
                return "converged"
            if not self.single:
                self.begin_pass()
                return "rounding"
        if self.single and worst > self.tol and (
            worst <= SINGLE * self.violations[2] or (all_seen and stepped == 0.0)
        ):
            self.to_double()
        else:
            self.begin_pass()
        return "running"

    cdef void begin_pass(self) noexcept nogil:
        self.order.begin()
        self.violations[0] = self.violations[1] = self.violations[2] = 0.0
