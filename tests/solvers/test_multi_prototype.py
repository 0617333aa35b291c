"""Several prototypes for each class: the problem for given assignments, and the search for them."""

import itertools
import math

import numpy as np
import pytest
import scipy.sparse as sp
from checks import ONE_COLUMN_PER_CLASS
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import solve_prototype_dual
from problems import GAMMA, PROBLEMS, random_problem
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbench import CrammerSingerSVC, MultiPrototypeSVC, load_model, save_model
from solvers.certificate import Solution
from solvers.generalization import growth_bound, margin_bound
from solvers.kernels import kernel_function
from solvers.pattern import OPTIMIZERS
from solvers.problems.multi_prototype import MultiPrototype

EXACT_ENOUGH = ("exact", "all_pairs", "opt_kkt", "basic")


def machine(C=1.0, **parameters):
    return MultiPrototypeSVC(C, **{"n_prototypes": 2, "random_state": 0, **parameters})


def drawn_assignments(y, counts, seed):
    starts = np.concatenate([[0], np.cumsum(counts)])
    return starts[y] + np.random.default_rng(seed).integers(0, np.asarray(counts)[y])


def full(fitted, n):
    a = np.zeros((n, fitted.dual_coef_.shape[1]))
    a[fitted.support_] = fitted.dual_coef_
    return a


def valued(problem, a, y, K):
    return problem.certify(Solution(a), y, lambda coefficients: K @ coefficients)


def slacks(fitted, X, y):
    """xi_i^r for all prototypes r of the example's class; infinite for others."""
    f = fitted.prototype_scores(X)
    same = fitted.prototype_class_ == y[:, None]
    theta = np.where(same, -np.inf, f).max(axis=1)
    return np.where(same, np.maximum(theta[:, None] + 1 - f, 0.0), np.inf)


@parametrize_with_checks(
    [
        machine(tau=0.5, max_iter=5000),
        machine(search="greedy", optimizer="opt_kkt", max_iter=5000),
        machine(search="static", kernel="rbf", n_prototypes=3),
    ],
    expected_failed_checks=lambda estimator: ONE_COLUMN_PER_CLASS,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("bias", ["penalized", "none"])
def test_given_assignments_are_solved_to_the_optimum(name, bias):
    sizes, kernel, C = PROBLEMS[name]
    X, y = random_problem(**sizes)
    k = int(y.max()) + 1
    counts = tuple(1 + (c % 3) for c in range(k))
    own = drawn_assignments(y, counts, seed=1)
    shift = 1.0 if bias == "penalized" else 0.0
    for kind in (kernel, "linear"):
        optimum = None
        for optimizer in EXACT_ENOUGH if kind != "linear" else ("exact", "opt_kkt"):
            parameters = {"search": "static", "kernel": kind, "bias": bias, "optimizer": optimizer}
            fitted = machine(C, n_prototypes=counts, tol=1e-7, gap_tol=5e-7, **GAMMA, **parameters)
            fitted.fit(X, y, assignments=own)
            if optimum is None:
                K = kernel_function(kind, **GAMMA)(X, X) + shift
                optimum = solve_prototype_dual(K, y, own, fitted.prototype_class_, C)
            assert fitted.status_ == "converged"
            assert fitted.kkt_violation_ <= 1.001e-7
            assert fitted.dual_objective_ == pytest.approx(optimum, rel=1e-6)
            # The primal is of the best assignment of the examples without coefficients.
            assert fitted.primal_objective_ <= optimum * (1 + 1e-6)
            assert np.array_equal(fitted.assignments_, own)
            a = full(fitted, len(y))
            same = fitted.prototype_class_ == y[:, None]
            mine = np.arange(a.shape[1]) == own[:, None]
            assert np.all(a[same & ~mine] == 0.0)
            assert np.all(a[~same] <= 0.0)
            assert np.all((a[mine] >= 0.0) & (a[mine] <= C))
            assert np.abs(a.sum(axis=1)).max() <= 1e-12 * C


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_dense_and_sparse_and_all_optimizers_are_one_machine(optimizer):
    X, y = random_problem(60, 4, 6, seed=3)
    X[np.abs(X) < 0.5] = 0.0
    own = drawn_assignments(y, [2] * 4, seed=0)
    fitted = [
        machine(0.1, search="static", tol=1e-6, optimizer=optimizer).fit(given_X, y, own)
        for given_X in (X, sp.csr_array(X), sp.csr_matrix(X))
    ]
    exact = machine(0.1, search="static", tol=1e-6).fit(X, y, own)
    for one in fitted:
        assert one.primal_objective_ == pytest.approx(exact.primal_objective_, rel=1e-6)
        assert np.allclose(one.prototype_scores(X), exact.prototype_scores(X), atol=1e-4)


@pytest.mark.parametrize("search", ["static", "greedy", "annealed"])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_one_prototype_is_the_machine_of_crammer_and_singer(search, kernel):
    X, y = random_problem(50, 4, 3, seed=5)
    told = {"kernel": kernel, "gamma": 0.5, "bias": "penalized", "tol": 1e-9}
    several = machine(0.5, n_prototypes=1, search=search, tau=0.5, gap_tol=1e-9, **told).fit(X, y)
    single = CrammerSingerSVC(0.5, gap_tol=1e-9, **told).fit(X, y)
    for name in ("primal_objective_", "dual_objective_"):
        assert getattr(several, name) == pytest.approx(getattr(single, name), rel=1e-8)
    assert np.allclose(several.decision_function(X), single.decision_function(X), atol=1e-6)
    assert several.n_assignment_changes_ == 0


@pytest.mark.parametrize("optimizer", ["exact", "opt_kkt"])
@given(seed=st.integers(0, 1000), C=st.sampled_from([0.05, 1.0]), k=st.integers(2, 4))
@settings(max_examples=15, deadline=None)
def test_greedy_never_lets_the_primal_rise_and_ends_in_a_stationary_point(optimizer, seed, C, k):
    X, y = random_problem(40, k, 2, seed=seed)
    own = drawn_assignments(y, [3] * k, seed)
    told = {"n_prototypes": 3, "optimizer": optimizer, "random_state": seed, "tol": 1e-4}
    start = machine(C, search="static", **told).fit(X, y, assignments=own)
    seen = []
    greedy = machine(
        C, search="greedy", callback=lambda p: seen.append(p.dual_coef.copy()) and False, **told
    ).fit(X, y, assignments=own)
    assert greedy.status_ == "converged"
    assert greedy.primal_objective_ <= start.primal_objective_ * (1 + 1e-3)
    # The model shown to a callback is the best so far.
    problem = greedy.problem()
    K = X @ X.T + 1.0
    primals = [valued(problem, a, y, K).primal for a in seen]
    assert all(b <= a * (1 + 1e-3) for a, b in itertools.pairwise(primals))
    # Stationary: no example has a prototype of less slack, and the problem is solved.
    xi = slacks(greedy, X, y)
    rows = np.arange(len(y))
    assert np.all(xi[rows, greedy.assignments_] <= xi.min(axis=1) + 1.01e-4 + 1e-9)
    assert greedy.kkt_violation_ <= 1.001e-4


def every_optimum(X, y, counts, C):
    """The lowest primal over all assignments."""
    starts = np.concatenate([[0], np.cumsum(counts)])
    K = X @ X.T + 1.0
    prototype_class = np.repeat(np.arange(len(counts)), counts)
    choices = [range(starts[c], starts[c + 1]) for c in y]
    return min(
        solve_prototype_dual(K, y, np.array(own), prototype_class, C)
        for own in itertools.product(*choices)
        if own[0] == starts[y[0]]  # the prototypes of a class may change places
    )


def test_annealing_finds_the_optimum_over_all_assignments():
    found = trials = 0
    for problem in range(2):
        rng = np.random.default_rng(problem)
        X, y = rng.normal(size=(8, 2)), np.array([0, 1] * 4)
        lowest = every_optimum(X, y, [2, 2], C=1.0)
        for seed in range(50):
            fitted = machine(1.0, tol=1e-5, tau=0.1, random_state=seed).fit(X, y)
            assert fitted.primal_objective_ >= lowest * (1 - 1e-6)
            found += fitted.primal_objective_ <= lowest * (1 + 1e-4)
            trials += 1
    assert found > trials / 2


def test_several_starts_are_never_worse():
    X, y = make_moons(120, noise=0.2, random_state=0)
    one, five = (machine(1.0, n_prototypes=3, tau=0.4, n_init=n).fit(X, y) for n in (1, 5))
    assert five.primal_objective_ <= one.primal_objective_ * (1 + 1e-6)
    assert len(five.temperatures_) == 5 * len(one.temperatures_)


def test_the_same_seed_gives_the_same_bits():
    X, y = make_moons(100, noise=0.2, random_state=0)
    fits = [machine(n_prototypes=4, random_state=seed).fit(X, y) for seed in (3, 3, 4)]
    assert np.array_equal(fits[0].dual_coef_, fits[1].dual_coef_)
    assert np.array_equal(fits[0].assignments_, fits[1].assignments_)
    assert not np.array_equal(fits[0].assignments_, fits[2].assignments_)


@pytest.mark.parametrize("optimizer", ["exact", "opt_kkt"])
@pytest.mark.parametrize("search", ["greedy", "annealed"])
def test_the_clock_decides_nothing(search, optimizer, monkeypatch):
    X, y = random_problem(200, 4, 6, seed=1)
    told = {"n_prototypes": 4, "search": search, "optimizer": optimizer, "tau": 0.3}
    fits = []
    for seconds in (1e9, 0.01, 1e-5):
        monkeypatch.setattr("solvers.drive.SLICE", seconds)
        fits.append(machine(10.0, tol=1e-2, **told).fit(X, y))
    fits.append(machine(10.0, tol=1e-2, callback=lambda progress: False, **told).fit(X, y))
    for other in fits[1:]:
        assert np.array_equal(other.dual_coef_, fits[0].dual_coef_)
        assert np.array_equal(other.assignments_, fits[0].assignments_)


@pytest.mark.parametrize("limit", [{"max_iter": 160}, {"callback": lambda p: p.iteration > 99}])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_certificate_is_for_the_assignments_told(limit):
    X, y = random_problem(80, 3, 4, seed=2)
    for search in ("greedy", "annealed"):
        fitted = machine(1.0, n_prototypes=3, search=search, **limit).fit(X, y)
        xi = slacks(fitted, X, y)[np.arange(80), fitted.assignments_].sum()
        norm = np.sum(fitted.prototypes_**2) + np.sum(fitted.intercept_**2)
        assert 0.5 * norm + xi == pytest.approx(fitted.primal_objective_, rel=1e-9)


def test_more_prototypes_make_a_curved_border():
    X, y = make_moons(400, noise=0.15, random_state=0)
    scores = [machine(10.0, n_prototypes=q).fit(X, y).score(X, y) for q in (1, 4)]
    assert scores[0] < 0.92
    assert scores[1] > 0.96


def test_what_the_fit_tells():
    X, y = random_problem(90, 3, 4, seed=2)
    labels = np.array(["b", "a", "c"])[y]
    fitted = machine(1.0, n_prototypes=[1, 2, 3]).fit(X, labels)
    assert list(fitted.prototype_class_) == [0, 1, 1, 2, 2, 2]
    assert fitted.prototypes_.shape == (6, 4)
    assert fitted.compression_ == pytest.approx(6 / 90)
    assert np.array_equal(fitted.classes_[fitted.prototype_class_[fitted.assignments_]], labels)
    T = fitted.temperatures_
    assert np.allclose(T, 10.0 * 0.95 ** np.arange(len(T)))
    assert len(fitted.energies_) == len(fitted.slacks_) == len(T)
    assert np.all(fitted.energies_ >= fitted.C * fitted.slacks_)
    scores = X @ fitted.prototypes_.T + fitted.intercept_
    assert np.allclose(fitted.prototype_scores(X), scores)
    assert np.allclose(
        fitted.decision_function(X),
        np.stack([scores[:, :1].max(1), scores[:, 1:3].max(1), scores[:, 3:].max(1)], axis=1),
    )
    assert fitted.n_kernel_rows_ == 0


def test_the_certificate_is_the_judge():
    X, y = random_problem(50, 3, 3, seed=1)
    fitted = machine(0.7, n_prototypes=3, gap_tol=1e-4).fit(X, y)
    found = valued(fitted.problem(), full(fitted, 50), y, X @ X.T + 1.0)
    assert found.primal == pytest.approx(fitted.primal_objective_, rel=1e-9)
    assert found.dual == pytest.approx(fitted.dual_objective_, rel=1e-9)
    assert found.gap <= 1e-4
    assert found.infeasibility <= 1e-12
    xi = slacks(fitted, X, y)[np.arange(50), fitted.assignments_].sum()
    norm = np.sum(fitted.prototypes_**2) + np.sum(fitted.intercept_**2)
    assert 0.5 * norm + 0.7 * xi == pytest.approx(fitted.primal_objective_, rel=1e-3)


def test_an_infeasible_solution_is_seen():
    problem = MultiPrototype(1.0, 2)
    y, K = np.array([0, 1]), np.eye(2)
    for wrong in ([0.5, 0.5, -1, 0], [2, 0, -2, 0], [0.5, 0, 0, 0], [0, 0, 0.5, -0.5]):
        a = np.array([wrong, [-0.5, 0, 0.5, 0]], dtype=float)
        assert valued(problem, a, y, K).infeasibility > 0.4


def test_the_bounds_of_theorems_4_and_5():
    n, k, q, d = 1000, 3, 2, 5
    K = q * q * k * (k - 1) / 2
    by_hand = 130 * 2.0**2 * q * (k - 1 + q) * 7.0 * math.log2(4 * math.e * n) * math.log2(4 * n)
    by_hand = (by_hand + math.log2(2) + K * math.log2(2 * n) + math.log2(1 / 0.05)) / n
    told = {"n": n, "k": k, "q": q, "delta": 0.05}
    assert margin_bound(**told, squared_norm=7.0, radius=2.0) == pytest.approx(by_hand)
    grown = 1 + 6.5 * math.log(6) + 5 * K * math.log(2 * math.e * n / d) - math.log(0.05 / 4)
    by_hand = 0.1 + math.sqrt(4 * grown / n) + 1 / n
    assert growth_bound(**told, d=d, training_error=0.1) == pytest.approx(by_hand)
    assert growth_bound(**told, d=2001, training_error=0.1) == math.inf


def test_the_margin_bound_is_for_separated_training_sets():
    X, y = make_moons(60, noise=0.01, random_state=0)
    separated = machine(100.0, n_prototypes=4).fit(X, y).generalization_bounds_
    assert separated["training_error"] == 0.0
    assert 1.0 < separated["theorem4"] < math.inf
    mixed = machine(0.01).fit(X, np.arange(60) % 2).generalization_bounds_
    assert mixed["theorem4"] == math.inf
    assert mixed["theorem5"] > mixed["training_error"] > 0.0


def test_limits_leave_the_best_model_so_far():
    X, y = random_problem(300, 5, 10, seed=0)
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        fitted = machine(1.0, n_prototypes=5, max_iter=2000).fit(X, y)
    assert fitted.n_iter_ == 2000
    assert 0.0 < fitted.duality_gap_ < 1.0
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        fitted = machine(1.0, n_prototypes=5, time_limit=1e-4).fit(X, y)
    assert fitted.fit_time_ < 0.5
    calls = []
    fitted = machine(1.0, callback=lambda p: calls.append(p.level) or len(calls) > 3).fit(X, y)
    assert fitted.status_ == "callback"
    assert calls[1] == 10.0


def test_a_fit_leaves_nothing_of_the_fit_before():
    X, y = random_problem(60, 3, 4, seed=0)
    again = machine().fit(X, y)
    again.set_params(kernel="rbf").fit(X, y)
    assert not hasattr(again, "prototypes_")


def test_a_saved_machine_predicts_the_same(tmp_path):
    X, y = random_problem(60, 3, 4, seed=0)
    fitted = machine(n_prototypes=[1, 2, 3]).fit(X, y)
    save_model(fitted, tmp_path / "model")
    read = load_model(tmp_path / "model")
    assert np.array_equal(read.prototype_scores(X), fitted.prototype_scores(X))
    assert read.generalization_bounds_ == fitted.generalization_bounds_
    assert clone(read).n_prototypes == [1, 2, 3]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_prototypes": 0}, "n_prototypes=0"),
        ({"n_prototypes": 2.5}, "n_prototypes=2.5"),
        ({"n_prototypes": "many"}, "n_prototypes='many'"),
        ({"n_prototypes": []}, "n_prototypes is empty"),
        ({"n_prototypes": np.array(3)}, "give one number, or one for each class"),
        ({"n_prototypes": [1, 2]}, "n_prototypes has 2 numbers, and there are 3 classes"),
        ({"n_prototypes": [1, 0, 2]}, "n_prototypes=0"),
        ({"C": np.inf}, "C=inf"),
        ({"C": -1.0}, "C=-1.0"),
        ({"search": "anealed"}, "did you mean 'annealed'"),
        ({"tau": 1.0}, "tau=1.0 is not less than 1"),
        ({"tau": 0.0}, "tau=0.0"),
        ({"temperature": 0.0}, "temperature=0.0"),
        ({"n_init": 0}, "n_init=0"),
        ({"max_passes": 0}, "max_passes=0"),
        ({"optimizer": "best"}, "optimizer='best'"),
        ({"bias": "exact"}, "bias='exact'"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = random_problem(30, 3, 4, seed=0)
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        machine(**parameters).fit(X, y)


@pytest.mark.parametrize(
    ("assignments", "message"),
    [
        ([0] * 29, "shape"),
        ([0.5] * 30, "whole numbers"),
        ([6] * 30, "no prototype of the class"),
        ([-1] * 30, "no prototype of the class"),
    ],
)
def test_bad_assignments(assignments, message):
    X, y = random_problem(30, 3, 4, seed=0)
    with pytest.raises(ValueError, match=message):
        machine().fit(X, y, assignments=assignments)
