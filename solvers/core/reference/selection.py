"""The selection values V_i of all examples (AS05 section 5.3)."""

from __future__ import annotations

import sys

import numpy as np

from .reduced_problem import solve_reduced
from .two_variable import Example

SMALLEST = sys.float_info.min


def violation(g: np.ndarray, a: np.ndarray, y: int, C: float) -> float:
    """psi_i = max_r g_ir - min { g_ir : a_ir < C [r = y_i] } (CS01 eq. 32), in margin units."""
    upper = np.zeros(len(g))
    upper[y] = C
    return float(g.max() - g[a < upper].min())


def pair_gain(A: float, g: np.ndarray, a: np.ndarray, y: int, C: float) -> float:
    """AMG: the gain of the best two-variable step."""
    return Example(A, g, a, y, C).best_step().gain


def true_gain(A: float, g: np.ndarray, a: np.ndarray, y: int, C: float) -> float:
    """BMG: the gain of solving the reduced problem."""
    return 2.0 * dual_gain(A, g, solve_reduced(A, g, a, y, C, 0.0, "exact").a - a)


def dual_gain(A: float, g: np.ndarray, delta: np.ndarray) -> float:
    """The gain of D by a step delta of one example."""
    # The steps sum to 0, so any constant may be taken off g; this one keeps the digits.
    return float(delta @ (g.max() - g) - 0.5 * A * (delta @ delta))


GAINS = {"amg": pair_gain, "bmg": true_gain}


def value(
    selection: str, A: float, g: np.ndarray, a: np.ndarray, y: int, C: float, tol: float
) -> float:
    """V_i; a gain counts only where psi_i >= tol, and then it does so however little it is."""
    psi = violation(g, a, y, C)
    if selection == "kkt":
        return psi
    return max(GAINS[selection](A, g, a, y, C), SMALLEST) if psi >= tol else 0.0


def smallest(selection: str, tol: float) -> float:
    """The threshold that no value reaches when psi_i < tol for all i."""
    return tol if selection == "kkt" else SMALLEST
