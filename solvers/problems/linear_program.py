"""The linear-programming machine of Weston & Watkins (1998), section 6."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..certificate import Certificate, LargestScore, Score, Solution


@dataclass(frozen=True)
class LinearProgram(LargestScore):
    """One coefficient for each example, in the score of its own class; a slack for each wrong one.

        P = sum_i alpha_i + C sum_i sum_{m != y_i} max(0, z_im),   alpha_i >= 0
        z_im = margin - (f_{y_i}(x_i) - f_m(x_i))
        f_r(x) = sum_{j: y_j = r} alpha_j K(x, x_j) + b_r

    (WW98 section 6; z is what a margin lacks). With a multiplier u_i^m for each margin and
    A_ir = sum_m u_i^m for r = y_i, -u_i^r else, the dual is

        D = margin sum_im u_i^m,   0 <= u_i^m <= C,   sum_i A_ir = 0 for all r
        p_j = sum_i K(x_i, x_j) A_{i,y_j} <= 1 for all j

    where the class sums belong to the free biases b, and p_j is what alpha_j saves for the 1 that
    it costs. Multipliers whose largest price p exceeds 1 are valued as that multiple of them which
    keeps it. For C = inf the primal is that of the smallest multiple of alpha and b whose margins
    are all kept, the dual that of the best multiple of u.

    The violation is the largest of z_im where u_i^m < C, -z_im where u_i^m > 0, p_j - 1, and
    1 - p_j where alpha_j > 0: margins in their own units, prices relative to the cost.

    Attributes
    ----------
    C : float
        Weight of the slacks; inf for a hard margin.
    margin : float
        What the score of the own class shall exceed the others by.
    """

    C: float
    margin: float = 2.0

    def certify(self, solution: Solution, y: np.ndarray, score: Score) -> Certificate:
        """Value coefficients, biases and multipliers u, all of shape (n, k) or (k,).

        The kernel behind ``score`` has to be symmetric.
        """
        f = score(solution.dual_coef) + solution.intercept
        return self.value(solution, y, f, score(signed(multipliers(solution), y)))

    def value(
        self, solution: Solution, y: np.ndarray, f: np.ndarray, prices: np.ndarray
    ) -> Certificate:
        """The same from the scores f and the prices K^T A of shape (n, k), for any kernel."""
        rows = np.arange(len(y))
        a, u = solution.dual_coef, multipliers(solution)
        alpha, p = a[rows, y], prices[rows, y]
        lack = self.lack(f, y)
        sums = signed(u, y).sum(axis=0)
        missed = [(u - self.C).max(), -u.min(), np.abs(u[rows, y]).max(), np.abs(sums).max()]
        missed += [-alpha.min(), np.abs(a.sum(axis=1) - alpha).max()]
        violations = [lack[u < self.C], -lack[(u > 0.0) & (lack > -np.inf)], p - 1.0]
        violations.append(1.0 - p[alpha > 0.0])
        return Certificate(
            primal=self.primal(alpha, lack),
            dual=self.dual(float(u.sum()), float(p.max())),
            violation=max(float(part.max(initial=0.0)) for part in violations),
            squared_norm=float(np.sum(a * (f - solution.intercept))),
            infeasibility=float(max(missed)),
        )

    def lack(self, f: np.ndarray, y: np.ndarray) -> np.ndarray:
        """What each margin lacks, z of shape (n, k); -inf for the own class."""
        rows = np.arange(len(y))
        lack = self.margin - f[rows, y][:, None] + f
        lack[rows, y] = -np.inf
        return lack

    def primal(self, alpha: np.ndarray, lack: np.ndarray) -> float:
        """P for coefficients and what the margins then lack."""
        total = float(alpha.sum())
        if np.inf == self.C:
            smallest = self.margin - float(lack.max())
            return total * self.margin / smallest if smallest > 0.0 else np.inf
        return total + self.C * float(np.maximum(lack, 0.0).sum())

    def dual(self, total: float, highest: float) -> float:
        """D for multipliers of this sum whose highest price is this."""
        if np.inf != self.C:
            return self.margin * total / max(1.0, highest)
        if total <= 0.0:
            return 0.0
        return self.margin * total / highest if highest > 0.0 else np.inf


def multipliers(solution: Solution) -> np.ndarray:
    """The multipliers u of a solution, zero where it has none."""
    if solution.multipliers is None:
        return np.zeros_like(solution.dual_coef)
    return solution.multipliers


def signed(u: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A: the sum of an example's multipliers for its own class, -u_i^r for the others."""
    A = -u
    A[np.arange(len(y)), y] = u.sum(axis=1)
    return A
