"""An interior-point method for a block: as many rounds, about, whatever C and the kernel.

For the examples of a block, with their kernel matrix K (m x m), the gradient g (m x k) of the
negative dual at a, and the polytope of `solvers.polytope`,

    min_x  <c, x> + 1/2 <x, K x>   subject to   lower <= x <= upper,  sum_r x_ir = 0,

with c = g - K a. With multipliers theta_i of the rows, z_l and z_u of the bounds and the slacks
s_l = x - lower and s_u = upper - x, the conditions of optimality are

    c + K x - theta - z_l + z_u = 0,    s_l z_l = s_u z_u = 0.

Mehrotra's predictor-corrector method follows the path where these products are mu > 0, from the
middle of the polytope down to mu = 0 (S. Mehrotra, "On the Implementation of a Primal-Dual
Interior Point Method", SIAM Journal on Optimization 2, 1992). Every round is a few solutions of a
linear system (`solvers.interior_system`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from .interior_system import factor, system
from .polytope import tidy

ROUNDS = 100  # at most
RIDGE = 1e-13  # of the mean of K's diagonal: what coefficients without bounds have for 1/T
SHORTER = 0.99  # of the way to the nearest bound
ACCURACY = 1e-3  # of tol: the gap for each unit of the coefficients
SHORTEST = 1e-10  # a step that leads nowhere


@dataclass
class Side:
    """The slacks s and multipliers z of the lower or the upper bounds, 1 and 0 where there is none.

    Attributes
    ----------
    sign : float
        ds/dx: 1 for lower bounds, -1 for upper ones.
    """

    sign: float
    has: np.ndarray
    s: np.ndarray
    z: np.ndarray

    def products(self) -> float:
        """The sum of s z."""
        return float(np.sum(self.s * self.z))

    def slope(self, centre: np.ndarray) -> np.ndarray:
        """What the bounds add to the right-hand side, for the products ``centre``."""
        return self.sign * (centre / self.s - self.z)

    def centre(self, mu: float, second: np.ndarray | float = 0.0) -> np.ndarray:
        """The product mu less the second-order term, where there is a bound."""
        return np.where(self.has, mu - second, 0.0)

    def change(self, dx: np.ndarray, centre: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The changes of s and z."""
        ds = np.where(self.has, self.sign * dx, 0.0)
        return ds, (centre - self.z * ds) / self.s - self.z


def interior_point(
    K: np.ndarray,
    g: np.ndarray,
    a: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    *,
    tol: float,
    V: np.ndarray | None = None,
    deadline: float = np.inf,
) -> np.ndarray:
    """The solution, with those coefficients at their bounds that are so at the optimum.

    Parameters
    ----------
    K : ndarray of shape (m, m)
        Positive semidefinite.
    g : ndarray of shape (m, k)
        The gradient at a.
    a, lower, upper : ndarray of shape (m, k)
        A point of the polytope, and its bounds. Each row has coefficients without any bound, or
        some with an upper bound only.
    tol : float
        In the units of g: the duality gap is below tol times the sum of the positive coefficients.
    V : ndarray of shape (m, p) or None
        With K = V V', where the caller has it.
    deadline : float
        When to end with what there is, by `time.perf_counter`.

    Returns
    -------
    ndarray of shape (m, k)
        A point of the polytope. It does not depend on a, which only says where g is taken.
    """
    moving = upper > lower
    c = g - K @ a
    x = middle(K, c, lower, upper)
    has_lower, has_upper = moving & np.isfinite(lower), moving & np.isfinite(upper)
    n_products = int(np.count_nonzero(has_lower) + np.count_nonzero(has_upper))
    if n_products == 0:
        return a
    theta, z_lower, z_upper = multipliers(c + K @ x, has_lower, has_upper, moving)
    below = Side(1.0, has_lower, np.where(has_lower, x - lower, 1.0), z_lower)
    above = Side(-1.0, has_upper, np.where(has_upper, upper - x, 1.0), z_upper)
    sides = (below, above)
    at_bound = [np.zeros(a.shape, dtype=bool) for _ in sides]
    ridge = RIDGE * (float(K.diagonal().mean()) or 1.0)
    newton = system(K, factor(K) if V is None else V, a.shape[1])
    before = np.inf
    for _ in range(ROUNDS):
        if time.perf_counter() >= deadline:
            break
        residual = np.where(moving, c + K @ x - theta[:, np.newaxis] - below.z + above.z, 0.0)
        worst = float(np.abs(residual).max())
        gap = sum(side.products() for side in sides)
        exact = worst < 0.1 * tol or worst > 0.5 * before  # as exact as it gets
        if gap <= ACCURACY * tol * np.maximum(x, 0.0).sum() and exact:
            break
        before = worst
        room = np.where(moving, 1.0 / (ridge + below.z / below.s + above.z / above.s), 0.0)
        solve = newton(room)
        if solve is None:
            break
        mu = gap / n_products
        centres = [side.centre(0.0) for side in sides]
        for corrector in (False, True):
            right = sum(side.slope(to) for side, to in zip(sides, centres, strict=True))
            dx, dtheta = solve(np.where(moving, right - residual, 0.0))
            changes = [side.change(dx, to) for side, to in zip(sides, centres, strict=True)]
            step = longest(sides, changes)
            if not corrector:
                after = sum(
                    float(np.sum((side.s + step * ds) * (side.z + step * dz)))
                    for side, (ds, dz) in zip(sides, changes, strict=True)
                )
                to = mu * (after / gap) ** 3
                centres = [
                    side.centre(to, ds * dz) for side, (ds, dz) in zip(sides, changes, strict=True)
                ]
        step = min(1.0, SHORTER * step)
        if not step > SHORTEST:
            break
        x = x + step * dx
        theta = theta + step * dtheta
        for i, (side, (ds, dz)) in enumerate(zip(sides, changes, strict=True)):
            s, z = side.s + step * ds, side.z + step * dz
            # Tapia's indicator: at the bound, s shrinks and z stays
            at_bound[i] = side.has & (s * side.z < side.s * z)
            side.s, side.z = s, z
    return tidy(np.where(at_bound[0], lower, np.where(at_bound[1], upper, x)), lower, upper)


def middle(K: np.ndarray, c: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """A point in the middle of the polytope.

    Coefficients with two bounds are halfway between them, those with an upper one only all equally
    far from theirs; where others have none, that is the distance of the best multiple.
    """
    only_upper = np.isfinite(upper) & ~np.isfinite(lower)
    both = np.isfinite(upper) & np.isfinite(lower)
    without = ~np.isfinite(upper) & ~np.isfinite(lower)
    open_rows = without.any(axis=1)
    x = 0.5 * (np.where(both, lower, 0.0) + np.where(both, upper, 0.0))
    total = x.sum(axis=1) + np.where(only_upper, upper, 0.0).sum(axis=1)
    distance = np.where(open_rows, 1.0, total / np.maximum(only_upper.sum(axis=1), 1))
    x = np.where(only_upper, upper - distance[:, np.newaxis], x)
    rest = x.sum(axis=1) / np.maximum(without.sum(axis=1), 1)
    x = np.where(without, -rest[:, np.newaxis], x)
    if (open_rows & ~both.any(axis=1)).any():
        gain, curve = -float(np.sum(c * x)), float(np.sum(x * (K @ x)))
        if gain > 0.0 and curve > 0.0:
            x = x * (gain / curve)
    return x


def multipliers(
    gradient: np.ndarray, has_lower: np.ndarray, has_upper: np.ndarray, moving: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A start: theta and multipliers of at least 1, without a residual where there are such."""
    without = moving & ~has_lower & ~has_upper
    only_upper = has_upper & ~has_lower
    mean = np.where(without, gradient, 0.0).sum(axis=1) / np.maximum(without.sum(axis=1), 1)
    highest = np.where(only_upper, gradient, -np.inf).max(axis=1) + 1.0
    theta = np.where(without.any(axis=1), mean, np.where(np.isfinite(highest), highest, 0.0))
    pull = theta[:, np.newaxis] - gradient
    z_upper = np.where(has_lower, np.maximum(pull, 0.0) + 1.0, np.maximum(pull, 1.0))
    z_lower = np.maximum(-pull, 0.0) + 1.0
    return theta, np.where(has_lower, z_lower, 0.0), np.where(has_upper, z_upper, 0.0)


def longest(sides: tuple[Side, Side], changes: list[tuple[np.ndarray, np.ndarray]]) -> float:
    """The step, at most 1, at which the first slack or multiplier is 0."""
    step = 1.0
    for side, (ds, dz) in zip(sides, changes, strict=True):
        for value, change in ((side.s, ds), (side.z, dz)):
            falls = side.has & (change < 0.0)
            step = min(step, float((-value[falls] / change[falls]).min(initial=1.0)))
    return step
