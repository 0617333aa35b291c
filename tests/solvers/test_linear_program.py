"""The linear-programming machine: against an independent solver, and the contract."""

import time

import numpy as np
import pytest
import scipy.sparse as sp
from checks import ONE_COLUMN_PER_CLASS
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import minimize
from problems import random_problem
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbench import LinearProgramSVC
from solvers import linear_program_growth
from solvers.certificate import Solution
from solvers.hard_margin import InseparableError
from solvers.problems import LinearProgram

clarabel = pytest.importorskip("clarabel")


MATRIX = {
    "linear": linear_kernel,
    "poly": lambda A, B: polynomial_kernel(A, B, degree=3, gamma=0.3, coef0=1.0),
    "rbf": lambda A, B: rbf_kernel(A, B, gamma=0.3),
}


@pytest.fixture
def small_rounds(monkeypatch):
    """Programs that grow in small steps, so that small problems need many."""
    steps_of(monkeypatch, first=15, rows=40, columns=10)


def steps_of(patch, *, first, rows, columns):
    """Set how programs grow."""
    patch.setattr(linear_program_growth, "FIRST", first)
    patch.setattr(linear_program_growth, "ROWS", rows)
    patch.setattr(linear_program_growth, "COLUMNS", columns)


def machine_for(kernel, **parameters):
    """The machine whose kernel is one of MATRIX."""
    return LinearProgramSVC(kernel=kernel, gamma=0.3, coef0=1.0, **parameters)


def oracle(K, y, k, C, margin=2.0):
    """The optimal value by Clarabel, from the primal as the paper writes it.

    Variables alpha (n), b (k), and for finite C one slack for each i and m != y_i.
    """
    n = len(y)
    i = np.repeat(np.arange(n), k - 1)
    m = np.concatenate([np.delete(np.arange(k), label) for label in y])
    rows = np.arange(len(i))
    one = np.zeros((len(i), n))
    for row in rows:
        one[row] = K[i[row]] * ((y == y[i[row]]) * 1.0 - (y == m[row]))
    biases = np.zeros((len(i), k))
    biases[rows, y[i]] += 1.0
    biases[rows, m] -= 1.0
    slacks = len(i) if np.isfinite(C) else 0
    linear = np.concatenate([np.ones(n), np.zeros(k), np.full(slacks, C if slacks else 0.0)])
    margins = sp.hstack([one, biases, sp.eye_array(len(i), slacks)])
    signs = sp.block_diag([sp.eye_array(n), sp.csc_array((0, k)), sp.eye_array(slacks)])
    centred = sp.csc_array(np.concatenate([np.zeros(n), np.ones(k), np.zeros(slacks)])[None])
    A = sp.vstack([centred, -margins, -signs], format="csc")
    b = np.concatenate([[0.0], np.full(len(i), -margin), np.zeros(n + slacks)])
    cones = [clarabel.ZeroConeT(1), clarabel.NonnegativeConeT(len(b) - 1)]
    size = n + k + slacks
    x = minimize(sp.csc_array((size, size)), linear, A, b, cones)
    return float(linear @ x)


def judged(machine, K, y):
    """Primal and dual of a fitted machine, written out; the dual's constraints are asserted."""
    n, k, C = len(y), len(machine.classes_), machine.C
    a, u = np.zeros((n, k)), machine.multipliers_
    a[machine.support_] = machine.dual_coef_
    own = np.eye(k, dtype=bool)[y]
    assert np.all(a >= 0.0)
    assert np.all(a[~own] == 0.0)
    f = K @ a + machine.intercept_
    lack = np.where(own, 0.0, machine.margin - f[np.arange(n), y][:, None] + f)
    if np.isfinite(C):
        primal = a.sum() + C * np.maximum(lack, 0.0).sum()
    else:
        primal = a.sum()
        assert lack.max() <= 1e-8 * machine.margin
    assert np.all((u >= 0.0) & (u <= C))
    assert np.all(u[own] == 0.0)
    A = np.where(own, u.sum(axis=1, keepdims=True), -u)
    assert np.abs(A.sum(axis=0)).max() <= 1e-9 * max(1.0, u.max())
    prices = (K.T @ A)[np.arange(n), y]
    assert prices.max() <= 1.0 + 1e-7
    return primal, machine.margin * u.sum() / max(1.0, prices.max())


def problem_with_everything(n, k, seed):
    return random_problem(n, k, 4, seed, duplicates=4, contradictions=3, zero_rows=2)


@parametrize_with_checks(
    [LinearProgramSVC(), LinearProgramSVC(C=10, kernel="linear", margin=1)],
    expected_failed_checks=lambda estimator: ONE_COLUMN_PER_CLASS,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kernel", MATRIX)
@pytest.mark.parametrize(("n", "k"), [(50, 2), (60, 3), (60, 7), (78, 26)])
@pytest.mark.parametrize("C", [0.01, 1.0, 4096.0])
def test_optimum_is_that_of_an_independent_solver(kernel, n, k, C):
    X, y = problem_with_everything(n, k, seed=n + k)
    k = y.max() + 1
    machine = machine_for(kernel, C=C).fit(X, y)
    K = MATRIX[kernel](X, X)
    primal, dual = judged(machine, K, y)
    assert machine.status_ == "converged"
    assert primal == pytest.approx(oracle(K, y, k, C), rel=1e-6)
    assert primal == pytest.approx(machine.primal_objective_, rel=1e-9)
    assert dual == pytest.approx(machine.dual_objective_, rel=1e-9)
    assert -1e-9 <= machine.duality_gap_ <= 1e-6
    assert machine.kkt_violation_ <= 1e-6
    assert abs(machine.intercept_.mean()) <= 1e-12 * max(1.0, np.abs(machine.intercept_).max())


@pytest.mark.parametrize(("kernel", "k"), [("rbf", 2), ("rbf", 5), ("poly", 3)])
def test_hard_margin_is_that_of_an_independent_solver(kernel, k):
    rng = np.random.default_rng(k)
    y = np.arange(60) % k
    X = 4.0 * rng.normal(size=(k, 3))[y] + 0.5 * rng.normal(size=(60, 3))
    machine = machine_for(kernel, C=np.inf).fit(X, y)
    K = MATRIX[kernel](X, X)
    primal, dual = judged(machine, K, y)
    assert primal == pytest.approx(oracle(K, y, k, np.inf), rel=1e-6)
    assert machine.primal_objective_ == pytest.approx(primal, rel=1e-7)
    assert dual == pytest.approx(primal, rel=1e-6)
    assert machine.duality_gap_ <= 1e-6
    assert machine.score(X, y) == 1.0


def test_hard_margin_of_iris():
    X, y = load_iris(return_X_y=True)
    machine = LinearProgramSVC(C=np.inf, gamma=0.5).fit(X, y)
    f = machine.decision_function(X)
    wrong = np.where(np.eye(3, dtype=bool)[y], -np.inf, f).max(axis=1)
    assert (f[np.arange(150), y] - wrong).min() == pytest.approx(2.0, abs=1e-8)
    K = rbf_kernel(X, gamma=0.5)
    assert machine.primal_objective_ == pytest.approx(oracle(K, y, 3, np.inf), rel=1e-6)
    assert len(machine.support_) < 30


@pytest.mark.parametrize("kernel", MATRIX)
def test_what_cannot_be_separated_is_named(kernel):
    X, y = random_problem(40, 3, 3, seed=0, contradictions=2)
    with pytest.raises(InseparableError, match=r"cannot separate these examples.*finite C"):
        machine_for(kernel, C=np.inf).fit(X, y)
    assert machine_for(kernel, C=1e3).fit(X, y).duality_gap_ <= 1e-6


def test_one_class_between_the_two_halves_of_another_is_not_separated_linearly():
    X = np.array([[-1.0], [0.0], [1.0]])
    y = np.array([0, 1, 0])
    with pytest.raises(InseparableError):
        LinearProgramSVC(C=np.inf, kernel="linear").fit(X, y)
    assert LinearProgramSVC(C=np.inf, gamma=1.0).fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize("symmetric", [True, False])
def test_kernels_need_not_be_semidefinite_nor_symmetric(symmetric):
    rng = np.random.default_rng(3)
    y = np.arange(40) % 4
    K = rng.normal(size=(40, 40)) + 2.0 * (y[:, None] == y)
    if symmetric:
        K = K + K.T
    index = np.arange(40.0)[:, None]
    expected = oracle(K, y, 4, 0.5)

    def kernel(A, B):
        return K[np.ix_(A[:, 0].astype(int), B[:, 0].astype(int))]

    for X, machine in (
        (K, LinearProgramSVC(C=0.5, kernel="precomputed")),
        (index, LinearProgramSVC(C=0.5, kernel=kernel)),
    ):
        primal, dual = judged(machine.fit(X, y), K, y)
        assert primal == pytest.approx(expected, rel=1e-6)
        assert dual == pytest.approx(expected, rel=1e-6)
        f = K[:, machine.support_] @ machine.dual_coef_ + machine.intercept_
        np.testing.assert_allclose(machine.decision_function(X), f, atol=1e-9)


def test_two_classes_are_the_binary_linear_program():
    # min sum alpha + C sum xi  s.t.  sign_i (sum_j alpha_j sign_j K_ij + b) >= 2 - xi_i
    X, y = random_problem(50, 2, 3, seed=4)
    K, C, n = rbf_kernel(X, gamma=0.3), 0.7, 50
    sign = 2.0 * y - 1.0
    margins = sp.hstack([np.outer(sign, sign) * K, sign[:, None], sp.eye_array(n)])
    signs = sp.block_diag([sp.eye_array(n), sp.csc_array((0, 1)), sp.eye_array(n)])
    linear = np.concatenate([np.ones(n), [0.0], np.full(n, C)])
    b = np.concatenate([np.full(n, -2.0), np.zeros(2 * n)])
    A = sp.vstack([-margins, -signs], format="csc")
    cones = [clarabel.NonnegativeConeT(3 * n)]
    x = minimize(sp.csc_array((2 * n + 1, 2 * n + 1)), linear, A, b, cones)
    machine = machine_for("rbf", C=C).fit(X, y)
    assert machine.primal_objective_ == pytest.approx(linear @ x, rel=1e-7)
    difference = machine.decision_function(X) @ [-1.0, 1.0]
    np.testing.assert_allclose(difference, K @ (x[:n] * sign) + x[n], atol=1e-5)


def test_margin_one_is_half_of_margin_two():
    X, y = random_problem(60, 3, 3, seed=5)
    two = machine_for("rbf", C=3.0).fit(X, y)
    one = machine_for("rbf", C=3.0, margin=1).fit(X, y)
    assert 2.0 * one.primal_objective_ == pytest.approx(two.primal_objective_, rel=1e-9)


@pytest.mark.parametrize(("C", "kernel"), [(0.1, "rbf"), (30.0, "rbf"), (2.0, "linear")])
def test_growth_ends_at_the_optimum_of_the_whole_program(monkeypatch, C, kernel):
    X, y = random_problem(150, 5, 3, seed=6, duplicates=5, contradictions=5)
    whole = machine_for(kernel, C=C).fit(X, y)
    steps_of(monkeypatch, first=15, rows=40, columns=10)
    grown = machine_for(kernel, C=C).fit(X, y)
    assert (whole.n_iter_, grown.status_) == (1, "converged")
    assert grown.n_iter_ > 3
    assert grown.primal_objective_ == pytest.approx(whole.primal_objective_, rel=1e-8)
    assert grown.duality_gap_ <= 1e-8
    judged(grown, MATRIX[kernel](X, X), y)


def test_growth_of_a_hard_margin(monkeypatch):
    X, y = load_iris(return_X_y=True)
    whole = LinearProgramSVC(C=np.inf, gamma=0.5).fit(X, y)
    steps_of(monkeypatch, first=12, rows=20, columns=10)
    grown = LinearProgramSVC(C=np.inf, gamma=0.5).fit(X, y)
    assert grown.n_iter_ > 3
    assert grown.primal_objective_ == pytest.approx(whole.primal_objective_, rel=1e-8)
    with pytest.raises(InseparableError):
        LinearProgramSVC(C=np.inf, kernel="linear").fit(X, y)


@given(st.integers(0, 10_000), st.sampled_from([0.05, 1.0, 50.0]), st.integers(2, 6))
@settings(max_examples=6, deadline=None)
def test_weak_duality_in_every_round(seed, C, k):
    X, y = random_problem(40, k, 3, seed=seed)
    K = rbf_kernel(X, gamma=0.3)
    values = []

    def look(progress):
        own = np.eye(k, dtype=bool)[y]
        a, u = progress.dual_coef, progress.multipliers
        f = K @ a + progress.intercept
        lack = np.where(own, 0.0, 2.0 - f[np.arange(40), y][:, None] + f)
        prices = (K @ np.where(own, u.sum(axis=1, keepdims=True), -u))[np.arange(40), y]
        values.append(
            (a.sum() + C * np.maximum(lack, 0.0).sum(), 2.0 * u.sum() / max(1.0, prices.max()))
        )

    with pytest.MonkeyPatch.context() as patch:
        steps_of(patch, first=8, rows=10, columns=4)
        machine = machine_for("rbf", C=C, callback=look).fit(X, y)
    primal, dual = np.array(values).T
    assert primal[0] == pytest.approx(C * 2.0 * 40 * (k - 1))
    assert dual.max() <= primal.min() * (1.0 + 1e-8)
    assert np.all(np.diff(primal) <= 1e-8 * primal[0])
    assert np.all(np.diff(dual) >= -1e-8 * primal[0])
    assert primal[-1] == pytest.approx(machine.primal_objective_, rel=1e-9)


def test_order_of_examples_and_classes_does_not_matter():
    X, y = random_problem(80, 4, 3, seed=7)
    rng = np.random.default_rng(0)
    order, names = rng.permutation(80), rng.permutation(4)
    one = machine_for("rbf", C=2.0).fit(X, y)
    other = machine_for("rbf", C=2.0).fit(X[order], names[y[order]])
    assert other.primal_objective_ == pytest.approx(one.primal_objective_, rel=1e-9)
    assert other.dual_objective_ == pytest.approx(one.dual_objective_, rel=1e-9)


def test_sparse_input_gives_the_same_model():
    X, y = random_problem(70, 3, 6, seed=8, zero_rows=3)
    X[np.abs(X) < 0.7] = 0.0
    for kernel in MATRIX:
        dense = machine_for(kernel, C=2.0).fit(X, y)
        sparse = machine_for(kernel, C=2.0).fit(sp.csr_array(X), y)
        assert sparse.primal_objective_ == pytest.approx(dense.primal_objective_, rel=1e-9)
        np.testing.assert_allclose(
            sparse.decision_function(sp.csr_array(X)), dense.decision_function(X), atol=1e-6
        )


def test_linear_kernel_has_weights():
    X, y = random_problem(60, 3, 4, seed=1)
    machine = LinearProgramSVC(kernel="linear").fit(X, y)
    f = X @ machine.coef_.T + machine.intercept_
    np.testing.assert_allclose(f, machine.decision_function(X), atol=1e-12)
    f = X @ X[machine.support_].T @ machine.dual_coef_ + machine.intercept_
    np.testing.assert_allclose(f, machine.decision_function(X), atol=1e-9)


@pytest.mark.parametrize("k", [2, 3, 7])
def test_columns_are_classes_and_argmax_is_predict(k):
    X, y = random_problem(80, k, 4, seed=k)
    names = np.array([f"class {chr(122 - c)}" for c in y])
    machine = machine_for("rbf", C=5.0).fit(X, names)
    f = machine.decision_function(X)
    assert f.shape == (80, k)
    np.testing.assert_array_equal(machine.classes_[f.argmax(axis=1)], machine.predict(X))
    classes = np.searchsorted(machine.classes_, names[machine.support_])
    assert np.all(machine.dual_coef_[np.arange(len(classes)), classes] > 0.0)
    assert np.count_nonzero(machine.dual_coef_) == len(machine.support_)


def test_time_limit_leaves_the_best_solution_so_far(small_rounds):
    X, y = random_problem(1500, 8, 4, seed=9)
    started = time.perf_counter()
    with pytest.warns(ConvergenceWarning, match=r"time_limit.*gap"):
        machine = LinearProgramSVC(C=10.0, time_limit=1.0).fit(X, y)
    assert time.perf_counter() - started < 5.0
    assert machine.status_ == "time_limit"
    assert 0.0 < machine.duality_gap_ <= 1.0
    assert machine.primal_objective_ < 10.0 * 2.0 * 1500 * 7  # less than without coefficients
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        nothing = LinearProgramSVC(C=10.0, time_limit=1e-9).fit(X, y)
    assert (nothing.n_iter_, len(nothing.support_)) == (0, 0)
    assert nothing.primal_objective_ == 10.0 * 2.0 * 1500 * 7
    assert nothing.duality_gap_ == 1.0
    assert nothing.predict(X[:5]).tolist() == [0] * 5


def test_rounds_are_limited_by_max_iter(small_rounds):
    X, y = random_problem(100, 3, 3, seed=10)
    with pytest.warns(ConvergenceWarning, match=r"max_iter.*gap"):
        machine = LinearProgramSVC(max_iter=1).fit(X, y)
    assert (machine.status_, machine.n_iter_) == ("max_iter", 1)
    assert 0.0 < machine.duality_gap_ < 1.0


def test_gap_tol_is_met_as_well(small_rounds):
    X, y = random_problem(100, 3, 3, seed=11)
    loose = machine_for("rbf", C=5.0, tol=10.0).fit(X, y)
    tight = machine_for("rbf", C=5.0, tol=10.0, gap_tol=1e-6).fit(X, y)
    assert loose.duality_gap_ > 1e-6 >= tight.duality_gap_


def test_a_fit_that_gets_no_further_is_named():
    X, y = random_problem(60, 3, 3, seed=12)
    with pytest.warns(ConvergenceWarning, match="stalled"):
        machine = machine_for("rbf", tol=1e-300, gap_tol=1e-300).fit(X, y)
    assert machine.duality_gap_ < 1e-9


def test_callback_stops_the_fit_with_the_clock_standing(small_rounds):
    X, y = random_problem(100, 3, 3, seed=0)
    calls = []

    def look(progress):
        calls.append(progress.iteration)
        time.sleep(0.2)
        return progress.iteration >= 1

    started = time.perf_counter()
    machine = LinearProgramSVC(kernel="linear", tol=1e-12, callback=look).fit(X, y)
    elapsed = time.perf_counter() - started
    assert (machine.status_, calls) == ("callback", [0, 1])
    assert machine.fit_time_ <= elapsed - 0.4
    for name in ("dual_coef", "intercept", "multipliers"):
        with pytest.raises(ValueError, match="read-only"):
            LinearProgramSVC(callback=lambda p, name=name: getattr(p, name).fill(0)).fit(X, y)


def test_same_input_same_bits(small_rounds):
    X, y = random_problem(100, 3, 3, seed=0)
    machine = LinearProgramSVC(kernel="linear")
    one, other = machine.fit(X, y), clone(machine).fit(X, y)
    np.testing.assert_array_equal(one.dual_coef_, other.dual_coef_)
    np.testing.assert_array_equal(one.multipliers_, other.multipliers_)


@pytest.mark.parametrize("C", [0.5, np.inf])
def test_the_problem_values_any_solution(C):
    y = np.arange(30) % 3
    X = 3.0 * np.eye(3)[y] + 0.3 * np.random.default_rng(0).normal(size=(30, 3))
    machine = machine_for("rbf", C=C).fit(X, y)
    K = rbf_kernel(X, gamma=0.3)
    a = np.zeros((30, 3))
    a[machine.support_] = machine.dual_coef_
    problem, b, u = machine.problem(), machine.intercept_, machine.multipliers_

    def value(a, b, u):
        return problem.certify(Solution(a, b, u), y, lambda c: K @ c)

    best = value(a, b, u)
    assert best.primal == pytest.approx(machine.primal_objective_, rel=1e-12)
    assert best.dual == pytest.approx(machine.dual_objective_, rel=1e-12)
    assert best.violation <= 1e-6
    assert best.infeasibility <= 1e-9
    assert best.squared_norm == pytest.approx(np.sum(a * (K @ a)))
    larger = value(1.1 * a, b, u)
    assert larger.primal > best.primal
    assert larger.violation > 1e-3
    less = value(a, b, 0.9 * u)
    if np.isinf(C):  # any multiple of u stands for its best one
        assert less.dual == pytest.approx(best.dual)
    else:
        assert less.dual == pytest.approx(0.9 * best.dual)
    assert less.violation > 1e-3
    assert value(-a, b, u).infeasibility == pytest.approx(a.max())
    sums = u.copy()
    sums[y == 0, 1] += 0.25
    assert value(a, b, sums).infeasibility >= 2.5 - 1e-6
    none = value(np.zeros((30, 3)), np.zeros(3), None)
    assert (none.dual, none.gap) == (0.0, 1.0)
    np.testing.assert_array_equal(problem.decide(np.array([[1.0, 1.0, 0.0]])), [0])


def test_the_margin_of_the_problem_counts():
    problem = LinearProgram(C=1.0, margin=1.0)
    none = problem.certify(Solution(np.zeros((2, 2))), np.array([0, 1]), lambda a: a)
    assert none.primal == 2.0


BAD_PARAMETERS = [
    ({"C": -1.0}, "C=-1.0 is not a finite number greater than 0, or inf"),
    ({"C": np.nan}, "C=nan"),
    ({"kernel": "rbff"}, "did you mean 'rbf'"),
    ({"gamma": 0.0}, "gamma=0.0"),
    ({"degree": -1}, "degree=-1"),
    ({"coef0": np.inf}, "coef0=inf"),
    ({"margin": 3}, "margin=3 is not 2 or 1"),
    ({"margin": True}, "margin=True is not 2 or 1"),
    ({"margin": "2"}, "margin='2' is not 2 or 1"),
    ({"tol": 0}, "tol=0"),
    ({"gap_tol": -1}, "gap_tol=-1"),
    ({"max_iter": 0}, "max_iter=0"),
    ({"time_limit": True}, "time_limit=True"),
    ({"callback": 3}, "callback=3 cannot be called"),
]


@pytest.mark.parametrize(("parameters", "message"), BAD_PARAMETERS)
def test_bad_parameters(parameters, message):
    X, y = random_problem(10, 2, 2, seed=0)
    with pytest.raises(ValueError, match=message):
        LinearProgramSVC(**parameters).fit(X, y)


def test_bad_data():
    X, y = random_problem(20, 3, 2, seed=0)
    machine = LinearProgramSVC()
    with pytest.raises(ValueError, match="NaN"):
        machine.fit(np.where(X > 1, np.nan, X), y)
    with pytest.raises(ValueError, match="infinity"):
        machine.fit(np.where(X > 1, np.inf, X), y)
    with pytest.raises(ValueError, match="one class"):
        machine.fit(X, np.ones(20))
    with pytest.raises(ValueError, match="square"):
        LinearProgramSVC(kernel="precomputed").fit((X @ X.T)[:, :10], y)
    with pytest.raises(ValueError, match="shape"):
        LinearProgramSVC(kernel=lambda A, B: np.ones(3)).fit(X, y)
    with pytest.raises(ValueError, match="NaN or infinity"):
        LinearProgramSVC(kernel=lambda A, B: np.full((len(A), len(B)), np.nan)).fit(X, y)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_kernel_without_a_value_is_refused():
    X, y = random_problem(30, 3, 3, seed=0)
    with pytest.raises(ValueError, match="NaN or infinity"):
        LinearProgramSVC(kernel="poly", degree=0.5).fit(X, y)
