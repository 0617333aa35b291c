"""Coefficients of an earlier fit as the start of the next one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .training import Training


def earlier_coefficients(machine: Any, training: Training, boxes: bool) -> np.ndarray | None:
    """The n x k coefficients that a machine was fitted with, where they can be a start.

    That is if they were for as many examples and the same classes. An example whose label has
    changed starts at zero. Coefficients are brought within the bounds of the machine's C: one by
    one where each has its bound (``boxes``, WW98), else those of an example in proportion (CS01).

    Parameters
    ----------
    machine : estimator
        Fitted or not.
    training : Training
    boxes : bool
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
    relabelled = np.any(others > 0.0, axis=1)
    if boxes:
        others[relabelled] = 0.0
        a = np.maximum(others, -machine.C)
        a[rows, training.y] = -a.sum(axis=1)
        return a
    a[relabelled] = 0.0
    if np.inf != machine.C:
        a *= (machine.C / np.maximum(a[rows, training.y], machine.C))[:, np.newaxis]
    return a
