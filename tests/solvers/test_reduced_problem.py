"""The reduced problem of one example (CS01 section 6)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from solvers.core.reduced_problem import Exact, FixedPoint

from solvers.core.reference import solve_reduced
from solvers.core.reference.projection import exact, fixed_point_step

NUMBERS = st.floats(-10, 10, allow_nan=False, width=32)


@st.composite
def reduced_problems(draw):
    k = draw(st.integers(2, 40))
    g = draw(arrays(np.float64, k, elements=NUMBERS))
    weights = draw(arrays(np.float64, k, elements=st.floats(0, 1, width=32)))
    y = draw(st.integers(0, k - 1))
    C = draw(st.sampled_from([0.01, 1.0, 100.0, 1e10, np.inf]))
    A = draw(st.sampled_from([1e-3, 1.0, 1e3]))
    weights[y] = 0.0
    a = -min(C, 50.0) * weights / max(weights.sum(), 1.0)
    a[y] = -a.sum()
    return A, g, a, y, C


def value(A, g, a_old, a):
    return 0.5 * A * (a @ a) + (g - A * a_old) @ a


def size(A, g, a):
    """What rounding is measured by: the largest number that goes into the solution."""
    return np.abs(g).max() / A + np.abs(a).max() + 1e-30


@given(reduced_problems())
def test_exact_is_optimal_and_feasible(problem):
    A, g, a, y, C = problem
    new = Exact(len(g))(A, g, a, y, C, 0.0)
    upper = np.zeros(len(g))
    upper[y] = C
    assert np.all(new <= upper)
    assert abs(new.sum()) <= 1e-12 * size(A, g, a) * len(g)
    gradient = g - A * a + A * new
    free = new < upper
    scale = np.abs(gradient).max() + A * size(A, g, a)
    assert gradient.max() - gradient[free].min() <= 1e-9 * scale


@given(reduced_problems())
def test_statement_and_compiled_agree(problem):
    A, g, a, y, C = problem
    for optimizer in (Exact, FixedPoint):
        name = "exact" if optimizer is Exact else "fixed_point"
        compiled = optimizer(len(g))(A, g, a, y, C, 1e-6)
        plain = solve_reduced(A, g, a, y, C, 1e-6, name).a
        np.testing.assert_allclose(compiled, plain, atol=1e-7 * min(C, size(A, g, a)))


@given(reduced_problems(), st.sampled_from([0.5, 0.05, 1e-3, 1e-9]))
def test_fixed_point_is_feasible_at_any_accuracy(problem, tol):
    A, g, a, y, C = problem
    new = FixedPoint(len(g))(A, g, a, y, C, tol)
    assert new[y] <= C
    assert np.all(np.delete(new, y) <= 0.0)
    assert abs(new.sum()) <= 1e-12 * np.abs(new).max() * len(g)


@given(reduced_problems())
def test_fixed_point_at_full_accuracy_is_exact(problem):
    A, g, a, y, C = problem
    new = FixedPoint(len(g))(A, g, a, y, C, 1e-15)
    best = Exact(len(g))(A, g, a, y, C, 0.0)
    scale = A * size(A, g, a) ** 2
    assert value(A, g, a, new) <= value(A, g, a, best) + 1e-9 * scale


@given(reduced_problems())
def test_a_bound_out_of_reach_is_no_bound(problem):
    A, g, a, y, _ = problem
    for optimizer in (Exact, FixedPoint):
        hard = optimizer(len(g))(A, g, a, y, np.inf, 1e-6)
        assert np.isfinite(hard).all()
        soft = optimizer(len(g))(A, g, a, y, 1e10, 1e-6)
        np.testing.assert_array_equal(hard, soft)


@given(reduced_problems())
def test_a_bound_within_reach_is_reached_exactly(problem):
    A, g, a, y, _ = problem
    for optimizer in (Exact, FixedPoint):
        hard = optimizer(len(g))(A, g, a, y, np.inf, 1e-9)
        if hard[y] > 1e-6:
            soft = optimizer(len(g))(A, g, a, y, 0.4 * hard[y], 1e-9)
            assert soft[y] == 0.4 * hard[y]
            assert soft.sum() == pytest.approx(0.0, abs=1e-12 * soft[y] * len(g))


@given(st.integers(2, 100), st.integers(0, 2**32 - 1), st.sampled_from([0.1, 1.0, 1e10, np.inf]))
def test_theorem_2_contraction(k, seed, C):
    rng = np.random.default_rng(seed)
    d = rng.normal(size=k) * rng.choice([0.1, 1.0, 10.0])
    solution, _ = exact(d, 0, C, 0.0)
    theta = d.min()
    for _ in range(200):
        distance = abs(theta - solution)
        if distance < 1e-9:
            break
        theta = fixed_point_step(theta, d, 0, C)
        assert abs(theta - solution) <= (1 - 1 / k) * distance + 1e-12


@pytest.mark.parametrize("optimizer", [Exact, FixedPoint])
def test_without_curvature_the_optimum_is_a_vertex(optimizer):
    new = optimizer(3)(0.0, [-1.0, 0.5, 0.5], [0.0, 0.0, 0.0], 0, 2.0, 1e-3)
    np.testing.assert_array_equal(new, [2.0, -2.0, 0.0])


@pytest.mark.parametrize("optimizer", [Exact, FixedPoint])
def test_without_curvature_and_bound_nothing_moves(optimizer):
    old = [0.5, -0.5, 0.0]
    new = optimizer(3)(0.0, [-1.0, 0.5, 0.5], old, 0, np.inf, 1e-3)
    np.testing.assert_array_equal(new, old)


@pytest.mark.parametrize("optimizer", [Exact, FixedPoint])
def test_a_bound_that_vanishes_beside_the_scores(optimizer):
    new = optimizer(3)(1.0, [0.0, 1e20, 0.0], [0.0, 0.0, 0.0], 0, 1.0, 1e-15)
    np.testing.assert_array_equal(new, [1.0, -1.0, 0.0])


@pytest.mark.parametrize("optimizer", [Exact, FixedPoint])
def test_no_number_is_no_reason_to_go_on(optimizer):
    optimizer(3)(1.0, [np.nan, 0.0, 1.0], [0.0, 0.0, 0.0], 0, 1.0, 1e-15)


def test_theta_of_zero_needs_no_division():
    # d = (0, 0, 0): theta = 0 is the solution
    new = FixedPoint(3)(1.0, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 0, 1.0, 0.05)
    np.testing.assert_array_equal(new, [0.0, 0.0, 0.0])
