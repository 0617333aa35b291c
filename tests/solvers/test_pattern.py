"""The named configurations of the family, and which of its combinations there are."""

import contextlib
from itertools import product

import numpy as np
import pytest
from problems import random_problem
from solvers.core.reduced_problem import FixedPoint

from mcbench import CrammerSingerSVC
from mcbench.conf_files import groups
from mcbench.config import resolve
from mcbench.estimator import build
from solvers.pattern import OPTIMIZERS, PICKS, SELECTIONS, THRESHOLDS, Pattern

AS_PAPERS = [name for name in groups()["solver"] if name.startswith(("kkt_", "amg_", "bmg_"))]


@pytest.mark.parametrize("rows", [3000, 100, 1])
@pytest.mark.parametrize("name", AS_PAPERS)
def test_the_papers_configurations(name, rows):
    config = resolve([f"solver={name}", f"solver.cache_rows={rows}", "kernel.gamma=0.5"])
    machine = build(config).set_params(tol=1e-6, C=3.0)
    X, y = random_problem(120, 4, 3, seed=2)
    machine.fit(X, y)
    reference = CrammerSingerSVC(3.0, gamma=0.5, tol=1e-9).fit(X, y)
    assert machine.status_ == "converged"
    assert machine.dual_objective_ == pytest.approx(reference.dual_objective_, rel=1e-6)
    assert machine.n_kernel_rows_ + machine.n_cache_hits_ <= machine.n_iter_
    if rows >= 120:
        assert machine.n_kernel_rows_ <= 120
    elif rows == 1:
        assert machine.n_kernel_rows_ > 120
    assert (machine.n_pair_steps_ > 0) == (machine.optimizer not in ("exact", "fixed_point"))
    assert machine.n_inner_iter_ > 0


def test_every_combination_is_valid_or_refused():
    valid = 0
    for pick, selection, threshold, optimizer, active in product(
        PICKS, SELECTIONS, THRESHOLDS, OPTIMIZERS, (True, False)
    ):
        parts = {"pick": pick, "selection": selection, "threshold": threshold}
        with contextlib.suppress(ValueError):
            Pattern(**parts, optimizer=optimizer, active_set=active)
            valid += 1
    # passes: 3 x 6; the largest value: 3 x 4 with an active set, 3 without; in turn: 1
    assert valid == (18 + 12 + 3 + 1) * len(OPTIMIZERS)


def test_the_fixed_point_is_the_papers_in_its_scaling():
    # CS01 eq. 39: theta <- 1/k sum_r max(theta, D_r) - 1/k for D = b / (C A) + e_y, theta ours / C
    rng = np.random.default_rng(1)
    A, C, y, k = 2.0, 5.0, 1, 4
    g = rng.normal(size=k)
    D = g / (C * A) + np.eye(k)[y]
    theta = (D.sum() - 1) / k
    for _ in range(10_000):
        theta = (np.maximum(theta, D).sum() - 1) / k
    expected = C * (np.minimum(theta, D) - D + np.eye(k)[y])
    found = FixedPoint(k)(A, g, np.zeros(k), y, C, 1e-15)
    np.testing.assert_allclose(found, expected, atol=1e-9)
