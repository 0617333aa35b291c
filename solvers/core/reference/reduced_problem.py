"""The reduced problem of one example (CS01 section 6), by any of the optimizers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .feasibility import vertex
from .projection import exact, fixed_point, project
from .two_variable import all_pairs, all_pairs_relative, basic, by_steps, opt_kkt

PROJECTIONS = {"fixed_point": fixed_point, "exact": exact}
STEPPERS = {
    "basic": basic,
    "all_pairs": all_pairs,
    "all_pairs_relative": all_pairs_relative,
    "opt_kkt": opt_kkt,
}


class Solved(NamedTuple):
    """Coefficients of one example, and what they took."""

    a: np.ndarray
    n_inner: int = 0
    n_pair_steps: int = 0


def solve_reduced(
    A: float, g: np.ndarray, a: np.ndarray, y: int, C: float, tol: float, optimizer: str
) -> Solved:
    """The coefficients of one example that are optimal when all others stand still.

        min  1/2 A ||a||^2 + <g - A a_old, a>   subject to   a <= C e_y,  sum_r a_r = 0

    Parameters
    ----------
    A : float
        K_pp.
    g : ndarray of shape (k,)
        f_r(x_p) - [r = y].
    a : ndarray of shape (k,)
        The present coefficients a_old.
    y, C, tol, optimizer
        Label, bound (may be infinite), the optimizer's accuracy, its name.
    """
    if A <= 0.0:  # nothing but <g, a> is left: a vertex
        return Solved(vertex(g, a, y, C))
    if optimizer in PROJECTIONS:
        return Solved(*project(A, g, a, y, C, tol, PROJECTIONS[optimizer]))
    return Solved(*by_steps(A, g, a, y, C, tol, STEPPERS[optimizer]))
