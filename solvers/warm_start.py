"""Coefficients of an earlier fit as the start of the next one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .training import Training

NEAR = 1.0 - 1e-9  # of the largest coefficient: at the bound that it was fitted with


def start_of(
    machine: Any, training: Training, *, margin: float, boxes: bool
) -> tuple[np.ndarray, np.ndarray] | None:
    """The n x k coefficients to start from and their scores; None: from zero.

    They are those of the earlier fit. Where its C was smaller, the coefficients at its bound are
    taken toward the new one, all in the same proportion, as far as the dual rises: with a larger C
    most of them are at the bound again.

    Parameters
    ----------
    machine : estimator
        Fitted or not.
    training : Training
    margin : float
    boxes : bool
        As for `earlier_coefficients`.
    """
    a = earlier_coefficients(machine, training, boxes)
    if a is None:
        return None
    part, bound = at_bound(a, training.y, boxes)
    if not 0.0 < bound < machine.C < np.inf:
        return a, training.score(a)
    f_part = training.score(part)
    f = training.score(a - part) + f_part
    rows = np.arange(len(a))
    slope = margin * float(part[rows, training.y].sum()) - float(np.sum(part * f))
    curvature = float(np.sum(part * f_part))
    step = min(slope / curvature, machine.C / bound - 1.0) if curvature > 0.0 < slope else 0.0
    return within(a + step * part, training.y, machine.C, boxes), f + step * f_part


def at_bound(a: np.ndarray, y: np.ndarray, boxes: bool) -> tuple[np.ndarray, float]:
    """The part of the coefficients that is at a bound, and the bound: the largest there is."""
    rows = np.arange(len(a))
    if not boxes:
        bound = float(a[rows, y].max())
        return np.where((a[rows, y] >= NEAR * bound)[:, np.newaxis], a, 0.0), bound
    bound = float(-a.min())
    part = np.where(a <= -NEAR * bound, a, 0.0)
    part[rows, y] -= part.sum(axis=1)
    return part, bound


def within(a: np.ndarray, y: np.ndarray, C: float, boxes: bool) -> np.ndarray:
    """Coefficients brought within the bounds of C.

    One by one where each has its bound (``boxes``, WW98), else those of an example in proportion
    (CS01).
    """
    rows = np.arange(len(a))
    if boxes:
        others = a.copy()
        others[rows, y] = 0.0
        a = np.maximum(others, -C)
        a[rows, y] = -a.sum(axis=1)
    elif np.inf != C:
        a = a * (C / np.maximum(a[rows, y], C))[:, np.newaxis]
    return a


def earlier_coefficients(machine: Any, training: Training, boxes: bool) -> np.ndarray | None:
    """The n x k coefficients that a machine was fitted with, where they can be a start.

    That is if they were for as many examples and the same classes. An example whose label has
    changed starts at zero, and all are brought within the bounds of the machine's C.

    Parameters
    ----------
    machine : estimator
        Fitted or not.
    training : Training
    boxes : bool
        Whether each coefficient has its bound, or the one of the own class has it.
    """
    n = len(training.y)
    if getattr(machine, "n_samples_fit_", None) != n:
        return None
    if not np.array_equal(machine.classes_, training.classes):
        return None
    a = np.zeros((n, training.k))
    a[machine.support_] = machine.dual_coef_
    rows = np.arange(n)
    others = a.copy()
    others[rows, training.y] = 0.0
    a[np.any(others > 0.0, axis=1)] = 0.0  # their label has changed
    return within(a, training.y, machine.C, boxes)
