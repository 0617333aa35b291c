"""One linear program of the machine of Weston & Watkins (1998), section 6, given to HiGHS.

Restricted to some margins (i, m) and some coefficients j; all others are left out, which are zero.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.optimize import OptimizeResult, linprog

ACCURACY = 1e-9  # of HiGHS, in units of the margin and of the cost of a coefficient
ZERO = 1e-12  # a value below this share of the largest is zero; a vertex has true zeros

#: From indices I and J to the block K(x_i, x_j).
Block = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Vertex:
    """An optimal vertex of a restricted program.

    Attributes
    ----------
    alpha : ndarray of shape (n,)
    intercept : ndarray of shape (k,)
        Determined up to a constant; its mean is 0.
    multipliers : ndarray of shape (n, k)
    """

    alpha: np.ndarray
    intercept: np.ndarray
    multipliers: np.ndarray


@dataclass(frozen=True)
class RestrictedProgram:
    """Solves the program restricted to some margins and coefficients.

    What HiGHS is given is the dual in units where the margin is 1 and kernel values are about 1:

        max sum u   s.t.   sum_i K(x_i, x_j) A_{i,y_j} / scale <= 1,   sum_i A_ir = 0,
                           0 <= u <= C scale

    with A as in `solvers.problems.LinearProgram`. It has one row for each coefficient and the
    slacks have become bounds, so that its basis is as small as the number of coefficients; alpha
    and b are its multipliers. The matrix is sparse: a margin sees the coefficients of two classes.

    Attributes
    ----------
    y : int ndarray of shape (n,)
    k : int
    C, margin : float
        C is finite.
    scale : float
        The size of kernel values.
    block : callable
    """

    y: np.ndarray
    k: int
    C: float
    margin: float
    scale: float
    block: Block

    def solve(
        self, margins: np.ndarray, columns: np.ndarray, seconds: float
    ) -> tuple[Vertex | str, int]:
        """The optimal vertex and the iterations of HiGHS.

        In place of the vertex "time_limit" if there was no time for it, and "stalled" if HiGHS
        did not get to it in double precision.

        Parameters
        ----------
        margins : bool ndarray of shape (n, k)
            The margins (i, m) that count.
        columns : bool ndarray of shape (n,)
            The coefficients that may be positive.
        seconds : float
            The time that there is.
        """
        J = np.flatnonzero(columns)
        J = J[np.argsort(self.y[J], kind="stable")]
        i, m, prices = self._matrix(margins, J)
        one = np.ones(len(i))
        place = (np.concatenate([self.y[i], m]), np.tile(np.arange(len(i)), 2))
        sums = sp.csc_array((np.concatenate([one, -one]), place), shape=(self.k, len(i)))
        result, iterations = highs(
            c=-one,
            A_ub=prices,
            b_ub=np.ones(len(J)),
            A_eq=sums[1:],  # all of them add up to zero
            b_eq=np.zeros(self.k - 1),
            bounds=(0.0, self.C * self.scale),
            seconds=seconds,
        )
        if isinstance(result, str):
            return result, iterations
        alpha = np.zeros(len(self.y))
        alpha[J] = cleaned(-result.ineqlin.marginals) * (self.margin / self.scale)
        b = np.concatenate([[0.0], -result.eqlin.marginals]) * self.margin
        u = np.zeros((len(self.y), self.k))
        u[i, m] = np.where(
            result.x >= self.C * self.scale * (1.0 - ZERO), self.C, cleaned(result.x) / self.scale
        )
        return Vertex(alpha, b - b.mean(), u), iterations

    def _matrix(
        self, margins: np.ndarray, J: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, sp.csc_array]:
        """The margins (i, m) in order, and what one unit of each adds to the prices of J."""
        place = np.searchsorted(self.y[J], np.arange(self.k + 1))
        i, m, data, indices, lengths = [], [], [], [], []
        for r in range(self.k):
            own = np.flatnonzero((self.y == r) & margins.any(axis=1))
            if len(own) == 0:
                continue
            K = self.block(own, J) / self.scale
            for s in range(self.k):
                chosen = margins[own, s]
                count = int(chosen.sum())
                of_r, of_s = slice(place[r], place[r + 1]), slice(place[s], place[s + 1])
                data.append(np.hstack([K[chosen, of_r], -K[chosen, of_s]]).ravel())
                seen = np.r_[of_r, of_s]
                indices.append(np.tile(seen, count))
                lengths.append(np.full(count, len(seen)))
                i.append(own[chosen])
                m.append(np.full(count, s))
        ends = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
        matrix = sp.csc_array(
            (np.concatenate(data), np.concatenate(indices), ends),
            shape=(len(J), len(ends) - 1),
        )
        return np.concatenate(i), np.concatenate(m), matrix


def highs(*, seconds: float, **program: object) -> tuple[OptimizeResult | str, int]:
    """Solve a linear program by interior points and crossover to a vertex.

    The simplex method takes over where that fails. Returns the result, or "time_limit" or
    "stalled" if there is none, and the number of iterations.
    """
    iterations = 0
    options = {"primal_feasibility_tolerance": ACCURACY, "dual_feasibility_tolerance": ACCURACY}
    for method in ("highs-ipm", "highs-ds"):
        started = time.perf_counter()
        limit = {"time_limit": max(seconds, 1e-3)} if np.isfinite(seconds) else {}
        result = linprog(**program, method=method, options=options | limit)
        iterations += int(result.nit)
        if result.status in (0, 1):
            return (result if result.status == 0 else "time_limit"), iterations
        seconds -= time.perf_counter() - started
    return "stalled", iterations


def cleaned(values: np.ndarray) -> np.ndarray:
    """The values without what rounding left in place of zeros."""
    return np.where(values > ZERO * values.max(initial=0.0), values, 0.0)
