"""A warm start saves work and changes nothing else, whatever has changed meanwhile."""

import numpy as np
import pytest
from problems import random_problem
from sklearn.base import clone

from mcbench import CrammerSingerSVC, WestonWatkinsSVC
from solvers.kernels import KernelChoice
from solvers.training import Training
from solvers.warm_start import earlier_coefficients, start_of

BOTH = pytest.mark.parametrize("machine", [CrammerSingerSVC, WestonWatkinsSVC])
X, y = random_problem(120, 4, 3, seed=0)


def fitted(machine, **parameters):
    return machine(2.0, gamma=0.5, tol=1e-6, warm_start=True, **parameters).fit(X, y)


def check(warm, data, labels):
    """The machine is refitted to what a fresh one is fitted to."""
    cold = clone(warm).fit(data, labels)
    warm.fit(data, labels)
    assert warm.status_ == "converged"
    assert warm.kkt_violation_ <= 1.001e-6
    assert warm.dual_objective_ == pytest.approx(cold.dual_objective_, rel=1e-5)
    np.testing.assert_allclose(
        warm.decision_function(data), cold.decision_function(data), atol=1e-3
    )
    own = np.arange(len(warm.classes_)) == np.searchsorted(warm.classes_, labels)[:, np.newaxis]
    a = np.zeros(own.shape)
    a[warm.support_] = warm.dual_coef_
    assert np.abs(a.sum(axis=1)).max() <= 1e-9 * max(1.0, np.abs(a).max())
    assert a[~own].max() <= 0.0
    bounded = a[own] if isinstance(warm, CrammerSingerSVC) else -a[~own]
    assert bounded.max() <= warm.C * (1 + 1e-12)
    return warm, cold


@BOTH
def test_the_same_problem_takes_no_step(machine):
    warm, cold = check(fitted(machine), X, y)
    assert warm.n_iter_ == 0
    assert cold.n_iter_ > 0


@BOTH
@pytest.mark.parametrize("C", [0.01, 1.0, 2.5, 100.0, np.inf])
def test_another_weight(machine, C):
    check(fitted(machine).set_params(C=C), X, y)


@BOTH
def test_from_a_hard_margin_to_a_soft_one(machine):
    check(fitted(machine).set_params(C=np.inf).fit(X, y).set_params(C=0.5), X, y)


@BOTH
def test_a_nearby_problem_is_solved_in_fewer_steps(machine):
    warm, cold = check(fitted(machine).set_params(C=2.02), X, y)
    assert warm.n_iter_ < cold.n_iter_


@BOTH
def test_coefficients_at_the_bound_go_with_it(machine):
    small = machine(1e-3, gamma=0.5, tol=1e-6, warm_start=True).fit(X, y)
    warm, cold = check(small.set_params(C=2e-3), X, y)  # still all of them are at the bound
    assert (warm.n_iter_, cold.n_iter_ > 0) == (0, True)


@BOTH
@pytest.mark.parametrize("C", [2.5, 4.0, 1000.0])
def test_a_start_for_a_larger_weight_is_no_worse_than_the_earlier_fit(machine, C):
    boxes = machine is WestonWatkinsSVC
    warm = fitted(machine).set_params(C=C)
    training = Training.of(X, y, KernelChoice("rbf", 0.5, degree=3.0, coef0=0.0, bias="none"))
    margin = 1.0
    earlier = earlier_coefficients(warm, training, boxes)
    a, f = start_of(warm, training, margin=margin, boxes=boxes)
    np.testing.assert_allclose(f, training.score(a), atol=1e-9)
    np.testing.assert_allclose(a.sum(axis=1), 0.0, atol=1e-9)
    rows = np.arange(len(y))

    def dual(b):
        return margin * b[rows, y].sum() - 0.5 * np.sum(b * training.score(b))

    assert dual(a) > dual(earlier)
    assert (-a.min() if boxes else a.max()) <= C


@BOTH
def test_changed_labels(machine):
    other = y.copy()
    other[::7] = (other[::7] + 1) % 4
    check(fitted(machine), X, other)


@BOTH
def test_all_labels_changed(machine):
    check(fitted(machine), X, (y + 1) % 4)


@BOTH
def test_renamed_or_fewer_classes_start_afresh(machine):
    check(fitted(machine), X, y + 10)
    check(fitted(machine), X, np.minimum(y, 2))


@BOTH
@pytest.mark.parametrize("n", [60, 119])
def test_another_number_of_examples_starts_afresh(machine, n):
    check(fitted(machine), X[:n], y[:n])


@BOTH
@pytest.mark.parametrize(
    "parameters",
    [{"gamma": 2.0}, {"kernel": "linear"}, {"kernel": "poly", "degree": 2}, {"bias": "none"}],
)
def test_another_kernel(machine, parameters):
    check(fitted(machine, bias="penalized").set_params(**parameters), X, y)


@BOTH
def test_other_features(machine):
    check(fitted(machine), np.hstack([X, X**2]), y)


def test_after_an_exact_bias():
    machine = WestonWatkinsSVC(2.0, gamma=0.5, tol=1e-6, bias="exact").fit(X, y)
    check(machine.set_params(bias="penalized", warm_start=True), X, y)


@BOTH
def test_after_a_fit_that_was_cut_off(machine):
    cut = machine(2.0, gamma=0.5, tol=1e-6, warm_start=True, callback=lambda p: p.iteration > 0)
    cut.fit(X, y)
    check(cut.set_params(callback=None), X, y)


@BOTH
def test_the_state_of_the_last_fit_is_left_alone(machine):
    warm = fitted(machine)
    before = warm.dual_coef_
    copy = before.copy()
    warm.set_params(C=0.1).fit(X, y)
    np.testing.assert_array_equal(before, copy)
