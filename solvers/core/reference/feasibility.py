"""Feasible coefficients of one example: a <= C e_y, sum_r a_r = 0."""

from __future__ import annotations

import math

import numpy as np


def vertex(g: np.ndarray, a: np.ndarray, y: int, C: float) -> np.ndarray:
    """The solution without curvature: C on y and -C on the wrong class of the largest g."""
    if math.isinf(C):  # none; the caller refuses such data beforehand
        return a.copy()
    worst = int(np.argmax(np.where(np.arange(len(g)) == y, -np.inf, g)))
    new = np.zeros(len(g))
    new[y], new[worst] = C, -C
    return new


def restored(a: np.ndarray, y: int, C: float, at_bound: bool) -> np.ndarray | None:
    """The coefficients a with a sum of exactly 0, given whether a_y is C.

    a_y becomes what the wrong classes sum up to; where it is C they are scaled to it. None if they
    are all 0 then.
    """
    new = a.copy()
    new[y] = 0.0
    total = -float(new.sum())
    if at_bound or total >= C:
        if total <= 0.0:
            return None
        new *= C / total
        new[y] = C
    else:
        new[y] = total
    return new
