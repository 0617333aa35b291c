"""Proximal points by Newton's method for a block: from any start, at the price of its free part.

For the examples of a block, with their kernel matrix K (m x m), the gradient g (m x k) of the
negative dual at a, and the polytope P of `solvers.polytope`, with c = g - K a,

    min_{x in P}  <c, x> + 1/2 <x, K x>

is solved by proximal points: each minimizes this plus sigma/2 ||x - x_t||^2, from x_t = the last
one, with ever smaller sigma. In terms of scores K w each is a smooth problem,

    min_w  1/2 <w, K w> + max_{x in P} [-<c + K w, x> - sigma/2 ||x - x_t||^2],

with the gradient K (w - x(w)), where x(w) is the projection of x_t - (c + K w) / sigma onto P. Its
Newton step is the linear system of a face (`solvers.faces`) for the kernel K + sigma I and the
coefficients of x(w) that are between their bounds, so many coefficients come to their bounds and
leave them at once (X. Li, D. Sun and K.-C. Toh, "A Highly Efficient Semismooth Newton Augmented
Lagrangian Method for Solving Lasso Problems", SIAM Journal on Optimization 28, 2018).
"""

from __future__ import annotations

import time

import numpy as np

from .faces import LARGEST, edges, face_minimum
from .polytope import projection, violations

FIRST = 0.1  # sigma, of the mean of K's diagonal
#: The next sigma, of the last one, by the Newton steps that the last point took at most.
SMALLER = ((2, 0.1), (6, 0.3), (15, 0.5), (np.inf, 0.7))
LARGER = 1.4  # sigma where that was not enough, of the last one
LEAST = 1e-13  # sigma, of the mean of K's diagonal
INEXACT = 0.3  # of what sigma adds to the violation: the accuracy of a proximal point
STEPS, ALL_STEPS = 30, 200  # Newton steps for one point and for all
TRIALS = 12  # of a line search
FLATTER = 0.5  # of the slope at its start: where it ends


def proximal_newton(
    K: np.ndarray,
    g: np.ndarray,
    a: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    *,
    tol: float,
    largest: int = LARGEST,
    deadline: float = np.inf,
) -> np.ndarray:
    """Go on from a until every violation is below ``tol``, or no further.

    Parameters
    ----------
    K : ndarray of shape (m, m)
        Positive semidefinite.
    g : ndarray of shape (m, k)
        The gradient at a.
    a, lower, upper : ndarray of shape (m, k)
        A point of the polytope, and its bounds.
    tol : float
        In the units of g: margins.
    largest : int
        Edges of one system; the examples with the most to correct come first.
    deadline : float
        When to end with what there is, by `time.perf_counter`.

    Returns
    -------
    ndarray of shape (m, k)
        A point of the polytope; rounding may have spoilt it (see `solvers.second_order`).
    """
    mean = float(K.diagonal().mean()) or 1.0
    sigma = FIRST * mean
    x, Kd = a, np.zeros(a.shape)  # Kd = K (x - a): g + Kd is the gradient
    left = ALL_STEPS
    while sigma > LEAST * mean and left > 0:
        if violations(g + Kd, x, lower, upper).max(initial=0.0) < tol:
            break
        most = min(STEPS, left)
        point = proximal_point(K, g + Kd, x, lower, upper, sigma, tol, most, largest, deadline)
        if time.perf_counter() >= deadline:
            break
        if point is None:  # too far for one point
            left -= STEPS
            sigma *= LARGER
            continue
        x, steps = point
        Kd = K @ (x - a)
        left -= steps + 1
        sigma *= next(factor for most, factor in SMALLER if steps <= most)
    return x


def proximal_point(
    K: np.ndarray,
    g: np.ndarray,
    a: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    sigma: float,
    tol: float,
    steps: int,
    largest: int,
    deadline: float = np.inf,
) -> tuple[np.ndarray, int] | None:
    """The proximal point from a, and the Newton steps to it; None if there were not enough."""
    stronger = K.copy()
    stronger[np.diag_indices_from(K)] += sigma
    w, Kw = a, np.zeros(a.shape)  # Kw = K (w - a)
    x = projection(a - g / sigma, lower, upper)
    for step in range(steps):
        if time.perf_counter() >= deadline:
            return None
        rest = K @ (x - w)
        added = sigma * float(np.ptp(x - a, axis=1).max())
        if np.ptp(rest, axis=1).max() <= INEXACT * max(tol, added):
            return x, step
        d = x - w
        between = (x > lower) & (x < upper)
        span = edges(between, x, lower, upper, np.ptp(rest, axis=1), largest)
        moved = face_minimum(stronger, rest, *span)
        if moved is None:
            return None
        d = d + moved
        Kd = K @ d
        # the slope at t: <d, K w_t> - <K d, x(w_t)>, where both count from a
        flat, curve = float(np.sum(d * Kw)), float(np.sum(d * Kd))
        start = flat - float(np.sum(Kd * (x - a)))
        if not start < 0.0:  # nothing but rounding
            return None
        low, high, slope_low, slope_high = 0.0, np.inf, start, np.inf
        t = 1.0
        for _ in range(TRIALS):
            x = projection(a - (g + Kw + t * Kd) / sigma, lower, upper)
            slope = flat + t * curve - float(np.sum(Kd * (x - a)))
            if abs(slope) <= FLATTER * abs(start) or (slope < 0.0 and high == np.inf):
                break
            if slope < 0.0:
                low, slope_low = t, slope
            else:
                high, slope_high = t, slope
            share = slope_low / (slope_low - slope_high)
            t = low + (high - low) * min(max(share, 0.1), 0.9)
        w, Kw = w + t * d, Kw + t * Kd
    return None
