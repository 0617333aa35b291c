"""The problem of Crammer & Singer (2001)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..certificate import Certificate, LargestScore, Score, Solution, scaled_to_margin


@dataclass(frozen=True)
class CrammerSinger(LargestScore):
    """One slack for each example: its worst class counts.

        P = 1/2 sum_r ||w_r||^2 + C sum_i max_r (f_r(x_i) + 1 - [r = y_i]) - f_{y_i}(x_i)
        D = sum_i a_{i,y_i} - 1/2 sum_ij K_ij <a_i, a_j>,   a_ir <= C [r = y_i],  sum_r a_ir = 0

    (CS01 eq. 7 and 15 in our scaling). The violation is max_i psi_i (CS01 eq. 32),
    psi_i = max_r g_ir - min {g_ir : a_ir < C [r = y_i]} with g_ir = f_r(x_i) - [r = y_i]. For
    C = inf the primal is that of the shortest multiple of w whose margins are all 1.

    Attributes
    ----------
    C : float
        Weight of the slacks; inf for a hard margin.
    """

    C: float

    def certify(self, solution: Solution, y: np.ndarray, score: Score) -> Certificate:
        """Value coefficients of shape (n, k)."""
        a = solution.dual_coef
        rows = np.arange(len(y))
        f = score(a)
        g = f.copy()
        g[rows, y] -= 1.0
        upper = np.zeros_like(a)
        upper[rows, y] = self.C
        highest = g.max(axis=1)
        lowest = np.where(a < upper, g, np.inf).min(axis=1)
        squared_norm = float(np.sum(a * f))
        slack = highest - g[rows, y]  # (max_r f_r + 1 - [r = y]) - f_y: both sides less 1
        if np.inf == self.C:
            wrong = f.copy()
            wrong[rows, y] = -np.inf
            smallest = float((f[rows, y] - wrong.max(axis=1)).min())
            primal = scaled_to_margin(squared_norm, smallest, 1.0)
        else:
            primal = 0.5 * squared_norm + self.C * float(slack.sum())
        return Certificate(
            primal=primal,
            dual=float(a[rows, y].sum()) - 0.5 * squared_norm,
            violation=float((highest - lowest).max()),
            squared_norm=squared_norm,
            infeasibility=float(np.max([(a - upper).max(), np.abs(a.sum(axis=1)).max(), 0.0])),
        )
