"""The pattern family in plain NumPy: the same algorithm, to be read and to be compared with.

Nothing is clever here: kernel rows are computed when they are needed, the scores of all examples
are brought up to date after every step, and every scan looks at everything. The compiled loops
choose the same examples and take the same steps, up to rounding.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

RHO0 = 0.999
FINEST = 1e-15

THRESHOLDS: dict[str, Callable[[float], float]] = {
    "fixed": lambda t: 0.0,  # noqa: ARG005 (one signature)
    "exponential": lambda t: RHO0 * math.exp(-t),
    "linear": lambda t: RHO0 / (t + 1),
    "logarithmic": lambda t: RHO0 / math.log10(t + 10),
}

# The real t at which a threshold has fallen to psi.
CROSSINGS: dict[str, Callable[[float], float]] = {
    "exponential": lambda psi: math.log(RHO0 / psi),
    "linear": lambda psi: RHO0 / psi - 1,
    "logarithmic": lambda psi: 10 ** (RHO0 / psi) - 10 if RHO0 / psi < 300 else math.inf,
}


def fixed_point_step(theta: float, d: np.ndarray, y: int, C: float) -> float:
    """One step of CS01 eq. 39 in our scaling, nearer to the solution by theorem 2."""
    return float(np.maximum(theta, np.delete(d, y)).sum() + max(theta - C, d[y])) / len(d)


def fixed_point(d: np.ndarray, y: int, C: float, tol: float) -> tuple[float, int]:
    """Theta by CS01 figure 3, and the number of its iterations."""
    theta = float(d.mean())
    n_inner = 0
    while True:
        n_inner += 1
        following = fixed_point_step(theta, d, y, C)
        if not (following > theta and following - theta > tol * abs(theta)):
            return max(following, theta), n_inner
        theta = following


def exact(d: np.ndarray, y: int, C: float, tol: float) -> tuple[float, int]:  # noqa: ARG001 (one signature)
    """Theta by sorting, of d with d_y + C in place of d_y (the projection onto a simplex).

    The largest j with d_(j) > (d_(1) + ... + d_(j) - C) / j settles it. C cancels out of the sum
    where y is among the j largest, and is left out of it from the start.
    """
    shifted = d.copy()
    shifted[y] += C
    descending = np.argsort(-shifted, kind="stable")
    without_y = np.cumsum(descending == y) == 0
    sums = np.cumsum(d[descending]) - np.where(without_y, C, 0.0)
    candidates = sums / np.arange(1, len(d) + 1)
    above = shifted[descending] > candidates
    return float(candidates[np.flatnonzero(above)[-1]]) if above.any() else float(d.max()), 1


OPTIMIZERS = {"fixed_point": fixed_point, "exact": exact}


def solve_reduced(
    A: float, g: np.ndarray, a: np.ndarray, y: int, C: float, tol: float, optimizer: str
) -> tuple[np.ndarray, int]:
    """The coefficients of one example that are optimal when all others stand still.

    Parameters
    ----------
    A : float
        K_pp.
    g : ndarray of shape (k,)
        f_r(x_p) - [r = y].
    a : ndarray of shape (k,)
        The present coefficients.
    y, C, tol, optimizer
        Label, bound (may be infinite), relative accuracy of theta, and how theta is found.
    """
    if A <= 0.0:  # nothing but <b, a> is left: a vertex
        return vertex(g, a, y, C), 0
    d = g / A - a
    theta, n_inner = OPTIMIZERS[optimizer](d, y, C, tol)
    new = np.minimum(theta - d, 0.0)
    new[y] = 0.0
    total = -new.sum()
    at_bound = d[y] + C <= theta or total >= C
    if not at_bound:
        new[y] = total
    elif total > 0.0:
        new *= C / total
        new[y] = C
    else:  # C vanishes beside d
        new = vertex(d, a, y, C)
    return new, n_inner


def vertex(g: np.ndarray, a: np.ndarray, y: int, C: float) -> np.ndarray:
    """The solution without curvature: C on y and -C on the wrong class of the largest g."""
    if math.isinf(C):  # none; the caller refuses such data beforehand
        return a.copy()
    worst = int(np.argmax(np.where(np.arange(len(g)) == y, -np.inf, g)))
    new = np.zeros(len(g))
    new[y], new[worst] = C, -C
    return new


class ReferenceLoop:
    """CS01 figure 4, or figure 2 with ``pick="cyclic"``; the interface of the compiled loops.

    Parameters
    ----------
    row : callable
        row(p) gives the n values K(x_p, x_i).
    diagonal : ndarray of shape (n,)
        K(x_i, x_i).
    y : int ndarray of shape (n,)
        Labels 0 .. k-1.
    k, C, tol
        Number of classes, bound, accuracy psi <= tol.
    pick, threshold, optimizer, active_set, passes
        As in `CrammerSingerSVC`.
    """

    def __init__(
        self,
        row: Callable[[int], np.ndarray],
        diagonal: np.ndarray,
        y: np.ndarray,
        k: int,
        *,
        C: float,
        tol: float,
        pick: str,
        threshold: str,
        optimizer: str,
        active_set: bool,
        passes: int,
    ) -> None:
        n = len(y)
        self.row, self.diagonal, self.y, self.C, self.tol = row, diagonal, y, C, tol
        self.pick, self.threshold, self.optimizer = pick, threshold, optimizer
        self.active_set, self.passes = active_set, passes
        self.coefficients = np.zeros((n, k))
        self.g = np.zeros((n, k))  # f_r(x_i) - [r = y_i]
        self.g[np.arange(n), y] = -1.0
        self.upper = np.zeros((n, k))
        self.upper[np.arange(n), y] = C
        self.blocked = np.zeros(n, dtype=bool)
        self.inner_tol = max(tol / 2, FINEST)
        self.t = 0.0
        self.level = max(tol, THRESHOLDS[threshold](0.0)) if pick == "argmax" else 0.0
        self.status, self.last = "running", -1
        self.n_iter = self.n_rows = self.n_hits = self.n_inner = 0
        self.kernel_seconds = 0.0

    @property
    def support(self) -> np.ndarray:
        """Which examples have a non-zero coefficient."""
        return np.any(self.coefficients != 0.0, axis=1)

    @property
    def n_active(self) -> int:
        """The number of examples with a non-zero coefficient."""
        return int(self.support.sum())

    def run(self, until: int, seconds: float) -> str:
        """Go on to iteration ``until``, to the end, or for about ``seconds``; return the status."""
        stop = time.monotonic() + seconds
        step = self.visit_next if self.pick == "cyclic" else self.optimize_worst
        while self.status == "running" and self.n_iter < until and time.monotonic() < stop:
            step()
        return self.status

    def resume(self, f: np.ndarray) -> None:
        """Go on from scores f (n x k) computed from scratch, after the running sums had drifted."""
        self.g = f.copy()
        self.g[np.arange(len(self.y)), self.y] -= 1.0
        self.status = "running"

    @property
    def scores(self) -> np.ndarray:
        """The n x k scores f."""
        f = self.g.copy()
        f[np.arange(len(self.y)), self.y] += 1.0
        return f

    def scale(self, t: float) -> None:
        """Multiply the solution by t > 0 (`solvers.hard_margin`)."""
        f = t * self.scores
        self.coefficients *= t
        self.resume(f)
        self.blocked[:] = False

    def tighten(self, tightest: float) -> bool:
        """Ask for a tenth of the tolerance, unless that is below ``tightest``."""
        if self.tol / 10 < tightest:
            return False
        self.tol, self.status = self.tol / 10, "running"
        self.level = max(self.tol, THRESHOLDS[self.threshold](self.t))
        return True

    def visit_next(self) -> None:
        """Figure 2: the examples in turn, a fixed number of times."""
        p = self.n_iter % len(self.y)
        self.optimize(p, self.tol / 2)
        self.last, self.n_iter = p, self.n_iter + 1
        if self.n_iter == self.passes * len(self.y):
            self.status = "passes"

    def optimize_worst(self) -> None:
        """Figure 4: the example of the largest violation, as long as it reaches the threshold."""
        psi = self.g.max(axis=1) - np.where(self.coefficients < self.upper, self.g, np.inf).min(
            axis=1
        )
        psi[self.blocked] = -np.inf
        among_active = np.where(self.support, psi, -np.inf)
        p = int(np.argmax(among_active if self.active_set else psi))
        if self.active_set and among_active[p] < self.level:
            p = int(np.argmax(psi))
        worst = psi[p]
        if worst >= self.level:
            while not self.optimize(p, self.inner_tol):
                if self.inner_tol <= FINEST:
                    self.blocked[p] = True
                    break
                self.inner_tol = max(self.inner_tol / 10, FINEST)
            self.last, self.n_iter, self.t = p, self.n_iter + 1, self.t + 1
        elif worst >= self.tol:
            crossing = CROSSINGS[self.threshold](worst)
            self.t = max(self.t, math.ceil(crossing) if math.isfinite(crossing) else math.inf)
            while THRESHOLDS[self.threshold](self.t) > worst:
                self.t = self.t * (1 + 1e-12) + 1
        else:
            self.status = "stalled" if self.blocked.any() else "converged"
        self.level = max(self.tol, THRESHOLDS[self.threshold](self.t))

    def optimize(self, p: int, inner_tol: float) -> bool:
        """Solve the reduced problem of p and say whether the dual has risen."""
        old = self.coefficients[p]
        new, n_inner = solve_reduced(
            self.diagonal[p], self.g[p], old, self.y[p], self.C, inner_tol, self.optimizer
        )
        self.n_inner += n_inner
        delta = new - old
        # The steps sum to 0, so any constant may be taken off g; this one keeps the digits.
        gain = delta @ (self.g[p].max() - self.g[p]) - 0.5 * self.diagonal[p] * (delta @ delta)
        if gain <= 0.0:
            return False
        start = time.monotonic()
        row = self.row(p)
        self.kernel_seconds += time.monotonic() - start
        self.n_rows += 1
        self.coefficients[p] = new
        self.g += np.outer(row, delta)
        self.blocked[:] = False
        return True
