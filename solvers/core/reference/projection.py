"""The reduced problem by its theta: sum_{r != y} (d_r - theta)_+ = min(C, theta - d_y)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .feasibility import restored, vertex


def fixed_point_step(theta: float, d: np.ndarray, y: int, C: float) -> float:
    """One step of CS01 eq. 39 in our scaling, nearer to the solution by theorem 2."""
    return float(np.maximum(theta, np.delete(d, y)).sum() + max(theta - C, d[y])) / len(d)


def fixed_point(d: np.ndarray, y: int, C: float, tol: float) -> tuple[float, int]:
    """Theta by CS01 figure 3, and the number of its iterations."""
    theta = float(d.mean())
    n_inner = 0
    while True:
        n_inner += 1
        following = fixed_point_step(theta, d, y, C)
        if not (following > theta and following - theta > tol * abs(theta)):
            return max(following, theta), n_inner
        theta = following


def exact(d: np.ndarray, y: int, C: float, tol: float) -> tuple[float, int]:  # noqa: ARG001 (one signature)
    """Theta by sorting, of d with d_y + C in place of d_y (the projection onto a simplex).

    The largest j with d_(j) > (d_(1) + ... + d_(j) - C) / j settles it. C cancels out of the sum
    where y is among the j largest, and is left out of it from the start.
    """
    shifted = d.copy()
    shifted[y] += C
    descending = np.argsort(-shifted, kind="stable")
    without_y = np.cumsum(descending == y) == 0
    sums = np.cumsum(d[descending]) - np.where(without_y, C, 0.0)
    candidates = sums / np.arange(1, len(d) + 1)
    above = shifted[descending] > candidates
    return float(candidates[np.flatnonzero(above)[-1]]) if above.any() else float(d.max()), 1


def project(
    A: float,
    g: np.ndarray,
    a: np.ndarray,
    y: int,
    C: float,
    tol: float,
    level: Callable[[np.ndarray, int, float, float], tuple[float, int]],
) -> tuple[np.ndarray, int]:
    """The coefficients by the theta that ``level`` finds, and the number of its iterations."""
    d = g / A - a
    theta, n_inner = level(d, y, C, tol)
    new = restored(np.minimum(theta - d, 0.0), y, C, bool(d[y] + C <= theta))
    return (vertex(d, a, y, C) if new is None else new), n_inner  # None: C vanishes beside d
