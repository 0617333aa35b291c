"""One against one, by votes and by elimination."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from checks import ONE_COLUMN_PER_CLASS
from oracle import solve_binary_dual
from problems import random_problem
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbench import DAGSVC, OneVsOneSVC
from solvers.problems import DAG, OneVsOne

CORES = [{}, {"bias": "none", "solver": "pattern"}]


@parametrize_with_checks(
    [OneVsOneSVC(), DAGSVC()],
    expected_failed_checks=lambda estimator: ONE_COLUMN_PER_CLASS,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def votes_one_by_one(f, k):
    """Max wins for the pairwise scores of one example."""
    count = [0] * k
    for score, (s, t) in zip(f, itertools.combinations(range(k), 2), strict=True):
        count[s if score > 0 else t] += 1
    return count, count.index(max(count))


def list_elimination(f, k):
    """The order in which classes leave the list for the pairwise scores of one example."""
    score = dict(zip(itertools.combinations(range(k), 2), f, strict=True))
    candidates, gone = list(range(k)), []
    while len(candidates) > 1:
        first, last = candidates[0], candidates[-1]
        loser = last if score[first, last] > 0 else first
        candidates.remove(loser)
        gone.append(loser)
    return [*gone, candidates[0]]


@pytest.mark.parametrize("k", [2, 3, 4, 7, 26])
def test_decisions_are_those_of_a_plain_loop(k):
    f = np.random.default_rng(k).normal(size=(300, k * (k - 1) // 2))
    f[::7] = 0.0  # nobody's vote: it goes to the second of the pair
    by_votes = OneVsOne(1.0).decide(f)
    by_list = DAG(1.0).decide(f)
    for row, voted, left in zip(f, by_votes, by_list, strict=True):
        assert voted == votes_one_by_one(row, k)[1]
        assert left == list_elimination(row, k)[-1]


def test_equal_votes_go_to_the_smaller_class():
    # 0 beats 1, 1 beats 2, 2 beats 0: a vote each. From the list, 2 beats 0, then 1 beats 2.
    f = np.array([[1.0, -1.0, 1.0]])
    assert OneVsOne(1.0).decide(f) == [0]
    assert DAG(1.0).decide(f) == [1]


@pytest.mark.parametrize("parameters", CORES)
@pytest.mark.parametrize("k", [2, 3, 6])
def test_scores_votes_and_elimination(k, parameters):
    X, y = random_problem(90, k, 2, seed=k)
    names = np.array([f"class {chr(122 - c)}" for c in y])
    voting = OneVsOneSVC(C=5, gamma=0.3, **parameters).fit(X, names)
    dag = DAGSVC(C=5, gamma=0.3, **parameters).fit(X, names)
    f = voting.pairwise_decision_function(X)
    K = rbf_kernel(X, voting.support_vectors_, gamma=0.3)
    np.testing.assert_allclose(f, K @ voting.dual_coef_ + voting.intercept_, atol=1e-10)
    np.testing.assert_array_equal(f, dag.pairwise_decision_function(X))
    np.testing.assert_array_equal(voting.pairs_, list(itertools.combinations(range(k), 2)))
    by_votes, by_list = voting.decision_function(X), dag.decision_function(X)
    for i in range(len(X)):
        np.testing.assert_array_equal(by_votes[i], votes_one_by_one(f[i], k)[0])
        np.testing.assert_array_equal(np.argsort(by_list[i]), list_elimination(f[i], k))
    for machine, values in ((voting, by_votes), (dag, by_list)):
        assert values.shape == (90, k)
        np.testing.assert_array_equal(machine.classes_[values.argmax(axis=1)], machine.predict(X))
        np.testing.assert_array_equal(
            machine.classes_[machine.problem().decide(f)], machine.predict(X)
        )
        assert machine.score(X, names) > 0.6
    for (s, t), score in zip(voting.pairs_, f.T, strict=True):  # above 0 for the first of the pair
        own = score[np.isin(names, voting.classes_[[s, t]])]
        assert (
            np.mean(
                (own > 0) == (names[np.isin(names, voting.classes_[[s, t]])] == voting.classes_[s])
            )
            > 0.6
        )


def test_machines_are_those_of_svc():
    X, y = random_problem(150, 5, 3, seed=2)
    machine = OneVsOneSVC(4.0, tol=1e-5).fit(X, y)
    svc = SVC(C=4.0, tol=1e-5, decision_function_shape="ovo").fit(X, y)
    np.testing.assert_allclose(
        machine.pairwise_decision_function(X), svc.decision_function(X), atol=1e-3
    )
    np.testing.assert_array_equal(machine.predict(X), svc.predict(X))
    np.testing.assert_array_equal(machine.support_, np.sort(svc.support_))


@pytest.mark.parametrize("scheme", [OneVsOneSVC, DAGSVC])
def test_two_classes_are_one_binary_machine(scheme):
    X, y = random_problem(60, 2, 4, seed=1)
    machine = scheme(0.7, gamma=0.5, tol=1e-6).fit(X, y)
    binary = SVC(C=0.7, gamma=0.5, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(
        machine.pairwise_decision_function(X)[:, 0], -binary.decision_function(X), atol=1e-4
    )
    np.testing.assert_array_equal(machine.predict(X), binary.predict(X))
    own = scheme(0.7, gamma=0.5, tol=1e-9, bias="none", solver="pattern").fit(X, y)
    K, sign = rbf_kernel(X, gamma=0.5), 1.0 - 2.0 * y
    expected = K @ (solve_binary_dual(K, sign, 0.7) * sign)
    np.testing.assert_allclose(own.pairwise_decision_function(X)[:, 0], expected, atol=1e-6)
    np.testing.assert_array_equal(own.predict(X), np.where(expected > 0, 0, 1))
    assert set(np.unique(own.decision_function(X))) == {0.0, 1.0}


class CountingKernel:
    """The Gaussian kernel; counts the rows that it is asked for, and the values."""

    def __init__(self):
        self.rows = self.values = 0

    def __call__(self, A, B):
        self.rows += len(A)
        self.values += len(A) * len(B)
        return rbf_kernel(A, B, gamma=0.5)


@pytest.mark.parametrize("parameters", CORES)
def test_elimination_asks_k_minus_1_machines_for_their_own_support_vectors(parameters):
    X, y = random_problem(240, 8, 2, seed=0)
    X[:, 0] += 1.5 * y  # classes in a row, so that most machines need few support vectors
    new = X[:50] + 0.1
    kernel = CountingKernel()
    voting = OneVsOneSVC(10.0, kernel=kernel, **parameters).fit(X, y)
    dag = DAGSVC(10.0, kernel=kernel, **parameters).fit(X, y)
    f = voting.pairwise_decision_function(new)
    own = dict(zip(itertools.combinations(range(8), 2), (dag.dual_coef_ != 0).sum(0), strict=True))
    expected = 0
    for row in f:
        candidates = list(range(8))
        for loser in list_elimination(row, 8)[:-1]:
            expected += own[candidates[0], candidates[-1]]
            candidates.remove(loser)
    kernel.rows = kernel.values = 0
    dag.predict(new)
    assert kernel.rows == 50 * 7
    assert kernel.values == expected
    kernel.rows = kernel.values = 0
    voting.predict(new)
    assert kernel.values == 50 * len(voting.support_) > expected


@pytest.mark.parametrize("parameters", CORES)
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "precomputed"])
@pytest.mark.parametrize("scheme", [OneVsOneSVC, DAGSVC])
def test_every_kernel_dense_and_sparse(scheme, kernel, parameters):
    X, y = random_problem(100, 4, 6, seed=1)
    X[np.abs(X) < 1.0] = 0.0
    given = X @ X.T if kernel == "precomputed" else X
    machine = scheme(kernel=kernel, tol=1e-6, **parameters).fit(given, y)
    f = machine.pairwise_decision_function(given)
    np.testing.assert_array_equal(machine.predict(given), machine.problem().decide(f))
    if kernel == "precomputed":
        assert machine.support_vectors_.size == 0
        return
    wide = sp.csr_array(X)  # with indices of 64 bits
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for sparse_X in (sp.csr_matrix(X), wide):
        sparse = scheme(kernel=kernel, tol=1e-6, **parameters).fit(sparse_X, y)
        np.testing.assert_allclose(sparse.pairwise_decision_function(sparse_X), f, atol=1e-4)
        np.testing.assert_array_equal(sparse.predict(sparse_X), machine.predict(X))
    if kernel == "linear":
        np.testing.assert_allclose(X @ machine.coef_.T + machine.intercept_, f, atol=1e-12)


def test_a_machine_that_was_not_begun_wins_nothing_for_its_first_class():
    X, y = random_problem(60, 3, 2, seed=0)
    machine = OneVsOneSVC(callback=lambda progress: progress.iteration == 1).fit(X, y)
    assert (machine.status_, machine.n_binary_machines_) == ("callback", 1)
    f = machine.pairwise_decision_function(X)
    np.testing.assert_array_equal(f[:, 1:], 0.0)
    np.testing.assert_array_equal(machine.decision_function(X)[:, 2], 2.0)
