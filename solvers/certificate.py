"""The value of a solution, recomputed from scratch in float64.

Nothing here looks at what a solver says of itself: primal, dual and violation follow from the
coefficients, the labels and the kernel alone. What primal and dual are is said by the problems
(``solvers.problems``), one a file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from .kernels import Kernel, NamedKernel
from .workers import workers

BLOCK_VALUES = 3_000_000  # kernel values held at a time by a thread: 24 MB
FEWEST = 64  # examples at a time, for the sake of the matrix product
MANY = 2_000_000  # kernel values that are worth more than one thread

#: From n x c coefficients to the n x c scores sum_j a_jr K(x_j, x_i) of the training examples.
Score = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Solution:
    """What a solver hands over to be valued.

    Attributes
    ----------
    dual_coef : ndarray of shape (n, c)
        The coefficients, zero rows included; one column for each class (for each pair of classes
        where the machine is made of pairs).
    intercept : ndarray of shape (c,) or 0.0
        A bias outside the norm; one inside it is part of the kernel.
    multipliers : ndarray of shape (n, k) or None
        Dual variables, where the coefficients are not (the linear program).
    """

    dual_coef: np.ndarray
    intercept: np.ndarray | float = 0.0
    multipliers: np.ndarray | None = None


@dataclass(frozen=True)
class Certificate:
    """What proves how good a solution is.

    Attributes
    ----------
    primal : float
        The primal objective P; infinite where a hard margin is not kept by any multiple of the
        solution.
    dual : float
        The dual objective D; P >= D for feasible coefficients.
    gap : float
        (P - D) / P, 0 where P is 0, 1 where P is infinite.
    violation : float
        The largest violation of the optimality conditions, in margin units.
    squared_norm : float
        sum_r ||w_r||^2; negative only if the kernel is indefinite.
    infeasibility : float
        The largest amount by which a constraint of the dual is missed.
    """

    primal: float
    dual: float
    violation: float
    squared_norm: float
    infeasibility: float
    gap: float = field(init=False)

    def __post_init__(self) -> None:
        """Set the gap."""
        object.__setattr__(self, "gap", relative_gap(self.primal, self.dual))


@runtime_checkable
class Problem(Protocol):
    """An optimization problem that machines solve; it can value any solution of it."""

    def certify(self, solution: Solution, y: np.ndarray, score: Score) -> Certificate:
        """Value a solution on the training set with labels y = 0 .. k-1."""

    def decide(self, f: np.ndarray) -> np.ndarray:
        """The classes 0 .. k-1 that scores f of shape (m, c) stand for, intercept included."""


class LargestScore:
    """The decision of a problem whose columns are the classes."""

    def decide(self, f: np.ndarray) -> np.ndarray:
        """The class of the largest score, the first of equals."""
        return f.argmax(axis=1)


def support_of(coefficients: np.ndarray) -> np.ndarray:
    """The examples with a non-zero coefficient, from coefficients of shape (n, c)."""
    return np.flatnonzero(np.any(coefficients != 0.0, axis=1))


def relative_gap(primal: float, dual: float) -> float:
    """(P - D) / P, 0 where P is 0, 1 where P is infinite."""
    if primal == 0.0:
        return 0.0
    return 1.0 if primal == np.inf else (primal - dual) / primal


def scaled_to_margin(squared_norm: float, smallest: float, margin: float) -> float:
    """1/2 ||w||^2 of the shortest multiple of w that keeps a hard margin; infinite if none does.

    Parameters
    ----------
    squared_norm : float
        ||w||^2.
    smallest : float
        The smallest margin that w keeps on the training set.
    margin : float
        The margin wanted.
    """
    return 0.5 * squared_norm * (margin / smallest) ** 2 if smallest > 0.0 else np.inf


def scores(X: Any, X_support: Any, coefficients: np.ndarray, kernel: Kernel) -> np.ndarray:
    """f_r(x_i) = sum_j a_jr K(x_j, x_i), in blocks of bounded memory.

    Parameters
    ----------
    X : array or CSR of shape (n, d)
    X_support : array or CSR of shape (m, d)
    coefficients : ndarray of shape (m, c)
    kernel : callable
        Gives the block K(A, B).

    Returns
    -------
    ndarray of shape (n, c)
    """
    n, m = X.shape[0], X_support.shape[0]
    result = np.zeros((n, coefficients.shape[1]))
    if m == 0 or n == 0:
        return result
    block = kernel.against(X_support) if isinstance(kernel, NamedKernel) else None

    def work(low: int, high: int) -> None:
        part = X[low:high]
        K = kernel(part, X_support) if block is None else block(part)
        result[low:high] = K @ coefficients

    step = max(FEWEST, BLOCK_VALUES // m)
    if block is not None and n * m > MANY:
        with workers() as team:
            team.split(work, n, step)
    else:  # a user's function is called by one thread
        for low in range(0, n, step):
            work(low, min(low + step, n))
    return result


def training_scores(X: Any, coefficients: np.ndarray, kernel: Kernel) -> np.ndarray:
    """The scores of the training examples X themselves; only rows with a coefficient count."""
    support = support_of(coefficients)
    return scores(X, X[support], coefficients[support], kernel)
