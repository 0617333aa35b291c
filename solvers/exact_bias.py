"""A bias outside the norm: Weston & Watkins' machine by the method of multipliers.

The bias b is free, and the dual has a constraint for each class (WW98 eq. 10):

    max  D(a)   subject to   the box, sum_r a_ir = 0 for all i,   r(a) = sum_i a_i = 0.

The multiplier of the last constraint is b. The method of multipliers replaces it by a penalty,

    max  D(a) - <b, r(a)> - rho/2 ||r(a)||^2,      then   b <- b + rho r(a),

which is the machine with the kernel K + rho whose scores start at b: the compiled loop solves it,
from where it stands. In the primal these are steps of the proximal point method,

    min  P(w, b') + 1/(2 rho) ||b' - b||^2,

so that it converges from anywhere, whether b is determined or not. After each step the scores are
K a + b with the new b, and the conditions of the box hold as well as they did before: only r(a) is
left. It is driven down until balancing the coefficients (`solvers.balance`) no longer moves any
score by more than the tolerance allows.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from . import hard_margin
from .balance import balanced
from .drive import TIGHTEST
from .free_set import FreeSetLoop
from .loop_around import LoopAround

ROUGH = 0.1  # accuracy of the first problem, in margins


class ExactBias(LoopAround):
    """The loop around the loop (see `solvers.drive.Loop`).

    Its coefficients are balanced ones at all times, and its intercept is that of the moment.

    Parameters
    ----------
    make : callable
        ``make(tol)``: the loop for the kernel K + rho, whose ``tighten`` divides tol by 10.
    y : int ndarray of shape (n,)
        Labels 0 .. k-1.
    C, margin, tol : float
        Of the machine.
    rho : float
        The penalty.
    largest : float
        max_i K(x_i, x_i).
    score : callable
        The scores K a (n x k) of coefficients, from scratch.
    """

    STATE = ("goal", "inner_tol", "intercept", "n_steps", "status")

    def __init__(
        self,
        make: Callable[[float], FreeSetLoop],
        y: np.ndarray,
        *,
        C: float,
        margin: float,
        tol: float,
        rho: float,
        largest: float,
        score: Callable[[np.ndarray], np.ndarray],
    ) -> None:
        self.y, self.C, self.margin, self.rho, self.largest = y, C, margin, rho, largest
        self.score = score
        self.goal = tol / 2.0  # the other half is left to balancing
        self.inner_tol = self.goal
        while self.inner_tol * 10.0 <= ROUGH * margin:
            self.inner_tol *= 10.0
        self.inner = make(self.inner_tol)
        self.intercept = np.zeros(self.inner.coefficients.shape[1])
        self.status = "running"
        self.n_steps = 0

    def run(self, until: int, seconds: float) -> str:
        """Go on to iteration ``until``, to the end, or for about ``seconds``."""
        stop = time.perf_counter() + seconds
        while self.status == "running":
            self.status = self.inner.run(until, stop - time.perf_counter())
            if self.status != "converged":
                break
            self.status = self.step()
        return self.status

    def step(self) -> str:
        """Move the bias; return whether that was the end."""
        a = self.inner.coefficients
        moved = self.rho * a.sum(axis=0)
        self.intercept += moved
        self.inner.resume(self.inner.scores + moved)
        self.n_steps += 1
        if self.inner_tol <= self.goal and self.effect(a) <= self.goal:
            return "converged"
        # The problem is solved as well as the bias is known.
        if np.abs(moved).max() < self.inner_tol:
            if not self.inner.tighten(TIGHTEST):
                return "stalled"
            self.inner_tol /= 10.0
        return "running"

    def effect(self, a: np.ndarray) -> float:
        """A bound on how much balancing moves any difference of two scores."""
        moved = np.abs(balanced(a, self.y, self.C) - a).sum(axis=0)
        return 2.0 * self.largest * float(moved.max())

    def stretch(self) -> None:
        """Refuse a training set that no machine separates (for C = inf).

        A bias makes that no easier than the kernel K + rho does, whatever rho > 0, and the first
        problem is just that machine; once it is solved, the examples are separated.
        """
        if self.n_steps == 0:
            hard_margin.stretch(self.inner, self.y, self.margin, self.largest + self.rho)

    def resume(self, f: np.ndarray) -> None:  # noqa: ARG002 (these are of balanced coefficients)
        """Go on from scores computed from scratch, and more exactly."""
        a = self.inner.coefficients
        self.inner.resume(self.score(a) + self.rho * a.sum(axis=0) + self.intercept)
        self.tighten(TIGHTEST)

    def tighten(self, tightest: float) -> bool:
        """Ask for a tenth of the tolerance, unless that is below ``tightest``; go on then."""
        if self.goal / 10.0 < tightest:
            return False
        self.goal /= 10.0
        self.status = "running"
        return True

    @property
    def coefficients(self) -> np.ndarray:
        """The n x k coefficients, balanced."""
        return balanced(self.inner.coefficients, self.y, self.C)
