"""The reduced problem of one example (CS01 section 6)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from solvers.core.reduced_problem import Exact, FixedPoint

from solvers.core.reference import exact, fixed_point_step, solve_reduced

NUMBERS = st.floats(-10, 10, allow_nan=False, width=32)


@st.composite
def reduced_problems(draw):
    k = draw(st.integers(2, 40))
    g = draw(arrays(np.float64, k, elements=NUMBERS))
    weights = draw(arrays(np.float64, k, elements=st.floats(0, 1, width=32)))
    y = draw(st.integers(0, k - 1))
    C = draw(st.sampled_from([0.01, 1.0, 100.0]))
    A = draw(st.sampled_from([1e-3, 1.0, 1e3]))
    weights[y] = 0.0
    a = -C * weights / max(weights.sum(), 1.0)
    a[y] = -a.sum()
    return A, g, a, y, C


def value(A, g, a_old, a):
    return 0.5 * A * (a @ a) + (g - A * a_old) @ a


@given(reduced_problems())
def test_exact_is_optimal_and_feasible(problem):
    A, g, a, y, C = problem
    new = Exact(len(g))(A, g, a, y, C, 0.0)
    upper = np.zeros(len(g))
    upper[y] = C
    assert np.all(new <= upper)
    assert abs(new.sum()) <= 1e-12 * C * len(g)
    gradient = g - A * a + A * new
    free = new < upper
    scale = np.abs(gradient).max() + A * C
    assert gradient.max() - gradient[free].min() <= 1e-9 * scale


@given(reduced_problems())
def test_statement_and_compiled_agree(problem):
    A, g, a, y, C = problem
    for optimizer in (Exact, FixedPoint):
        name = "exact" if optimizer is Exact else "fixed_point"
        compiled = optimizer(len(g))(A, g, a, y, C, 1e-6)
        plain, _ = solve_reduced(A, g, a, y, C, 1e-6, name)
        np.testing.assert_allclose(compiled, plain, atol=1e-7 * C)


@given(reduced_problems(), st.sampled_from([0.5, 0.05, 1e-3, 1e-9]))
def test_fixed_point_is_feasible_at_any_accuracy(problem, tol):
    A, g, a, y, C = problem
    new = FixedPoint(len(g))(A, g, a, y, C, tol)
    assert new[y] <= C
    assert np.all(np.delete(new, y) <= 0.0)
    assert abs(new.sum()) <= 1e-12 * C * len(g)


@given(reduced_problems())
def test_fixed_point_at_full_accuracy_is_exact(problem):
    A, g, a, y, C = problem
    new = FixedPoint(len(g))(A, g, a, y, C, 1e-15)
    best = Exact(len(g))(A, g, a, y, C, 0.0)
    scale = abs(value(A, g, a, best)) + A * C**2 + C * np.abs(g).max()
    assert value(A, g, a, new) <= value(A, g, a, best) + 1e-9 * scale


@given(st.integers(2, 100), st.integers(0, 2**32 - 1))
def test_theorem_2_contraction(k, seed):
    rng = np.random.default_rng(seed)
    D = rng.normal(size=k) * rng.choice([0.1, 1.0, 10.0])
    solution, _ = exact(D, 0.0)
    theta = D.min()
    for _ in range(200):
        distance = abs(theta - solution)
        if distance < 1e-9:
            break
        theta = fixed_point_step(theta, D)
        assert abs(theta - solution) <= (1 - 1 / k) * distance + 1e-12


def test_without_curvature_the_optimum_is_a_vertex():
    for optimizer in (Exact(3), FixedPoint(3)):
        new = optimizer(0.0, [-1.0, 0.5, 0.5], [0.0, 0.0, 0.0], 0, 2.0, 1e-3)
        np.testing.assert_array_equal(new, [2.0, -2.0, 0.0])


def test_theta_of_zero_needs_no_division():
    # D = (1, 0, 0): theta = 0 is the solution
    new = FixedPoint(3)(1.0, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 0, 1.0, 0.05)
    np.testing.assert_allclose(new, [0.0, 0.0, 0.0], atol=0.2)
