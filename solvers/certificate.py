"""The value of a solution, recomputed from scratch in float64.

Nothing here looks at what a solver says of itself: primal, dual and violation follow from the
coefficients, the labels and the kernel alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .kernels import Kernel

BLOCK_VALUES = 4_000_000  # kernel values held at a time: 32 MB


@dataclass(frozen=True)
class Certificate:
    """What proves how good a solution is.

    Attributes
    ----------
    primal : float
        P = 1/2 sum_r ||w_r||^2 + C sum_i max_r (f_r(x_i) + 1 - [r = y_i]) - f_{y_i}(x_i).
    dual : float
        D = sum_i a_{i,y_i} - 1/2 sum_ij K_ij <a_i, a_j>; P >= D for feasible coefficients.
    gap : float
        (P - D) / P, 0 where P is 0.
    violation : float
        max_i psi_i (CS01 eq. 32), in margin units.
    squared_norm : float
        sum_r ||w_r||^2; negative only if the kernel is indefinite.
    infeasibility : float
        The largest amount by which a constraint of the dual is missed.
    """

    primal: float
    dual: float
    gap: float
    violation: float
    squared_norm: float
    infeasibility: float


def scores(X: Any, X_support: Any, coefficients: np.ndarray, kernel: Kernel) -> np.ndarray:
    """f_r(x_i) = sum_j a_jr K(x_j, x_i), in blocks of bounded memory.

    Parameters
    ----------
    X : array or CSR of shape (n, d)
    X_support : array or CSR of shape (m, d)
    coefficients : ndarray of shape (m, k)
    kernel : callable
        Gives the block K(A, B).

    Returns
    -------
    ndarray of shape (n, k)
    """
    n, m = X.shape[0], X_support.shape[0]
    result = np.zeros((n, coefficients.shape[1]))
    if m == 0:
        return result
    step = max(1, BLOCK_VALUES // m)
    for start in range(0, n, step):
        result[start : start + step] = kernel(X[start : start + step], X_support) @ coefficients
    return result


def certify(X: Any, y: np.ndarray, dual_coef: np.ndarray, C: float, kernel: Kernel) -> Certificate:
    """Evaluate coefficients on their training set.

    Parameters
    ----------
    X : array or CSR of shape (n, d)
        The training examples.
    y : int ndarray of shape (n,)
        Labels as indices 0 .. k-1.
    dual_coef : ndarray of shape (n, k)
        The coefficients a, zero rows included.
    C : float
    kernel : callable
        Gives the float64 block K(A, B) (`kernel_function`).
    """
    support = np.flatnonzero(np.any(dual_coef != 0.0, axis=1))
    return certify_scores(scores(X, X[support], dual_coef[support], kernel), y, dual_coef, C)


def certify_scores(f: np.ndarray, y: np.ndarray, dual_coef: np.ndarray, C: float) -> Certificate:
    """The same from the scores f of shape (n, k), for a caller that has just computed them."""
    rows = np.arange(len(y))
    g = f.copy()
    g[rows, y] -= 1.0
    upper = np.zeros_like(dual_coef)
    upper[rows, y] = C
    highest = g.max(axis=1)
    lowest = np.where(dual_coef < upper, g, np.inf).min(axis=1)
    squared_norm = float(np.sum(dual_coef * f))
    dual = float(dual_coef[rows, y].sum()) - 0.5 * squared_norm
    slack = highest - g[rows, y]  # (max_r f_r + 1 - [r = y]) - f_y: both sides less 1
    primal = 0.5 * squared_norm + C * float(slack.sum())
    return Certificate(
        primal=primal,
        dual=dual,
        gap=(primal - dual) / primal if primal != 0.0 else 0.0,
        violation=float((highest - lowest).max()),
        squared_norm=squared_norm,
        infeasibility=float(
            np.max([(dual_coef - upper).max(), np.abs(dual_coef.sum(axis=1)).max(), 0.0])
        ),
    )
