"""The estimator: scikit-learn's manners, the contract, bad input."""

import time
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from checks import ONE_COLUMN_PER_CLASS, SOLVERS
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import solve_binary_dual
from problems import random_problem
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbench import CrammerSingerSVC

BOTH = pytest.mark.parametrize("solver", SOLVERS)


@parametrize_with_checks(
    [
        CrammerSingerSVC(),
        CrammerSingerSVC(kernel="linear", bias="penalized", max_iter=5000),
        CrammerSingerSVC(solver="pattern"),
    ],
    expected_failed_checks=lambda estimator: ONE_COLUMN_PER_CLASS,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("labels", ["negative", "strings"])
def test_columns_are_classes_and_argmax_is_predict(k, labels):
    X, y = random_problem(80, k, 4, seed=k)
    names = y - 3 if labels == "negative" else np.array([f"class {chr(122 - c)}" for c in y])
    machine = CrammerSingerSVC(C=5, gamma=0.3).fit(X, names)
    f = machine.decision_function(X)
    assert f.shape == (80, k)
    np.testing.assert_array_equal(machine.classes_, np.unique(names))
    np.testing.assert_array_equal(machine.classes_[f.argmax(axis=1)], machine.predict(X))
    assert machine.score(X, names) > 0.8
    np.testing.assert_allclose(
        f, rbf_kernel(X, machine.support_vectors_, gamma=0.3) @ machine.dual_coef_, atol=1e-10
    )
    np.testing.assert_array_equal(machine.support_vectors_, X[machine.support_])


@BOTH
def test_two_classes_are_the_binary_machine_without_bias(solver):
    X, y = random_problem(60, 2, 4, seed=1)
    multi = CrammerSingerSVC(C=0.7, gamma=0.5, solver=solver, tol=1e-9).fit(X, y)
    K = rbf_kernel(X, gamma=0.5)
    sign = 2.0 * y - 1.0
    alpha = solve_binary_dual(K, sign, 2 * 0.7)
    difference = multi.decision_function(X) @ [-1.0, 1.0]
    np.testing.assert_allclose(difference, K @ (alpha * sign), atol=1e-6)


def test_linear_kernel_has_weights():
    X, y = random_problem(60, 3, 4, seed=1)
    for given_X in (X, sp.csr_array(X)):
        machine = CrammerSingerSVC(kernel="linear", bias="penalized").fit(given_X, y)
        assert machine.coef_.shape == (3, 4)
        np.testing.assert_allclose(
            X @ machine.coef_.T + machine.intercept_, machine.decision_function(given_X), atol=1e-12
        )


def test_pipeline_grid_search_and_clone():
    X, y = random_problem(90, 3, 4, seed=2)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), CrammerSingerSVC()),
        {"crammersingersvc__C": [0.1, 1.0], "crammersingersvc__gamma": [0.1, "scale"]},
        cv=3,
    ).fit(X, y)
    assert search.best_score_ > 0.5
    assert clone(search.best_estimator_[-1]).get_params() == search.best_estimator_[-1].get_params()


@BOTH
def test_order_of_the_examples_does_not_matter(solver):
    X, y = random_problem(80, 4, 3, seed=4)
    order = np.random.default_rng(0).permutation(80)
    one = CrammerSingerSVC(C=3, solver=solver, tol=1e-8).fit(X, y)
    other = CrammerSingerSVC(C=3, solver=solver, tol=1e-8).fit(X[order], y[order])
    assert other.dual_objective_ == pytest.approx(one.dual_objective_, rel=1e-7)
    np.testing.assert_allclose(other.decision_function(X), one.decision_function(X), atol=1e-5)


@given(
    st.integers(0, 10_000),
    st.sampled_from([0.1, 1.0, 50.0]),
    st.integers(2, 8),
    st.sampled_from(SOLVERS),
)
@settings(max_examples=25, deadline=None)
def test_weak_duality_and_a_rising_dual_at_every_checkpoint(seed, C, k, solver):
    X, y = random_problem(40, k, 3, seed=seed)
    K = rbf_kernel(X, gamma=0.5)
    seen = []

    def look(progress):
        a = progress.dual_coef
        f = K @ a
        rows = np.arange(40)
        dual = a[rows, y].sum() - 0.5 * np.sum(a * f)
        slack = (f + 1 - np.eye(k)[y]).max(axis=1) - f[rows, y]
        primal = 0.5 * np.sum(a * f) + C * slack.sum()
        assert dual <= primal + 1e-9 * primal
        assert np.all(a <= C * np.eye(k)[y] + 1e-12 * C)
        seen.append(dual)

    machine = CrammerSingerSVC(C, gamma=0.5, solver=solver, callback=look).fit(X, y)
    assert np.all(np.diff(seen) >= -1e-12 * max(seen))
    assert seen[-1] == pytest.approx(machine.dual_objective_, rel=1e-9)


@BOTH
def test_gap_tol_is_met_as_well(solver):
    X, y = random_problem(100, 4, 4, seed=0)
    loose = CrammerSingerSVC(C=1, solver=solver, tol=0.1).fit(X, y)
    tight = CrammerSingerSVC(C=1, solver=solver, tol=0.1, gap_tol=1e-6).fit(X, y)
    assert loose.duality_gap_ > 1e-6 >= tight.duality_gap_


HOW = [{}, {"solver": "pattern"}, {"solver": "pattern", "core": "numpy"}]


@pytest.mark.parametrize("how", HOW)
def test_limits_leave_a_partial_model_with_its_gap(how):
    X, y = random_problem(200, 5, 3, seed=0)
    with pytest.warns(ConvergenceWarning, match=r"max_iter.*gap"):
        machine = CrammerSingerSVC(C=100, max_iter=20, **how).fit(X, y)
    assert (machine.status_, machine.n_iter_) == ("max_iter", 20)
    assert 0 < machine.duality_gap_ <= 1


@pytest.mark.parametrize(("how", "limit"), [({}, 1e-3), (HOW[1], 1e-3), (HOW[2], 0.2)])
def test_a_time_limit_is_kept(how, limit):
    X, y = random_problem(200, 5, 3, seed=0)
    started = time.perf_counter()
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        slow = CrammerSingerSVC(C=1e6, tol=1e-13, time_limit=limit, **how).fit(X, y)
    assert slow.status_ == "time_limit"
    assert time.perf_counter() - started < 5


@BOTH
def test_callback_stops_the_fit_with_the_clock_standing(solver):
    X, y = random_problem(100, 3, 3, seed=0)
    calls = []

    def look(progress):
        calls.append(progress.iteration)
        time.sleep(0.02)
        return progress.iteration >= 10

    machine = CrammerSingerSVC(solver=solver, callback=look).fit(X, y)
    assert machine.status_ == "callback"
    assert calls[0] == 0
    assert calls == sorted(set(calls))
    assert machine.fit_time_ < 0.02 * len(calls)
    with pytest.raises(ValueError, match="read-only"):
        CrammerSingerSVC(solver=solver, callback=lambda p: p.dual_coef.fill(0)).fit(X, y)


@pytest.mark.parametrize(
    "how",
    [{}, {"solver": "pattern"}, {"solver": "pattern", "optimizer": "fixed_point"}],
)
def test_stalls_are_named_not_spun_on(how):
    # A violation of 1e-17 is below what double precision can tell: nothing moves in the end.
    X, y = random_problem(40, 3, 3, seed=0, duplicates=4, contradictions=4)
    with pytest.warns(ConvergenceWarning, match="stalled"):
        machine = CrammerSingerSVC(gamma=0.5, tol=1e-17, **how).fit(X, y)
    assert machine.kkt_violation_ < 1e-13


BAD_PARAMETERS = [
    ({"C": -1.0}, "C=-1.0 is not a finite number greater than 0"),
    ({"C": np.nan}, "C=nan"),
    ({"C": -np.inf}, "C=-inf"),
    ({"C": "1"}, "C='1'"),
    ({"kernel": "rbff"}, "did you mean 'rbf'"),
    ({"gamma": "scales"}, "did you mean 'scale'"),
    ({"gamma": 0.0}, "gamma=0.0"),
    ({"degree": -1}, "degree=-1"),
    ({"bias": "exact"}, "'none', 'penalized'"),
    ({"solver": "fast"}, "solver='fast' is not one of 'block', 'pattern', 'dual_cd'"),
    ({"threshold": "log"}, "did you mean 'logarithmic'|'logarithmic'"),
    ({"pick": "random"}, "'argmax', 'cyclic'"),
    ({"optimizer": "smo"}, "'fixed_point', 'exact'|'exact'"),
    ({"active_set": "yes"}, "active_set='yes' is not True or False"),
    ({"cache": "big"}, "'none', 'lru', 'full'"),
    ({"cache_size": 0}, "cache_size=0"),
    ({"storage": "csr"}, "'auto', 'dense', 'sparse'"),
    ({"core": "c"}, "'cython', 'numpy'"),
    ({"passes": 1.5}, "passes=1.5 is not an integer"),
    ({"tol": 0}, "tol=0"),
    ({"gap_tol": -1}, "gap_tol=-1"),
    ({"max_iter": 0}, "max_iter=0"),
    ({"time_limit": True}, "time_limit=True"),
    ({"callback": 3}, "callback=3 cannot be called"),
    ({"passes": 2**70}, "too large"),
    ({"C": 10**400}, "too large"),
    ({"pick": "cyclic"}, "active_set=False"),
    ({"active_set": False}, "cooling changes nothing"),
    (
        {"pick": "cyclic", "active_set": False, "threshold": "fixed", "gap_tol": 0.1},
        "only makes its passes",
    ),
]


@pytest.mark.parametrize(("parameters", "message"), BAD_PARAMETERS)
def test_bad_parameters(parameters, message):
    X, y = random_problem(10, 2, 2, seed=0)
    with pytest.raises(ValueError, match=message):
        CrammerSingerSVC(**{"solver": "pattern", **parameters}).fit(X, y)


@pytest.mark.parametrize(
    "parameters",
    [
        {"selection": "amg"},
        {"pick": "cyclic"},
        {"threshold": "fixed"},
        {"mu": 0.1},
        {"optimizer": "basic"},
        {"inner_tol": 1e-3},
        {"sweep_rule": "relative"},
        {"active_set": False},
        {"cache": "full"},
        {"cache_rows": 10},
        {"core": "numpy"},
        {"passes": 7},
    ],
    ids=lambda parameters: next(iter(parameters)),
)
def test_the_parts_of_one_solver_are_refused_by_the_other(parameters):
    X, y = random_problem(10, 2, 2, seed=0)
    with pytest.raises(ValueError, match="is a part of solver='pattern'"):
        CrammerSingerSVC(**parameters).fit(X, y)
    with pytest.raises(ValueError, match="warm_start=True needs solver='block'"):
        CrammerSingerSVC(solver="pattern", warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="warm_start=1 is not True or False"):
        CrammerSingerSVC(warm_start=1).fit(X, y)


def test_bad_data():
    X, y = random_problem(20, 3, 2, seed=0)
    K = X @ X.T
    machine = CrammerSingerSVC()
    precomputed = CrammerSingerSVC(kernel="precomputed")
    with pytest.raises(ValueError, match="NaN"):
        machine.fit(np.where(X > 1, np.nan, X), y)
    with pytest.raises(ValueError, match="infinity"):
        machine.fit(np.where(X > 1, np.inf, X), y)
    with pytest.raises(ValueError, match="one class"):
        machine.fit(X, np.ones(20))
    with pytest.raises(ValueError, match="square"):
        precomputed.fit(K[:, :10], y)
    with pytest.raises(ValueError, match="symmetric"):
        precomputed.fit(np.triu(K), y)
    with pytest.raises(ValueError, match="indefinite"):
        precomputed.fit(-K, y)
    with pytest.raises(ValueError, match="indefinite"):
        precomputed.fit((np.eye(20) - 1) * np.sign(np.outer(y - 0.5, y - 0.5)), y)
    off = X @ X.T
    off[0, 1] = off[1, 0] = 100.0
    with pytest.raises(ValueError, match="indefinite"):
        precomputed.fit(off, y)
    with pytest.raises(ValueError, match="shape"):
        CrammerSingerSVC(kernel=lambda A, B: np.ones(3)).fit(X, y)
    with pytest.raises(ValueError, match="symmetric"):
        CrammerSingerSVC(kernel=lambda A, B: A @ B[::-1].T).fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        CrammerSingerSVC(kernel=lambda A, B: np.full((len(A), len(B)), np.nan)).fit(X, y)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("how", HOW)
def test_a_solution_without_a_value_is_no_solution(how):
    X, y = random_problem(30, 3, 3, seed=0)
    with pytest.raises(ValueError, match="NaN or infinity"):
        CrammerSingerSVC(kernel="poly", degree=0.5, max_iter=50, **how).fit(X, y)
    with pytest.raises(ValueError, match="NaN or infinity"):
        CrammerSingerSVC(max_iter=50, **how).fit(X * 1e200, y)


def test_duplicate_entries_of_a_sparse_matrix_are_their_sum():
    X, y = random_problem(30, 3, 4, seed=0)
    twice = sp.csr_array(
        (
            np.repeat(X.ravel(), 2) / 2,
            np.tile(np.repeat(np.arange(4), 2), 30),
            np.arange(0, 241, 8),
        ),
        shape=(30, 4),
    )
    dense = CrammerSingerSVC(tol=1e-8).fit(X, y)
    sparse = CrammerSingerSVC(tol=1e-8).fit(twice, y)
    np.testing.assert_allclose(
        sparse.decision_function(twice), dense.decision_function(X), atol=1e-6
    )


def test_a_refit_leaves_nothing_of_the_fit_before():
    X, y = random_problem(30, 3, 4, seed=0)
    machine = CrammerSingerSVC(kernel="linear").fit(X, y)
    machine.set_params(kernel="rbf").fit(X, y)
    assert not hasattr(machine, "coef_")
    np.testing.assert_array_equal(machine.intercept_, 0.0)


@BOTH
def test_same_input_same_bits(solver):
    X, y = random_problem(150, 5, 4, seed=0)
    one, other = (CrammerSingerSVC(C=10, solver=solver).fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(one.dual_coef_, other.dual_coef_)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(
            CrammerSingerSVC(C=10).fit(X.astype(np.float32).astype(float), y).predict(X),
            CrammerSingerSVC(C=10).fit(X.astype(np.float32), y).predict(X),
        )


@BOTH
def test_two_classes_linear_are_liblinears_machine(solver):
    X, y = random_problem(60, 2, 4, seed=1)
    multi = CrammerSingerSVC(C=0.7, kernel="linear", solver=solver, tol=1e-9).fit(X, y)
    binary = LinearSVC(loss="hinge", C=2 * 0.7, fit_intercept=False, tol=1e-10, max_iter=10**6)
    binary.fit(X, y)
    np.testing.assert_allclose(multi.coef_[1] - multi.coef_[0], binary.coef_[0], atol=1e-6)


@BOTH
def test_names_of_the_classes_do_not_matter(solver):
    X, y = random_problem(80, 5, 3, seed=4)
    renamed = np.array([3, 0, 4, 1, 2])
    one = CrammerSingerSVC(C=3, solver=solver, tol=1e-8).fit(X, y)
    other = CrammerSingerSVC(C=3, solver=solver, tol=1e-8).fit(X, renamed[y])
    assert other.dual_objective_ == pytest.approx(one.dual_objective_, rel=1e-7)
    np.testing.assert_allclose(
        other.decision_function(X)[:, renamed], one.decision_function(X), atol=1e-5
    )
