"""The points at which the accuracies of Hsu & Lin (2002) can be checked to the digit."""

import pytest

from mcbench import CrammerSingerSVC, load


@pytest.mark.parametrize(
    ("name", "scaling", "gamma", "C", "accuracy", "n_support"),
    [
        ("satimage", "range", 4.0, 4.0, 92.35, 2670),
        ("dna", "none", 2.0**-6, 2.0, 95.87, 921),
    ],
)
@pytest.mark.parametrize("storage", ["dense", "sparse"])
# dna has examples twice, and which of two equal ones is a support vector is not determined.
@pytest.mark.parametrize(("solver", "share"), [("pattern", 0.01), ("block", 0.02)])
def test_crammer_singer_points(
    name, scaling, gamma, C, accuracy, n_support, storage, solver, share
):
    data = load(name, scaling=scaling)
    machine = CrammerSingerSVC(C, gamma=gamma, tol=1e-3, storage=storage, solver=solver)
    machine.fit(data.X_train, data.y_train)
    assert machine.status_ == "converged"
    assert machine.kkt_violation_ <= 1e-3
    assert 100 * machine.score(data.X_test, data.y_test) == pytest.approx(accuracy, abs=0.1)
    assert len(machine.support_) == pytest.approx(n_support, rel=share)


@pytest.mark.minutes
def test_crammer_singer_on_shuttle():
    data = load("shuttle", scaling="range")
    machine = CrammerSingerSVC(2.0**12, gamma=2.0**4, tol=1e-3, cache_size=1500)
    machine.fit(data.X_train, data.y_train)
    assert machine.status_ == "converged"
    assert 100 * machine.score(data.X_test, data.y_test) == pytest.approx(99.938, abs=5e-4)
