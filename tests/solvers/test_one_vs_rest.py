"""One against all: scikit-learn's manners, the contract, limits, bad input."""

import time

import numpy as np
import pytest
import scipy.sparse as sp
from checks import ONE_COLUMN_PER_CLASS
from oracle import solve_binary_dual
from problems import random_problem
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbench import CrammerSingerSVC, OneVsRestSVC

CORES = [{}, {"bias": "none", "solver": "pattern"}]


@parametrize_with_checks(
    [
        OneVsRestSVC(),
        OneVsRestSVC(kernel="linear", bias="penalized", solver="pattern", max_iter=500),
    ],
    expected_failed_checks=lambda estimator: ONE_COLUMN_PER_CLASS,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("parameters", CORES)
@pytest.mark.parametrize("k", [2, 3, 7])
def test_columns_are_classes_and_argmax_is_predict(k, parameters):
    X, y = random_problem(80, k, 4, seed=k)
    names = np.array([f"class {chr(122 - c)}" for c in y])
    machine = OneVsRestSVC(C=5, gamma=0.3, **parameters).fit(X, names)
    f = machine.decision_function(X)
    assert f.shape == (80, k)
    np.testing.assert_array_equal(machine.classes_, np.unique(names))
    np.testing.assert_array_equal(machine.classes_[f.argmax(axis=1)], machine.predict(X))
    assert machine.score(X, names) > 0.8
    K = rbf_kernel(X, machine.support_vectors_, gamma=0.3)
    np.testing.assert_allclose(f, K @ machine.dual_coef_ + machine.intercept_, atol=1e-10)
    assert machine.n_binary_machines_ == k


def test_two_classes_are_one_binary_machine():
    X, y = random_problem(60, 2, 4, seed=1)
    machine = OneVsRestSVC(C=0.7, gamma=0.5, tol=1e-6).fit(X, y)
    binary = SVC(C=0.7, gamma=0.5, tol=1e-6).fit(X, y)
    f = machine.decision_function(X)
    np.testing.assert_allclose(f[:, 1], binary.decision_function(X), atol=1e-4)
    np.testing.assert_allclose(f[:, 0], -f[:, 1], atol=1e-4)
    own = OneVsRestSVC(0.7, gamma=0.5, tol=1e-9, bias="none", solver="pattern").fit(X, y)
    K, sign = rbf_kernel(X, gamma=0.5), 2.0 * y - 1.0
    expected = K @ (solve_binary_dual(K, sign, 0.7) * sign)
    np.testing.assert_allclose(own.decision_function(X)[:, 1], expected, atol=1e-6)
    together = CrammerSingerSVC(0.35, gamma=0.5, tol=1e-9).fit(X, y)
    both = together.decision_function(X)
    np.testing.assert_allclose(both[:, 1] - both[:, 0], expected, atol=1e-6)


def test_order_of_examples_and_classes_does_not_matter():
    X, y = random_problem(80, 4, 3, seed=4)
    rng = np.random.default_rng(0)
    order, names = rng.permutation(80), np.array([2, 0, 3, 1])
    parameters = {"C": 3, "tol": 1e-8, "bias": "none", "solver": "pattern"}
    one = OneVsRestSVC(**parameters).fit(X, y)
    other = OneVsRestSVC(**parameters).fit(X[order], names[y][order])
    np.testing.assert_allclose(
        other.decision_function(X)[:, names], one.decision_function(X), atol=1e-6
    )
    np.testing.assert_array_equal(other.predict(X), names[one.predict(X)])


@pytest.mark.parametrize("parameters", CORES)
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_csr_equals_dense(kernel, parameters):
    X, y = random_problem(100, 3, 6, seed=1)
    X[np.abs(X) < 1.0] = 0.0
    dense = OneVsRestSVC(kernel=kernel, tol=1e-5, **parameters).fit(X, y)
    wide = sp.csr_array(X)  # with indices of 64 bits
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for given in (sp.csr_matrix(X), wide):
        for cache_size in (200.0, 0.01):  # with the kernel matrix for all machines, and without
            sparse = OneVsRestSVC(kernel=kernel, tol=1e-5, cache_size=cache_size, **parameters)
            sparse.fit(given, y)
            np.testing.assert_allclose(
                sparse.decision_function(given), dense.decision_function(X), atol=1e-3
            )


def test_float32_is_read_as_float64():
    X, y = random_problem(60, 3, 4, seed=0)
    X = X.astype(np.float32)
    one = OneVsRestSVC().fit(X, y)
    other = OneVsRestSVC().fit(X.astype(float), y)
    np.testing.assert_array_equal(one.dual_coef_, other.dual_coef_)


@pytest.mark.parametrize("parameters", CORES)
def test_linear_kernel_has_weights(parameters):
    X, y = random_problem(60, 3, 4, seed=1)
    for given in (X, sp.csr_array(X)):
        machine = OneVsRestSVC(kernel="linear", **parameters).fit(given, y)
        np.testing.assert_allclose(
            X @ machine.coef_.T + machine.intercept_, machine.decision_function(given), atol=1e-12
        )


def test_gamma_is_that_of_the_whole_training_set():
    X, y = random_problem(60, 3, 4, seed=1)
    X[y == 0] *= 10
    assert OneVsRestSVC().fit(X, y).gamma_ == pytest.approx(1 / (4 * X.var()))


def test_pipeline_grid_search_and_clone():
    X, y = random_problem(90, 3, 4, seed=2)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), OneVsRestSVC()),
        {"onevsrestsvc__C": [0.1, 1.0], "onevsrestsvc__gamma": [0.1, "scale"]},
        cv=3,
    ).fit(X, y)
    assert search.best_score_ > 0.5
    assert clone(search.best_estimator_[-1]).get_params() == search.best_estimator_[-1].get_params()


@pytest.mark.parametrize("parameters", CORES)
def test_gap_tol_is_met_as_well(parameters):
    X, y = random_problem(100, 4, 4, seed=0)
    loose = OneVsRestSVC(C=50, tol=0.1, **parameters).fit(X, y)
    tight = OneVsRestSVC(C=50, tol=0.1, gap_tol=1e-5, **parameters).fit(X, y)
    assert (loose.status_, tight.status_) == ("converged", "converged")
    assert loose.duality_gap_ > 1e-5 >= tight.duality_gap_
    assert tight.n_iter_ > loose.n_iter_


def test_what_single_precision_cannot_reach_is_said():
    X, y = random_problem(100, 4, 4, seed=0)
    with pytest.warns(ConvergenceWarning, match=r"stalled.*gap"):
        machine = OneVsRestSVC(C=500, gap_tol=1e-15).fit(X, y)
    assert 1e-15 < machine.duality_gap_ < 1e-3
    with pytest.warns(ConvergenceWarning, match="stalled"):
        machine = OneVsRestSVC(C=500, tol=1e-12).fit(X, y)
    assert machine.kkt_violation_ > 1e-12


@pytest.mark.parametrize("parameters", CORES)
def test_limits_leave_a_partial_model_with_its_gap(parameters):
    X, y = random_problem(200, 5, 3, seed=0)
    with pytest.warns(ConvergenceWarning, match=r"max_iter.*gap"):
        machine = OneVsRestSVC(C=100, max_iter=20, **parameters).fit(X, y)
    assert (machine.status_, machine.n_iter_) == ("max_iter", 5 * 20)
    assert 0 < machine.duality_gap_ <= 1
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        machine = OneVsRestSVC(time_limit=1e-9, **parameters).fit(X, y)
    assert (machine.n_binary_machines_, machine.n_iter_) == (0, 0)
    np.testing.assert_array_equal(machine.decision_function(X), 0.0)
    assert machine.duality_gap_ == 1.0
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        OneVsRestSVC(np.inf, time_limit=1e-9, **parameters).fit(X, y)


def test_a_limit_of_time_costs_libsvm_few_iterations_and_no_accuracy():
    X, y = random_problem(400, 3, 3, seed=0)
    free = OneVsRestSVC(C=1e4, tol=1e-2).fit(X, y)
    limited = OneVsRestSVC(C=1e4, tol=1e-2, time_limit=1000).fit(X, y)
    np.testing.assert_array_equal(limited.dual_coef_, free.dual_coef_)
    assert free.n_iter_ > 3 * 4000
    assert limited.n_iter_ == free.n_iter_ + 3 * 1000  # the first, which are timed, of each machine


def test_the_pattern_core_keeps_its_time_within_a_machine():
    X, y = random_problem(400, 2, 3, seed=0)
    started = time.perf_counter()
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        machine = OneVsRestSVC(C=1e6, tol=1e-13, time_limit=0.2, bias="none", solver="pattern").fit(
            X, y
        )
    assert machine.status_ == "time_limit"
    assert machine.n_iter_ > 0
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("parameters", CORES)
def test_callback_between_machines(parameters, n_jobs):
    X, y = random_problem(60, 6, 3, seed=0)
    seen = []

    def look(progress):
        time.sleep(0.02)
        seen.append(progress)
        assert progress.dual_coef.shape == (60, 6)
        assert np.all(progress.dual_coef[:, progress.iteration :] == 0.0)
        assert np.all(np.any(progress.dual_coef[:, : progress.iteration] != 0.0, axis=0))
        return progress.iteration >= 4

    machine = OneVsRestSVC(callback=look, n_jobs=n_jobs, **parameters).fit(X, y)
    assert [progress.iteration for progress in seen] == [0, 1, 2, 3, 4]
    assert (machine.status_, machine.n_binary_machines_) == ("callback", 4)
    assert machine.decision_function(X).shape == (60, 6)
    assert (seen[0].intercept is None) == bool(parameters)
    if n_jobs == 1:
        assert machine.fit_time_ >= seen[-1].seconds
    seen.clear()
    full = OneVsRestSVC(callback=seen.append, **parameters).fit(X, y)
    assert (full.status_, seen[-1].iteration) == ("converged", 6)
    with pytest.raises(ValueError, match="read-only"):
        OneVsRestSVC(callback=lambda p: p.dual_coef.fill(0), **parameters).fit(X, y)


def test_the_clock_stands_still_while_a_callback_looks():
    X, y = random_problem(60, 3, 3, seed=0)
    calls = []

    def look(progress):
        time.sleep(0.3)
        calls.append(progress.seconds)

    machine = OneVsRestSVC(callback=look).fit(X, y)
    assert machine.fit_time_ < 0.3 * (len(calls) - 1)


BAD_PARAMETERS = [
    ({"C": -1.0}, "C=-1.0 is not a finite number greater than 0"),
    ({"C": np.nan}, "C=nan"),
    ({"kernel": "rbff"}, "did you mean 'rbf'"),
    ({"gamma": "scales"}, "did you mean 'scale'"),
    ({"bias": "outside"}, "'exact', 'none', 'penalized'"),
    ({"solver": "block"}, "solver='block' is not one of 'libsvm', 'pattern'"),
    ({"bias": "none"}, "solver='libsvm' cannot have bias='none': it has a bias outside the norm"),
    ({"bias": "penalized"}, "solver='libsvm' cannot have bias='penalized'"),
    ({"solver": "pattern"}, "solver='pattern' cannot have bias='exact': it changes one example"),
    ({"cache_size": 0}, "cache_size=0"),
    ({"n_jobs": 0}, "n_jobs=0 trains nothing"),
    ({"n_jobs": 1.5}, "n_jobs=1.5 is not an integer"),
    ({"tol": 0}, "tol=0"),
    ({"gap_tol": -1}, "gap_tol=-1"),
    ({"max_iter": 0}, "max_iter=0"),
    ({"time_limit": True}, "time_limit=True"),
    ({"callback": 3}, "callback=3 cannot be called"),
]


@pytest.mark.parametrize(("parameters", "message"), BAD_PARAMETERS)
def test_bad_parameters(parameters, message):
    X, y = random_problem(10, 2, 2, seed=0)
    with pytest.raises(ValueError, match=message):
        OneVsRestSVC(**parameters).fit(X, y)


@pytest.mark.parametrize("parameters", CORES)
def test_bad_data(parameters):
    X, y = random_problem(20, 3, 2, seed=0)
    K = X @ X.T
    precomputed = OneVsRestSVC(kernel="precomputed", **parameters)
    with pytest.raises(ValueError, match="NaN"):
        OneVsRestSVC(**parameters).fit(np.where(X > 1, np.nan, X), y)
    with pytest.raises(ValueError, match="one class"):
        OneVsRestSVC(**parameters).fit(X, np.ones(20))
    with pytest.raises(ValueError, match="square"):
        precomputed.fit(K[:, :10], y)
    with pytest.raises(ValueError, match="symmetric"):
        precomputed.fit(np.triu(K), y)
    with pytest.raises(ValueError, match="indefinite"):
        precomputed.fit((np.eye(20) - 1) * np.sign(np.outer(y - 0.5, y - 0.5)), y)
    with pytest.raises(ValueError, match="shape"):
        OneVsRestSVC(kernel=lambda A, B: np.ones(3), **parameters).fit(X, y)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("cache_size", [200.0, 1e-3])
@pytest.mark.parametrize("parameters", CORES)
def test_a_solution_without_a_value_is_no_solution(parameters, cache_size):
    X, y = random_problem(30, 3, 3, seed=0)
    machine = OneVsRestSVC(max_iter=50, cache_size=cache_size, **parameters)
    with pytest.raises(ValueError, match=r"NaN or infinity|not finite"):  # LIBSVM's own words
        machine.fit(X * 1e200, y)
    with pytest.raises(ValueError, match="NaN or infinity"):
        machine.set_params(kernel="poly", degree=0.5).fit(X, y)


@pytest.mark.parametrize("parameters", CORES)
def test_an_indefinite_kernel_is_refused(parameters):
    X, y = random_problem(30, 3, 3, seed=0)
    machine = OneVsRestSVC(100.0, kernel="poly", degree=2, coef0=-5.0, **parameters)
    with pytest.raises(ValueError, match="indefinite"):
        machine.set_params(max_iter=1000).fit(X, y)
