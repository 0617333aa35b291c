"""Coefficients of an earlier fit as the start of the next one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .training import Training


def earlier_coefficients(machine: Any, training: Training) -> np.ndarray | None:
    """The n x k coefficients that a machine was fitted with, where they can be a start.

    That is if they were for as many examples and the same classes. An example whose label has
    changed starts at zero. The upper bounds are the caller's to see to.

    Parameters
    ----------
    machine : estimator
        Fitted or not.
    training : Training
    """
    n = len(training.y)
    if getattr(machine, "n_samples_fit_", None) != n:
        return None
    if not np.array_equal(machine.classes_, training.classes):
        return None
    a = np.zeros((n, training.k))
    a[machine.support_] = machine.dual_coef_
    others = a.copy()
    others[np.arange(n), training.y] = 0.0
    a[np.any(others > 0.0, axis=1)] = 0.0
    return a
