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
    falls piecewise linearly between corners at x - upper and x - lower: the last corner where it
    is not below 0 starts the piece with the root, or the first corner ends it.
    """
    m, k = x.shape
    rows = np.arange(m)
    corners = np.sort(np.concatenate([x - upper, x - lower], axis=1), axis=1)
    finite = np.isfinite(corners)
    tried = np.where(finite, corners, 0.0)[:, :, None]
    sums = np.clip(x[:, None, :] - tried, lower[:, None, :], upper[:, None, :]).sum(axis=2)
    above = (sums >= 0.0) & finite
    starts = above.any(axis=1)
    corner = np.where(starts, 2 * k - 1 - above[:, ::-1].argmax(axis=1), finite.argmax(axis=1))
    theta = np.where(finite.any(axis=1), corners[rows, corner], 0.0)
    at, most, least = theta[:, None], x - lower, x - upper
    to_the_right = np.count_nonzero((least <= at) & (at < most), axis=1)
    to_the_left = np.count_nonzero((least < at) & (at <= most), axis=1)
    slope = np.where(starts, to_the_right, to_the_left)
    rest = np.clip(x - at, lower, upper).sum(axis=1)
    theta = theta + np.divide(rest, slope, out=np.zeros(m), where=slope > 0)
    return tidy(x - theta[:, None], lower, upper)


def tidy(a: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Put coefficients within rounding of a bound there; the one with the most room evens out."""
    rows = np.arange(len(a))
    a = np.clip(a, lower, upper)
    dust = DUST * np.abs(a).max(axis=1, keepdims=True)
    a = np.where(a - lower <= dust, lower, np.where(upper - a <= dust, upper, a))
    inner = np.minimum(a - lower, upper - a).argmax(axis=1)
    a[rows, inner] = 0.0
    a[rows, inner] = np.clip(-a.sum(axis=1), lower[rows, inner], upper[rows, inner])
    return a
