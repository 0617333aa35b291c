"""Every variant reaches the optimum that an independent QP solver finds, and proves it."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from checks import SOLVERS
from omegaconf import OmegaConf
from oracle import solve_dual
from problems import GAMMA, random_problem
from problems import PROBLEMS as COMMON
from sklearn.metrics.pairwise import pairwise_kernels

from mcbench import CrammerSingerSVC

FIXED_POINT, EXACT = {"optimizer": "fixed_point"}, {"optimizer": "exact"}
NO_CACHE = {"cache": "none"}
BLOCK = {"solver": "block", "passes": 50}
VERSIONS = {
    "block": BLOCK,
    "block, sparse": {**BLOCK, "storage": "sparse"},
    "baseline": {"pick": "cyclic", "active_set": False, "threshold": "fixed", **FIXED_POINT},
    "baseline, exact": {"pick": "cyclic", "active_set": False, "threshold": "fixed", **EXACT},
    "kkt": {"active_set": False, "threshold": "fixed", **FIXED_POINT, **NO_CACHE},
    "active_set": {"threshold": "fixed", **EXACT, **NO_CACHE},
    "exponential": {"threshold": "exponential", **FIXED_POINT},
    "linear": {"threshold": "linear", **EXACT},
    "logarithmic": {"threshold": "logarithmic", **FIXED_POINT, **NO_CACHE},
    "lru": {"cache": "lru", "cache_size": 1e-3, **EXACT},
    "rows": {"cache": "lru", "cache_rows": 3, **EXACT},
    "full": {"cache": "full", **FIXED_POINT},
    "sparse": {"cache": "lru", "storage": "sparse", **EXACT},
}

# AS02, AS05: the parts of the family, paired so that every two of them meet in some fit.
OPTIMIZERS = (
    {"optimizer": "fixed_point"},
    {"optimizer": "exact"},
    {"optimizer": "basic"},
    {"optimizer": "all_pairs"},
    {"optimizer": "all_pairs", "sweep_rule": "relative"},
    {"optimizer": "opt_kkt"},
)
SELECTIONS = ("kkt", "amg", "bmg")
PICKS = (
    {"pick": "argmax", "active_set": False, "threshold": "fixed"},
    {"pick": "argmax", "threshold": "logarithmic"},
    {"pick": "argmax", "threshold": "exponential"},
    *(
        {"pick": "threshold", "active_set": False, "threshold": threshold}
        for threshold in ("fixed", "exponential", "linear", "logarithmic", "max", "mean")
    ),
)
GRID = [
    {**optimizer, **pick, "selection": SELECTIONS[(i + j) % 3]}
    for i, optimizer in enumerate(OPTIMIZERS)
    for j, pick in enumerate(PICKS)
]

CURVES = sorted(
    path.stem
    for path in (Path(__file__).parents[2] / "conf" / "solver").glob("*.yaml")
    if "selection:" in path.read_text()
)

PROBLEMS = {
    **COMMON,
    "large C": ({"n": 20, "k": 3, "d": 8, "seed": 7}, "rbf", 4096.0),
    "hard margin": ({"n": 30, "k": 4, "d": 4, "seed": 8}, "rbf", np.inf),
}


@cache
def problem(name):
    """Data, kernel, C, and the value that the independent solver finds."""
    sizes, kernel, C = PROBLEMS[name]
    X, y = random_problem(**sizes)
    K = pairwise_kernels(X, metric=kernel, filter_params=True, **GAMMA)
    return X, y, kernel, C, solve_dual(K, y, int(y.max()) + 1, C)[0]


def assert_optimum(name, *, tests=True, **parameters):
    X, y, kernel, C, optimum = problem(name)
    machine = CrammerSingerSVC(
        C,
        kernel=kernel,
        **GAMMA,
        **{
            "solver": "pattern",
            "passes": 3000,
            "tol": 1e-8,
            "gap_tol": 5e-7 if tests else None,
            **parameters,
        },
    ).fit(X, y)
    if tests:
        assert machine.status_ == "converged"
        assert machine.kkt_violation_ <= 1.001e-8
    assert machine.dual_objective_ == pytest.approx(optimum, rel=1e-6)
    assert machine.primal_objective_ == pytest.approx(optimum, rel=1e-6)
    assert machine.duality_gap_ + 1e-12 >= 0.0
    assert machine.duality_gap_ < 1e-6
    a = machine.dual_coef_
    upper = np.where(np.arange(a.shape[1]) == y[machine.support_][:, None], C, 0.0)
    assert np.all(a <= upper)
    assert np.abs(a.sum(axis=1)).max() <= 1e-10 * np.abs(a).max()
    return machine


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_optimum(name, version):
    # The baseline only makes its passes.
    assert_optimum(name, tests=not version.startswith("baseline"), **VERSIONS[version])


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("name", PROBLEMS)
def test_optimum_of_a_curve_of_aiolli_and_sperduti(name, curve):
    path = Path(__file__).parents[2] / "conf" / "solver" / f"{curve}.yaml"
    parameters = OmegaConf.to_container(OmegaConf.load(path))
    for given in ("_target_", "C", "tol"):
        del parameters[given]
    assert_optimum(name, **parameters)


@pytest.mark.parametrize("index", range(len(GRID)))
def test_optimum_over_the_grid(index):
    for name in list(PROBLEMS)[index % 3 :: 3]:
        machine = assert_optimum(name, **GRID[index])
        steps = GRID[index]["optimizer"] in ("basic", "all_pairs", "opt_kkt")
        assert (machine.n_pair_steps_ > 0) == steps


def test_every_two_parts_meet_in_the_grid():
    assert len(CURVES) == 16
    meetings = {(p["optimizer"], p["selection"]) for p in GRID}
    assert len(meetings) == 15
    assert len({(p["selection"], p["pick"], p["threshold"]) for p in GRID}) == 27


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("bias", ["none", "penalized"])
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "precomputed", "callable"])
def test_every_kernel_and_bias(kernel, bias, solver):
    X, y = random_problem(30, 4, 3, seed=11)
    name = "poly" if kernel in ("precomputed", "callable") else kernel
    K = pairwise_kernels(X, metric=name, filter_params=True, **GAMMA)
    optimum, _ = solve_dual(K + (bias == "penalized"), y, 4, 2.0)
    given = {"callable": lambda A, B: pairwise_kernels(A, B, metric="poly", **GAMMA)}
    machine = CrammerSingerSVC(
        2.0, kernel=given.get(kernel, kernel), **GAMMA, bias=bias, solver=solver, tol=1e-8
    )
    train = K if kernel == "precomputed" else X
    machine.fit(train, y)
    assert machine.dual_objective_ == pytest.approx(optimum, rel=1e-6)
    f = machine.decision_function(train)
    expected = (K + (bias == "penalized"))[:, machine.support_] @ machine.dual_coef_
    np.testing.assert_allclose(f, expected, atol=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_tiny_and_huge_scales(scale, solver):
    X, y = random_problem(30, 3, 4, seed=5)
    X = X * scale
    C = 1.0 / scale**2
    optimum, _ = solve_dual(X @ X.T * C, y, 3, 1.0)
    machine = CrammerSingerSVC(C, kernel="linear", solver=solver, tol=1e-8).fit(X, y)
    assert machine.dual_objective_ / C == pytest.approx(optimum, rel=1e-6)
