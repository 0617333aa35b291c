"""Hard margins (C = inf): whether the training set can be separated at all.

Without an upper bound the dual is a problem over a cone: with a solution a every multiple t a is
feasible, D(t a) = t S - t^2 N / 2 with S = margin sum_i a_{i,y_i} and N = ||w(a)||^2. The best
multiple is t = S / N, and weak duality says of every separating w*

    1/2 ||w*||^2 >= max_t D(t a) = S^2 / (2 N).

So S^2 / N bounds the squared norm of any separating machine from below, that is, its margin
from above. Where the examples cannot be separated the bound grows without limit, and stepping to
the best multiple makes it grow by factors. It is taken as proof once the margin would have to be
below 10^-6 of the largest ||x|| in the kernel's space: scores in double precision tell no more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SMALLEST = 1e-6

REASON = (
    "no machine separates these examples with this kernel, so there is no hard margin: "
    "give a finite C"
)


class InseparableError(ValueError):
    """The problem with C = inf has no solution."""


def check_diagonal(diagonal: np.ndarray) -> None:
    """Refuse examples that are zero in the kernel's space: all their scores are 0.

    Parameters
    ----------
    diagonal : ndarray of shape (n,)
        K(x_i, x_i).
    """
    zero = np.flatnonzero(np.asarray(diagonal) <= 0.0)
    if len(zero):
        raise InseparableError(f"C=inf: example {zero[0]} is zero under the kernel; {REASON}")


def stretch(loop: Any, y: np.ndarray, margin: float, largest: float) -> None:
    """Step to the best multiple of a loop's solution; refuse examples that cannot be separated.

    Parameters
    ----------
    loop : Loop
        With its coefficients and running scores.
    y : int ndarray of shape (n,)
        Labels 0 .. k-1.
    margin : float
        The margin wanted.
    largest : float
        max_i K(x_i, x_i).

    Raises
    ------
    InseparableError
        When the bound is above what double precision can tell.
    """
    a = loop.coefficients
    S = margin * float(a[np.arange(len(y)), y].sum())
    if S == 0.0:
        return
    N = float(np.sum(a * loop.scores))
    if SMALLEST**2 * (S / margin) ** 2 * largest >= N:
        raise InseparableError(f"C=inf: {REASON}")
    if S > N:
        loop.scale(S / N)
