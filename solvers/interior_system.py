"""The linear systems of the interior-point method for a block.

For right-hand sides R (m x k) find the step dx (m x k) and the change dtheta (m) of the rows'
multipliers with

    (K dx)_ir + dx_ir / T_ir - dtheta_i = R_ir,    sum_r dx_ir = 0,

where T >= 0 (m x k) says how much room each coefficient has (0: none, dx_ir = 0). Without dtheta,

    dx_i = M_i (R_i - (K dx)_i),    M_i = diag(T_i) - T_i T_i' / sum_r T_ir.

Two ways: through a factor K = V V' where K has a low rank, and class by class.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor, cho_solve, lapack

#: From R to dx and dtheta.
Solve = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
#: From T to that; None where rounding made a matrix indefinite.
System = Callable[[np.ndarray], Solve | None]

RANK_TOL = 1e-15  # of the largest of K's diagonal, times m: what is left of K without its factor


def system(K: np.ndarray, V: np.ndarray, k: int) -> System:
    """The quicker of the two ways for K = V V' (m x m, V of shape (m, p)) and k classes."""
    m, p = V.shape
    if m * (p * k) ** 2 + (p * k) ** 3 / 3 < (k + 1 / 3) * m**3:
        return lambda T: low_rank(V, T)
    return lambda T: by_class(K, T)


def factor(K: np.ndarray) -> np.ndarray:
    """V of shape (m, rank) with K = V V', by Cholesky's method with pivots."""
    tol = len(K) * RANK_TOL * float(K.diagonal().max(initial=0.0))
    if tol <= 0.0:
        return np.zeros((len(K), 0))
    L, pivots, rank, _ = lapack.dpstrf(K, tol=tol, lower=1)
    V = np.empty((len(K), rank))
    V[pivots - 1] = np.tril(L)[:, :rank]
    return V


def low_rank(V: np.ndarray, T: np.ndarray) -> Solve | None:
    """With q = V' dx (p x k):  q + V' M (V q) = V' M R,  a system of p k unknowns."""
    k, p = T.shape[1], V.shape[1]
    M = laplacians(T)
    B = np.empty((k * p, k * p))
    for r in range(k):
        for s in range(r + 1):  # the lower triangle
            B[r * p : (r + 1) * p, s * p : (s + 1) * p] = V.T @ (M[:, r, s, np.newaxis] * V)
    B[np.diag_indices_from(B)] += 1.0
    try:
        factored = cho_factor(B, lower=True, overwrite_a=True, check_finite=False) if p else None
    except np.linalg.LinAlgError:
        return None

    def solve(R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rest = R
        if factored is not None:
            right = V.T @ np.einsum("irs,is->ir", M, R)
            q = cho_solve(factored, right.ravel(order="F"), check_finite=False)
            rest = R - V @ q.reshape(p, k, order="F")
        return np.einsum("irs,is->ir", M, rest), row_change(T, rest)

    return solve


def laplacians(T: np.ndarray) -> np.ndarray:
    """The matrices M_i, (m, k, k), without cancellation where one T_ir is much the largest."""
    total = T.sum(axis=1, keepdims=True)
    share = np.divide(T, total, out=np.zeros_like(T), where=total > 0.0)
    M = -T[:, :, np.newaxis] * share[:, np.newaxis, :]
    classes = np.arange(T.shape[1])
    M[:, classes, classes] = 0.0
    M[:, classes, classes] = -M.sum(axis=2)
    return M


def row_change(T: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """dtheta_i = -sum_r T_ir rest_ir / sum_r T_ir for rest = R - K dx; 0 where nothing moves."""
    total = T.sum(axis=1)
    return np.divide(-(T * rest).sum(axis=1), total, out=np.zeros(len(T)), where=total > 0.0)


def by_class(K: np.ndarray, T: np.ndarray) -> Solve | None:
    """With W_r = (K + diag(1/T_r))^-1, class by class:  (sum_r W_r) dtheta = -sum_r W_r R_r."""
    total = np.zeros(K.shape, order="F")
    factors = []
    for r in range(T.shape[1]):
        part = np.flatnonzero(T[:, r] > 0.0)
        if len(part) == 0:
            continue
        A = np.asfortranarray(K[np.ix_(part, part)])
        A[np.diag_indices_from(A)] += 1.0 / T[part, r]
        A, bad = lapack.dpotrf(A, lower=1, overwrite_a=1, clean=0)
        if bad:
            return None
        total[np.ix_(part, part)] += lapack.dpotri(A, lower=1)[0]
        factors.append((r, part, A))
    still = T.sum(axis=1) <= 0.0
    total[still, still] = 1.0
    total, bad = lapack.dpotrf(total, lower=1, overwrite_a=1, clean=0)
    if bad:
        return None

    def solve(R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        dx = np.zeros(R.shape)
        for r, part, A in factors:
            dx[part, r] = lapack.dpotrs(A, R[part, r], lower=1)[0]
        dtheta = lapack.dpotrs(total, -dx.sum(axis=1), lower=1)[0]
        for r, part, A in factors:
            dx[part, r] += lapack.dpotrs(A, dtheta[part], lower=1)[0]
        return dx, dtheta

    return solve
