"""An independent solver of the dual: a generic interior-point method (Clarabel), tests only."""

import clarabel
import numpy as np
import scipy.sparse as sp


def solve_dual(K, y, k, C):
    """The optimal value and coefficients of the Crammer-Singer dual for a kernel matrix K.

    max sum_i a_{i,y_i} - 1/2 sum_ij K_ij <a_i, a_j>  s.t.  a_ir <= C [r = y_i], sum_r a_ir = 0.

    C may be infinite: a_{i,y_i} then has no bound.
    """
    n = len(y)
    margin = np.zeros((n, k))
    margin[np.arange(n), y] = 1.0
    hessian = sp.triu(sp.kron(sp.csc_array(K), sp.eye_array(k)), format="csc")
    sums = sp.kron(sp.eye_array(n), np.ones((1, k)))
    upper = np.where(margin == 1.0, C, 0.0).ravel()
    bounded = np.isfinite(upper)
    A = sp.vstack([sums, sp.eye_array(n * k, format="csr")[bounded]], format="csc")
    b = np.concatenate([np.zeros(n), upper[bounded]])
    cones = [clarabel.ZeroConeT(n), clarabel.NonnegativeConeT(int(bounded.sum()))]
    a = minimize(hessian, -margin.ravel(), A, b, cones).reshape(n, k)
    return float(np.sum(a * margin) - 0.5 * np.sum(a * (K @ a))), a


def solve_prototype_dual(K, y, own, prototype_class, C):
    """The optimal value of the multi-prototype dual for assignments ``own`` of the examples.

    As `solve_dual`, with a column for each prototype; an example's coefficients are 0 for the
    prototypes of its class that it is not assigned to.
    """
    n, R = len(y), len(prototype_class)
    margin = np.zeros((n, R))
    margin[np.arange(n), own] = 1.0
    barred = (prototype_class == y[:, None]) & (margin == 0.0)
    hessian = sp.triu(sp.kron(sp.csc_array(K), sp.eye_array(R)), format="csc")
    sums = sp.kron(sp.eye_array(n), np.ones((1, R)))
    every = sp.eye_array(n * R, format="csr")
    A = sp.vstack([sums, every[barred.ravel()], every[~barred.ravel()]], format="csc")
    upper = np.where(margin == 1.0, C, 0.0)[~barred]
    b = np.concatenate([np.zeros(n + barred.sum()), upper])
    cones = [clarabel.ZeroConeT(int(n + barred.sum())), clarabel.NonnegativeConeT(len(upper))]
    a = minimize(hessian, -margin.ravel(), A, b, cones).reshape(n, R)
    return float(np.sum(a * margin) - 0.5 * np.sum(a * (K @ a)))


def solve_binary_dual(K, sign, C, *, bias=False):
    """The coefficients of the binary machine, with or without a bias outside the norm.

    max sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j sign_i sign_j K_ij  s.t.  0 <= alpha_i <= C,
    and sum_i sign_i alpha_i = 0 with a bias.
    """
    n = len(sign)
    blocks, b, cones = [-sp.eye_array(n)], [np.zeros(n)], [clarabel.NonnegativeConeT(n)]
    if np.isfinite(C):
        blocks.append(sp.eye_array(n))
        b.append(np.full(n, C))
        cones.append(clarabel.NonnegativeConeT(n))
    if bias:
        blocks.append(sp.csc_array(sign[np.newaxis]))
        b.append(np.zeros(1))
        cones.append(clarabel.ZeroConeT(1))
    hessian = sp.triu(sp.csc_array(np.outer(sign, sign) * K), format="csc")
    return minimize(hessian, -np.ones(n), sp.vstack(blocks), np.concatenate(b), cones)


def minimize(hessian, linear, A, b, cones):
    """argmin 1/2 x'Hx + <linear, x> subject to b - A x in the cones."""
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    problem = (sp.csc_matrix(hessian), linear, sp.csc_matrix(A), b, cones, settings)
    return np.array(clarabel.DefaultSolver(*problem).solve().x)


def solve_weston_watkins_dual(K, y, k, C, margin=2.0, *, bias=False):
    """The optimal value and coefficients of the Weston-Watkins dual for a kernel matrix K.

    max margin sum_i a_{i,y_i} - 1/2 sum_ij K_ij <a_i, a_j>
    s.t. -C <= a_im <= 0 for m != y_i, sum_r a_ir = 0, and with a bias sum_i a_ir = 0.
    """
    n = len(y)
    own = np.zeros((n, k), dtype=bool)
    own[np.arange(n), y] = True
    hessian = sp.triu(sp.kron(sp.csc_array(K), sp.eye_array(k)), format="csc")
    sums = sp.kron(sp.eye_array(n), np.ones((1, k)))
    wrong = sp.eye_array(n * k, format="csr")[np.flatnonzero(~own.ravel())]
    rows, b = [sums], [np.zeros(n)]
    if bias:  # one of the k sums follows from the others
        rows.append(sp.kron(np.ones((1, n)), sp.eye_array(k), format="csr")[: k - 1])
        b.append(np.zeros(k - 1))
    n_equal = sum(len(part) for part in b)
    rows.append(wrong)
    b.append(np.zeros(wrong.shape[0]))
    if np.isfinite(C):
        rows.append(-wrong)
        b.append(np.full(wrong.shape[0], C))
    A, b = sp.vstack(rows, format="csc"), np.concatenate(b)
    cones = [clarabel.ZeroConeT(n_equal), clarabel.NonnegativeConeT(len(b) - n_equal)]
    a = minimize(hessian, -margin * own.ravel().astype(float), A, b, cones).reshape(n, k)
    return float(margin * a[own].sum() - 0.5 * np.sum(a * (K @ a))), a
