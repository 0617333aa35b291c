"""The reduced problem by steps on two coefficients (AS05 figures 1-6)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np

from .feasibility import restored

ROUNDING = 2e-15  # of a score, relative to its size


class Step(NamedTuple):
    """v from a_down to a_up; the gain is that of L = 2 D."""

    up: int
    down: int
    v: float
    gain: float
    clipped: bool


class Example:
    """The reduced problem of one example on its way to the solution.

    Attributes
    ----------
    A, y, C : K_pp, label, bound
    g, a : ndarray of shape (k,)
        Scores less the margin, and coefficients; both follow the steps.
    """

    def __init__(self, A: float, g: np.ndarray, a: np.ndarray, y: int, C: float) -> None:
        self.A, self.g, self.a, self.y, self.C = A, g.copy(), a.copy(), y, C
        self.n_steps = 0

    def basic_step(self, r1: int, r2: int) -> Step:
        """AS05 figure 1: the clipped step on a pair that gains most (its eq. 14)."""
        up, down = (r1, r2) if self.g[r1] <= self.g[r2] else (r2, r1)
        difference = self.g[down] - self.g[up]
        room = (self.C if up == self.y else 0.0) - self.a[up]
        clipped = not difference < 2.0 * self.A * room
        v = room if clipped else difference / (2.0 * self.A)
        return Step(up, down, v, 2.0 * v * (difference - self.A * v), clipped)

    def best_step(self) -> Step:
        """The step of the largest gain: whatever goes up, what goes down has the largest g."""
        down = int(np.argmax(self.g))
        steps = [self.basic_step(r, down) for r in range(len(self.g)) if r != down]
        return max(steps, key=lambda step: step.gain)  # the first of equals

    def update(self, step: Step) -> None:
        """AS05 figure 2: take a step, if it gains."""
        if step.gain > 0.0:
            bound = self.C if step.up == self.y else 0.0
            self.a[step.up] = bound if step.clipped else min(self.a[step.up] + step.v, bound)
            self.a[step.down] -= step.v
            self.g[step.up] += self.A * step.v
            self.g[step.down] -= self.A * step.v
            self.n_steps += 1

    def smallest_gain(self, tol: float) -> float:
        """phi_V for an accuracy of tol in g: what an unclipped step over this difference gains.

        It is above what rounding seems to gain in a sweep over some k^2 pairs.
        """
        size = float((np.abs(self.g) + self.A * np.abs(self.a)).max())
        return max(tol, ROUNDING * len(self.g) * size) ** 2 / (2.0 * self.A)


def basic(example: Example, tol: float) -> int:  # noqa: ARG001 (one signature)
    """AS05 figure 4: one step. Returns the number of iterations, as the others do."""
    example.update(example.best_step())
    return 1


def sweep(example: Example) -> float:
    """A step on each pair; their gain V(t)."""
    V = 0.0
    for r1, r2 in combinations(range(len(example.g)), 2):
        step = example.basic_step(r1, r2)
        example.update(step)
        V += max(step.gain, 0.0)
    return V


def all_pairs(example: Example, tol: float) -> int:
    """AS05 figure 5: sweeps until V(t) <= phi_V."""
    phi = example.smallest_gain(tol)
    t, gained = 1, sweep(example)
    while gained > phi:
        t, gained = t + 1, sweep(example)
    return t


def all_pairs_relative(example: Example, tol: float) -> int:
    """AS02 figure 2: sweeps until (V(t) - V(t - 1)) / V(t) <= phi_V = tol, with V(0) = 0.

    As soon as the gains fall, which they do from the second sweep on as a rule, it ends.
    """
    t, gained_before, V = 1, 0.0, sweep(example)
    while V > 0.0 and V - gained_before > tol * V:
        t, gained_before, V = t + 1, V, sweep(example)
    return t


def opt_kkt(example: Example, tol: float) -> int:
    """AS05 figure 6: the best of three steps, until it gains no more than phi_V."""
    phi = example.smallest_gain(tol)
    wrong = np.delete(np.arange(len(example.g)), example.y)
    t, gain = 0, np.inf
    while gain > phi:
        g, held = example.g, wrong[example.a[wrong] < 0.0]
        r1 = int(wrong[np.argmax(g[wrong])])
        candidates = [example.basic_step(example.y, r1)]
        if len(held):  # a_y > 0
            r2, r3 = int(held[np.argmax(g[held])]), int(held[np.argmin(g[held])])
            candidates += [example.basic_step(example.y, r2), example.basic_step(r1, r3)]
        best = max(candidates, key=lambda step: step.gain)
        example.update(best)
        t, gain = t + 1, best.gain
    return t


def by_steps(
    A: float,
    g: np.ndarray,
    a: np.ndarray,
    y: int,
    C: float,
    tol: float,
    improve: Callable[[Example, float], int],
) -> tuple[np.ndarray, int, int]:
    """Better coefficients, and the numbers of iterations and of two-variable steps."""
    example = Example(A, g, a, y, C)
    n_inner = improve(example, tol)
    new = restored(example.a, y, C, bool(example.a[y] >= C))
    return (example.a if new is None else new), n_inner, example.n_steps
