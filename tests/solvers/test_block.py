"""The block solver: the optimum with a proof, in every precision, block size and corner."""

import threading
import time
import warnings
from unittest.mock import Mock

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import solve_dual, solve_weston_watkins_dual
from problems import GAMMA, PROBLEMS, random_problem
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import pairwise_kernels

from mcbench import CrammerSingerSVC, WestonWatkinsSVC, load
from solvers import block
from solvers.certificate import Solution
from solvers.hard_margin import InseparableError

MACHINES = {
    "CS": (CrammerSingerSVC, {}),
    "WW, margin 1": (WestonWatkinsSVC, {"margin": 1}),
    "WW, margin 2": (WestonWatkinsSVC, {"margin": 2}),
}
EVERY_MACHINE = pytest.mark.parametrize("name", MACHINES)
BOTH = pytest.mark.parametrize("machine", [CrammerSingerSVC, WestonWatkinsSVC])
CORNERS = [(C, gamma) for C in (2.0**-2, 2.0**12) for gamma in (2.0**-10, 2.0**4)]


@pytest.fixture(params=["one block", "small blocks", "single precision", "second order"])
def way(request, monkeypatch):
    """Ways through the solver that small problems do not take by themselves."""
    return take(request.param, monkeypatch)


@pytest.fixture(
    params=[
        "one block",
        pytest.param("small blocks", marks=pytest.mark.minutes),
        pytest.param("single precision", marks=pytest.mark.minutes),
        pytest.param("second order", marks=pytest.mark.minutes),
    ]
)
def thorough_way(request, monkeypatch):
    """The same for many problems: all ways only when asked for."""
    return take(request.param, monkeypatch)


def take(way, monkeypatch):
    if way == "small blocks":
        monkeypatch.setattr(block, "BLOCK", 12)
    elif way == "single precision":
        monkeypatch.setattr(block, "SMALL", 0)
        monkeypatch.setattr(block, "BLOCK", 16)
    elif way == "second order":
        monkeypatch.setattr(block, "MOST_UPDATES", 1)
        without_patience(monkeypatch)
    return way


def without_patience(monkeypatch):
    """Second-order steps are taken to cost nothing."""
    monkeypatch.setattr(block, "SETTLING", 0.0)
    monkeypatch.setattr(block, "FREE", 0.0)


def certificate(machine, K, y):
    """The certificate by the kernel matrix, bias included: nothing that the solver has computed."""
    a = np.zeros((len(y), len(machine.classes_)))
    a[machine.support_] = machine.dual_coef_
    return machine.problem().certify(Solution(a), y, lambda a: K @ a)


def check(machine, K, y, *, tol, optimum=None, rel=1e-6):
    """Converged, feasible, and as good as the fit says."""
    found = certificate(machine, K, y)
    assert machine.status_ == "converged"
    assert found.violation <= tol * (1 + 1e-5) + 1e-12
    assert found.infeasibility <= 1e-9 * min(machine.C, max(1.0, np.abs(machine.dual_coef_).max()))
    assert found.gap >= -1e-9
    assert found.primal == pytest.approx(machine.primal_objective_, rel=1e-7)
    assert found.dual == pytest.approx(machine.dual_objective_, rel=1e-7)
    assert found.gap == pytest.approx(machine.duality_gap_, abs=1e-7)
    if optimum is not None:
        assert found.dual == pytest.approx(optimum, rel=rel)
        assert found.primal == pytest.approx(optimum, rel=rel)
    return found


def optimum_of(name, K, y, C):
    k = int(y.max()) + 1
    if name == "CS":
        return solve_dual(K, y, k, C)[0]
    return solve_weston_watkins_dual(K, y, k, C, MACHINES[name][1]["margin"])[0]


@EVERY_MACHINE
@pytest.mark.parametrize("bias", ["none", "penalized"])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_optimum(problem, bias, name, thorough_way):
    sizes, kernel, C = PROBLEMS[problem]
    X, y = random_problem(**sizes)
    K = pairwise_kernels(X, metric=kernel, filter_params=True, **GAMMA) + (bias == "penalized")
    optimum = optimum_of(name, K, y, C)
    cls, more = MACHINES[name]
    fits = []
    for given_X in (X, sp.csr_array(X)) if thorough_way == "one block" else (X,):
        machine = cls(C, kernel=kernel, **GAMMA, bias=bias, tol=1e-7, gap_tol=5e-7, **more)
        fits.append(machine.fit(given_X, y))
        check(machine, K, y, tol=1e-7, optimum=optimum)
    np.testing.assert_allclose(
        fits[0].decision_function(X), fits[-1].decision_function(X), atol=1e-4
    )


@EVERY_MACHINE
@pytest.mark.parametrize("bias", ["none", "penalized"])
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "precomputed", "callable"])
def test_every_kernel(kernel, bias, name, thorough_way):
    X, y = random_problem(40, 4, 3, seed=11)
    metric = "poly" if kernel in ("precomputed", "callable") else kernel
    K = pairwise_kernels(X, metric=metric, filter_params=True, **GAMMA)
    given_kernel = {"callable": lambda A, B: pairwise_kernels(A, B, metric="poly", **GAMMA)}
    cls, more = MACHINES[name]
    machine = cls(
        2.0, kernel=given_kernel.get(kernel, kernel), **GAMMA, bias=bias, tol=1e-8, **more
    )
    machine.fit(K if kernel == "precomputed" else X, y)
    K = K + (bias == "penalized")
    check(machine, K, y, tol=1e-8, optimum=optimum_of(name, K, y, 2.0))


@EVERY_MACHINE
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_hard_margin(kernel, name, way):
    X, y = random_problem(30, 4, 20, seed=8)
    K = pairwise_kernels(X, metric=kernel, filter_params=True, gamma=0.1)
    cls, more = MACHINES[name]
    machine = cls(np.inf, kernel=kernel, gamma=0.1, bias="none", tol=1e-7, **more).fit(X, y)
    check(machine, K, y, tol=1e-7, optimum=optimum_of(name, K, y, np.inf), rel=1e-5)


@EVERY_MACHINE
def test_what_cannot_be_separated_is_named(name, way):
    cls, more = MACHINES[name]
    X, y = random_problem(60, 4, 2, seed=5)
    for kernel in ("linear", "rbf"):
        if kernel == "rbf":
            X[1] = X[0]
            y[:2] = 0, 1
        with pytest.raises(InseparableError, match="no machine separates"):
            cls(np.inf, kernel=kernel, gamma=0.5, **more).fit(X, y)


@BOTH
@pytest.mark.parametrize("tol", [1e-8, 1e-10])
@pytest.mark.parametrize("C", [0.5, 100.0])
def test_tiny_tolerances(machine, tol, C, thorough_way):
    X, y = random_problem(120, 4, 3, seed=3)
    K = pairwise_kernels(X, metric="rbf", gamma=0.5)
    fitted = machine(C, gamma=0.5, bias="none", tol=tol).fit(X, y)
    found = check(fitted, K, y, tol=tol)
    assert found.gap <= 100 * tol


@BOTH
def test_gap_tolerance(machine, way):
    X, y = random_problem(120, 4, 3, seed=3)
    K = pairwise_kernels(X, metric="rbf", gamma=0.5)
    fitted = machine(10.0, gamma=0.5, bias="none", tol=0.1, gap_tol=1e-8).fit(X, y)
    assert check(fitted, K, y, tol=0.1).gap <= 1e-8 * (1 + 1e-6)


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(4, 80),
    k=st.integers(2, 9),
    d=st.integers(1, 5),
    log_C=st.floats(-3, 4),
    log_gamma=st.floats(-2, 1),
    size=st.integers(2, 100),
    name=st.sampled_from(sorted(MACHINES)),
    single=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_feasible_and_certified_whatever_the_data(
    seed, n, k, d, log_C, log_gamma, size, name, single
):
    X, y = random_problem(max(n, k), k, d, seed, duplicates=n // 9, contradictions=n // 9)
    C, gamma = 10.0**log_C, 10.0**log_gamma
    cls, more = MACHINES[name]
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        patch.setattr(block, "BLOCK", size)
        if single:
            patch.setattr(block, "SMALL", 0)
        machine = cls(C, gamma=gamma, bias="none", tol=1e-4, **more).fit(X, y)
    K = pairwise_kernels(X, metric="rbf", gamma=gamma)
    found = check(machine, K, y, tol=1e-4)
    # P - D is a sum over examples, and classes for WW, of at most C times a violation.
    pairs = len(y) * (1 if name == "CS" else len(machine.classes_) - 1)
    assert found.primal - found.dual <= 1.01e-4 * C * pairs + 1e-9 * found.primal


@BOTH
@pytest.mark.parametrize(("C", "gamma"), CORNERS)
@pytest.mark.parametrize(("data", "scaling"), [("satimage", "range"), ("dna", "none")])
def test_parts_of_real_data_at_the_corners(machine, data, scaling, C, gamma):
    part = load(data, scaling=scaling)
    X, labels = part.X_train[:400], part.y_train[:400]
    y = np.unique(labels, return_inverse=True)[1]
    K = pairwise_kernels(X, metric="rbf", gamma=gamma)
    fitted = machine(C, gamma=gamma, bias="none", tol=1e-3).fit(X, labels)
    check(fitted, K, y, tol=1e-3)
    fitted = machine(C, gamma=gamma, bias="none", tol=1e-3, gap_tol=1e-4).fit(X, labels)
    assert check(fitted, K, y, tol=1e-3).gap <= 1.01e-4


@pytest.mark.minutes
@BOTH
@pytest.mark.parametrize(("C", "gamma"), CORNERS)
@pytest.mark.parametrize(("data", "scaling"), [("satimage", "range"), ("dna", "none")])
def test_real_data_at_the_corners(machine, data, scaling, C, gamma):
    part = load(data, scaling=scaling)
    y = np.unique(part.y_train, return_inverse=True)[1]
    fitted = machine(C, gamma=gamma, bias="none", tol=1e-3).fit(part.X_train, part.y_train)
    X = part.X_train.toarray() if sp.issparse(part.X_train) else part.X_train
    K = pairwise_kernels(X, metric="rbf", gamma=gamma)
    check(fitted, K, y, tol=1e-3)


@BOTH
@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_room_for_columns_changes_nothing_but_the_work(machine, storage):
    X, y = random_problem(1500, 4, 5, seed=0)
    fits = [
        machine(2.0, gamma=0.2, tol=1e-4, storage=storage, cache_size=size).fit(X, y)
        for size in (0.001, 1.0, 200.0)
    ]
    least, some, most = fits
    for fitted in fits:
        assert fitted.status_ == "converged"
        assert fitted.dual_objective_ == pytest.approx(most.dual_objective_, rel=1e-5)
    np.testing.assert_allclose(
        least.decision_function(X), most.decision_function(X), atol=20 * 1e-4
    )
    assert most.n_kernel_rows_ <= 1500 < least.n_kernel_rows_
    assert some.n_kernel_rows_ < least.n_kernel_rows_


@BOTH
def test_the_same_bits_twice(machine, way):
    X, y = random_problem(300, 4, 5, seed=0)
    one, other = (machine(5.0, gamma=0.2).fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(one.dual_coef_, other.dual_coef_)
    np.testing.assert_array_equal(one.support_, other.support_)


@BOTH
def test_who_looks_on_changes_nothing(machine, way):
    X, y = random_problem(300, 4, 5, seed=0)
    seen = []
    alone = machine(5.0, gamma=0.2).fit(X, y)
    watched = machine(5.0, gamma=0.2, callback=lambda p: seen.append(p.iteration)).fit(X, y)
    np.testing.assert_array_equal(alone.dual_coef_, watched.dual_coef_)
    assert watched.n_iter_ == seen[-1] == alone.n_iter_
    assert seen[0] == 0


@pytest.fixture
def settled(monkeypatch):
    """The blocks that took a second-order step."""
    sizes = []
    settle = block.BlockLoop.settle

    def counting(self, K, B, a):
        sizes.append(len(B))
        return settle(self, K, B, a)

    monkeypatch.setattr(block.BlockLoop, "settle", counting)
    return sizes


class BegunError(Exception):
    """A second-order step was begun."""


def test_descent_goes_on_where_a_second_order_step_costs_more(settled, monkeypatch):
    X, y = random_problem(400, 8, 4, seed=0)
    patient = WestonWatkinsSVC(1000, gamma=1.0, tol=1e-3).fit(X, y)
    assert not settled
    check(patient, pairwise_kernels(X, metric="rbf", gamma=1.0) + 1.0, y, tol=1e-3)
    without_patience(monkeypatch)
    monkeypatch.setattr(block.BlockLoop, "settle", Mock(side_effect=BegunError))
    with pytest.raises(BegunError):  # to its end it takes some fifty times as long
        clone(patient).fit(X, y)


@BOTH
def test_descent_does_not_go_on_where_the_rank_is_low(machine, settled):
    X, y = random_problem(400, 4, 3, seed=0)
    fitted = machine(1000, kernel="linear", tol=1e-3).fit(X, y)
    assert settled
    assert fitted.n_iter_ <= (block.MOST_UPDATES + 1) * sum(settled)


@BOTH
@pytest.mark.parametrize("limit", [1, 2, 50, 299])
def test_the_limit_of_iterations_is_kept(machine, limit, way):
    X, y = random_problem(300, 4, 5, seed=0)
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        fitted = machine(5.0, gamma=0.2, max_iter=limit, bias="none").fit(X, y)
    assert (fitted.status_, fitted.n_iter_) == ("max_iter", limit)
    found = certificate(fitted, pairwise_kernels(X, metric="rbf", gamma=0.2), y)
    assert found.infeasibility <= 1e-9 * 5.0
    assert found.gap == pytest.approx(fitted.duality_gap_, rel=1e-6)


@BOTH
def test_a_time_limit_leaves_a_model(machine):
    X, y = random_problem(3000, 5, 5, seed=0)
    started = time.perf_counter()
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        fitted = machine(1e3, gamma=0.2, tol=1e-9, time_limit=0.2).fit(X, y)
    assert time.perf_counter() - started < 20
    assert fitted.status_ == "time_limit"
    assert fitted.predict(X).shape == (3000,)


@BOTH
def test_a_callback_ends_the_fit_or_breaks_it_off(machine):
    X, y = random_problem(300, 4, 5, seed=0)
    fitted = machine(5.0, gamma=0.2, callback=lambda p: p.iteration > 10).fit(X, y)
    assert fitted.status_ == "callback"
    n_threads = threading.active_count()

    def interrupt(progress):
        if progress.iteration > 10:
            raise KeyboardInterrupt

    broken = machine(5.0, gamma=0.2, callback=interrupt)
    with pytest.raises(KeyboardInterrupt):
        broken.fit(X, y)
    assert not hasattr(broken, "classes_")
    assert threading.active_count() == n_threads


@BOTH
def test_rounding_in_single_precision_is_taken_away(machine, monkeypatch):
    # Blocks are solved in single precision as far as that goes; the end is as exact as any.
    X, y = random_problem(400, 4, 4, seed=2)
    exact = machine(10.0, gamma=0.5, bias="none", tol=1e-7).fit(X, y)
    monkeypatch.setattr(block, "SMALL", 0)
    used = []
    use = block.BlockLoop.use

    def spy(self, dtype):
        used.append(np.dtype(dtype).name)
        use(self, dtype)

    monkeypatch.setattr(block.BlockLoop, "use", spy)
    found = machine(10.0, gamma=0.5, bias="none", tol=1e-3).fit(X, y)
    assert used[0] == "float32"
    assert found.kkt_violation_ <= 1e-3 * (1 + 1e-6)
    used.clear()
    found = machine(10.0, gamma=0.5, bias="none", tol=2e-5, gap_tol=1e-9).fit(X, y)
    assert used == ["float32", "float64"]
    assert found.dual_objective_ == pytest.approx(exact.dual_objective_, rel=1e-8)


@EVERY_MACHINE
@pytest.mark.parametrize("scale", [1e-8, 1e8])
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_scaled_features(kernel, scale, name, thorough_way):
    X, y = random_problem(40, 3, 4, seed=5)
    powers = {"linear": 2, "poly": 4, "rbf": 0}
    C = scale ** -powers[kernel]
    gamma = 0.5 if kernel == "poly" else 0.5 / scale**2
    K = pairwise_kernels(X, metric=kernel, filter_params=True, gamma=0.5, degree=2, coef0=0.0)
    cls, more = MACHINES[name]
    machine = cls(C, kernel=kernel, gamma=gamma, degree=2, bias="none", tol=1e-8, **more)
    machine.fit(scale * X, y)
    assert machine.status_ == "converged"
    assert machine.dual_objective_ / C == pytest.approx(optimum_of(name, K, y, 1.0), rel=1e-6)


def zero_rows(rng):
    X, y = random_problem(60, 3, 4, seed=1)
    X[rng.permutation(60)[:20]] = 0.0
    return X, y


def duplicates(rng):
    X, y = random_problem(30, 3, 4, seed=1)
    return np.repeat(X, 4, axis=0), np.repeat(y, 4)


def constant_features(rng):
    X, y = random_problem(60, 3, 4, seed=1)
    X[:, 1], X[:, 3] = 0.0, 7.0
    return X, y


def only_constant_features(rng):
    return np.full((30, 3), 2.0), np.arange(30) % 3


def one_feature(rng):
    X, y = random_problem(60, 3, 1, seed=1)
    return X, y


def two_examples(rng):
    return np.array([[0.0, 1.0], [2.0, 0.5]]), np.array([0, 1])


def many_classes(rng):
    return random_problem(28, 20, 5, seed=1)


def one_of_one_class(rng):
    return rng.normal(size=(50, 3)), (np.arange(50) == 17).astype(int)


@EVERY_MACHINE
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize(
    "make",
    [
        zero_rows,
        duplicates,
        constant_features,
        only_constant_features,
        one_feature,
        two_examples,
        many_classes,
        one_of_one_class,
    ],
    ids=lambda make: make.__name__,
)
@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_odd_data(make, kernel, name, thorough_way):
    X, y = make(np.random.default_rng(0))
    K = pairwise_kernels(X, metric=kernel, filter_params=True, gamma=0.5)
    cls, more = MACHINES[name]
    for given_X in (X, sp.csr_array(X)) if thorough_way == "one block" else (X,):
        machine = cls(3.0, kernel=kernel, gamma=0.5, bias="none", tol=1e-7, gap_tol=5e-7, **more)
        machine.fit(given_X, y)
        check(machine, K, y, tol=1e-7, optimum=optimum_of(name, K, y, 3.0))


@BOTH
def test_circles_that_rounding_turns_in_come_to_an_end(machine, monkeypatch):
    # Cubes of numbers around 100 leave no room for a violation of 1e-4 beside the rounding.
    rng = np.random.default_rng(0)
    X, y = 100 + rng.normal(size=(80, 2)), rng.integers(0, 2, 80)
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for tol in (1e-3, 1e-8, 1e-12):
            fitted = machine(kernel="poly", tol=tol).fit(X, y)
            assert fitted.status_ in ("converged", "stalled")
            assert fitted.duality_gap_ < 1e-3
    assert time.perf_counter() - started < 60
