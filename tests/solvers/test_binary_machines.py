"""Every binary machine of every scheme reaches the optimum of an independent QP solver."""

import numpy as np
import pytest
from oracle import solve_binary_dual
from problems import GAMMA, random_problem
from problems import PROBLEMS as COMMON
from sklearn.metrics.pairwise import pairwise_kernels

from mcbench import OneVsOneSVC, OneVsRestSVC
from solvers.certificate import Solution

SCHEMES = {"one against all": OneVsRestSVC, "one against one": OneVsOneSVC}

PROBLEMS = {
    **COMMON,
    "large C": ({"n": 40, "k": 3, "d": 2, "seed": 7}, "rbf", 4096.0),
    "hard margin": ({"n": 30, "k": 4, "d": 4, "seed": 8, "duplicates": 4}, "rbf", np.inf),
}

# LIBSVM's kernel values are in single precision, so its margins are right to about
# 10^-7 sum_j alpha_j only; the primal has C times the errors of all slacks, the dual their squares.
PRIMAL_ACCURACY = {"pattern": 1e-6, "libsvm": 1e-3}


def machines(estimator, K, y):
    """The certificates of an estimator's machines by way of its problem, and all coefficients."""
    a = np.zeros((len(y), estimator.dual_coef_.shape[1]))
    a[estimator.support_] = estimator.dual_coef_
    shift = estimator.bias == "penalized"
    outside = estimator.intercept_ if estimator.bias == "exact" else 0.0
    return estimator.problem().machines(Solution(a, outside), y, lambda a: (K + shift) @ a), a


@pytest.fixture(scope="module", params=PROBLEMS)
def given(request):
    sizes, kernel, C = PROBLEMS[request.param]
    X, y = random_problem(**sizes)
    return X, y, kernel, C, pairwise_kernels(X, metric=kernel, filter_params=True, **GAMMA)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:The number of unique classes")
@pytest.mark.parametrize("bias", ["none", "penalized", "exact"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_optimum(given, scheme, bias):
    X, y, kernel, C, K = given
    solver = "libsvm" if bias == "exact" else "pattern"
    parameters = {"gap_tol": 5e-7} if solver == "pattern" else {}
    estimator = SCHEMES[scheme](
        C, kernel=kernel, **GAMMA, bias=bias, solver=solver, tol=1e-7, **parameters
    ).fit(X, y)
    if solver == "pattern":
        assert estimator.status_ == "converged"
        assert estimator.kkt_violation_ <= 1.001e-7
    found, a = machines(estimator, K, y)
    codes = estimator.problem().codes(int(y.max()) + 1)[y]
    # the oracle is slow: of hundreds of pairs a sample
    for c in range(0, len(found), 1 + len(found) // 12):
        certificate = found[c]
        seen = codes[:, c] != 0
        sign = codes[seen, c].astype(float)
        kernel_matrix = K[np.ix_(seen, seen)] + (bias == "penalized")
        alpha = solve_binary_dual(kernel_matrix, sign, C, bias=bias == "exact")
        optimum = alpha.sum() - 0.5 * (sign * alpha) @ kernel_matrix @ (sign * alpha)
        assert certificate.dual == pytest.approx(optimum, rel=1e-6)
        assert certificate.primal == pytest.approx(optimum, rel=PRIMAL_ACCURACY[solver])
        assert certificate.infeasibility <= 1e-10 * min(C, 1e4)
        alpha = sign * a[seen, c]
        assert np.all((alpha >= 0.0) & (alpha <= C))
        assert np.all(a[~seen, c] == 0.0)
        margin = sign * (K[np.ix_(seen, seen)] @ a[seen, c] + estimator.intercept_[c])
        violation = np.where(alpha < C, np.maximum(1 - margin, 0), 0)
        violation = np.maximum(violation, np.where(alpha > 0, margin - 1, 0))
        assert certificate.violation == pytest.approx(violation.max(), abs=1e-9)
    assert estimator.primal_objective_ == pytest.approx(sum(one.primal for one in found), rel=1e-9)
    assert estimator.dual_objective_ == pytest.approx(sum(one.dual for one in found), rel=1e-9)
    assert estimator.kkt_violation_ == pytest.approx(max(one.violation for one in found), abs=1e-9)
    assert estimator.n_binary_machines_ == len(found)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("bias", ["none", "penalized", "exact"])
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "precomputed", "callable"])
def test_every_kernel_and_bias(kernel, bias, scheme):
    X, y = random_problem(30, 4, 3, seed=11)
    name = "poly" if kernel in ("precomputed", "callable") else kernel
    K = pairwise_kernels(X, metric=name, filter_params=True, **GAMMA)
    functions = {"callable": lambda A, B: pairwise_kernels(A, B, metric="poly", **GAMMA)}
    machine = SCHEMES[scheme](
        2.0,
        kernel=functions.get(kernel, kernel),
        **GAMMA,
        bias=bias,
        solver="libsvm" if bias == "exact" else "pattern",
        tol=1e-5,
    )
    train = K if kernel == "precomputed" else X
    machine.fit(train, y)
    assert machine.status_ == "converged"
    _, a = machines(machine, K, y)
    f = K @ a + machine.intercept_
    np.testing.assert_allclose(machine._model_scores(train), f, atol=1e-9)
    np.testing.assert_array_equal(machine.predict(train), machine.problem().decide(f))


def test_a_fractional_degree_is_for_libsvm_too():
    X, y = random_problem(30, 3, 3, seed=1)
    X = np.abs(X)
    parameters = {"kernel": "poly", "degree": 1.5, "coef0": 1.0, "gamma": 1.0, "tol": 1e-6}
    named = OneVsOneSVC(**parameters).fit(X, y)
    given = OneVsOneSVC(kernel="precomputed", tol=1e-6).fit((X @ X.T + 1) ** 1.5, y)
    np.testing.assert_allclose(
        named.pairwise_decision_function(X),
        given.pairwise_decision_function((X @ X.T + 1) ** 1.5),
        atol=1e-4,
    )


@pytest.mark.parametrize("bias", ["exact", "penalized"])
def test_hard_margin_with_a_bias_separates_what_needs_one(bias):
    # Class 1 lies between 0 and 2 on a line: separable from either by a threshold only.
    X = np.array([[1.0], [2.0], [5.0], [6.0], [9.0], [10.0]])
    y = np.array([0, 0, 1, 1, 2, 2])
    solver = "libsvm" if bias == "exact" else "pattern"
    machine = OneVsOneSVC(np.inf, kernel="linear", bias=bias, solver=solver, tol=1e-6).fit(X, y)
    assert machine.status_ == "converged"
    assert machine.score(X, y) == 1.0
    if bias == "exact":  # half way between the nearest examples: 3.5, 5.5 and 7.5
        np.testing.assert_allclose(-machine.intercept_ / machine.coef_[:, 0], [3.5, 5.5, 7.5])
        np.testing.assert_allclose(machine.coef_[:, 0], [-2 / 3, -2 / 7, -2 / 3], rtol=1e-5)
    with pytest.raises(ValueError, match="class 1 against the others: C=inf: no machine separates"):
        OneVsRestSVC(np.inf, kernel="linear", bias=bias, solver=solver).fit(X, y)


@pytest.mark.parametrize("parameters", [{}, {"bias": "none", "solver": "pattern"}])
def test_hard_margin_names_the_machine_that_cannot_keep_it(parameters):
    X, y = random_problem(24, 3, 4, seed=0)
    names = np.array(["ape", "bee", "cat"])[y]
    X[np.flatnonzero(y == 1)[0]] = X[np.flatnonzero(y == 2)[0]]
    with pytest.raises(ValueError, match="class bee against class cat: C=inf"):
        OneVsOneSVC(np.inf, **parameters).fit(X, names)
    # Two machines fail, and either may be the first with two at a time.
    with pytest.raises(ValueError, match=r"class (bee|cat) against the others: C=inf"):
        OneVsRestSVC(np.inf, n_jobs=2, **parameters).fit(X, names)
    X[5] = 0.0
    if parameters:
        with pytest.raises(ValueError, match="example 5 is zero under the kernel"):
            OneVsOneSVC(np.inf, kernel="linear", **parameters).fit(X, names)


@pytest.mark.parametrize("n_jobs", [2, -1])
@pytest.mark.parametrize("parameters", [{}, {"bias": "penalized", "solver": "pattern"}])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_threads_change_no_bit(scheme, parameters, n_jobs):
    X, y = random_problem(150, 5, 4, seed=0)
    one = SCHEMES[scheme](10.0, **parameters).fit(X, y)
    many = SCHEMES[scheme](10.0, n_jobs=n_jobs, **parameters).fit(X, y)
    np.testing.assert_array_equal(one.dual_coef_, many.dual_coef_)
    np.testing.assert_array_equal(one.intercept_, many.intercept_)
    assert one.n_iter_ == many.n_iter_


@pytest.mark.parametrize("parameters", [{}, {"bias": "none", "solver": "pattern"}])
def test_the_shared_kernel_matrix_changes_nothing(parameters):
    X, y = random_problem(150, 4, 4, seed=2)
    shared = OneVsRestSVC(4.0, tol=1e-5, **parameters).fit(X, y)
    own = OneVsRestSVC(4.0, tol=1e-5, cache_size=0.05, **parameters).fit(X, y)
    assert shared.dual_objective_ == pytest.approx(own.dual_objective_, rel=1e-6)
    np.testing.assert_allclose(shared.decision_function(X), own.decision_function(X), atol=1e-3)
    assert (own.kernel_time_ is None) == (not parameters)
    assert shared.kernel_time_ > 0.0
