"""Every variant reaches the optimum that an independent QP solver finds, and proves it."""

import numpy as np
import pytest
from oracle import solve_dual
from problems import random_problem
from sklearn.metrics.pairwise import pairwise_kernels

from mcbench import CrammerSingerSVC

VERSIONS = {
    "baseline": {"pick": "cyclic", "active_set": False, "threshold": "fixed", "cache": "none"},
    "kkt": {"active_set": False, "threshold": "fixed", "cache": "none"},
    "active_set": {"threshold": "fixed", "cache": "none"},
    "exponential": {"threshold": "exponential", "cache": "none"},
    "linear": {"threshold": "linear", "cache": "none"},
    "logarithmic": {"threshold": "logarithmic", "cache": "none"},
    "lru": {"cache": "lru", "cache_size": 1e-3},
    "full": {"cache": "full"},
    "sparse": {"cache": "lru", "storage": "sparse"},
}

PROBLEMS = {
    "two classes": ({"n": 24, "k": 2, "d": 3, "seed": 0}, "rbf", 1.0),
    "duplicates": ({"n": 30, "k": 3, "d": 2, "seed": 1, "duplicates": 6}, "rbf", 10.0),
    "contradictions": ({"n": 30, "k": 4, "d": 2, "seed": 2, "contradictions": 8}, "rbf", 4.0),
    "zero rows": ({"n": 24, "k": 3, "d": 3, "seed": 3, "zero_rows": 6}, "linear", 0.5),
    "one example per class": ({"n": 26, "k": 26, "d": 4, "seed": 4}, "rbf", 1.0),
    "26 classes": ({"n": 52, "k": 26, "d": 5, "seed": 5, "integer": True}, "poly", 0.01),
    "small C": ({"n": 40, "k": 5, "d": 4, "seed": 6}, "rbf", 0.01),
    "large C": ({"n": 20, "k": 3, "d": 8, "seed": 7}, "rbf", 4096.0),
}
GAMMA = {"gamma": 0.5, "degree": 2, "coef0": 1.0}


@pytest.fixture(scope="module", params=PROBLEMS)
def problem(request):
    sizes, kernel, C = PROBLEMS[request.param]
    X, y = random_problem(**sizes)
    K = pairwise_kernels(X, metric=kernel, filter_params=True, **GAMMA)
    optimum, _ = solve_dual(K, y, int(y.max()) + 1, C)
    return X, y, kernel, C, optimum


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("optimizer", ["fixed_point", "exact"])
@pytest.mark.parametrize("version", VERSIONS)
def test_optimum(problem, version, optimizer):
    X, y, kernel, C, optimum = problem
    gap_tol = None if version == "baseline" else 5e-7
    machine = CrammerSingerSVC(
        C,
        kernel=kernel,
        **GAMMA,
        tol=1e-8,
        gap_tol=gap_tol,
        optimizer=optimizer,
        passes=3000,
        **VERSIONS[version],
    ).fit(X, y)
    if version != "baseline":  # which only makes its passes
        assert machine.status_ == "converged"
        assert machine.kkt_violation_ <= 1.001e-8
    assert machine.dual_objective_ == pytest.approx(optimum, rel=1e-6)
    assert machine.primal_objective_ == pytest.approx(optimum, rel=1e-6)
    assert machine.duality_gap_ + 1e-12 >= 0.0
    assert machine.duality_gap_ < 1e-6
    a = machine.dual_coef_
    upper = np.where(np.arange(a.shape[1]) == y[machine.support_][:, None], C, 0.0)
    assert np.all(a <= upper)
    assert np.abs(a.sum(axis=1)).max() <= 1e-10 * C


@pytest.mark.parametrize("bias", ["none", "penalized"])
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "precomputed", "callable"])
def test_every_kernel_and_bias(kernel, bias):
    X, y = random_problem(30, 4, 3, seed=11)
    name = "poly" if kernel in ("precomputed", "callable") else kernel
    K = pairwise_kernels(X, metric=name, filter_params=True, **GAMMA)
    optimum, _ = solve_dual(K + (bias == "penalized"), y, 4, 2.0)
    given = {"callable": lambda A, B: pairwise_kernels(A, B, metric="poly", **GAMMA)}
    machine = CrammerSingerSVC(2.0, kernel=given.get(kernel, kernel), **GAMMA, bias=bias, tol=1e-8)
    train = K if kernel == "precomputed" else X
    machine.fit(train, y)
    assert machine.dual_objective_ == pytest.approx(optimum, rel=1e-6)
    f = machine.decision_function(train)
    expected = (K + (bias == "penalized"))[:, machine.support_] @ machine.dual_coef_
    np.testing.assert_allclose(f, expected, atol=1e-9)


def test_tiny_and_huge_scales():
    for scale in (1e-6, 1e6):
        X, y = random_problem(30, 3, 4, seed=5)
        X = X * scale
        C = 1.0 / scale**2
        optimum, _ = solve_dual(X @ X.T * C, y, 3, 1.0)
        machine = CrammerSingerSVC(C, kernel="linear", tol=1e-8).fit(X, y)
        assert machine.dual_objective_ / C == pytest.approx(optimum, rel=1e-6)
