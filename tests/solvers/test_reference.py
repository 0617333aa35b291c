"""The compiled loops take the same steps as the plain NumPy statement of the algorithm."""

import numpy as np
import pytest
import scipy.sparse as sp
from problems import random_problem

from mcbench import CrammerSingerSVC

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


N_STEPS = 200  # rounding may decide between near equals when a fit is almost over


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
    machine = CrammerSingerSVC(
        C=3.0, gamma=0.3, tol=1e-3, passes=3, max_iter=N_STEPS, callback=recorder, **parameters
    )
    return recorder, machine.fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("optimizer", ["fixed_point", "exact"])
@pytest.mark.parametrize("version", FIVE_VERSIONS)
@pytest.mark.parametrize("k", [2, 5, 26])
def test_step_by_step(version, optimizer, k):
    X, y = random_problem(80, k, 4, seed=k)  # no duplicates: rounding would choose among equals
    parameters = {**FIVE_VERSIONS[version], "optimizer": optimizer}
    compiled, machine = steps(X, y, **parameters)
    plain, statement = steps(X, y, **parameters, core="numpy")
    assert len(compiled.examples) > 120
    assert compiled.examples == plain.examples
    np.testing.assert_allclose(compiled.levels, plain.levels, rtol=1e-9)
    np.testing.assert_allclose(compiled.coefficients, plain.coefficients, atol=1e-9)
    assert machine.n_inner_iter_ > 0
    assert machine.dual_objective_ == pytest.approx(statement.dual_objective_, rel=1e-9)


def test_versions_agree_with_each_other():
    X, y = random_problem(120, 6, 5, seed=9)
    X[np.abs(X) < 0.8] = 0.0
    duals = [
        CrammerSingerSVC(C=2.0, gamma=0.2, tol=1e-7, passes=3000, optimizer="fixed_point", **v)
        .fit(X, y)
        .dual_objective_
        for v in FIVE_VERSIONS.values()
    ]
    np.testing.assert_allclose(duals, duals[0], rtol=1e-7)


@pytest.mark.parametrize("cache_size", [1e-9, 0.01, 1.0])
def test_cache_changes_nothing_but_the_work(cache_size):
    X, y = random_problem(150, 4, 5, seed=3)
    without = CrammerSingerSVC(gamma=0.3, C=5, cache="none").fit(X, y)
    cached = CrammerSingerSVC(gamma=0.3, C=5, cache="lru", cache_size=cache_size).fit(X, y)
    np.testing.assert_array_equal(cached.dual_coef_, without.dual_coef_)
    assert cached.n_iter_ == without.n_iter_
    assert cached.n_kernel_rows_ + cached.n_cache_hits_ == without.n_kernel_rows_


def test_csr_equals_dense():
    X, y = random_problem(100, 3, 6, seed=1)
    X[np.abs(X) < 1.0] = 0.0
    for kernel in ("linear", "poly", "rbf"):
        dense = CrammerSingerSVC(kernel=kernel, tol=1e-9).fit(X, y)
        sparse = CrammerSingerSVC(kernel=kernel, tol=1e-9).fit(sp.csr_matrix(X), y)
        assert sparse.gamma_ == pytest.approx(dense.gamma_)
        np.testing.assert_allclose(
            sparse.decision_function(sp.csr_array(X)), dense.decision_function(X), atol=1e-6
        )
        np.testing.assert_array_equal(sparse.predict(sp.csr_matrix(X)), dense.predict(X))
