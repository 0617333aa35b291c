"""The whole family: every valid combination of parts is optimal, and each refusal has a reason."""

import contextlib
import time
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import solve_dual
from problems import random_problem
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from solvers.core.reduced_problem import Exact, FixedPoint
from solvers.core.two_variable import AllPairs, AllPairsRelative, Basic, OptKKT

from mcbench import CrammerSingerSVC
from mcbench.config import groups, resolve
from mcbench.estimator import build
from solvers.core.reference import solve_reduced
from solvers.core.reference.selection import pair_gain, true_gain, violation
from solvers.pattern import OPTIMIZERS, PICKS, SELECTIONS, THRESHOLDS, Pattern

PASSES = {"pick": "threshold", "active_set": False}
COOLED = ("exponential", "linear", "logarithmic")
AS_PAPERS = [name for name in groups()["solver"] if name.startswith(("kkt_", "amg_", "bmg_"))]

#: Each value of each part with every optimizer at least once.
COMBINATIONS = [
    {**PASSES, "selection": selection, "threshold": threshold, "optimizer": optimizer}
    for (selection, threshold), optimizer in zip(
        product(SELECTIONS, THRESHOLDS), list(OPTIMIZERS) * 4, strict=False
    )
] + [
    {"selection": selection, "threshold": threshold, "optimizer": optimizer, "active_set": active}
    for (selection, threshold, active), optimizer in zip(
        [(s, t, True) for s in SELECTIONS for t in ("fixed", *COOLED)]
        + [(s, "fixed", False) for s in SELECTIONS],
        list(OPTIMIZERS) * 3,
        strict=True,
    )
]
PROBLEMS = {
    "duplicates and contradictions": (
        {"n": 30, "k": 4, "d": 2, "seed": 1, "duplicates": 5, "contradictions": 6},
        "rbf",
        10.0,
    ),
    "zero rows": ({"n": 24, "k": 3, "d": 3, "seed": 3, "zero_rows": 6}, "linear", 0.5),
    "26 classes": ({"n": 40, "k": 26, "d": 5, "seed": 5}, "rbf", 1.0),
    "large C": ({"n": 20, "k": 3, "d": 8, "seed": 7}, "rbf", 4096.0),
    "hard": ({"n": 20, "k": 3, "d": 8, "seed": 7}, "rbf", np.inf),
}


@pytest.fixture(scope="module", params=PROBLEMS)
def problem(request):
    sizes, kernel, C = PROBLEMS[request.param]
    X, y = random_problem(**sizes)
    K = pairwise_kernels(X, metric=kernel, filter_params=True, gamma=0.5)
    # No coefficient of the hard machine comes near this bound (the test sees to that).
    optimum, _ = solve_dual(K, y, int(y.max()) + 1, min(C, 1e3))
    return X, y, kernel, C, optimum


@pytest.mark.parametrize("parts", COMBINATIONS, ids=lambda p: "-".join(map(str, p.values())))
def test_optimum(problem, parts):
    X, y, kernel, C, optimum = problem
    machine = CrammerSingerSVC(C, kernel=kernel, gamma=0.5, tol=1e-7, gap_tol=5e-7, **parts)
    machine.fit(X, y)
    assert machine.status_ == "converged"
    assert machine.dual_objective_ == pytest.approx(optimum, rel=1e-6)
    assert machine.primal_objective_ == pytest.approx(optimum, rel=1e-6)
    a = machine.dual_coef_
    assert np.all(a <= np.where(np.arange(a.shape[1]) == y[machine.support_][:, None], C, 0.0))
    assert np.abs(a.sum(axis=1)).max() <= 1e-10 * np.abs(a).max()
    if np.inf == C:
        assert np.abs(a).max() < 1e2


@pytest.mark.parametrize("rows", [3000, 100, 1])
@pytest.mark.parametrize("name", AS_PAPERS)
def test_the_papers_configurations(name, rows):
    config = resolve([f"solver={name}", f"solver.cache_rows={rows}", "kernel.gamma=0.5"])
    machine = build(config).set_params(tol=1e-6, C=3.0)
    X, y = random_problem(120, 4, 3, seed=2)
    machine.fit(X, y)
    reference = CrammerSingerSVC(3.0, gamma=0.5, tol=1e-9).fit(X, y)
    assert machine.status_ == "converged"
    assert machine.dual_objective_ == pytest.approx(reference.dual_objective_, rel=1e-6)
    assert machine.n_kernel_rows_ + machine.n_cache_hits_ <= machine.n_iter_
    if rows >= 120:
        assert machine.n_kernel_rows_ <= 120
    elif rows == 1:
        assert machine.n_kernel_rows_ > 120
    assert (machine.n_pair_steps_ > 0) == (machine.optimizer not in ("exact", "fixed_point"))
    assert machine.n_inner_iter_ > 0


class Steps:
    """Which example was optimized at each iteration, and what came of it."""

    def __init__(self):
        self.examples, self.coefficients, self.levels = [], [], []

    def __call__(self, progress):
        self.examples.append(progress.last)
        self.levels.append(progress.level)
        self.coefficients.append(progress.dual_coef[progress.last].copy())

    def next_checkpoint(self, iteration, seconds):
        return iteration + 1


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("parts", COMBINATIONS, ids=lambda p: "-".join(map(str, p.values())))
@pytest.mark.parametrize("sweep_rule", ["gain", "relative"])
def test_the_plain_statement_takes_the_same_steps(parts, sweep_rule):
    if sweep_rule == "relative" and parts["optimizer"] != "all_pairs":
        pytest.skip("the rule is all_pairs' alone")
    X, y = random_problem(60, 5, 4, seed=6)
    told, machines = [], []
    for core in ("cython", "numpy"):
        steps = Steps()
        machine = CrammerSingerSVC(
            3.0, gamma=0.3, tol=1e-3, inner_tol=1e-9, max_iter=40, core=core, callback=steps,
            sweep_rule=sweep_rule, **parts,
        )  # fmt: skip
        machines.append(machine.fit(X, y))
        told.append(steps)
    compiled, plain = told
    assert len(compiled.examples) > 30
    assert compiled.examples == plain.examples
    np.testing.assert_allclose(compiled.levels, plain.levels, rtol=1e-6)
    np.testing.assert_allclose(compiled.coefficients, plain.coefficients, atol=1e-8)
    stepped = parts["optimizer"] not in ("exact", "fixed_point")
    assert all((machine.n_pair_steps_ > 0) == stepped for machine in machines)


@st.composite
def reduced_problems(draw):
    k, seed = draw(st.integers(2, 20)), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    y, C = int(rng.integers(k)), draw(st.sampled_from([0.1, 1.0, 100.0, np.inf]))
    g = rng.normal(size=k) * draw(st.sampled_from([0.1, 1.0, 10.0]))
    a = -rng.uniform(size=k) * (rng.uniform(size=k) < 0.5)
    a[y] = 0.0
    a *= min(C, 5.0) / max(1.0, -a.sum())
    a[y] = -a.sum()
    return draw(st.sampled_from([1e-2, 1.0, 1e2])), g, a, y, C


def rise(A, g, a, new):
    """How much D rises from a to new."""
    delta = new - a
    return -float(delta @ g) - 0.5 * A * float(delta @ delta)


@given(reduced_problems())
@settings(deadline=None)
def test_all_pairs_and_opt_kkt_solve_the_reduced_problem(problem):
    A, g, a, y, C = problem
    best = rise(A, g, a, Exact(len(g))(A, g, a, y, C, 0.0))
    for optimizer in (AllPairs(len(g)), OptKKT(len(g))):
        new = optimizer(A, g, a, y, C, 1e-9)
        assert np.all(np.delete(new, y) <= 0.0)
        assert new[y] <= C
        assert abs(new.sum()) <= 1e-12 * (1 + np.abs(new).max()) * len(g)
        assert rise(A, g, a, new) >= best - 1e-9 * (1.0 + best)
        assert optimizer.n_pair_steps >= (best > 1e-6)


@given(reduced_problems())
@settings(deadline=None)
def test_one_step_is_on_the_best_of_all_pairs_and_a_lower_bound_of_the_gain(problem):
    A, g, a, y, C = problem
    k = len(g)
    best = 0.0
    upper = np.where(np.arange(k) == y, C, 0.0)
    for r1, r2 in [*combinations(range(k), 2), *((s, r) for r, s in combinations(range(k), 2))]:
        v = max(0.0, min((g[r2] - g[r1]) / (2 * A), upper[r1] - a[r1]))
        best = max(best, 2 * v * (g[r2] - g[r1] - A * v))
    assert pair_gain(A, g, a, y, C) == pytest.approx(best, rel=1e-9, abs=1e-12)
    stepped = Basic(k)(A, g, a, y, C, 0.0)
    assert 2 * rise(A, g, a, stepped) == pytest.approx(best, rel=1e-6, abs=1e-9)
    true = true_gain(A, g, a, y, C)
    assert best <= true * (1 + 1e-9) + 1e-9
    assert 2 * rise(A, g, a, Exact(k)(A, g, a, y, C, 0.0)) == pytest.approx(
        true, rel=1e-6, abs=1e-9
    )
    # psi = 0 and nothing else is the optimum of the reduced problem.
    optimal = Exact(k)(A, g, a, y, C, 0.0)
    scale = np.abs(g).max() + A * np.abs(a).max()
    assert violation(g + A * (optimal - a), optimal, y, C) <= 1e-9 * scale
    if violation(g, a, y, C) > 1e-3 * scale:
        assert true > 0.0


def test_the_relative_rule_ends_after_two_sweeps_as_the_gains_fall():
    rng = np.random.default_rng(0)
    for _ in range(20):
        g = rng.normal(size=8)
        optimizer = AllPairsRelative(8)
        optimizer(1.0, g, np.zeros(8), 0, 1.0, 1e-6)
        assert optimizer.n_inner <= 2


def test_an_approximate_fixed_point_stalls_and_the_solver_does_not():
    """AS05 section 5.3, point i: psi names an example that its own optimizer leaves as it is.

    A bare figure 4 always takes the example of the largest psi and solves its reduced problem with
    the fixed point at the accuracy eps / 2. In exact arithmetic psi > 0 means progress; the
    approximate solution may be no better than the present one, and the same example comes again.
    """
    eps, C = 1e-3, 10.0
    X, y = random_problem(40, 6, 3, seed=0)
    n, k = 40, 6
    K = rbf_kernel(X, gamma=0.5)
    a, chosen, duals = np.zeros((n, k)), [], []
    margin = np.eye(k)[y]
    for _ in range(20_000):
        g = K @ a - margin
        psi = [violation(g[i], a[i], y[i], C) for i in range(n)]
        p = int(np.argmax(psi))
        if psi[p] < eps:
            break
        a[p] = solve_reduced(K[p, p], g[p], a[p], y[p], C, 0.2, "fixed_point").a
        chosen.append(p)
        duals.append(np.sum(a * margin) - 0.5 * np.sum(a * (K @ a)))
        if len(chosen) > 50 and len(set(chosen[-50:])) == 1:
            break
    assert len(set(chosen[-50:])) == 1  # one example, again and again
    assert psi[chosen[-1]] > eps  # it violates the conditions
    assert max(duals[-50:]) - min(duals[-50:]) <= 1e-12 * max(duals)  # and nothing comes of it
    machine = CrammerSingerSVC(
        C, gamma=0.5, tol=eps, inner_tol=0.2, optimizer="fixed_point", threshold="fixed",
        active_set=False,
    ).fit(X, y)  # fmt: skip
    assert machine.status_ == "converged"
    assert machine.kkt_violation_ <= eps
    assert machine.dual_objective_ > duals[-1]


@pytest.mark.parametrize(
    ("parts", "core", "n"),
    [*((parts, "cython", 24) for parts in COMBINATIONS[::2])]
    + [(COMBINATIONS[i], "numpy", 12) for i in (2, 9, 21)],
    ids=str,
)
def test_nothing_spins_for_ever(parts, core, n):
    # A violation of 1e-17 is below what double precision can tell.
    X, y = random_problem(n, 3, 3, seed=0, duplicates=n // 6, contradictions=n // 6, zero_rows=2)
    started = time.perf_counter()
    with pytest.warns(ConvergenceWarning, match="stalled"):
        machine = CrammerSingerSVC(
            gamma=0.5, kernel="linear", tol=1e-17, core=core, **parts, time_limit=60
        ).fit(X, y)
    assert machine.kkt_violation_ < 1e-10
    assert time.perf_counter() - started < 60


@given(
    st.integers(0, 10_000),
    st.sampled_from(COMBINATIONS),
    st.sampled_from([0.1, 1.0, 50.0]),
    st.integers(2, 6),
)
@settings(max_examples=40, deadline=None)
def test_weak_duality_and_a_rising_dual_at_every_checkpoint(seed, parts, C, k):
    X, y = random_problem(30, k, 3, seed=seed)
    K = rbf_kernel(X, gamma=0.5)
    own, seen = np.eye(k, dtype=bool)[y], []

    def look(progress):
        a = progress.dual_coef
        f = K @ a
        dual = a[own].sum() - 0.5 * np.sum(a * f)
        slack = (f + 1 - own).max(axis=1) - f[own]
        assert dual <= (0.5 * np.sum(a * f) + C * slack.sum()) * (1 + 1e-9)
        seen.append(dual)

    machine = CrammerSingerSVC(C, gamma=0.5, callback=look, **parts).fit(X, y)
    assert np.all(np.diff(seen) >= -1e-12 * max(seen))
    assert seen[-1] == pytest.approx(machine.dual_objective_, rel=1e-9)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"pick": "threshold"}, "passes go over the whole training set"),
        ({"threshold": "max"}, "needs pick='threshold'"),
        ({"threshold": "mean"}, "needs pick='threshold'"),
        ({"active_set": False}, "cooling changes nothing"),
        ({"pick": "cyclic"}, "without a test"),
        (
            {"pick": "cyclic", "active_set": False, "threshold": "fixed", "selection": "amg"},
            "selection='kkt'",
        ),
        ({"mu": 1.5, **PASSES, "threshold": "max"}, "mu=1.5"),
        ({"mu": 0}, "mu=0"),
        ({"inner_tol": 0.0}, "inner_tol=0.0"),
        ({"sweep_rule": "both"}, "'gain', 'relative'"),
        ({"cache_rows": 0}, "cache_rows=0"),
        ({"selection": "kk"}, "did you mean 'kkt'"),
        ({"optimizer": "opt_ktt"}, "did you mean 'opt_kkt'"),
    ],
)
def test_refusals_have_a_reason(parts, reason):
    X, y = random_problem(10, 2, 2, seed=0)
    with pytest.raises(ValueError, match=reason):
        CrammerSingerSVC(**parts).fit(X, y)


def test_every_combination_is_valid_or_refused():
    valid = 0
    for pick, selection, threshold, optimizer, active in product(
        PICKS, SELECTIONS, THRESHOLDS, OPTIMIZERS, (True, False)
    ):
        parts = {"pick": pick, "selection": selection, "threshold": threshold}
        with contextlib.suppress(ValueError):
            Pattern(**parts, optimizer=optimizer, active_set=active)
            valid += 1
    # passes: 3 x 6; the largest value: 3 x 4 with an active set, 3 without; in turn: 1
    assert valid == (18 + 12 + 3 + 1) * len(OPTIMIZERS)


def test_the_fixed_point_is_the_papers_in_its_scaling():
    # CS01 eq. 39: theta <- 1/k sum_r max(theta, D_r) - 1/k for D = b / (C A) + e_y, theta ours / C
    rng = np.random.default_rng(1)
    A, C, y, k = 2.0, 5.0, 1, 4
    g = rng.normal(size=k)
    D = g / (C * A) + np.eye(k)[y]
    theta = (D.sum() - 1) / k
    for _ in range(10_000):
        theta = (np.maximum(theta, D).sum() - 1) / k
    expected = C * (np.minimum(theta, D) - D + np.eye(k)[y])
    found = FixedPoint(k)(A, g, np.zeros(k), y, C, 1e-15)
    np.testing.assert_allclose(found, expected, atol=1e-9)
