"""The compiled loops take the same steps as the plain NumPy statement of the algorithm."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from problems import random_problem

from mcbench import CrammerSingerSVC

family = partial(CrammerSingerSVC, solver="pattern")

FIVE_VERSIONS = {
    "baseline": {"pick": "cyclic", "active_set": False, "threshold": "fixed", "cache": "none"},
    "kkt": {"active_set": False, "threshold": "fixed", "cache": "none"},
    "cooling": {"active_set": True, "threshold": "logarithmic", "cache": "none"},
    "cache": {"active_set": True, "threshold": "logarithmic", "cache": "lru"},
    "sparse": {
        "active_set": True,
        "threshold": "logarithmic",
        "cache": "lru",
        "storage": "sparse",
    },
}


N_STEPS = 120  # rounding may decide between near equals when a fit is almost over


class Steps:
    """Records, at every iteration, which example was optimized and what came of it."""

    def __init__(self):
        self.examples, self.coefficients, self.levels = [], [], []

    def __call__(self, progress):
        self.examples.append(progress.last)
        self.levels.append(progress.level)
        self.coefficients.append(progress.dual_coef[progress.last].copy())

    def next_checkpoint(self, iteration, seconds):
        return iteration + 1


def steps(X, y, **parameters):
    recorder = Steps()
    defaults = {"C": 3.0, "gamma": 0.3, "tol": 1e-3, "passes": 3, "max_iter": N_STEPS}
    machine = family(callback=recorder, **{**defaults, **parameters})
    return recorder, machine.fit(X, y)


def assert_same_steps(X, y, at_least, **parameters):
    compiled, machine = steps(X, y, **parameters)
    plain, statement = steps(X, y, **parameters, core="numpy")
    assert len(compiled.examples) > at_least
    assert compiled.examples == plain.examples
    np.testing.assert_allclose(compiled.levels, plain.levels, rtol=1e-9)
    np.testing.assert_allclose(compiled.coefficients, plain.coefficients, atol=1e-9)
    assert machine.n_pair_steps_ == statement.n_pair_steps_
    assert machine.n_inner_iter_ > 0
    assert machine.dual_objective_ == pytest.approx(statement.dual_objective_, rel=1e-9)
    return machine, statement


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("optimizer", ["fixed_point", "exact"])
@pytest.mark.parametrize("version", FIVE_VERSIONS)
@pytest.mark.parametrize("k", [2, 5, 26])
def test_step_by_step(version, optimizer, k):
    X, y = random_problem(60, k, 4, seed=k)  # no duplicates: rounding would choose among equals
    assert_same_steps(X, y, 100, **FIVE_VERSIONS[version], optimizer=optimizer)


def untied_problem():
    """A kernel matrix with a different K_pp for each example: no two first gains are the same.

    It is given, so that both cores read the same bits; two-variable steps start from classes with
    equal scores, where the last bit would choose.
    """
    X, y = random_problem(24, 5, 3, seed=1)
    return (0.3 * X @ X.T + 1.0) ** 2, y


OPTIMIZERS = {
    "fixed_point": {"optimizer": "fixed_point"},
    "exact": {"optimizer": "exact"},
    "basic": {"optimizer": "basic"},
    "all_pairs": {"optimizer": "all_pairs"},
    "relative": {"optimizer": "all_pairs", "sweep_rule": "relative"},
    "opt_kkt": {"optimizer": "opt_kkt"},
}
PICKS = {
    "argmax": {"pick": "argmax", "active_set": False, "threshold": "fixed"},
    "active_set": {"pick": "argmax", "threshold": "logarithmic"},
    "fixed": {"pick": "threshold", "active_set": False, "threshold": "fixed"},
    "linear": {"pick": "threshold", "active_set": False, "threshold": "linear"},
    "exponential": {"pick": "threshold", "active_set": False, "threshold": "exponential"},
    "logarithmic": {"pick": "threshold", "active_set": False, "threshold": "logarithmic"},
    "max": {"pick": "threshold", "active_set": False, "threshold": "max", "mu": 0.3},
    "mean": {"pick": "threshold", "active_set": False, "threshold": "mean"},
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize("selection", ["kkt", "amg", "bmg"])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_step_by_step_over_the_grid(optimizer, selection, pick):
    K, y = untied_problem()
    parameters = {**OPTIMIZERS[optimizer], **PICKS[pick], "selection": selection}
    machine, statement = assert_same_steps(
        K, y, 20, kernel="precomputed", max_iter=40, **parameters
    )
    assert machine.n_inner_iter_ == statement.n_inner_iter_ or optimizer == "exact"


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_step_by_step_in_turn(optimizer):
    K, y = untied_problem()
    cyclic = {"pick": "cyclic", "active_set": False, "threshold": "fixed"}
    with pytest.warns(UserWarning, match="max_iter"):
        assert_same_steps(
            K, y, 20, kernel="precomputed", max_iter=24, **cyclic, **OPTIMIZERS[optimizer]
        )


@pytest.mark.parametrize("selection", ["kkt", "amg", "bmg"])
@pytest.mark.parametrize("C", [0.5, np.inf])
def test_both_cores_end_at_the_same_optimum(selection, C):
    X, y = random_problem(20, 4, 4, seed=3)
    parameters = {**PICKS["mean"], "selection": selection, "optimizer": "opt_kkt", "tol": 1e-6}
    compiled = family(C, gamma=0.5, **parameters).fit(X, y)
    plain = family(C, gamma=0.5, core="numpy", **parameters).fit(X, y)
    assert compiled.status_ == plain.status_ == "converged"
    assert compiled.dual_objective_ == pytest.approx(plain.dual_objective_, rel=1e-9)


def test_versions_agree_with_each_other():
    X, y = random_problem(120, 6, 5, seed=9)
    X[np.abs(X) < 0.8] = 0.0
    duals = [
        family(C=2.0, gamma=0.2, tol=1e-7, passes=3000, optimizer="fixed_point", **v)
        .fit(X, y)
        .dual_objective_
        for v in FIVE_VERSIONS.values()
    ]
    np.testing.assert_allclose(duals, duals[0], rtol=1e-7)


@pytest.mark.parametrize("cache_size", [1e-9, 0.01, 1.0])
def test_cache_changes_nothing_but_the_work(cache_size):
    X, y = random_problem(150, 4, 5, seed=3)
    without = family(gamma=0.3, C=5, cache="none").fit(X, y)
    cached = family(gamma=0.3, C=5, cache="lru", cache_size=cache_size).fit(X, y)
    np.testing.assert_array_equal(cached.dual_coef_, without.dual_coef_)
    assert cached.n_iter_ == without.n_iter_
    assert cached.n_kernel_rows_ + cached.n_cache_hits_ == without.n_kernel_rows_


def test_csr_equals_dense():
    X, y = random_problem(100, 3, 6, seed=1)
    X[np.abs(X) < 1.0] = 0.0
    for kernel in ("linear", "poly", "rbf"):
        dense = family(kernel=kernel, tol=1e-9).fit(X, y)
        sparse = family(kernel=kernel, tol=1e-9).fit(sp.csr_matrix(X), y)
        assert sparse.gamma_ == pytest.approx(dense.gamma_)
        np.testing.assert_allclose(
            sparse.decision_function(sp.csr_array(X)), dense.decision_function(X), atol=1e-6
        )
        np.testing.assert_array_equal(sparse.predict(sp.csr_matrix(X)), dense.predict(X))
