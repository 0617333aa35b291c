"""Data far from the origin, far apart, or nothing at all."""

import time

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

from mcbench import CrammerSingerSVC, WestonWatkinsSVC, load_model, save_model
from solvers.certificate import Solution

EVERY = pytest.mark.parametrize(
    "machine",
    [
        CrammerSingerSVC(C=10, gamma=0.5),
        CrammerSingerSVC(C=10, gamma=0.5, solver="pattern"),
        WestonWatkinsSVC(C=10, gamma=0.5, bias="none"),
        WestonWatkinsSVC(C=10, gamma=0.5, bias="none", solver="pattern"),
    ],
    ids=repr,
)


def exact(machine, X, y):
    """The certificate by distances that are differences, feature by feature."""
    K = np.exp(-machine.gamma_ * np.sum((X[:, np.newaxis] - X) ** 2, axis=2))
    a = np.zeros((len(y), len(machine.classes_)))
    a[machine.support_] = machine.dual_coef_
    return machine.problem().certify(Solution(a), y, lambda a: K @ a)


@EVERY
@pytest.mark.parametrize("offset", [1e4, 1e7])
def test_an_offset_changes_nothing(machine, offset):
    X, y = make_blobs(300, 4, centers=3, cluster_std=3.0, random_state=0)
    X = X + offset  # what rounding leaves of X is the data
    machine.fit(X, y)
    assert machine.status_ == "converged"
    found = exact(machine, X, y)
    assert found.violation <= 2e-3
    assert found.gap == pytest.approx(machine.duality_gap_, abs=1e-4)


@EVERY
def test_seconds_since_1970_are_a_feature(machine):
    X = np.c_[1.7e9 + np.random.default_rng(0).integers(0, 60, 300)].astype(float)
    y = (X[:, 0].astype(int) // 15) % 3
    machine.fit(X, y)
    assert machine.status_ == "converged"
    assert machine.score(X, y) == 1.0


@EVERY
def test_one_example_far_away_harms_no_other(machine):
    X, y = make_blobs(1200, 4, centers=3, random_state=0)
    X[0] *= 1e10
    machine.fit(X, y)
    assert machine.status_ == "converged"
    assert machine.duality_gap_ < 0.05


@pytest.mark.parametrize("solver", ["block", "pattern"])
@pytest.mark.parametrize("cls", [CrammerSingerSVC, WestonWatkinsSVC])
def test_a_kernel_that_is_zero_has_its_optimum(cls, solver):
    y = np.arange(10) % 3
    linear = cls(kernel="linear", bias="none", solver=solver).fit(np.zeros((10, 3)), y)
    given = cls(kernel="precomputed", bias="none", solver=solver).fit(np.zeros((10, 10)), y)
    for machine in (linear, given):
        assert machine.status_ == "converged"
        assert machine.primal_objective_ == machine.dual_objective_ > 0


@pytest.mark.parametrize(
    "machine",
    [
        CrammerSingerSVC(C=1e4, kernel="linear", time_limit=1),
        CrammerSingerSVC(C=1e8, gamma=0.001, time_limit=1),  # 40 s are not enough
        WestonWatkinsSVC(C=1e8, gamma=0.001, time_limit=1),
    ],
    ids=repr,
)
def test_a_time_limit_ends_a_second_order_step_too(machine):
    X, _ = make_blobs(1500, 20, centers=10, random_state=0)
    y = np.random.default_rng(0).integers(0, 26, 1500)
    started = time.perf_counter()
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        machine.fit(X, y)
    assert time.perf_counter() - started < 5
    assert machine.status_ == "time_limit"


def test_a_loaded_machine_starts_warm(tmp_path):
    X, y = make_blobs(200, 4, centers=3, cluster_std=3.0, random_state=0)
    machine = CrammerSingerSVC(warm_start=True).fit(X, y)
    save_model(machine, tmp_path / "model.npz")
    loaded = load_model(tmp_path / "model.npz")
    assert loaded.n_samples_fit_ == 200
    assert loaded.fit(X, y).n_iter_ < machine.n_iter_ / 2
