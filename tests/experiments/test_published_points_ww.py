"""Weston & Watkins' machine with a penalized bias at Hsu & Lin's points, to the digit."""

import pytest

from mcbench import WestonWatkinsSVC, load


@pytest.mark.parametrize(
    ("name", "scaling", "gamma", "C", "accuracy", "n_support"),
    [
        ("dna", "none", 2.0**-6, 16.0, 95.616, 956),
        ("satimage", "range", 1.0, 8.0, 91.250, 1427),
    ],
)
def test_weston_watkins_points(name, scaling, gamma, C, accuracy, n_support):
    data = load(name, scaling=scaling)
    machine = WestonWatkinsSVC(C, gamma=gamma, tol=1e-3).fit(data.X_train, data.y_train)
    assert machine.status_ == "converged"
    assert machine.kkt_violation_ <= 1e-3
    assert 100 * machine.score(data.X_test, data.y_test) == pytest.approx(accuracy, abs=5e-4)
    assert len(machine.support_) == pytest.approx(n_support, rel=0.01)
