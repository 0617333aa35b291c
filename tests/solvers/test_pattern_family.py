"""The family of Aiolli & Sperduti: what it promises on the way, its counters, what it refuses."""

import time
import warnings
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import random_problem
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from solvers.core.reduced_problem import FixedPoint

from mcbench import CrammerSingerSVC
from solvers.core.reference import solve_reduced
from solvers.core.reference.two_variable import Example

OPTIMIZERS = ["fixed_point", "exact", "basic", "all_pairs", "opt_kkt"]
SELECTIONS = ["kkt", "amg", "bmg"]
THRESHOLDS = ["fixed", "exponential", "linear", "logarithmic", "max", "mean"]
family = partial(CrammerSingerSVC, solver="pattern")


def passes(threshold="mean", **parameters):
    return {"pick": "threshold", "active_set": False, "threshold": threshold, **parameters}


def judged(K, y, k, C, a):
    """Dual, primal, violations and g of coefficients, by their definitions."""
    rows = np.arange(len(y))
    f = K @ a
    g = f - np.eye(k)[y]
    dual = a[rows, y].sum() - 0.5 * np.sum(a * f)
    primal = 0.5 * np.sum(a * f) + C * (g.max(axis=1) - g[rows, y]).sum()
    psi = g.max(axis=1) - np.where(a < C * np.eye(k)[y], g, np.inf).min(axis=1)
    return dual, primal, psi, g


@given(
    seed=st.integers(0, 10_000),
    C=st.sampled_from([0.1, 1.0, 50.0]),
    k=st.integers(2, 8),
    optimizer=st.sampled_from(OPTIMIZERS),
    selection=st.sampled_from(SELECTIONS),
    threshold=st.sampled_from(THRESHOLDS),
    sweep_rule=st.sampled_from(["gain", "relative"]),
)
@settings(max_examples=60, deadline=None)
def test_at_every_checkpoint(seed, C, k, optimizer, selection, threshold, sweep_rule):
    """Feasible; D rises, below P; and D = P exactly as far as psi = 0.

    P - D is the sum over i and r of (C [r = y_i] - a_ir) (max_s g_is - g_ir), so it is at most
    C sum_i psi_i; and where psi_i > 0 a two-variable step raises D.
    """
    X, y = random_problem(30, k, 3, seed=seed)
    K = rbf_kernel(X, gamma=0.5)
    duals = []

    def look(progress):
        a = progress.dual_coef
        dual, primal, psi, g = judged(K, y, k, C, a)
        assert np.all(a <= C * np.eye(k)[y])
        assert np.abs(a.sum(axis=1)).max() <= 1e-12 * C
        assert -1e-9 * primal <= primal - dual <= C * np.maximum(psi, 0.0).sum() + 1e-9 * primal
        p = int(psi.argmax())
        if psi[p] > 1e-9:
            assert Example(K[p, p], g[p], a[p], y[p], C).best_step().gain > 0.0
        duals.append(dual)

    machine = family(
        C,
        gamma=0.5,
        callback=look,
        **passes(threshold, optimizer=optimizer, selection=selection, sweep_rule=sweep_rule),
    ).fit(X, y)
    assert machine.status_ == "converged"
    assert machine.kkt_violation_ <= 1e-3 * (1 + 1e-6)
    assert np.all(np.diff(duals) >= -1e-12 * max(duals))
    assert duals[-1] == pytest.approx(machine.dual_objective_, rel=1e-9)


@pytest.mark.parametrize("selection", ["amg", "bmg"])
def test_gains_are_what_they_are_called(selection):
    # The first example chosen is the one whose value, by its definition, is the largest.
    X, y = random_problem(40, 5, 3, seed=2)
    K = pairwise_kernels(X, metric="poly", gamma=0.3, degree=2, coef0=1.0)
    seen = []

    def look(progress):
        seen.append((progress.last, progress.dual_coef.copy()))
        return False

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        family(
            2.0,
            kernel="precomputed",
            selection=selection,
            active_set=False,
            threshold="fixed",
            max_iter=6,
            callback=look,
        ).fit(K, y)
    for (_, before), (chosen, after) in pairwise(seen):
        dual, _, _, g = judged(K, y, 5, 2.0, before)
        if selection == "amg":
            values = [
                Example(K[i, i], g[i], before[i], y[i], 2.0).best_step().gain for i in range(40)
            ]
        else:
            values = []
            for i in range(40):
                a = before.copy()
                a[i] = solve_reduced(K[i, i], g[i], a[i], y[i], 2.0, 0.0, "exact").a
                values.append(2.0 * (judged(K, y, 5, 2.0, a)[0] - dual))
        assert values[chosen] == pytest.approx(max(values), rel=1e-9)
        gained = 2.0 * (judged(K, y, 5, 2.0, after)[0] - dual)  # L = 2 D
        assert gained >= values[chosen] * (1 - 1e-9)


def bare_baseline(K, y, k, C, tol, n_steps):
    """CS01 figure 4 and nothing else: the largest psi, figure 3 to its own accuracy."""
    a = np.zeros((len(y), k))
    optimizer = FixedPoint(k)
    trace = []
    for _ in range(n_steps):
        dual, _, psi, g = judged(K, y, k, C, a)
        p = int(psi.argmax())
        trace.append((p, psi[p], dual))
        if psi[p] < tol:
            break
        a[p] = optimizer(K[p, p], g[p], a[p], int(y[p]), C, tol / 2)
    return trace


@pytest.mark.parametrize("seed", range(5))
def test_the_stall_of_the_approximate_baseline(seed):
    """AS02 drawback i, AS05 section 5.3: the worst example may be as good as figure 3 gets it.

    With 20 classes and C = 10 the fixed point stops well before psi_p < tol = 0.1. It starts
    afresh, from numbers that a_p itself does not change, and finds the same a_p again; psi_p is
    still the largest, and p is chosen for ever. The solver with these settings goes on: it asks
    more of the reduced problem as soon as the dual does not rise.
    """
    X, y = random_problem(40, 20, 3, seed=seed)
    K = rbf_kernel(X, gamma=0.5)
    trace = bare_baseline(K, y, 20, 10.0, 0.1, 1000)
    examples, violations, duals = (np.array(column) for column in zip(*trace, strict=True))
    assert len(trace) == 1000
    assert len(set(examples[-400:])) == 1
    assert violations[-1] > 0.15
    assert np.ptp(violations[-400:]) < 1e-12
    assert np.ptp(duals[-400:]) < 1e-12

    for pick in ({"threshold": "fixed", "active_set": False}, passes("fixed")):
        machine = family(10.0, gamma=0.5, tol=0.1, optimizer="fixed_point", **pick)
        machine.fit(X, y)
        assert machine.status_ == "converged"
        assert machine.kkt_violation_ <= 0.1
        assert machine.dual_objective_ > duals[-1]


NASTY = {
    "duplicates": ({"n": 40, "k": 3, "d": 3, "duplicates": 4, "contradictions": 4}, "rbf", 1.0),
    "zero rows": ({"n": 24, "k": 3, "d": 3, "zero_rows": 6, "contradictions": 3}, "linear", 0.5),
    "many classes": ({"n": 30, "k": 12, "d": 3, "integer": True}, "poly", 0.01),
    "large C": ({"n": 30, "k": 3, "d": 2, "duplicates": 6}, "rbf", 1000.0),
}


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("selection", SELECTIONS)
def test_nothing_spins(name, selection, threshold):
    # A violation of 1e-17 is below what double precision can tell: nothing moves in the end.
    sizes, kernel, C = NASTY[name]
    X, y = random_problem(seed=1, **sizes)
    optimizer = OPTIMIZERS[(THRESHOLDS.index(threshold) + SELECTIONS.index(selection)) % 5]
    started = time.perf_counter()
    with pytest.warns(UserWarning, match="stalled"):
        machine = family(
            C,
            kernel=kernel,
            gamma=0.5,
            degree=2,
            coef0=1.0,
            tol=1e-17,
            time_limit=20,
            **passes(threshold, selection=selection, optimizer=optimizer),
        ).fit(X, y)
    assert machine.status_ == "stalled"
    assert machine.duality_gap_ < 1e-10
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize("optimizer", ["basic", "all_pairs", "opt_kkt"])
def test_nothing_spins_with_an_active_set_either(optimizer):
    X, y = random_problem(40, 3, 3, seed=0, duplicates=4, contradictions=4)
    with pytest.warns(UserWarning, match="stalled"):
        family(gamma=0.5, tol=1e-17, time_limit=20, optimizer=optimizer).fit(X, y)


def test_a_hard_margin_by_every_optimizer_and_pass_in_turn():
    X, y = random_problem(30, 4, 4, seed=8)
    duals = [
        family(np.inf, gamma=0.5, tol=1e-8, **parameters).fit(X, y).dual_objective_
        for parameters in (
            *(passes("max", optimizer=name, selection="bmg") for name in OPTIMIZERS),
            {"pick": "cyclic", "active_set": False, "threshold": "fixed", "passes": 2000},
        )
    ]
    np.testing.assert_allclose(duals, duals[0], rtol=1e-7)


def test_a_pass_is_cut_anywhere():
    # The callback stops the loop after every single iteration; that changes nothing.
    X, y = random_problem(60, 4, 3, seed=0)
    whole = family(gamma=0.5, **passes("mean")).fit(X, y)

    class Always:
        def __call__(self, progress):
            return False

        def next_checkpoint(self, iteration, seconds):
            return iteration + 1

    cut = family(gamma=0.5, callback=Always(), **passes("mean")).fit(X, y)
    np.testing.assert_array_equal(cut.dual_coef_, whole.dual_coef_)
    assert cut.n_iter_ == whole.n_iter_


def test_thresholds_from_the_values():
    X, y = random_problem(60, 4, 3, seed=0)
    levels = {}
    for mu in (0.1, 0.9):
        seen = levels[mu] = []

        def look(progress, seen=seen):
            seen.append(progress.level)

        family(gamma=0.5, callback=look, **passes("max", mu=mu)).fit(X, y)
    # All violations are 1 at the start.
    assert levels[0.1][1] == pytest.approx(0.1)
    assert levels[0.9][1] == pytest.approx(0.9)


def test_gap_tol_is_met_by_gains_as_well():
    X, y = random_problem(100, 4, 4, seed=0)
    for selection in SELECTIONS:
        parameters = passes("mean", selection=selection, tol=0.1)
        loose = family(C=50, **parameters).fit(X, y)
        tight = family(C=50, gap_tol=1e-6, **parameters).fit(X, y)
        assert loose.duality_gap_ > 1e-6 >= tight.duality_gap_


@pytest.mark.parametrize("cache_rows", [1, 7, 1000])
def test_a_cache_of_so_many_rows(cache_rows):
    X, y = random_problem(80, 4, 5, seed=3)
    parameters = passes("mean", gamma=0.3, C=5)
    without = family(**parameters, cache="none").fit(X, y)
    cached = family(**parameters, cache_rows=cache_rows).fit(X, y)
    np.testing.assert_array_equal(cached.dual_coef_, without.dual_coef_)
    assert cached.n_kernel_rows_ + cached.n_cache_hits_ == without.n_kernel_rows_
    if cache_rows == 1000:
        assert cached.n_kernel_rows_ <= 80
    # cache_rows is in place of cache_size, however small that is
    small = family(**parameters, cache_rows=cache_rows, cache_size=1e-6).fit(X, y)
    assert small.n_kernel_rows_ == cached.n_kernel_rows_


def test_counters():
    X, y = random_problem(60, 5, 3, seed=0)
    machines = {
        name: family(gamma=0.5, **passes("mean", optimizer=name)).fit(X, y) for name in OPTIMIZERS
    }
    for name in ("fixed_point", "exact"):
        assert machines[name].n_pair_steps_ == 0
        assert machines[name].n_inner_iter_ > machines[name].n_iter_
    assert machines["basic"].n_inner_iter_ == machines["basic"].n_iter_
    assert machines["basic"].n_pair_steps_ == machines["basic"].n_iter_
    # A sweep makes up to k (k - 1) / 2 = 10 steps.
    sweeps = machines["all_pairs"]
    assert sweeps.n_inner_iter_ < sweeps.n_pair_steps_ <= 10 * sweeps.n_inner_iter_
    assert machines["opt_kkt"].n_pair_steps_ <= machines["opt_kkt"].n_inner_iter_
    # Solving the reduced problem well saves examples, and thereby kernel rows (AS05 section 5.5).
    assert sweeps.n_iter_ < machines["basic"].n_iter_


def test_a_tighter_inner_tolerance_takes_more_steps():
    X, y = random_problem(60, 8, 3, seed=0)
    for name in ("fixed_point", "all_pairs", "opt_kkt"):
        loose, tight = (
            family(gamma=0.5, tol=1e-3, inner_tol=t, **passes("mean", optimizer=name)).fit(X, y)
            for t in (0.05, 1e-9)
        )
        assert tight.n_inner_iter_ / tight.n_iter_ > loose.n_inner_iter_ / loose.n_iter_


REFUSED = [
    ({"selection": "gain"}, "'kkt', 'amg', 'bmg'"),
    ({"pick": "thresh"}, "did you mean 'threshold'"),
    ({"threshold": "median"}, "'max', 'mean'"),
    ({"optimizer": "optkkt"}, "did you mean 'opt_kkt'"),
    ({"mu": 0.0}, "mu=0.0"),
    ({"mu": 1.5}, "mu=1.5 is above 1"),
    ({"inner_tol": 0.0}, "inner_tol=0.0"),
    ({"sweep_rule": "absolute"}, "'gain', 'relative'"),
    ({"cache_rows": 0}, "cache_rows=0"),
    ({"cache_rows": 2.5}, "cache_rows=2.5 is not an integer"),
    ({"pick": "threshold"}, "pick='threshold' needs active_set=False"),
    ({"threshold": "max"}, "threshold='max' needs pick='threshold'"),
    ({"threshold": "mean", "active_set": False}, "threshold='mean' needs pick='threshold'"),
    (
        {"pick": "cyclic", "active_set": False, "threshold": "fixed", "selection": "amg"},
        "without a test.*selection='kkt'",
    ),
    ({"pick": "cyclic", "active_set": False, "threshold": "mean"}, "threshold='fixed'"),
]


@pytest.mark.parametrize(("parameters", "message"), REFUSED)
def test_refusals(parameters, message):
    X, y = random_problem(10, 2, 2, seed=0)
    with pytest.raises(ValueError, match=message):
        family(**parameters).fit(X, y)
