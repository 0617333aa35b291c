"""Agreement with the R package kernlab, an implementation that is not ours, where it is there."""

import shutil
import subprocess

import numpy as np
import pytest
from problems import random_problem
from sklearn.metrics.pairwise import rbf_kernel

from mcbench import CrammerSingerSVC, WestonWatkinsSVC
from solvers.certificate import Solution

SCRIPT = """
suppressMessages(library(kernlab))
arguments <- commandArgs(trailingOnly = TRUE)
X <- as.matrix(read.csv(arguments[1], header = FALSE))
y <- factor(scan(arguments[2], quiet = TRUE))
machine <- ksvm(X, y, type = arguments[3], kernel = "rbfdot", kpar = list(sigma = 0.5),
                C = as.numeric(arguments[4]), scaled = FALSE, tol = 1e-4)
alpha <- matrix(0, nrow(X), ncol(machine@alpha))
alpha[, ] <- machine@alpha
write.table(format(alpha, digits = 17), arguments[5], quote = FALSE, row.names = FALSE,
            col.names = FALSE)
"""


def has_kernlab():
    if shutil.which("Rscript") is None:
        return False
    found = subprocess.run(["Rscript", "-e", "library(kernlab)"], capture_output=True, check=False)
    return found.returncode == 0


@pytest.fixture(scope="module")
def kernlab(tmp_path_factory):
    if not has_kernlab():
        pytest.skip("R with the package kernlab is not installed")
    folder = tmp_path_factory.mktemp("kernlab")
    (folder / "fit.R").write_text(SCRIPT)

    def alpha(X, y, kind, C):
        np.savetxt(folder / "X.csv", X, delimiter=",", fmt="%.17g")
        np.savetxt(folder / "y.csv", y, fmt="%d")
        arguments = ["X.csv", "y.csv", kind, str(C), "alpha.txt"]
        subprocess.run(
            ["Rscript", "fit.R", *arguments], cwd=folder, check=True, capture_output=True
        )
        return np.loadtxt(folder / "alpha.txt")

    return alpha


@pytest.mark.slow
@pytest.mark.parametrize("C", [0.5, 4.0])
def test_spoc_svc_is_crammer_and_singers_machine(kernlab, C):
    X, y = random_problem(60, 4, 3, seed=1)
    K = rbf_kernel(X, gamma=0.5)
    ours = CrammerSingerSVC(C, gamma=0.5, tol=1e-8).fit(X, y)
    theirs = ours.problem().certify(Solution(kernlab(X, y, "spoc-svc", C)), y, lambda a: K @ a)
    # At C = 0.5 it leaves one example off its sum constraint by a tenth of C, whatever its tol.
    assert theirs.infeasibility <= 0.15 * C
    assert theirs.dual == pytest.approx(ours.dual_objective_, rel=1e-3)
    assert theirs.primal == pytest.approx(ours.primal_objective_, rel=5e-3)


@pytest.mark.slow
@pytest.mark.parametrize("C", [0.5, 4.0])
def test_kbb_svc_is_weston_and_watkins_machine_with_a_penalized_bias(kernlab, C):
    X, y = random_problem(60, 4, 3, seed=1)
    K = rbf_kernel(X, gamma=0.5) + 1.0
    ours = WestonWatkinsSVC(C, gamma=0.5, tol=1e-8).fit(X, y)
    alpha = kernlab(X, y, "kbb-svc", C)  # a column for each wrong class, in their order
    a = np.zeros((60, 4))
    for i, own in enumerate(y):
        a[i, np.delete(np.arange(4), own)] = -alpha[i]
        a[i, own] = alpha[i].sum()
    theirs = ours.problem().certify(Solution(a), y, lambda coefficients: K @ coefficients)
    assert theirs.gap < 1e-3
    assert theirs.dual == pytest.approx(ours.dual_objective_, rel=1e-4)
    assert theirs.primal == pytest.approx(ours.primal_objective_, rel=1e-3)
