"""The second-order step of a block: right on every kernel, feasible, and never downhill."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import solve_dual, solve_weston_watkins_dual
from problems import random_problem
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

from solvers.certificate import Solution
from solvers.faces import face_steps
from solvers.free_set import box_maximum
from solvers.interior_point import interior_point
from solvers.interior_system import by_class, factor, low_rank
from solvers.polytope import (
    crammer_singer_bounds,
    projection,
    violations,
    weston_watkins_bounds,
)
from solvers.problems import CrammerSinger, WestonWatkins
from solvers.proximal_newton import proximal_newton
from solvers.second_order import second_order

KERNELS = {
    "linear": linear_kernel,
    "linear, attributes times 100": lambda X: linear_kernel(100 * X),
    "cubic": lambda X: polynomial_kernel(X, degree=3, gamma=0.5, coef0=1),
    "rbf": lambda X: rbf_kernel(X, gamma=0.5),
    "rbf, wide": lambda X: rbf_kernel(X, gamma=1e-4),
    "zero": lambda X: np.zeros((len(X), len(X))),
}
BOUNDS = {"crammer_singer": crammer_singer_bounds, "weston_watkins": weston_watkins_bounds}
PROBLEMS = {
    "crammer_singer": CrammerSinger,
    "weston_watkins": lambda C: WestonWatkins(C, 1.0, "none"),
}


def own_class(y, k):
    return np.eye(k)[y]


def certify(machine, K, y, C, a):
    return PROBLEMS[machine](C).certify(Solution(a), y, lambda a: K @ a)


def check_feasible(a, lower, upper):
    assert np.all((a >= lower) & (a <= upper))
    # Rounding is that of the largest coefficients: small rows come from differences of large ones.
    assert np.all(np.abs(a.sum(axis=1)) <= 1e-14 * np.abs(a).max())


def random_point(rng, y, k, machine, C):
    """Coefficients of every kind: 0, at their bounds, between them."""
    C = min(C, 4.0)
    alpha = rng.uniform(size=(len(y), k)) * rng.choice([0.0, 1.0], size=(len(y), k))
    alpha[np.arange(len(y)), y] = 0.0
    if machine == "crammer_singer":
        total = alpha.sum(axis=1, keepdims=True)
        alpha *= C * rng.choice([0.0, 0.5, 1.0], size=(len(y), 1)) / np.where(total > 0, total, 1)
    else:
        alpha = C * np.where(alpha > 0.5, 1.0, alpha)
    a = -alpha
    a[np.arange(len(y)), y] = alpha.sum(axis=1)
    lower, upper = BOUNDS[machine](y, k, C)
    return np.clip(a, lower, upper)


@pytest.mark.parametrize("C", [1.0, 2.0**4, 2.0**8, 2.0**12])
@pytest.mark.parametrize("kernel", [name for name in KERNELS if name != "zero"])
@pytest.mark.parametrize("machine", BOUNDS)
def test_the_block_is_solved_from_zero(machine, kernel, C):
    X, y = random_problem(36, 3, 3, seed=0, contradictions=4, duplicates=3)
    K = KERNELS[kernel](X)
    lower, upper = BOUNDS[machine](y, 3, C)
    a = second_order(K, -own_class(y, 3), np.zeros((36, 3)), lower, upper, tol=1e-7)
    check_feasible(a, lower, upper)
    certificate = certify(machine, K, y, C, a)
    assert certificate.gap <= 1e-6


@pytest.mark.parametrize("C", [0.01, 1.0, 50.0])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "cubic"])
@pytest.mark.parametrize("machine", BOUNDS)
def test_the_oracle_agrees(machine, kernel, C):
    X, y = random_problem(30, 4, 3, seed=1, zero_rows=3)
    K = KERNELS[kernel](X)
    if machine == "crammer_singer":
        best, _ = solve_dual(K, y, 4, C)
    else:
        best, _ = solve_weston_watkins_dual(K, y, 4, C, margin=1.0)
    lower, upper = BOUNDS[machine](y, 4, C)
    a = second_order(K, -own_class(y, 4), np.zeros((30, 4)), lower, upper, tol=1e-8)
    assert certify(machine, K, y, C, a).dual == pytest.approx(best, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "cubic", "linear, attributes times 100"])
@pytest.mark.parametrize("machine", BOUNDS)
def test_hard_margins(machine, kernel):
    rng = np.random.default_rng(2)
    y = np.repeat(np.arange(3), 12)
    X = 4.0 * np.eye(3)[y] + rng.normal(scale=0.3, size=(36, 3))
    K = KERNELS[kernel](X)
    lower, upper = BOUNDS[machine](y, 3, np.inf)
    a = second_order(K, -own_class(y, 3), np.zeros((36, 3)), lower, upper, tol=1e-8)
    check_feasible(a, lower, upper)
    assert certify(machine, K, y, np.inf, a).gap <= 1e-6


@pytest.mark.parametrize("machine", BOUNDS)
def test_a_kernel_matrix_of_zeros_leaves_a_linear_program(machine):
    y = np.array([0, 1, 2, 1])
    lower, upper = BOUNDS[machine](y, 3, 2.0)
    a = second_order(np.zeros((4, 4)), -own_class(y, 3), np.zeros((4, 3)), lower, upper, tol=1e-9)
    check_feasible(a, lower, upper)
    most = 2.0 if machine == "crammer_singer" else 4.0  # C for each example, or each wrong class
    np.testing.assert_allclose(a[np.arange(4), y], most, rtol=1e-6)


def test_zero_rows_among_others():
    X, y = random_problem(24, 3, 3, seed=3, zero_rows=8)
    K = linear_kernel(X)
    lower, upper = crammer_singer_bounds(y, 3, 8.0)
    a = second_order(K, -own_class(y, 3), np.zeros((24, 3)), lower, upper, tol=1e-8)
    zero = K.diagonal() == 0.0
    np.testing.assert_allclose(a[zero, y[zero]], 8.0, rtol=1e-6)
    assert certify("crammer_singer", K, y, 8.0, a).gap <= 1e-6


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_support_vectors_are_those_of_the_optimum(kernel):
    rng = np.random.default_rng(4)
    y = np.repeat(np.arange(3), 14)
    K = KERNELS[kernel](2.0 * np.eye(3)[y] + rng.normal(size=(42, 3)))
    lower, upper = crammer_singer_bounds(y, 3, 1.0)
    a = second_order(K, -own_class(y, 3), np.zeros((42, 3)), lower, upper, tol=1e-9)
    _, best = solve_dual(K, y, 3, 1.0)
    needed = np.abs(best).max(axis=1) > 1e-5
    assert 0 < np.count_nonzero(needed) < 42
    np.testing.assert_array_equal(a.any(axis=1), needed)  # exact zeros, not small numbers
    if kernel == "rbf":  # the coefficients are unique
        np.testing.assert_allclose(a, best, atol=1e-5)


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(sorted(KERNELS)),
    st.sampled_from(sorted(BOUNDS)),
    st.sampled_from([0.01, 1.0, 64.0, 4096.0]),
    st.integers(2, 6),
)
@settings(max_examples=120, deadline=None)
def test_from_any_point_no_method_goes_downhill(seed, kernel, machine, C, k):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k, 40))
    X, y = random_problem(n, k, 3, seed=seed, duplicates=n // 6, zero_rows=n // 8)
    k = int(y.max()) + 1
    if k < 2:
        return
    K = KERNELS[kernel](X)
    a = random_point(rng, y, k, machine, C)
    lower, upper = BOUNDS[machine](y, k, C)
    g = K @ a - own_class(y, k)

    def rounding(d):
        return 1e-14 * float(np.sum(np.abs(d) * (np.abs(g) + np.abs(K) @ np.abs(d))))

    def gain(d):
        return -float(np.sum(d * (g + 0.5 * (K @ d))))

    for step in (
        second_order(K, g, a, lower, upper, tol=1e-6),
        face_steps(K, g, a, lower, upper, tol=1e-6, rounds=3),
    ):
        check_feasible(step, lower, upper)
        assert gain(step - a) >= -rounding(step - a)
    for method in (interior_point, proximal_newton):
        check_feasible(method(K, g, a, lower, upper, tol=1e-6), lower, upper)


@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.sampled_from([0.0, 0.5, np.inf]))
@settings(max_examples=100, deadline=None)
def test_projections_are_nearest(seed, k, C):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, 7)
    x = rng.normal(size=(7, k)) * 10.0 ** rng.integers(-3, 4)
    for bounds in BOUNDS.values():
        lower, upper = bounds(y, k, C)
        p = projection(x, lower, upper)
        check_feasible(p, lower, upper)
        # p is nearest when no other point of the polytope is on x's side of it
        gradient = p - x
        assert violations(gradient, p, lower, upper).max() <= 1e-12 * max(np.abs(x).max(), 1.0)


@given(st.integers(0, 2**32 - 1), st.integers(2, 5), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_both_ways_through_the_linear_system_agree(seed, k, rank):
    rng = np.random.default_rng(seed)
    V = rng.normal(size=(12, rank))
    K = V @ V.T
    T = 10.0 ** rng.uniform(-3, 3, size=(12, k))
    T[rng.integers(12), rng.integers(k)] = 0.0
    R = rng.normal(size=(12, k))
    for solve in (low_rank(V, T), low_rank(factor(K), T), by_class(K, T)):
        dx, dtheta = solve(R)
        moving = T > 0.0
        left = K @ dx + np.divide(dx, T, out=np.zeros_like(dx), where=moving)
        left -= dtheta[:, np.newaxis] + R
        size = np.abs(R).max() + np.abs(K) @ np.abs(dx)
        assert np.all(np.abs(left[moving]) <= 1e-8 * np.broadcast_to(size, dx.shape)[moving])
        assert np.all(dx[~moving] == 0.0)
        assert np.abs(dx.sum(axis=1)).max() <= 1e-9 * np.abs(dx).max()


def test_the_box_of_weston_and_watkins_is_the_same_problem():
    X, y = random_problem(20, 3, 3, seed=5)
    K, C = rbf_kernel(X, gamma=0.5), 2.0
    lower, upper = weston_watkins_bounds(y, 3, C)
    a = second_order(K, -own_class(y, 3), np.zeros((20, 3)), lower, upper, tol=1e-10)
    i, m = np.nonzero(own_class(y, 3) == 0.0)
    edges = own_class(y, 3)[i] - np.eye(3)[m]
    Q = K[np.ix_(i, i)] * (edges @ edges.T)
    alpha = box_maximum(Q, np.ones(len(i)), np.zeros(len(i)), C)
    np.testing.assert_allclose(-a[i, m], alpha, atol=1e-7)


def test_nothing_is_done_at_the_optimum_or_for_no_examples():
    X, y = random_problem(20, 3, 3, seed=6)
    K = rbf_kernel(X, gamma=0.5)
    lower, upper = crammer_singer_bounds(y, 3, 1.0)
    a = second_order(K, -own_class(y, 3), np.zeros((20, 3)), lower, upper, tol=1e-9)
    again = second_order(K, K @ a - own_class(y, 3), a, lower, upper, tol=1e-8)
    assert again is a
    none = np.zeros((0, 3))
    assert second_order(np.zeros((0, 0)), none, none, none, none, tol=1e-3).shape == (0, 3)
