"""Newton steps on the faces of a block's polytope: the coefficients between their bounds.

For the examples of a block, with their kernel matrix K (m x m), the gradient g (m x k) of the
negative dual at a, and the polytope of `solvers.polytope`, this goes towards the solution of

    min_d  <g, d> + 1/2 <d, K d>   subject to   lower <= a + d <= upper,  sum_r d_ir = 0.

On a face each example has a reference class rho(i); its other classes m that are free to move are
edges e_m - e_rho(i), and the minimum over the face is a linear system with

    Q_{(i,m),(j,l)} = K_ij <e_m - e_rho(i), e_l - e_rho(j)>.

Where that minimum lies outside the polytope, the way to it is bent at the bounds, or ends at the
first of them, whichever is better; coefficients that want to leave their bounds are set free
together. No step raises the objective.
"""

from __future__ import annotations

import time

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from .polytope import projection, tidy, violations

LARGEST = 2500  # edges of one system: 50 MB, some tenths of a second
RIDGE = 1e-13  # of the mean of Q's diagonal: it may be singular


def face_steps(
    K: np.ndarray,
    g: np.ndarray,
    a: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    *,
    tol: float,
    rounds: int,
    largest: int = LARGEST,
    deadline: float = np.inf,
) -> np.ndarray:
    """Go from face to face until every violation is below ``tol``, or ``rounds`` are over.

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
    rounds : int
    largest : int
        Edges of one system; the examples of the largest violation come first.
    deadline : float
        When to end with what there is, by `time.perf_counter`.

    Returns
    -------
    ndarray of shape (m, k)
        A point of the polytope where the objective is not above that of a.
    """
    here, gradient = a, g
    vain = np.zeros(a.shape, dtype=bool)  # left its bound in the wrong direction
    for _ in range(rounds):
        psi = violations(gradient, here, lower, upper)
        if psi.max(initial=0.0) < tol or time.perf_counter() >= deadline:
            break
        free, reference = face(gradient, here, lower, upper, psi, tol, vain, largest)
        d = face_minimum(K, gradient, free, reference)
        if d is None or not d.any():
            break
        bound = np.where(d > 0.0, upper, lower)
        room = np.divide(bound - here, d, out=np.full(d.shape, np.inf), where=d != 0.0)
        if room.min() <= 0.0:
            vain |= room <= 0.0
            continue
        vain[:] = False
        longest = min(1.0, float(room.min()))
        straight = tidy(np.where(room <= longest, bound, here + longest * d), lower, upper)
        new, new_gradient, gain = along(K, here, gradient, straight)
        if longest < 1.0:
            moved = d != 0.0
            bent = projection(here + d, np.where(moved, lower, here), np.where(moved, upper, here))
            other = along(K, here, gradient, bent)
            if other[2] > gain:
                new, new_gradient, gain = other
        if gain <= 0.0:
            break
        here, gradient = new, new_gradient
    return here


def along(
    K: np.ndarray, here: np.ndarray, gradient: np.ndarray, target: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """The best point on the way from ``here`` to ``target``, its gradient, and what it gains."""
    p = target - here
    Kp = K @ p
    slope, curve = float(np.sum(gradient * p)), float(np.sum(p * Kp))
    if slope >= 0.0:
        return here, gradient, 0.0
    t = 1.0 if curve <= -slope else -slope / curve
    new = target if t == 1.0 else here + t * p
    return new, gradient + t * Kp, -t * (slope + 0.5 * t * curve)


def face(
    gradient: np.ndarray,
    a: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    psi: np.ndarray,
    tol: float,
    vain: np.ndarray,
    largest: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Which coefficients span the face, without the reference class of each example; and that."""
    can_fall, can_rise = a > lower, a < upper
    inside = can_fall & can_rise
    n_inside = np.count_nonzero(inside, axis=1)
    highest = np.where(can_fall, gradient, -np.inf).max(axis=1)
    lowest = np.where(can_rise, gradient, np.inf).min(axis=1)
    mean = np.where(inside, gradient, 0.0).sum(axis=1) / np.maximum(n_inside, 1)
    level = np.where(n_inside > 0, mean, np.where(psi > 0.0, 0.5 * (highest + lowest), 0.0))
    level = level[:, np.newaxis]
    wants = (can_rise & (gradient < level)) | (can_fall & (gradient > level))
    free = inside | (wants & (psi >= tol)[:, np.newaxis] & ~vain)
    return edges(free, a, lower, upper, psi, largest)


def edges(
    free: np.ndarray,
    a: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    need: np.ndarray,
    largest: int,
) -> tuple[np.ndarray, np.ndarray]:
    """The free coefficients less one of each row, the farthest from its bounds; and that one.

    Where they are more than ``largest``, those of the rows that need it most come first. ``free``
    is overwritten.
    """
    reference = np.where(free, np.minimum(a - lower, upper - a), -1.0).argmax(axis=1)
    free[np.arange(len(a)), reference] = False
    n_free = np.count_nonzero(free, axis=1)
    if n_free.sum() > largest:
        order = np.argsort(-need, kind="stable")
        free[order[np.cumsum(n_free[order]) > largest]] = False
    return free, reference


def face_minimum(
    K: np.ndarray, gradient: np.ndarray, free: np.ndarray, reference: np.ndarray
) -> np.ndarray | None:
    """The way to the minimum over a face; None where rounding made its matrix indefinite."""
    i, m = np.nonzero(free)
    d = np.zeros(gradient.shape)
    if len(i) == 0:
        return d
    rho = reference[i]
    Q = K[np.ix_(i, i)]
    Q *= edge_products(m, rho)
    Q[np.diag_indices_from(Q)] += RIDGE * (Q.diagonal().mean() or 1.0)
    slope = gradient[i, rho] - gradient[i, m]
    try:
        factor = cho_factor(Q, overwrite_a=True, check_finite=False)
    except np.linalg.LinAlgError:
        return None
    d[i, m] = cho_solve(factor, slope, check_finite=False)
    d[np.arange(len(d)), reference] = -d.sum(axis=1)
    return d


def edge_products(m: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """<e_m - e_rho, e_l - e_sigma> of all pairs of edges."""
    products = (m[:, np.newaxis] == m).astype(float)
    products -= m[:, np.newaxis] == rho
    products -= rho[:, np.newaxis] == m
    products += rho[:, np.newaxis] == rho
    return products
