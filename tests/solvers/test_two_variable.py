"""The reduced problem by two-variable steps (AS02 figures 1 and 2, AS05 figures 4, 5 and 6)."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solvers.core.reduced_problem import Exact
from solvers.core.two_variable import AllPairs, AllPairsRelative, Basic, OptKKT

from solvers.core.reference import solve_reduced
from solvers.core.reference.two_variable import Example

OPTIMIZERS = {
    "basic": Basic,
    "all_pairs": AllPairs,
    "all_pairs_relative": AllPairsRelative,
    "opt_kkt": OptKKT,
}


@st.composite
def reduced_problems(draw):
    """A, g, a, y, C with feasible coefficients a, some of them zero, some of them at C."""
    k = draw(st.integers(2, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    A = draw(st.sampled_from([1e-3, 1.0, 1e3]))
    C = draw(st.sampled_from([0.01, 1.0, 100.0, 1e10, np.inf]))
    y = int(rng.integers(k))
    weights = rng.random(k) * (rng.random(k) < 0.5)
    weights[y] = 0.0
    a = -weights / max(weights.sum(), 1e-9) * min(C, 10.0) * draw(st.sampled_from([0.0, 0.3, 1.0]))
    a[y] = min(C, -a.sum())
    return A, rng.normal(size=k) * draw(st.sampled_from([0.01, 1.0, 10.0])), a, y, C


def gain(problem, new):
    """Of L = 2 D, by its definition."""
    A, g, a, _, _ = problem
    return -2.0 * (g - A * a) @ (new - a) - A * (new @ new - a @ a)


def size(problem):
    A, g, a, _, _ = problem
    return (np.abs(g).max() + A * np.abs(a).max()) ** 2 / A


def pair_gains(problem, new):
    """The gains of all two-variable steps from ``new``."""
    A, g, a, y, C = problem
    example = Example(A, g + A * (new - a), new, y, C)
    return [example.basic_step(*pair).gain for pair in combinations(range(len(g)), 2)]


@pytest.mark.parametrize("name", OPTIMIZERS)
@given(problem=reduced_problems(), tol=st.sampled_from([0.1, 1e-3, 1e-7, 1e-15]))
@settings(max_examples=40, deadline=None)
def test_feasible_better_and_as_it_is_stated(name, problem, tol):
    A, g, a, y, C = problem
    optimizer = OPTIMIZERS[name](len(g))
    new = optimizer(A, g, a, y, C, tol)
    assert new[y] <= C
    assert np.all(np.delete(new, y) <= 0.0)
    assert abs(new.sum()) <= 1e-13 * np.abs(new).max() * len(g)
    assert gain(problem, new) >= -1e-12 * size(problem)
    plain = solve_reduced(A, g, a, y, C, tol, name)
    np.testing.assert_allclose(new, plain.a, atol=1e-10 * (np.abs(plain.a).max() + 1e-3))
    if tol >= 1e-7:  # below it rounding has a say in when it ends
        assert (optimizer.n_inner, optimizer.n_pair_steps) == (plain.n_inner, plain.n_pair_steps)


@pytest.mark.parametrize("name", ["all_pairs", "opt_kkt"])
@given(problem=reduced_problems())
@settings(max_examples=40, deadline=None)
def test_at_full_accuracy_they_are_exact(name, problem):
    A, g, a, y, C = problem
    new = OPTIMIZERS[name](len(g))(A, g, a, y, C, 1e-15)
    best = Exact(len(g))(A, g, a, y, C, 0.0)
    assert gain(problem, new) >= gain(problem, best) - 1e-11 * size(problem)


@pytest.mark.parametrize("name", ["all_pairs", "opt_kkt"])
def test_they_end_however_much_is_asked_for(name):
    # A large A a beside a small g: what rounding of the scores seems to gain is no gain.
    rng = np.random.default_rng(0)
    for n in range(300):
        k = int(rng.integers(2, 31))
        y = int(rng.integers(k))
        weights = rng.random(k) * (rng.random(k) < 0.5)
        weights[y] = 0.0
        a = -10.0 * weights / max(weights.sum(), 1e-9)
        a[y] = -a.sum()
        g = rng.normal(size=k) * rng.choice([0.01, 1.0, 10.0])
        problem = float(rng.choice([1.0, 1e3])), g, a, y, float(rng.choice([10.0, 1e10, np.inf]))
        new = OPTIMIZERS[name](k)(*problem, 0.0)
        best = Exact(k)(*problem, 0.0)
        assert gain(problem, new) >= gain(problem, best) - 1e-11 * size(problem)
        if n < 20:
            plain = solve_reduced(*problem, 0.0, name)
            assert gain(problem, plain.a) >= gain(problem, best) - 1e-11 * size(problem)


@given(problem=reduced_problems())
@settings(max_examples=60, deadline=None)
def test_basic_takes_the_best_of_all_pairs(problem):
    A, g, a, y, C = problem
    new = Basic(len(g))(A, g, a, y, C, 1e-3)
    best = max(pair_gains(problem, a))
    assert gain(problem, new) == pytest.approx(best, rel=1e-9, abs=1e-12 * size(problem))


@given(problem=reduced_problems(), tol=st.sampled_from([0.3, 0.01, 1e-5]))
@settings(max_examples=60, deadline=None)
def test_opt_kkt_ends_when_none_of_its_steps_gains_more_than_phi(problem, tol):
    A, g, a, y, C = problem
    optimizer, new, taken = OptKKT(len(g)), a, 0
    # It ends after a step that gains no more than phi; what that step opens may gain more, so it
    # is called until its first step is such a one.
    while taken != 1:
        last, before = new, optimizer.n_inner
        new = optimizer(A, g + A * (last - a), last, y, C, tol)
        taken = optimizer.n_inner - before
    example = Example(A, g + A * (last - a), last, y, C)
    wrong = np.delete(np.arange(len(g)), y)
    r1 = int(wrong[np.argmax(example.g[wrong])])
    steps = [example.basic_step(y, r1)]
    held = wrong[last[wrong] < 0.0]
    if len(held):
        r2, r3 = (int(held[arg(example.g[held])]) for arg in (np.argmax, np.argmin))
        steps += [example.basic_step(y, r2), example.basic_step(r1, r3)]
    assert max(step.gain for step in steps) <= tol**2 / (2 * A) + 1e-12 * size(problem)


def test_an_unclipped_step_over_a_difference_of_tol_gains_phi():
    # g differ by 0.2 on two classes far from their bounds: phi_V for 0.2 is its gain, no less.
    A, y, C = 2.0, 0, 10.0
    a = np.array([2.0, -1.0, -1.0])
    g = np.array([1.0, 1.0, 1.2])
    phi = 0.2**2 / (2 * A)
    assert Example(A, g, a, y, C).best_step().gain == pytest.approx(phi, rel=1e-12)
    for tol, steps in ((0.2 * 1.001, 1), (0.2 * 0.999, 2)):
        optimizer = OptKKT(3)
        optimizer(A, g, a, y, C, tol)
        assert optimizer.n_inner == steps


def test_two_classes_take_one_step():
    for optimizer in (Basic(2), AllPairs(2), OptKKT(2)):
        new = optimizer(2.0, [-1.0, 0.5], [0.0, 0.0], 0, 0.25, 1e-9)
        np.testing.assert_array_equal(new, [0.25, -0.25])
        assert optimizer.n_pair_steps == 1


def test_the_relative_rule_ends_at_the_second_sweep_when_gains_fall():
    rng = np.random.default_rng(0)
    g = rng.normal(size=12)
    relative, by_gain = AllPairsRelative(12), AllPairs(12)
    relative(1.0, g, np.zeros(12), 0, 5.0, 1e-9)
    by_gain(1.0, g, np.zeros(12), 0, 5.0, 1e-9)
    assert relative.n_inner == 2 < by_gain.n_inner
    nothing_to_gain = AllPairsRelative(3)
    nothing_to_gain(1.0, [1.0, 0.0, 0.0], np.zeros(3), 0, 1.0, 1e-9)
    assert nothing_to_gain.n_inner == 1  # V(1) = 0: no quotient


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_without_curvature_the_optimum_is_a_vertex(name):
    new = OPTIMIZERS[name](3)(0.0, [-1.0, 0.5, 0.5], [0.0, 0.0, 0.0], 0, 2.0, 1e-3)
    np.testing.assert_array_equal(new, [2.0, -2.0, 0.0])
    old = [0.5, -0.5, 0.0]
    new = OPTIMIZERS[name](3)(0.0, [-1.0, 0.5, 0.5], old, 0, np.inf, 1e-3)
    np.testing.assert_array_equal(new, old)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_no_number_is_no_reason_to_go_on(name):
    OPTIMIZERS[name](3)(1.0, [np.nan, 0.0, 1.0], [0.0, 0.0, 0.0], 0, 1.0, 1e-15)


@pytest.mark.parametrize("k", [10, 40])
def test_operations_of_a_sweep_and_of_a_step(k):
    # A sweep looks at k (k - 1) / 2 pairs; opt_kkt at three steps however many classes there are.
    rng = np.random.default_rng(k)
    g = rng.normal(size=k)
    g[0] = -1.0
    sweeps, steps = AllPairs(k), OptKKT(k)
    zero = np.zeros(k)
    by_sweeps, by_steps = sweeps(1.0, g, zero, 0, 1e3, 1e-6), steps(1.0, g, zero, 0, 1e3, 1e-6)
    np.testing.assert_allclose(by_sweeps, by_steps, atol=1e-5)
    assert sweeps.n_pair_steps <= sweeps.n_inner * k * (k - 1) // 2
    assert steps.n_pair_steps <= steps.n_inner
    assert steps.n_inner < sweeps.n_inner * k * (k - 1) // 2
