"""Numbers at the ends of what double precision holds, and time: no crash, no nonsense, no spin."""

import time
import warnings

import numpy as np
import pytest
from checks import MACHINES
from problems import random_problem
from sklearn.exceptions import ConvergenceWarning
from solvers.core.weston_watkins import BoxProblem

from mcbench import DAGSVC, OneVsOneSVC, OneVsRestSVC, WestonWatkinsSVC


@pytest.mark.parametrize("machine", MACHINES, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize(
    ("kernel", "scale"), [("linear", 1e155), ("linear", 1e200), ("poly", 1e60), ("rbf", 1e160)]
)
def test_overflow_is_named_before_any_work(machine, kernel, scale):
    X, y = random_problem(40, 3, 4, seed=0)
    with pytest.raises(ValueError, match=r"overflow|Infinity|infinity"):
        machine(kernel=kernel, gamma=1.0).fit(scale * X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("machine", MACHINES, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_examples_that_hardly_differ_from_zero(machine, kernel):
    X, y = random_problem(40, 3, 4, seed=0)
    fitted = machine(kernel=kernel, time_limit=5).fit(1e-160 * X, y)
    assert np.isfinite(fitted.gamma_)
    assert np.isfinite(fitted.decision_function(1e-160 * X)).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("C", [1e8, 1e9, 1e10, 1e12])
@pytest.mark.parametrize("bias", ["none", "penalized", "exact"])
@pytest.mark.parametrize("solver", ["block", "pattern"])
def test_rounding_at_a_large_weight_is_no_indefinite_kernel(solver, bias, C):
    X, y = np.random.default_rng(0).normal(size=(40, 4)), np.arange(40) % 3
    machine = WestonWatkinsSVC(C, kernel="linear", bias=bias, solver=solver, time_limit=2)
    machine.fit(X, y)
    assert machine.status_ in ("converged", "stalled", "time_limit")
    assert machine.score(X, y) > 0.3


@pytest.mark.parametrize("machine", MACHINES, ids=lambda cls: cls.__name__)
def test_time_limits_hold(machine):
    X, y = random_problem(300, 4, 5, seed=1)
    parameters = {"kernel": "linear"} if machine in (OneVsRestSVC, OneVsOneSVC, DAGSVC) else {}
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = machine(1e8, tol=1e-12, time_limit=0.5, **parameters).fit(X, y)
    assert fitted.status_ in ("time_limit", "converged", "stalled")
    assert time.perf_counter() - started < 6


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_the_reduced_problem_ends_whatever_the_numbers(bad):
    for k in (2, 3, 8):
        g = np.zeros(k)
        g[-1] = bad
        assert BoxProblem(k)(1.0, g, np.zeros(k), 0, 1.0, 0.0).shape == (k,)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (lambda A, B: "hi", "str"),
        (lambda A, B: np.full((len(A), len(B)), 1j), "complex"),
        (lambda A, B: np.full((len(A), len(B)), "x"), "real numbers"),
        (lambda A, B: None, "real numbers"),
    ],
)
def test_a_kernel_that_returns_no_real_numbers(kernel, message):
    X, y = random_problem(20, 3, 2, seed=0)
    for machine in MACHINES:
        with pytest.raises(ValueError, match=message):
            machine(kernel=kernel).fit(X, y)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("name", ["C", "tol", "gap_tol", "max_iter", "time_limit"])
def test_an_array_is_no_number(machine, name):
    X, y = random_problem(20, 3, 2, seed=0)
    with pytest.raises(ValueError, match=f"{name}=array"):
        machine(**{name: np.array([1, 2])}).fit(X, y)
