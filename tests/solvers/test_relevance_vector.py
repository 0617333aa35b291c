"""The relevance vector machine over fastrvm, and what is said where that is not installed."""

import importlib.util
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from checks import ONE_COLUMN_PER_CLASS
from problems import random_problem
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbench import RelevanceVectorClassifier

needs_fastrvm = pytest.mark.skipif(
    importlib.util.find_spec("fastrvm") is None, reason='needs fastrvm: pip install "mcbench[rvm]"'
)


@needs_fastrvm
@parametrize_with_checks(
    [RelevanceVectorClassifier()], expected_failed_checks=lambda estimator: ONE_COLUMN_PER_CLASS
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@needs_fastrvm
def test_two_classes_are_one_machine():
    from fastrvm import RVC

    X, y = random_problem(80, 2, 3, seed=0)
    K = rbf_kernel(X, gamma=0.3)
    machine = RelevanceVectorClassifier(gamma=0.3).fit(X, y)
    alone = RVC(kernel="precomputed", fit_intercept=True).fit(K, y)
    np.testing.assert_array_equal(machine.support_, np.sort(alone.relevance_))
    assert 0 < len(machine.support_) < 20
    f = machine.decision_function(X)
    np.testing.assert_allclose(f[:, 0], -f[:, 1], atol=1e-12)
    np.testing.assert_allclose(
        f[:, 1], K[:, alone.relevance_] @ alone.dual_coef_.ravel() + alone.intercept_, atol=1e-12
    )


@needs_fastrvm
def test_weights_and_precisions_satisfy_tippings_equations():
    X, y = random_problem(80, 2, 3, seed=0)
    machine = RelevanceVectorClassifier(gamma=0.3).fit(X, y)
    f, weights = machine.decision_function(X)[:, 1], machine.dual_coef_[:, 1]
    basis = rbf_kernel(X, machine.support_vectors_, gamma=0.3)
    p = 1 / (1 + np.exp(-f))
    assert abs((y - p).sum()) < 1e-4  # the intercept has no prior to speak of
    # The mode of the posterior: basis.T (y - p) = alpha weights, which gives the precisions.
    alpha = basis.T @ (y - p) / weights
    assert (alpha > 0).all()
    # They maximize the marginal likelihood where alpha_j = (1 - alpha_j S_jj) / weights_j^2.
    both = np.column_stack([basis, np.ones(len(y))])
    covariance = np.linalg.inv((both.T * (p * (1 - p))) @ both + np.diag([*alpha, 0.0]))
    determined = 1 - alpha * np.diag(covariance)[:-1]
    np.testing.assert_allclose(alpha * weights**2, determined, rtol=0.01)


@needs_fastrvm
def test_more_classes_are_one_machine_for_each_against_the_rest():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    machine = RelevanceVectorClassifier(gamma=0.5).fit(X, names)
    assert machine.score(X, names) > 0.95
    f = machine.decision_function(X)
    assert f.shape == (150, 3)
    np.testing.assert_array_equal(machine.classes_[f.argmax(axis=1)], machine.predict(X))
    union = set()
    iterations = 0
    for r in range(3):
        one = RelevanceVectorClassifier(gamma=0.5).fit(X, y == r)
        np.testing.assert_allclose(one.decision_function(X)[:, 1], f[:, r], atol=1e-9)
        union |= set(one.support_)
        iterations += one.n_iter_
    assert set(machine.support_) == union
    assert machine.n_iter_ == iterations
    np.testing.assert_array_equal(machine.support_vectors_, X[machine.support_])
    np.testing.assert_allclose(
        f,
        rbf_kernel(X, machine.support_vectors_, gamma=0.5) @ machine.dual_coef_
        + machine.intercept_,
        atol=1e-9,
    )


@needs_fastrvm
@pytest.mark.parametrize("kernel", ["linear", "precomputed", "callable"])
def test_kernels_and_sparse_examples_agree(kernel):
    X, y = random_problem(60, 3, 4, seed=1)
    if kernel == "linear":
        dense = RelevanceVectorClassifier(kernel="linear").fit(X, y)
        other = RelevanceVectorClassifier(kernel="linear").fit(sp.csr_array(X), y)
        f, g = dense.decision_function(X), other.decision_function(sp.csr_array(X))
        np.testing.assert_allclose(X @ dense.coef_.T + dense.intercept_, f, atol=1e-10)
    else:
        given = linear_kernel if kernel == "callable" else "precomputed"
        Z = X if kernel == "callable" else X @ X.T
        f = RelevanceVectorClassifier(kernel="linear").fit(X, y).decision_function(X)
        g = RelevanceVectorClassifier(kernel=given).fit(Z, y).decision_function(Z)
    np.testing.assert_allclose(f, g, atol=1e-6 * np.abs(f).max())


@needs_fastrvm
def test_without_an_intercept_there_is_none():
    X, y = random_problem(60, 3, 4, seed=1)
    machine = RelevanceVectorClassifier(fit_intercept=False).fit(X, y)
    np.testing.assert_array_equal(machine.intercept_, 0)


@needs_fastrvm
def test_an_end_by_max_iter_is_said():
    X, y = random_problem(60, 3, 4, seed=1)
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        machine = RelevanceVectorClassifier(max_iter=2).fit(X, y)
    assert machine.status_ == "max_iter"
    assert RelevanceVectorClassifier(max_iter=2**40).fit(X, y).status_ == "converged"


@needs_fastrvm
def test_a_machine_that_gives_up_is_an_error(monkeypatch):
    from fastrvm import _sparsebayes_bindings

    class Broken:
        def __init__(self, *arguments):
            pass

        def inference(self, basis, targets):
            raise RuntimeError("singular")

    monkeypatch.setattr(_sparsebayes_bindings, "SparseBayes", Broken)
    X, y = random_problem(30, 3, 4, seed=1)
    with pytest.raises(ValueError, match=r"gives up on class '0' .*singular.*scale the data"):
        RelevanceVectorClassifier().fit(X, y)


@needs_fastrvm
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_bad_data():
    X, y = random_problem(20, 3, 2, seed=0)
    with pytest.raises(ValueError, match="NaN"):
        RelevanceVectorClassifier().fit(np.where(X > 1, np.nan, X), y)
    with pytest.raises(ValueError, match="one class"):
        RelevanceVectorClassifier().fit(X, np.ones(20))
    with pytest.raises(ValueError, match="the kernel gave NaN or infinity"):
        RelevanceVectorClassifier(kernel="poly", gamma=1.0, degree=3).fit(X * 1e150, y)
    with pytest.raises(ValueError, match="square"):
        RelevanceVectorClassifier(kernel="precomputed").fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kernel": "rbff"}, "did you mean 'rbf'"),
        ({"gamma": 0.0}, "gamma=0.0"),
        ({"degree": -1}, "degree=-1"),
        ({"fit_intercept": 1}, "fit_intercept=1 is not True or False"),
        ({"max_iter": 0}, "max_iter=0"),
    ],
)
def test_bad_parameters_are_said_with_and_without_the_package(parameters, message, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastrvm", None)
    with pytest.raises(ValueError, match=message):
        RelevanceVectorClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])


def test_a_missing_package_is_said_with_the_way_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "fastrvm", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "mcbench\[rvm\]"') as caught:
        RelevanceVectorClassifier().fit([[0.0], [1.0]], [0, 1])
    assert caught.value.name == "fastrvm"
