"""Descent on the weights: optimal, certified, and the same machine as every other way."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from checks import ONE_COLUMN_PER_CLASS
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import solve_dual
from problems import PROBLEMS, random_problem
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks
from solvers.core.dual_cd import Descent, aligned

from mcbench import CrammerSingerSVC, load
from solvers.dual_cd import stored


def machine(C=1.0, **parameters):
    defaults = {"kernel": "linear", "solver": "dual_cd", "random_state": 0}
    return CrammerSingerSVC(C, **{**defaults, **parameters})


@parametrize_with_checks(
    [machine(), machine(bias="penalized", max_iter=5000)],
    expected_failed_checks=lambda estimator: ONE_COLUMN_PER_CLASS,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("bias", ["none", "penalized"])
@pytest.mark.parametrize("C", [None, 100.0])
@pytest.mark.parametrize("name", PROBLEMS)
def test_optimum(name, C, bias):
    sizes, _, usual = PROBLEMS[name]
    C = C or usual
    X, y = random_problem(**sizes)
    k = int(y.max()) + 1
    optimum, _ = solve_dual(X @ X.T + (bias == "penalized"), y, k, C)
    for given_X in (X, sp.csr_array(X)):
        fitted = machine(C, bias=bias, tol=1e-7, gap_tol=5e-7).fit(given_X, y)
        assert fitted.status_ == "converged"
        assert fitted.kkt_violation_ <= 1.001e-7
        assert fitted.dual_objective_ == pytest.approx(optimum, rel=1e-6)
        assert fitted.primal_objective_ == pytest.approx(optimum, rel=1e-6)
        assert fitted.n_kernel_rows_ == 0
        a = fitted.dual_coef_
        own = np.arange(k) == y[fitted.support_][:, None]
        assert np.all(a <= C * own)
        assert np.abs(a.sum(axis=1)).max() <= 1e-12 * C
        assert np.abs(fitted.coef_ - a.T @ X[fitted.support_]).max() <= 1e-9 * C


@given(
    seed=st.integers(0, 10_000),
    C=st.sampled_from([0.01, 1.0, 50.0]),
    k=st.integers(2, 20),
    d=st.integers(1, 40),
    scale=st.sampled_from([1e-3, 1.0, 1e3]),
)
@settings(max_examples=40, deadline=None)
def test_feasible_with_weak_duality_and_a_rising_dual_at_every_checkpoint(seed, C, k, d, scale):
    X, y = random_problem(40, k, d, seed=seed, zero_rows=2)
    X, C = scale * X, C / scale**2
    k, rows = int(y.max()) + 1, np.arange(40)
    seen = []

    def look(progress):
        a = progress.dual_coef
        f = X @ (X.T @ a)
        g = f - np.eye(k)[y]
        dual = a[rows, y].sum() - 0.5 * np.sum(a * f)
        primal = 0.5 * np.sum(a * f) + C * (g.max(axis=1) - g[rows, y]).sum()
        assert dual <= primal * (1 + 1e-9)
        assert np.all(a <= C * np.eye(k)[y])
        assert np.abs(a.sum(axis=1)).max() <= 1e-12 * C
        seen.append(dual)

    fitted = machine(C, callback=look, time_limit=20).fit(X, y)
    assert fitted.status_ == "converged"
    assert np.all(np.diff(seen) >= -1e-6 * max(seen))  # single precision at first
    assert seen[-1] == pytest.approx(fitted.dual_objective_, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_tiny_and_huge_scales(scale):
    X, y = random_problem(30, 3, 4, seed=5)
    C = 1.0 / scale**2
    optimum, _ = solve_dual(X @ X.T, y, 3, 1.0)
    fitted = machine(C, tol=1e-8).fit(scale * X, y)
    assert fitted.dual_objective_ / C == pytest.approx(optimum, rel=1e-6)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("scale", [1e-160, 1e-40, 1e30, 1e70])
def test_values_that_single_precision_does_not_hold(scale):
    X, y = random_problem(40, 3, 4, seed=0)
    fitted = machine(time_limit=5, gamma=1.0).fit(scale * X, y)
    assert np.isfinite(fitted.decision_function(scale * X)).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("C", [1e4, 1e8, 1e12])
def test_a_large_weight_ends_and_is_named(C):
    X, y = random_problem(60, 4, 3, seed=0)
    fitted = machine(C, tol=1e-6, time_limit=2).fit(X, y)
    assert fitted.status_ in ("converged", "stalled", "time_limit")
    assert (fitted.status_ == "converged") == (fitted.kkt_violation_ <= 1.001e-6)


def test_stalls_are_named_not_spun_on():
    X, y = random_problem(40, 3, 3, seed=0, duplicates=4, contradictions=4)
    with pytest.warns(ConvergenceWarning, match="stalled"):
        fitted = machine(tol=1e-17).fit(X, y)
    assert fitted.kkt_violation_ < 1e-11


def test_limits_leave_a_partial_model_with_its_gap():
    X, y = random_problem(200, 5, 3, seed=0)
    with pytest.warns(ConvergenceWarning, match=r"max_iter.*gap"):
        fitted = machine(100, max_iter=20).fit(X, y)
    assert (fitted.status_, fitted.n_iter_) == ("max_iter", 20)
    assert 0 < fitted.duality_gap_ <= 1
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        machine(1e9, tol=1e-12, time_limit=1e-3).fit(X, y)
    assert machine(callback=lambda progress: True).fit(X, y).status_ == "callback"
    loose = machine(50, tol=0.1).fit(X, y)
    tight = machine(50, tol=0.1, gap_tol=1e-6).fit(X, y)
    assert loose.duality_gap_ > 1e-6 >= tight.duality_gap_


def test_zero_rows_are_at_their_vertex():
    X, y = random_problem(30, 3, 4, seed=3, zero_rows=4)
    fitted = machine(2.0, tol=1e-6).fit(X, y)
    for i in np.flatnonzero(~X.any(axis=1)):
        a = fitted.dual_coef_[fitted.support_ == i][0]
        assert a[y[i]] == 2.0
        assert sorted(np.delete(a, y[i])) == [-2.0, 0.0]
    empty = machine().fit(np.zeros((6, 2)), [0, 1, 2, 0, 1, 2])
    assert (empty.dual_objective_, empty.duality_gap_) == (6.0, 0.0)


def test_the_pattern_family_has_the_same_machine():
    X, y = random_problem(150, 5, 12, seed=7)
    one = machine(3.0, tol=1e-8, bias="penalized").fit(X, y)
    other = CrammerSingerSVC(3.0, kernel="linear", tol=1e-8, bias="penalized").fit(X, y)
    np.testing.assert_allclose(one.decision_function(X), other.decision_function(X), atol=1e-5)
    assert one.intercept_ == pytest.approx(other.intercept_, abs=1e-5)


def test_two_classes_are_liblinears_machine():
    X, y = random_problem(60, 2, 4, seed=1)
    multi = machine(0.7, tol=1e-9).fit(X, y)
    binary = LinearSVC(loss="hinge", C=2 * 0.7, fit_intercept=False, tol=1e-10, max_iter=10**6)
    binary.fit(X, y)
    np.testing.assert_allclose(multi.coef_[1] - multi.coef_[0], binary.coef_[0], atol=1e-6)


@pytest.mark.parametrize("density", [0.2, 1.0])
def test_csr_equals_dense(density):
    rng = np.random.default_rng(0)
    X, y = random_problem(120, 4, 30, seed=1)
    X[rng.uniform(size=X.shape) > density] = 0.0
    dense = machine(tol=1e-9).fit(X, y)
    sparse = machine(tol=1e-9).fit(sp.csr_array(X), y)
    np.testing.assert_allclose(
        sparse.decision_function(sp.csr_array(X)), dense.decision_function(X), atol=1e-6
    )


def test_the_seed_decides_the_bits():
    X, y = random_problem(150, 5, 4, seed=0)
    one, same, other = (machine(10, random_state=seed).fit(X, y) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.dual_coef_, same.dual_coef_)
    assert one.n_iter_ != other.n_iter_


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kernel": "rbf"}, "kernel='linear', not 'rbf'"),
        ({"kernel": "precomputed"}, "kernel='linear', not 'precomputed'"),
        ({"kernel": lambda A, B: A @ B.T}, "kernel='linear'"),
        ({"C": np.inf}, "finite C"),
        ({"C": 0.0}, "C=0.0"),
        ({"bias": "exact"}, "'none', 'penalized'"),
        ({"tol": -1.0}, "tol=-1.0"),
        ({"random_state": "x"}, "cannot be used to seed"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = random_problem(10, 2, 2, seed=0)
    with pytest.raises(ValueError, match=message):
        machine(**parameters).fit(X, y)


def test_bad_data():
    X, y = random_problem(20, 3, 2, seed=0)
    with pytest.raises(ValueError, match="NaN"):
        machine().fit(np.where(X > 1, np.nan, X), y)
    with pytest.raises(ValueError, match="one class"):
        machine().fit(X, np.ones(20))
    with pytest.raises(ValueError, match="overflow"):
        machine(gamma=1.0).fit(1e160 * X, y)


@given(st.integers(0, 10_000), st.integers(2, 20), st.sampled_from([0.1, 1.0, 30.0]))
@settings(max_examples=40, deadline=None)
def test_projection_onto_a_face(seed, k, C):
    """Feasible, zero where not free, and with no feasible point of the face any nearer."""
    rng = np.random.default_rng(seed)
    n = 8
    y = rng.integers(0, k, n)
    own = np.arange(k) == y[:, None]
    free = rng.uniform(size=(n, k)) < 0.6
    free[np.arange(n), (y + 1) % k] = True
    a = 3 * C * rng.normal(size=(n, k))
    descent = Descent(np.arange(n + 1), None, np.ones(n), 1, k, y, np.ones(n), C, 1e-3, 0)
    P = aligned(descent.a.shape, np.float64)
    P[:, :k] = np.where(free, a, np.inf)
    descent.project(np.arange(n), P)
    found = P[:, :k]
    assert np.all(found <= C * own)
    assert np.abs(found.sum(axis=1)).max() <= 1e-12 * C
    assert np.all(found[~free & ~own] == 0.0)
    assert np.all(found[~free & own] == C)
    for _ in range(20):  # <a - p, q - p> <= 0 for every q of a convex set
        weights = np.where(free, rng.uniform(size=(n, k)), 0.0)
        other = C * (own - weights / weights.sum(axis=1, keepdims=True))
        other[~free & own] = C
        assert np.sum(np.where(free, (a - found) * (other - found), 0.0)) <= 1e-9 * C * C


def test_products_of_the_core():
    X, y = random_problem(50, 19, 7, seed=0)
    X[np.abs(X) < 1.5] = 0.0
    for given_X in (X, sp.csr_array(X)):
        start, column, x, d = stored(given_X, 1.0)
        whole = np.hstack([X, np.ones((50, 1))])
        A = (whole**2).sum(axis=1)
        descent = Descent(start, column, x, d, 19, y, A, 1.0, 1e-3, 0)
        rows = np.arange(5, 30)
        P = np.zeros((25, descent.a.shape[1]))
        P[:, :19] = np.random.default_rng(0).normal(size=(25, 19))
        V = descent.combined(rows, P)
        np.testing.assert_allclose(V, whole[rows].T @ P, atol=1e-12)
        np.testing.assert_allclose(descent.products(rows, V), whole[rows] @ V, atol=1e-12)
        for accuracy in (1e-3, 1e-11):
            product, square = descent.gram_times(rows, P)
            np.testing.assert_allclose(product, whole[rows] @ V, atol=accuracy)
            assert square == pytest.approx(np.sum(V * V), abs=accuracy)
            descent.to_double()


@pytest.mark.parametrize(
    ("name", "n", "optimum"), [("satimage", 4435, 1359.70), ("letter", 15000, 9674.56)]
)
def test_the_value_that_liblinear_approaches(name, n, optimum):
    # liblinear-train -s 4 -c 1 -e 0.01 ends at 1359.777 and 9674.852
    data = load(name)
    X = np.asarray(data.X_train, dtype=float)
    low, high = X.min(axis=0), X.max(axis=0)
    X = 2.0 * (X - low) / (high - low) - 1.0
    fitted = machine(tol=0.01).fit(X[:n], data.y_train[:n])
    assert fitted.dual_objective_ <= optimum <= fitted.primal_objective_
    assert fitted.duality_gap_ < 2e-4


def test_no_warning_on_ordinary_data():
    X, y = random_problem(300, 6, 10, seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert machine(10.0).fit(X, y).status_ == "converged"
