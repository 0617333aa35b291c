"""Dual coordinate descent for the linear machine of Crammer & Singer: weights, never a kernel.

One example after the other, exactly (``core/dual_cd.pyx``), finds out quickly which coefficients
are at a bound, and is slow on the others where attributes are correlated. Now and then those that
are free therefore take a step together (`FaceStep`).

S. S. Keerthi, S. Sundararajan, K.-W. Chang, C.-J. Hsieh and C.-J. Lin, "A Sequential Dual Method
for Large Scale Multi-Class Linear SVMs", KDD 2008, descend alike. Conjugate gradients between
steps that find the bounds: J. J. More and G. Toraldo, "On the Solution of Large Quadratic
Programming Problems with Bound Constraints", SIAM Journal on Optimization 1, 1991.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from .core.dual_cd import Descent, aligned
from .drive import NEVER
from .kernels import squared_lengths
from .snapshot import Snapshot, joined, part_of, put, told

DENSE = 0.5  # the share of non-zero values from which on zeros are stored
TINY = 1e-300  # squared lengths below count as 0
LARGEST_SINGLE = 1e15  # values whose products fit into single precision
FIRST_STEP = 48  # passes before the first step on a face
BETWEEN = 12  # passes between two, at least
SHARE = 3  # products of an example and the weights in visits, for each in steps on faces
STALLED = 100  # passes after which something has to have come of them

#: What the loop remembers beside the descent, and what the steps on faces do.
STATE = ("next_step", "next_check", "dual_then", "best_then", "before", "last_pass")
FACE_STATE = ("n_iter", "work", "limit")


class DualCD:
    """The loop (`solvers.drive.Loop`) of the linear machine.

    Parameters
    ----------
    X : ndarray or CSR of shape (n, d)
    y : intp ndarray of shape (n,)
        Labels 0 .. k-1.
    k : int
    C : float
        Finite.
    tol : float
        Violation psi, in margin units, below which no example is visited any more.
    shift : float
        Added to every product of examples: a feature of this value squared.
    seed : int
        Of the random order.
    first, end : intp ndarray of shape (k,), optional
        See `Descent`.

    Attributes
    ----------
    n_inner : int
        Iterations of the conjugate gradients.
    X : ndarray or CSR of shape (n, d)
        The examples, the constant feature included.
    """

    n_rows = n_hits = 0
    kernel_seconds = 0.0
    level = 0.0
    last_pass = NEVER  # before a pause

    def __init__(
        self,
        X: Any,
        y: np.ndarray,
        k: int,
        *,
        C: float,
        tol: float,
        shift: float,
        seed: int,
        first: np.ndarray | None = None,
        end: np.ndarray | None = None,
    ) -> None:
        start, column, x, d = stored(X, shift)
        shape = (len(y), d)
        self.X = x.reshape(shape) if column is None else sp.csr_array((x, column, start), shape)
        A = squared_lengths(self.X)
        self.descent = Descent(start, column, x, d, k, y, A, C, tol, seed, first, end)
        if np.abs(x).max(initial=0.0) > LARGEST_SINGLE:
            self.descent.to_double()
        self.face = FaceStep(self.descent, y, A, C)
        self.y, self.status = y, "running"
        self.begin(FIRST_STEP)

    @property
    def paused(self) -> bool:
        """Whether the pass has ended that was to be the last before a pause."""
        return self.descent.n_passes > self.last_pass

    def begin(self, first_step: int) -> None:
        """Forget the progress so far; the first step on a face comes after so many passes."""
        passes = self.descent.n_passes - 1
        self.next_step, self.next_check = passes + first_step, passes + STALLED
        self.dual_then = -np.inf
        self.descent.best = self.best_then = np.inf
        self.before, self.face.work = self.descent.n_visits + self.descent.n_iter, 0

    @property
    def coefficients(self) -> np.ndarray:
        """The n x k coefficients a, a view of the solver's own."""
        return self.descent.coefficients

    @property
    def n_iter(self) -> int:
        """Examples optimized."""
        return self.descent.n_iter

    @property
    def n_inner(self) -> int:
        """Iterations of the conjugate gradients."""
        return self.face.n_iter

    @property
    def last(self) -> int:
        """The example of the last iteration, -1 before the first."""
        return self.descent.last

    @property
    def n_active(self) -> int:
        """The number of examples with a non-zero coefficient."""
        return int(np.count_nonzero(self.coefficients.any(axis=1)))

    def run(self, until: int, seconds: float) -> str:
        """Go on to iteration ``until``, to the end, or for about ``seconds``."""
        descent, stop = self.descent, time.perf_counter() + seconds
        self.status = "running"
        while self.status == "running" and descent.n_iter < until and not self.paused:
            left = stop - time.perf_counter()
            if left <= 0.0:
                break
            status = descent.run(until, left, min(self.next_step, self.last_pass))
            self.status = "stalled" if status == "rounding" else status
            if self.status == "running" and descent.n_passes > self.next_step:
                self.next_step = descent.n_passes + BETWEEN
                self.face.take((descent.n_visits + descent.n_iter - self.before) // SHARE)
                self.check_progress()
        return self.status

    def check_progress(self) -> None:
        """Stall where in many passes neither the dual rose nor the violation fell."""
        descent = self.descent
        if descent.single or descent.n_passes < self.next_check:
            return
        dual, size = self.face.dual()
        if dual <= self.dual_then + 1e-15 * size and descent.best > 0.5 * self.best_then:
            self.status = "stalled"
        self.next_check, self.dual_then = descent.n_passes + STALLED, max(dual, self.dual_then)
        self.best_then = descent.best

    def resume(self, f: np.ndarray) -> None:  # noqa: ARG002
        """Go on in double precision from weights made afresh; the scores f are not needed."""
        self.descent.to_double()
        self.status = "running"

    @property
    def tol(self) -> float:
        """The violation below which no example is visited any more."""
        return self.descent.tol

    def tighten(self, tightest: float) -> bool:
        """Ask for a tenth of the tolerance, unless that is below ``tightest``; go on then."""
        if self.tol / 10.0 < tightest:
            return False
        self.descent.tol /= 10.0
        self.descent.again()
        self.status = "running"
        return True

    def snapshot(self) -> Snapshot:
        """The state, in the midst of a pass as a rule."""
        parts = joined(descent=self.descent.snapshot(), face=told(self.face, FACE_STATE))
        return {**told(self, STATE), **parts}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        put(self, STATE, state)
        self.descent.restore(part_of(state, "descent"))
        put(self.face, FACE_STATE, part_of(state, "face"))
        self.status = "running"


class FaceStep:
    """A step of all free coefficients together, by conjugate gradients.

    The free coefficients of an example are those with a_r < 0, r != y, and a_y where 0 < a_y < C.
    While the others stay, the dual is a quadratic function on the linear space of steps that are
    zero elsewhere and sum up to 0 for each example. In the variables ||x_i|| times the steps,

        max  -<g, delta> - 1/2 sum_r ||sum_i delta_ir x_i||^2,

    is maximized by conjugate gradients, which need two products with the free examples for each
    iteration. What then leaves the bounds is projected back onto them, and the step halved until
    the dual rises.
    """

    def __init__(self, descent: Descent, y: np.ndarray, A: np.ndarray, C: float) -> None:
        self.descent, self.y, self.A, self.C = descent, y, A, C
        self.n_iter, self.work, self.limit = 0, 0, 32

    def dual(self) -> tuple[float, float]:
        """D from the present weights, and the size of what is subtracted there."""
        own = float(self.descent.a[np.arange(len(self.y)), self.y].sum())
        square = 0.5 * inner(self.descent.W, self.descent.W)
        return own - square, own + square

    def take(self, budget: int) -> None:
        """Take a step if the dual rises by one, and the work of all stays below ``budget``."""
        descent, a = self.descent, self.descent.a
        rows, free = self.free()
        if not len(rows) or self.work + 2 * len(rows) * self.limit > budget:
            return
        descent.refresh()
        step = self.direction(rows, free)
        present, y, own = a[rows], self.y[rows], np.arange(len(rows))
        t = 1.0
        while t > 1e-3:
            moved = aligned(present.shape, np.float64)
            moved[:] = np.where(free, present + t * step, np.inf)
            descent.project(rows, moved)
            delta = moved - present
            V = descent.combined(rows, delta)
            # D(a + delta) - D(a), without the digits that both share
            gain = delta[own, y].sum() - inner(V, descent.W) - 0.5 * inner(V, V)
            if gain > 0.0:
                a[rows] = moved
                descent.put_weights(descent.W + V)
                break
            t /= 2
        # Accuracy pays once the bounds are the right ones.
        self.limit = min(2 * self.limit, 512) if t == 1.0 else max(self.limit // 2, 32)

    def free(self) -> tuple[np.ndarray, np.ndarray]:
        """The examples with two free coefficients or more, and which those are."""
        a, n = self.descent.a, len(self.y)
        free = a < 0.0
        own = a[np.arange(n), self.y]
        free[np.arange(n), self.y] = (own > 0.0) & (own < self.C)
        rows = np.flatnonzero((free.sum(axis=1) > 1) & (self.A > TINY))
        return rows, free[rows]

    def direction(self, rows: np.ndarray, free: np.ndarray) -> np.ndarray:
        """About the best step on the face."""
        descent = self.descent
        weight = free / free.sum(axis=1, keepdims=True)
        scale = 1.0 / np.sqrt(self.A[rows])[:, np.newaxis]

        def tangential(v: np.ndarray) -> np.ndarray:
            v = v * scale
            v -= np.einsum("ij,ij->i", v, weight)[:, np.newaxis]
            v *= free
            return v

        g = descent.products(rows, descent.W)
        g[np.arange(len(rows)), self.y[rows]] -= 1.0
        step = np.zeros_like(g)
        residual = tangential(-g)
        search = residual.copy()
        square = first = inner(residual, residual)
        for _ in range(self.limit):
            if square <= 1e-6 * first:
                break
            product, curvature = descent.gram_times(rows, search * scale)
            if curvature <= 1e-14 * inner(search, search):  # numbers that only round
                break
            self.n_iter += 1
            self.work += 2 * len(rows)
            length = square / curvature
            step += length * search
            residual -= length * tangential(product)
            before, square = square, inner(residual, residual)
            search *= square / before
            search += residual
        return step * scale


def inner(u: np.ndarray, v: np.ndarray) -> float:
    """<u, v>, without the threads of a BLAS, which would cost more than they bring here."""
    return float(np.einsum("ij,ij->", u, v))


def stored(X: Any, shift: float) -> tuple[np.ndarray, np.ndarray | None, np.ndarray, int]:
    """The examples as the descent takes them, with a last feature whose square is ``shift``.

    Returns
    -------
    start : int64 ndarray of shape (n + 1,)
    column : int32 ndarray or None
        None where zeros are stored.
    x : ndarray
    d : int
    """
    n = X.shape[0]
    if not sp.issparse(X) and np.count_nonzero(X) < DENSE * X.size:
        X = sp.csr_array(X)
    if shift:
        constant = np.full((n, 1), np.sqrt(shift))
        X = sp.hstack([X, constant], format="csr") if sp.issparse(X) else np.hstack([X, constant])
    d = X.shape[1]
    if sp.issparse(X):
        return X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data, d
    return np.arange(n + 1, dtype=np.int64) * d, None, np.ascontiguousarray(X).ravel(), d
