"""The outer loops: which example is next, and what is done with it."""

from __future__ import annotations

import math
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...snapshot import Snapshot, put, told
from .reduced_problem import solve_reduced
from .selection import dual_gain, smallest, value, violation
from .thresholds import COOLED, FROM_VALUES, skip

FINEST = 1e-15


class ReferenceLoop(ABC):
    """The interface of the compiled loops; the subclasses define ``advance``.

    Parameters
    ----------
    row : callable
        row(p) gives the n values K(x_p, x_i).
    diagonal : ndarray of shape (n,)
        K(x_i, x_i).
    y : int ndarray of shape (n,)
        Labels 0 .. k-1.
    k, C, tol, inner_tol
        Number of classes, bound, accuracy psi < tol, accuracy of the reduced problem.
    selection, threshold, mu, optimizer, active_set, passes
        As in `CrammerSingerSVC`.
    """

    STATE: ClassVar[tuple[str, ...]] = (
        *("coefficients", "scores", "blocked", "n_updates", "tol", "inner_tol", "t", "beyond"),
        *("level", "last", "n_iter", "n_rows", "n_inner", "n_pair_steps", "kernel_seconds"),
    )

    def __init__(
        self,
        row: Callable[[int], np.ndarray],
        diagonal: np.ndarray,
        y: np.ndarray,
        k: int,
        *,
        C: float,
        tol: float,
        inner_tol: float,
        selection: str,
        threshold: str,
        mu: float,
        optimizer: str,
        active_set: bool,
        passes: int,
    ) -> None:
        n = len(y)
        self.row, self.diagonal, self.y, self.C, self.tol = row, diagonal, y, C, tol
        self.selection, self.threshold, self.mu = selection, threshold, mu
        self.optimizer, self.active_set, self.passes = optimizer, active_set, passes
        self.coefficients = np.zeros((n, k))
        self.scores = np.zeros((n, k))  # f_r(x_i)
        self.n_updates = 0
        self.blocked = np.zeros(n, dtype=bool)
        self.inner_tol = max(inner_tol, FINEST)
        self.t, self.beyond = 0.0, np.inf  # time, and the threshold where no double holds it
        self.level = self.cooled()
        self.status, self.last = "running", -1
        self.n_iter = self.n_rows = self.n_hits = self.n_inner = self.n_pair_steps = 0
        self.kernel_seconds = 0.0

    @property
    def support(self) -> np.ndarray:
        """Which examples have a non-zero coefficient."""
        return np.any(self.coefficients != 0.0, axis=1)

    @property
    def n_active(self) -> int:
        """The number of examples with a non-zero coefficient."""
        return int(self.support.sum())

    def margins(self, i: int) -> np.ndarray:
        """The g_r = f_r(x_i) - [r = y_i] of one example."""
        g = self.scores[i].copy()
        g[self.y[i]] -= 1.0
        return g

    def run(self, until: int, seconds: float) -> str:
        """Go on to iteration ``until``, to the end, or for about ``seconds``; return the status."""
        stop = time.monotonic() + seconds
        while self.status == "running" and self.n_iter < until and time.monotonic() < stop:
            self.advance()
        return self.status

    @abstractmethod
    def advance(self) -> None:
        """Look for the next example and optimize it, or say that there is none."""

    def resume(self, f: np.ndarray) -> None:
        """Go on from scores f (n x k) computed from scratch, after the running sums had drifted."""
        self.scores, self.status = f.copy(), "running"

    def scale(self, t: float) -> None:
        """Multiply the solution by t > 0 (`solvers.hard_margin`)."""
        self.coefficients *= t
        self.scores *= t
        self.moved()

    def tighten(self, tightest: float) -> bool:
        """Ask for a tenth of the tolerance, unless that is below ``tightest``."""
        if self.tol / 10 < tightest:
            return False
        self.tol, self.status = self.tol / 10, "running"
        self.level = self.cooled()
        return True

    def snapshot(self) -> Snapshot:
        """The state of a loop that is running (`solvers.snapshot`)."""
        return told(self, self.STATE)

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        put(self, self.STATE, state)
        self.status = "running"

    @property
    def smallest(self) -> float:
        """The threshold at which the accuracy is met."""
        return smallest(self.selection, self.tol)

    def cooled(self) -> float:
        """The threshold at time t."""
        cooled = COOLED.get(self.threshold, COOLED["fixed"])
        return max(self.smallest, cooled(self.t) if math.isfinite(self.t) else self.beyond)

    def cool(self, worst: float) -> None:
        """Move the time to where the threshold has fallen to the largest value."""
        self.t, self.beyond = skip(self.threshold, self.t, worst), worst

    def value(self, i: int) -> float:
        """V_i; -inf for an example that was tried in vain and nothing has moved since."""
        if self.blocked[i]:
            return -np.inf
        return value(
            self.selection,
            self.diagonal[i],
            self.margins(i),
            self.coefficients[i],
            self.y[i],
            self.C,
            self.tol,
        )

    def values(self) -> np.ndarray:
        """V_i of all examples."""
        return np.array([self.value(i) for i in range(len(self.y))])

    def optimize(self, p: int) -> bool:
        """Solve the reduced problem of p and say whether the dual has risen."""
        A, g, old = self.diagonal[p], self.margins(p), self.coefficients[p]
        new, n_inner, n_pair_steps = solve_reduced(
            A, g, old, self.y[p], self.C, self.inner_tol, self.optimizer
        )
        self.n_inner += n_inner
        self.n_pair_steps += n_pair_steps
        delta = new - old
        if dual_gain(A, g, delta) <= 0.0:
            return False
        start = time.monotonic()
        row = self.row(p)
        self.kernel_seconds += time.monotonic() - start
        self.n_rows += 1
        self.coefficients[p] = new
        self.scores += np.outer(row, delta)
        self.moved()
        return True

    def moved(self) -> None:
        """The solution has changed: what was tried in vain may be tried again."""
        self.n_updates += 1
        self.blocked[:] = False

    def optimize_or_block(self, p: int) -> None:
        """One iteration: p is solved more and more exactly until the dual rises."""
        self.last, self.n_iter = p, self.n_iter + 1
        psi = violation(self.margins(p), self.coefficients[p], self.y[p], self.C)
        if psi <= self.rounding(p):
            self.blocked[p] = True
            return
        while not self.optimize(p):
            if self.inner_tol <= FINEST:
                self.blocked[p] = True
                break
            self.inner_tol = max(self.inner_tol / 10, FINEST)

    def rounding(self, p: int) -> float:
        """What psi_p has to exceed, or its steps would chase the rounding of the scores."""
        size = np.abs(self.margins(p)).max() + self.diagonal[p] * np.abs(self.coefficients[p]).max()
        n, k = self.scores.shape
        return sys.float_info.epsilon * (math.sqrt(n * k) + 4 * k) * size

    def end(self) -> None:
        """No example that can move reaches the accuracy."""
        self.status = "stalled" if self.blocked.any() else "converged"


class CyclicLoop(ReferenceLoop):
    """CS01 figure 2: the examples in turn, a fixed number of times."""

    def cooled(self) -> float:
        """There is no threshold."""
        return 0.0

    def advance(self) -> None:
        """Visit the next example."""
        p = self.n_iter % len(self.y)
        self.optimize(p)
        self.last, self.n_iter = p, self.n_iter + 1
        if self.n_iter == self.passes * len(self.y):
            self.status = "passes"


class ArgmaxLoop(ReferenceLoop):
    """CS01 figure 4: the example of the largest value, as long as it reaches the threshold."""

    def advance(self) -> None:
        """Optimize the worst example, lower the threshold, or end."""
        self.level = self.cooled()
        values = self.values()
        among_active = np.where(self.support, values, -np.inf)
        p = int(np.argmax(among_active if self.active_set else values))
        if self.active_set and among_active[p] < self.level:
            p = int(np.argmax(values))
        if values[p] >= self.level:
            self.optimize_or_block(p)
            self.t += 1
        elif values[p] >= self.smallest:
            self.cool(values[p])
        else:
            self.end()
        self.level = self.cooled()


class ThresholdLoop(ReferenceLoop):
    """AS05 section 5.3: passes, each over all examples; those that reach its threshold."""

    STATE = (*ReferenceLoop.STATE, "visited", "start", "largest")

    visited = 0  # in this pass
    start = 0  # iterations and updates before it
    largest = -np.inf  # value seen in it

    def advance(self) -> None:
        """Visit the next example; set the threshold before the first, the time after the last."""
        if self.visited == 0:
            self.begin_pass()
        i = self.visited
        seen = self.value(i)
        self.largest = max(self.largest, seen)
        if seen >= self.level:
            self.optimize_or_block(i)
        self.visited += 1
        if self.visited == len(self.y):
            self.visited = 0
            self.end_pass()

    def begin_pass(self) -> None:
        """The threshold, by the time or by the values of all examples as they are now."""
        self.start = self.n_iter + self.n_updates
        self.largest, self.level = -np.inf, self.cooled()
        if self.threshold in FROM_VALUES:
            values = np.maximum(self.values(), 0.0)
            self.level = max(self.smallest, FROM_VALUES[self.threshold](values, self.mu))

    def end_pass(self) -> None:
        """A pass in which nothing happened is the last, or its threshold was too high."""
        if self.n_iter + self.n_updates > self.start:
            self.t += 1
        elif self.largest >= self.smallest:
            self.cool(self.largest)
        else:
            self.end()
