"""The polytope of the coefficients of a block of examples.

Row i of the coefficients a (m x k) keeps

    lower_ir <= a_ir <= upper_ir   and   sum_r a_ir = 0,

with lower <= 0 <= upper. This is Crammer & Singer's a_ir <= C [r = y_i], and Weston & Watkins'
-C <= a_ir <= 0 for r != y_i. Bounds may be infinite, and both 0 where a coefficient has to stay 0.
"""

from __future__ import annotations

import numpy as np

DUST = 1e-14  # of the largest coefficient of a row: what rounding leaves beside a bound


def crammer_singer_bounds(y: np.ndarray, k: int, C: float) -> tuple[np.ndarray, np.ndarray]:
    """The bounds a_ir <= C [r = y_i] as arrays of shape (m, k); C may be infinite."""
    upper = np.zeros((len(y), k))
    upper[np.arange(len(y)), y] = C
    return np.full((len(y), k), -np.inf), upper


def weston_watkins_bounds(y: np.ndarray, k: int, C: float) -> tuple[np.ndarray, np.ndarray]:
    """The bounds -C <= a_ir <= 0 for r != y_i as arrays of shape (m, k); C may be infinite."""
    rows = np.arange(len(y))
    lower, upper = np.full((len(y), k), -C), np.zeros((len(y), k))
    lower[rows, y], upper[rows, y] = -np.inf, np.inf
    return lower, upper


def violations(
    gradient: np.ndarray, a: np.ndarray, lower: np.ndarray, upper: np.ndarray
) -> np.ndarray:
    """psi_i = max_{r: a_ir > lower_ir} G_ir - min_{r: a_ir < upper_ir} G_ir, and 0 if negative.

    The steepest slope of a function to be minimized, with gradient G, among the moves that the
    bounds allow of one coefficient up and another one down by as much.
    """
    highest = np.where(a > lower, gradient, -np.inf).max(axis=1)
    lowest = np.where(a < upper, gradient, np.inf).min(axis=1)
    return np.maximum(highest - lowest, 0.0)


def projection(x: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """The nearest point of the polytope to x.

    It is clip(x - theta_i, lower, upper) with the theta_i for which row i sums up to 0. The sum
    falls piecewise linearly in theta_i, by one more coefficient from each x - upper on and by one
    less from each x - lower on.
    """
    m, k = x.shape
    rows = np.arange(m)
    corners = np.concatenate([x - upper, x - lower], axis=1)
    finite = np.isfinite(corners)
    first = np.where(finite, corners, np.inf).min(axis=1)
    last = np.where(finite, corners, -np.inf).max(axis=1)
    none = ~np.isfinite(first)
    first[none] = last[none] = x[none].mean(axis=1)
    corners = np.clip(corners, first[:, np.newaxis], last[:, np.newaxis])
    order = np.argsort(corners, axis=1, kind="stable")
    corners = np.take_along_axis(corners, order, axis=1)
    falling = np.cumsum(np.where(order < k, 1.0, -1.0), axis=1)  # by how many, from here on
    sums = np.empty_like(corners)
    sums[:, 0] = np.clip(x - first[:, np.newaxis], lower, upper).sum(axis=1)
    sums[:, 1:] = -falling[:, :-1] * np.diff(corners, axis=1)
    np.cumsum(sums, axis=1, out=sums)
    n_above = np.count_nonzero(sums >= 0.0, axis=1)
    piece = np.maximum(n_above - 1, 0)
    slope = falling[rows, piece]
    slope = np.where(n_above == 0, np.count_nonzero(np.isinf(upper), axis=1), slope)
    slope = np.where(n_above == 2 * k, np.count_nonzero(np.isinf(lower), axis=1), slope)
    rest = sums[rows, piece]
    theta = corners[rows, piece]
    theta = theta + np.divide(rest, slope, out=np.zeros(m), where=slope > 0.0)
    # once more, without the rounding of the sums
    result = np.clip(x - theta[:, np.newaxis], lower, upper)
    inside = np.count_nonzero((result > lower) & (result < upper), axis=1)
    theta = theta + np.divide(result.sum(axis=1), inside, out=np.zeros(m), where=inside > 0)
    return tidy(x - theta[:, np.newaxis], lower, upper)


def tidy(a: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Put coefficients within rounding of a bound there; the one with the most room evens out."""
    rows = np.arange(len(a))
    a = np.clip(a, lower, upper)
    dust = DUST * np.abs(a).max(axis=1, keepdims=True)
    a = np.where(a - lower <= dust, lower, np.where(upper - a <= dust, upper, a))
    inner = np.minimum(a - lower, upper - a).argmax(axis=1)
    a[rows, inner] = 0.0
    wanted = -a.sum(axis=1)
    a[rows, inner] = np.clip(wanted, lower[rows, inner], upper[rows, inner])
    missed = wanted - a[rows, inner]
    if missed.any():  # of points so far out that rounding is coarse there: from the others too
        for r in range(a.shape[1]):
            moved = np.clip(a[:, r] + missed, lower[:, r], upper[:, r])
            missed -= moved - a[:, r]
            a[:, r] = moved
    return a
