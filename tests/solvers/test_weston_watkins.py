"""The machine of Weston & Watkins: optimal, certified, and equal to what it has to be equal to."""

import clarabel
import numpy as np
import pytest
import scipy.sparse as sp
from checks import ONE_COLUMN_PER_CLASS, SOLVERS
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import minimize, solve_binary_dual, solve_weston_watkins_dual
from problems import GAMMA, random_problem
from problems import PROBLEMS as COMMON
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks
from solvers.core.weston_watkins import BoxProblem

from mcbench import OneVsRestSVC, WestonWatkinsSVC
from solvers.balance import balanced
from solvers.hard_margin import InseparableError

#: An exact bias has one solver.
WAYS = [(bias, solver) for bias in ("none", "penalized") for solver in SOLVERS]
WAYS.append(("exact", "block"))
EVERY_WAY = pytest.mark.parametrize(("bias", "solver"), WAYS)

PROBLEMS = {
    **COMMON,
    "large C": ({"n": 60, "k": 4, "d": 3, "seed": 8}, "rbf", 4096.0),
    "hard": ({"n": 40, "k": 4, "d": 3, "seed": 9}, "rbf", np.inf),
    "hard, linear": ({"n": 20, "k": 3, "d": 15, "seed": 10}, "linear", np.inf),
}


@parametrize_with_checks(
    [
        WestonWatkinsSVC(),
        WestonWatkinsSVC(bias="none", kernel="poly"),
        WestonWatkinsSVC(bias="exact"),
        WestonWatkinsSVC(solver="pattern"),
    ],
    expected_failed_checks=lambda estimator: ONE_COLUMN_PER_CLASS,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@EVERY_WAY
@pytest.mark.parametrize("margin", [1, 2])
@pytest.mark.parametrize("name", PROBLEMS)
def test_optimum(name, margin, bias, solver):
    sizes, kernel, C = PROBLEMS[name]
    X, y = random_problem(**sizes)
    k = int(y.max()) + 1
    K = pairwise_kernels(X, metric=kernel, filter_params=True, **GAMMA)
    optimum, _ = solve_weston_watkins_dual(
        K + (bias == "penalized"), y, k, C, margin, bias=bias == "exact"
    )
    machine = WestonWatkinsSVC(
        C,
        kernel=kernel,
        **GAMMA,
        bias=bias,
        margin=margin,
        solver=solver,
        tol=1e-7,
        gap_tol=5e-7,
    ).fit(X, y)
    assert machine.status_ == "converged"
    assert machine.kkt_violation_ <= 1.001e-7
    assert machine.dual_objective_ == pytest.approx(optimum, rel=1e-6)
    assert machine.primal_objective_ == pytest.approx(optimum, rel=1e-6)
    assert -1e-12 <= machine.duality_gap_ <= 5e-7
    a = machine.dual_coef_
    own = np.arange(k) == y[machine.support_][:, None]
    largest = np.abs(a).max()
    assert np.all(a[~own] <= 0.0)
    assert np.all(a[~own] >= -C)
    assert np.abs(a.sum(axis=1)).max() <= 1e-10 * largest
    if bias == "exact":
        assert np.abs(a.sum(axis=0)).max() <= 1e-10 * largest
        assert machine.intercept_.sum() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "precomputed", "callable"])
@EVERY_WAY
def test_every_kernel(kernel, bias, solver):
    X, y = random_problem(30, 4, 3, seed=11)
    name = "poly" if kernel in ("precomputed", "callable") else kernel
    K = pairwise_kernels(X, metric=name, filter_params=True, **GAMMA)
    penalized = bias == "penalized"
    optimum, _ = solve_weston_watkins_dual(K + penalized, y, 4, 2.0, bias=bias == "exact")
    given_kernel = {"callable": lambda A, B: pairwise_kernels(A, B, metric="poly", **GAMMA)}
    train = K if kernel == "precomputed" else X
    machine = WestonWatkinsSVC(
        2.0, kernel=given_kernel.get(kernel, kernel), **GAMMA, bias=bias, solver=solver, tol=1e-8
    ).fit(train, y)
    assert machine.dual_objective_ == pytest.approx(optimum, rel=1e-6)
    f = machine.decision_function(train)
    expected = K[:, machine.support_] @ machine.dual_coef_ + machine.intercept_
    np.testing.assert_allclose(f, expected, atol=1e-8)
    np.testing.assert_array_equal(machine.classes_[f.argmax(axis=1)], machine.predict(train))


@pytest.mark.parametrize(
    ("bias", "solver"), [("none", "block"), ("none", "pattern"), ("exact", "block")]
)
@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_tiny_and_huge_scales(bias, solver, scale):
    X, y = random_problem(30, 3, 4, seed=5)
    C = 1.0 / scale**2
    optimum, _ = solve_weston_watkins_dual(X @ X.T, y, 3, 1.0, bias=bias == "exact")
    machine = WestonWatkinsSVC(C, kernel="linear", bias=bias, solver=solver, tol=1e-8)
    machine.fit(scale * X, y)
    assert machine.dual_objective_ / C == pytest.approx(optimum, rel=1e-6)


@given(st.integers(2, 12), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1e-3, 1.0, 1e3]))
@settings(deadline=None)
def test_the_reduced_problem_against_an_independent_solver(k, seed, A):
    rng = np.random.default_rng(seed)
    y, C = int(rng.integers(k)), float(10 ** rng.uniform(-2, 2))
    g = rng.normal(size=k) * rng.choice([0.1, 1.0, 10.0])
    alpha = C * rng.uniform(size=k) * (rng.uniform(size=k) < 0.5)
    alpha[y] = 0.0
    a = -alpha
    a[y] = alpha.sum()
    found = BoxProblem(k)(A, g, a, y, C, 0.0)
    wrong = np.arange(k) != y
    assert np.all(found[wrong] <= 0.0)
    assert np.all(found[wrong] >= -C)
    assert abs(found.sum()) <= 1e-12 * C * k
    c = (g - A * a)[wrong] - (g - A * a)[y]

    def objective(alpha):
        return 0.5 * A * (alpha.sum() ** 2 + alpha @ alpha) - c @ alpha

    m = k - 1
    H = sp.triu(sp.csc_array(A * (np.ones((m, m)) + np.eye(m))), format="csc")
    box = sp.vstack([sp.eye_array(m), -sp.eye_array(m)], format="csc")
    b = np.concatenate([np.full(m, C), np.zeros(m)])
    best = np.clip(minimize(H, -c, box, b, [clarabel.NonnegativeConeT(2 * m)]), 0.0, C)
    size = A * C**2 * k**2 + C * np.abs(c).sum()
    assert objective(-found[wrong]) <= objective(best) + 1e-9 * size


@given(
    st.integers(0, 10_000),
    st.sampled_from([0.1, 1.0, 50.0]),
    st.integers(2, 8),
    st.sampled_from(SOLVERS),
)
@settings(max_examples=20, deadline=None)
def test_weak_duality_and_a_rising_dual_at_every_checkpoint(seed, C, k, solver):
    X, y = random_problem(40, k, 3, seed=seed)
    K = rbf_kernel(X, gamma=0.5)
    own = np.eye(k, dtype=bool)[y]
    seen = []

    def look(progress):
        a = progress.dual_coef
        f = K @ a
        dual = 2 * a[own].sum() - 0.5 * np.sum(a * f)
        slack = np.maximum(2 - f[own][:, None] + f, 0.0)[~own].sum()
        assert dual <= (0.5 * np.sum(a * f) + C * slack) * (1 + 1e-9)
        seen.append(dual)

    machine = WestonWatkinsSVC(C, gamma=0.5, bias="none", solver=solver, callback=look).fit(X, y)
    assert np.all(np.diff(seen) >= -1e-12 * max(seen))
    assert seen[-1] == pytest.approx(machine.dual_objective_, rel=1e-9)


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_two_classes_with_an_exact_bias_are_libsvms_machine(C):
    X, y = random_problem(60, 2, 3, seed=1)
    ours = WestonWatkinsSVC(C, gamma=0.5, bias="exact", tol=1e-9).fit(X, y)
    libsvm = SVC(C=C, gamma=0.5, tol=1e-9).fit(X, y)
    f = ours.decision_function(X)
    np.testing.assert_allclose((f[:, 1] - f[:, 0]) / 2, libsvm.decision_function(X), atol=1e-5)
    np.testing.assert_array_equal(ours.support_, np.sort(libsvm.support_))


@pytest.mark.parametrize("solver", SOLVERS)
def test_two_classes_without_a_bias_are_the_binary_machine(solver):
    X, y = random_problem(60, 2, 4, seed=1)
    ours = WestonWatkinsSVC(0.7, gamma=0.5, bias="none", solver=solver, tol=1e-9).fit(X, y)
    sign = 2.0 * y - 1.0
    K = rbf_kernel(X, gamma=0.5)
    alpha = solve_binary_dual(K, sign, 0.7)
    difference = ours.decision_function(X) @ [-0.5, 0.5]
    np.testing.assert_allclose(difference, K @ (alpha * sign), atol=1e-6)
    linear = WestonWatkinsSVC(0.7, kernel="linear", bias="none", solver=solver, tol=1e-9)
    linear.fit(X, y)
    binary = LinearSVC(loss="hinge", C=0.7, fit_intercept=False, tol=1e-10, max_iter=10**6)
    binary.fit(X, y)
    np.testing.assert_allclose((linear.coef_[1] - linear.coef_[0]) / 2, binary.coef_[0], atol=1e-6)


@EVERY_WAY
def test_margin_1_is_half_the_machine_of_twice_as_much_weight(bias, solver):
    X, y = random_problem(50, 4, 3, seed=2)
    one = WestonWatkinsSVC(1.5, margin=1, bias=bias, solver=solver, tol=1e-8).fit(X, y)
    two = WestonWatkinsSVC(3.0, margin=2, bias=bias, solver=solver, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(2 * one.decision_function(X), two.decision_function(X), atol=1e-5)
    assert 4 * one.dual_objective_ == pytest.approx(two.dual_objective_, rel=1e-7)


@EVERY_WAY
def test_order_of_examples_and_names_of_classes_do_not_matter(bias, solver):
    X, y = random_problem(60, 4, 3, seed=4)
    order = np.random.default_rng(0).permutation(60)
    renamed = np.array([2, 0, 3, 1])
    machine = WestonWatkinsSVC(3.0, bias=bias, solver=solver, tol=1e-8)
    one, other = machine.fit(X, y), clone(machine).fit(X[order], renamed[y[order]])
    assert other.dual_objective_ == pytest.approx(one.dual_objective_, rel=1e-7)
    np.testing.assert_allclose(
        other.decision_function(X)[:, renamed], one.decision_function(X), atol=1e-4
    )


@EVERY_WAY
def test_csr_equals_dense_and_float32_is_taken(bias, solver):
    X, y = random_problem(60, 3, 6, seed=1)
    X[np.abs(X) < 1.0] = 0.0
    X = X.astype(np.float32)
    dense = WestonWatkinsSVC(bias=bias, solver=solver, tol=1e-9).fit(X, y)
    sparse = WestonWatkinsSVC(bias=bias, solver=solver, tol=1e-9).fit(sp.csr_matrix(X), y)
    np.testing.assert_allclose(
        sparse.decision_function(sp.csr_array(X)), dense.decision_function(X), atol=1e-5
    )


@EVERY_WAY
def test_inseparable_examples_are_named(bias, solver):
    X, y = random_problem(30, 3, 2, seed=5, contradictions=3)
    with pytest.raises(InseparableError, match="no machine separates"):
        WestonWatkinsSVC(np.inf, gamma=0.5, bias=bias, solver=solver).fit(X, y)
    X, y = random_problem(60, 4, 2, seed=5)
    with pytest.raises(InseparableError, match="no machine separates"):
        WestonWatkinsSVC(np.inf, kernel="linear", bias=bias, solver=solver).fit(X, y)


def test_its_norm_is_not_above_that_of_one_against_the_rest():
    X, y = load_iris(return_X_y=True)
    keep = np.unique(X, axis=0, return_index=True)[1]
    X, y = X[keep], y[keep]
    together = WestonWatkinsSVC(np.inf, gamma=1.0, bias="exact", tol=1e-6).fit(X, y)
    apart = OneVsRestSVC(np.inf, gamma=1.0, tol=1e-5).fit(X, y)

    def squared_norm(machine):
        a = machine.dual_coef_
        return float(np.sum(a * (rbf_kernel(machine.support_vectors_, gamma=1.0) @ a)))

    f = apart.decision_function(X)
    own = np.eye(3, dtype=bool)[y]
    assert (f[own][:, None] - f)[~own].min() >= 2 - 1e-3  # a margin of 1 on both sides
    assert squared_norm(together) <= squared_norm(apart) * (1 + 1e-4)


def test_balancing_changes_small_sums_a_little_and_keeps_the_bounds():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 50)
    alpha = rng.uniform(0.2, 0.8, (50, 4)) * (rng.uniform(size=(50, 4)) < 0.4)
    alpha[np.arange(50), y] = 0.0
    a = -alpha
    a[np.arange(50), y] = alpha.sum(axis=1)
    even = balanced(a, y, 1.0)
    assert np.abs(even.sum(axis=0)).max() <= 1e-10
    assert np.abs(even.sum(axis=1)).max() <= 1e-12
    wrong = np.arange(4) != y[:, None]
    assert np.all((even[wrong] <= 0.0) & (even[wrong] >= -1.0))
    np.testing.assert_allclose(balanced(even, y, 1.0), even, atol=1e-12)


def test_limits_leave_a_partial_model_with_its_gap():
    X, y = random_problem(200, 5, 3, seed=0)
    for bias, solver in WAYS:
        with pytest.warns(ConvergenceWarning, match=r"max_iter.*gap"):
            machine = WestonWatkinsSVC(C=100, bias=bias, solver=solver, max_iter=20).fit(X, y)
        assert (machine.status_, machine.n_iter_) == ("max_iter", 20)
        assert 0 < machine.duality_gap_ <= 1
    assert WestonWatkinsSVC(callback=lambda progress: True).fit(X, y).status_ == "callback"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0.0}, "C=0.0"),
        ({"bias": "free"}, "'none', 'penalized', 'exact'"),
        ({"margin": 3}, "margin=3 is not 2 or 1"),
        ({"margin": True}, "margin=True is not 2 or 1"),
        ({"cache_size": -1}, "cache_size=-1"),
        ({"storage": "csc"}, "storage='csc'"),
        ({"kernel": "sigmoid"}, "kernel='sigmoid'"),
        ({"tol": 0.0}, "tol=0.0"),
        ({"time_limit": 0}, "time_limit=0"),
        ({"solver": "blocks"}, "did you mean 'block'"),
        ({"warm_start": 1}, "warm_start=1 is not True or False"),
        ({"warm_start": True, "solver": "pattern"}, "warm_start=True needs solver='block'"),
        ({"warm_start": True, "bias": "exact"}, "no exact bias"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = random_problem(10, 2, 2, seed=0)
    with pytest.raises(ValueError, match=message):
        WestonWatkinsSVC(**parameters).fit(X, y)


def test_bad_data():
    X, y = random_problem(20, 3, 2, seed=0)
    with pytest.raises(ValueError, match="NaN"):
        WestonWatkinsSVC().fit(np.where(X > 1, np.nan, X), y)
    with pytest.raises(ValueError, match="one class"):
        WestonWatkinsSVC().fit(X, np.ones(20))
    with pytest.raises(ValueError, match="indefinite"):
        WestonWatkinsSVC(kernel="precomputed").fit(-X @ X.T, y)
