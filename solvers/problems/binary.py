"""The problem of several binary machines, each with its own two sides.

A code matrix says what the machines are about: row r is class r, column c is machine c, and the
entry is +1 or -1 for the side on which the class stands, 0 where the machine does not see it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..certificate import Certificate, Score, Solution, scaled_to_margin


@dataclass(frozen=True)
class BinaryMachines(ABC):
    """One binary machine for each column of a code matrix; their objectives are added up.

    With the sign y_i of example i and its multiplier alpha_i = y_i a_i, each machine is

        P = 1/2 ||w||^2 + C sum_i [1 - y_i f(x_i)]_+ ,   f(x) = sum_j a_j K(x_j, x) + b
        D = sum_i alpha_i - 1/2 sum_ij a_i a_j K_ij ,    0 <= alpha_i <= C

    and sum_i a_i = 0 where the bias b is outside the norm. Its violation is the largest of
    [1 - y_i f(x_i)]_+ where alpha_i < C and [y_i f(x_i) - 1]_+ where alpha_i > 0; that of all
    machines is the largest of theirs. For C = inf the primal is that of the shortest multiple of
    (w, b) whose margins are all 1.

    Attributes
    ----------
    C : float
        Weight of the slacks; inf for a hard margin.
    bias : {"none", "penalized", "exact"}
        "exact" is the bias outside the norm; a penalized one is part of the kernel.
    """

    C: float
    bias: str = "exact"

    @abstractmethod
    def codes(self, k: int) -> np.ndarray:
        """The code matrix of shape (k, c) with entries -1, 0 and 1."""

    @abstractmethod
    def decide(self, f: np.ndarray) -> np.ndarray:
        """The classes 0 .. k-1 that scores f of shape (m, c) stand for, intercept included."""

    def machines(self, solution: Solution, y: np.ndarray, score: Score) -> list[Certificate]:
        """Value the machines one by one; of the scores only those of their own examples count."""
        a = solution.dual_coef
        n_machines = a.shape[1]
        wx = score(a)
        b = np.broadcast_to(solution.intercept, n_machines)
        codes = self.codes(int(y.max()) + 1)
        return [self._machine(a[:, c], wx[:, c], b[c], codes[y, c]) for c in range(n_machines)]

    def certify(self, solution: Solution, y: np.ndarray, score: Score) -> Certificate:
        """Value coefficients of shape (n, c), one column for each machine."""
        return total(self.machines(solution, y, score))

    def _machine(self, a: np.ndarray, wx: np.ndarray, b: float, code: np.ndarray) -> Certificate:
        """Value one machine by its column of coefficients, scores without b, and codes."""
        seen = code != 0
        outside = float(np.abs(a[~seen]).max(initial=0.0))  # these have to be 0
        return certify_machine(
            a[seen], wx[seen], b, code[seen], self.C, self.bias == "exact", outside
        )


def certify_machine(
    a: np.ndarray,
    wx: np.ndarray,
    b: float,
    sign: np.ndarray,
    C: float,
    exact: bool,
    outside: float = 0.0,
) -> Certificate:
    """Value one binary machine.

    Parameters
    ----------
    a : ndarray of shape (m,)
        The coefficients y_i alpha_i.
    wx : ndarray of shape (m,)
        Scores without the bias b.
    b : float
        The bias outside the norm, else 0.
    sign : ndarray of shape (m,)
        y_i, -1 or 1.
    C : float
    exact : bool
        Whether there is a bias outside the norm, so that the coefficients have to sum to 0.
    outside : float
        By how much the constraints of other examples are missed.
    """
    alpha = sign * a
    margin = sign * (wx + b)
    squared_norm = float(a @ wx)
    if np.inf == C:
        primal = scaled_to_margin(squared_norm, float(margin.min()), 1.0)
    else:
        primal = 0.5 * squared_norm + C * float(np.maximum(1.0 - margin, 0.0).sum())
    too_small = (1.0 - margin)[alpha < C].max(initial=0.0)
    too_large = (margin - 1.0)[alpha > 0.0].max(initial=0.0)
    missed = [-alpha.min(), alpha.max() - C, outside, abs(float(a.sum())) if exact else 0.0, 0.0]
    return Certificate(
        primal=primal,
        dual=float(alpha.sum()) - 0.5 * squared_norm,
        violation=float(max(too_small, too_large)),
        squared_norm=squared_norm,
        infeasibility=float(max(missed)),
    )


def total(certificates: Sequence[Certificate]) -> Certificate:
    """The value of machines together: objectives summed, the worst violation."""
    return Certificate(
        primal=sum(one.primal for one in certificates),
        dual=sum(one.dual for one in certificates),
        violation=max(one.violation for one in certificates),
        squared_norm=sum(one.squared_norm for one in certificates),
        infeasibility=max(one.infeasibility for one in certificates),
    )
