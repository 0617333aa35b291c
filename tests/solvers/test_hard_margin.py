"""C = inf: what cannot be separated is named, what can be is, however narrow."""

import numpy as np
import pytest
import scipy.sparse as sp
from checks import SOLVERS
from problems import random_problem

from mcbench import CrammerSingerSVC
from solvers.hard_margin import InseparableError, check_diagonal

INSEPARABLE = {
    "contradictory labels": ({"n": 30, "k": 3, "d": 2, "contradictions": 3}, {"kernel": "rbf"}),
    "linear, no bias": ({"n": 60, "k": 4, "d": 2}, {"kernel": "linear"}),
    "linear, bias": ({"n": 200, "k": 3, "d": 3}, {"kernel": "linear", "bias": "penalized"}),
    "poly": ({"n": 200, "k": 3, "d": 2}, {"kernel": "poly", "degree": 2, "coef0": 1}),
    "a zero row": ({"n": 20, "k": 3, "d": 15, "zero_rows": 1}, {"kernel": "linear"}),
}

HOW = {
    "block": {},
    "pattern": {"solver": "pattern"},
    "numpy": {"solver": "pattern", "core": "numpy"},
}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", INSEPARABLE)
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_inseparable_examples_are_named(name, scale, how):
    sizes, parameters = INSEPARABLE[name]
    if "bias" in parameters:
        scale = 1.0  # beside a bias of 1, another scale is another problem
    X, y = random_problem(seed=5, **sizes)
    gamma = 0.5 / scale**2
    machine = CrammerSingerSVC(np.inf, gamma=gamma, **HOW[how], **parameters)
    for given in (scale * X, sp.csr_array(scale * X)) if how != "numpy" else (scale * X,):
        with pytest.raises(InseparableError, match=r"C=inf.*no machine separates"):
            machine.fit(given, y)
    assert not hasattr(machine, "classes_")


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_hard_margin_is_kept_by_every_example(solver):
    X, y = random_problem(60, 4, 3, seed=4)
    machine = CrammerSingerSVC(np.inf, gamma=0.5, solver=solver, tol=1e-7).fit(X, y)
    f = machine.decision_function(X)
    own = f[np.arange(60), y]
    f[np.arange(60), y] = -np.inf
    assert (own - f.max(axis=1)).min() >= 1 - 1.001e-7
    assert machine.duality_gap_ < 1e-6
    # A finite C that no coefficient reaches is the same machine.
    largest = np.abs(machine.dual_coef_).max()
    soft = CrammerSingerSVC(2 * largest, gamma=0.5, solver=solver, tol=1e-7).fit(X, y)
    assert soft.dual_objective_ == pytest.approx(machine.dual_objective_, rel=1e-6)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("solver", SOLVERS)
def test_without_a_margin_yet_the_primal_is_infinite_and_the_gap_is_one(solver):
    X, y = random_problem(60, 4, 3, seed=4)
    machine = CrammerSingerSVC(np.inf, gamma=0.5, solver=solver, max_iter=3).fit(X, y)
    assert machine.primal_objective_ == np.inf
    assert machine.duality_gap_ == 1.0


@pytest.mark.parametrize("solver", SOLVERS)
def test_two_near_examples(solver):
    X = np.array([[0.0], [1e-2]])
    machine = CrammerSingerSVC(
        np.inf, kernel="linear", bias="penalized", solver=solver, tol=1e-6
    ).fit(X, [0, 1])
    # The margins at 0 and at 0.01 are 1, of different signs: w_0 - w_1 = 200, halved between them.
    # The bias, likewise halved, adds 1/4.
    assert machine.dual_objective_ == pytest.approx(10_000.25, rel=1e-6)
    np.testing.assert_array_equal(machine.predict(X), [0, 1])


def test_zero_examples_are_found_before_any_work():
    with pytest.raises(InseparableError, match="example 1 is zero"):
        check_diagonal(np.array([1.0, 0.0]))
