"""The problem of Weston & Watkins (1998)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..certificate import Certificate, LargestScore, Score, Solution, scaled_to_margin


@dataclass(frozen=True)
class WestonWatkins(LargestScore):
    """One slack for each example and each class that is not its own.

        P = 1/2 sum_m ||w_m||^2 + C sum_i sum_{m != y_i} max(0, margin - f_{y_i}(x_i) + f_m(x_i))
        D = margin sum_i a_{i,y_i} - 1/2 sum_ij K_ij <a_i, a_j>,
            -C <= a_im <= 0 for m != y_i,   sum_r a_ir = 0

    (WW98 eqs. 6 and 12, with a_im = -alpha_i^m and a_{i,y_i} = sum_m alpha_i^m). A bias outside
    the norm adds the constraints sum_i a_ir = 0 for all r (WW98 eq. 10). With
    G_im = margin - f_{y_i}(x_i) + f_m(x_i) the violation is the largest G_im where a_im > -C and
    the largest -G_im where a_im < 0. For C = inf the primal is that of the shortest multiple of
    the machine that keeps the margin everywhere.

    Attributes
    ----------
    C : float
        Weight of the slacks; inf for a hard margin.
    margin : float
        By how much the score of an example's class has to exceed the others.
    bias : {"none", "penalized", "exact"}
        A penalized one is part of the kernel; an exact one is the intercept of the solution.
    """

    C: float
    margin: float
    bias: str

    def certify(self, solution: Solution, y: np.ndarray, score: Score) -> Certificate:
        """Value coefficients of shape (n, k) and, for an exact bias, an intercept."""
        a = solution.dual_coef
        n, k = a.shape
        own = np.zeros((n, k), dtype=bool)
        own[np.arange(n), y] = True
        w = score(a)
        f = w + solution.intercept
        squared_norm = float(np.sum(a * w))  # of the weights alone
        G = self.margin - f[own][:, np.newaxis] + f
        alpha = np.where(own, 0.0, -a)
        violations = np.where(alpha < self.C, G, 0.0), np.where(alpha > 0.0, -G, 0.0)
        violation = max(float(v[~own].max(initial=0.0)) for v in violations)
        if np.inf == self.C:
            smallest = self.margin - float(G[~own].max())
            primal = scaled_to_margin(squared_norm, smallest, self.margin)
        else:
            primal = 0.5 * squared_norm + self.C * float(np.maximum(G, 0.0)[~own].sum())
        missed = [-alpha.min(), alpha.max() - self.C, np.abs(a.sum(axis=1)).max()]
        if self.bias == "exact":
            missed.append(np.abs(a.sum(axis=0)).max())
        return Certificate(
            primal=primal,
            dual=self.margin * float(a[own].sum()) - 0.5 * squared_norm,
            violation=violation,
            squared_norm=squared_norm,
            infeasibility=float(max(0.0, *missed)),
        )
