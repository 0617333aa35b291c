"""The R package kernlab: `ksvm` with type "spoc-svc" or "kbb-svc", the decomposition of BSVM.

Its "spoc-svc" is Crammer & Singer's problem with our C. Its "kbb-svc" is Weston & Watkins's with
a penalized bias (the kernel K + 1) and margin 2, with the same C. `sigma` is gamma, `tol` the
largest violation allowed.
"""

import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mcbench.errors import SolverUnavailable
from mcbench.external import Ran, run
from solvers.certificate import scores, support_of
from solvers.kernels import kernel_function, numeric_gamma
from solvers.problems import CrammerSinger

SCRIPT = """
suppressMessages(library(kernlab))
ask <- commandArgs(trailingOnly = TRUE)
n <- as.integer(ask[1]); d <- as.integer(ask[2])
X <- matrix(readBin("X.bin", "double", n * d), n, d)
y <- factor(readBin("y.bin", "integer", n))
used <- system.time(
  machine <- ksvm(X, y, type = ask[3], kernel = "rbfdot", kpar = list(sigma = as.numeric(ask[4])),
                  C = as.numeric(ask[5]), tol = as.numeric(ask[6]), cache = as.numeric(ask[7]),
                  scaled = FALSE, fit = FALSE))
writeBin(as.double(machine@alpha), "alpha.bin")
cat("[", used[["elapsed"]], ",", used[["user.self"]] + used[["sys.self"]], "]", sep = "",
    file = "used.json")
"""


@dataclass(frozen=True)
class Solved:
    """What kernlab gave.

    Attributes
    ----------
    alpha : ndarray
        Its coefficients, a row for each example.
    seconds, cpu_seconds : float
        Of `ksvm`, as R tells them.
    ran : Ran
        What the whole process used.
    """

    alpha: np.ndarray
    seconds: float
    cpu_seconds: float
    ran: Ran


def solve(
    X: Any,
    y: np.ndarray,
    machine: str,
    gamma: float,
    C: float,
    tol: float,
    cache_mb: float,
    time_limit: float | None = None,
) -> Solved:
    """Let kernlab solve a problem with the kernel rbf.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    y : int ndarray of shape (n,)
        Labels 0 .. k-1.
    machine : {"spoc-svc", "kbb-svc"}
    gamma, C, tol : float
    cache_mb : float
        Its cache of kernel values, in MB.
    time_limit : float, optional
        Seconds after which it is killed.
    """
    n, d = X.shape
    ask = [n, d, machine, gamma, C, tol, cache_mb]
    with tempfile.TemporaryDirectory(prefix="mcbench-") as name:
        folder = Path(name)
        (folder / "fit.R").write_text(SCRIPT)
        (folder / "X.bin").write_bytes(np.asarray(X).tobytes(order="F"))
        (folder / "y.bin").write_bytes(y.astype(np.int32).tobytes())
        command = ["Rscript", "--vanilla", "fit.R", *map(str, ask)]
        ran = run(command, folder, time_limit=time_limit)
        alpha = np.frombuffer((folder / "alpha.bin").read_bytes()).reshape(n, -1, order="F")
        seconds, cpu_seconds = json.loads((folder / "used.json").read_text())
    return Solved(alpha, seconds, cpu_seconds, ran)


def coefficients(alpha: np.ndarray, y: np.ndarray, k: int, machine: str) -> np.ndarray:
    """Return our n x k coefficients for what kernlab keeps as `alpha`.

    Those of "spoc-svc" are ours; "kbb-svc" has a column for each wrong class, in their order.
    """
    if machine == "spoc-svc":
        return np.array(alpha)
    n = len(y)
    wrong = np.arange(k - 1) + (np.arange(k - 1) >= y[:, np.newaxis])
    a = np.zeros((n, k))
    np.put_along_axis(a, wrong, -alpha, axis=1)
    a[np.arange(n), y] = alpha.sum(axis=1)
    return a


@cache
def missing() -> str:
    """Return why kernlab cannot be asked here, "" when it can."""
    if shutil.which("Rscript") is None:
        return "Rscript is not installed"
    ask = ["Rscript", "--vanilla", "-e", "library(kernlab)"]
    absent = subprocess.run(ask, capture_output=True).returncode != 0
    return "R has no package kernlab" if absent else ""


class Kernlab(ClassifierMixin, BaseEstimator):
    """Crammer & Singer's machine, trained by kernlab's "spoc-svc" with the kernel rbf.

    Its coefficients come back, so that primal, dual and gap are recomputed. Its time is that of the
    whole process, the start of R included.

    Parameters
    ----------
    C : float
    kernel : {"rbf"}
    gamma : float, "scale" or "auto"
    tol : float
        The largest violation allowed.
    cache_size : float
        Its cache of kernel values, in MB.
    time_limit : float, optional
        Seconds after which it is killed.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    support_, dual_coef_, intercept_ : ndarray
        As for `CrammerSingerSVC`.
    process_ : Ran
        What the process used.
    """

    solver_version = "1"

    def __init__(
        self,
        C: float = 1.0,
        kernel: str = "rbf",
        gamma: str | float = "scale",
        tol: float = 0.001,
        cache_size: float = 1000.0,
        time_limit: float | None = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.tol = tol
        self.cache_size = cache_size
        self.time_limit = time_limit

    def check_parameters(self) -> None:
        """Refuse values that make no sense; say that kernlab is not installed."""
        if self.kernel != "rbf":
            raise ValueError(f"kernlab is asked with the kernel rbf only, not {self.kernel!r}")
        for name in ("C", "tol", "cache_size"):
            if not (np.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise ValueError(f"{name}={getattr(self, name)!r} must be a positive number")
        if missing():
            raise SolverUnavailable(f"{missing()}.")

    def problem(self) -> CrammerSinger:
        """Return the problem that it solves."""
        return CrammerSinger(self.C)

    def fit(self, X: Any, y: Any) -> "Kernlab":
        """Train on X of shape (n, d) with labels y."""
        self.check_parameters()
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.gamma_ = float(numeric_gamma(self.gamma, X))
        solved = solve(
            X, codes, "spoc-svc", self.gamma_, self.C, self.tol, self.cache_size, self.time_limit
        )
        self.process_ = solved.ran
        a = coefficients(solved.alpha, codes, len(self.classes_), "spoc-svc")
        self.support_ = support_of(a)
        self.dual_coef_ = a[self.support_]
        self.support_vectors_ = X[self.support_]
        self.intercept_ = np.zeros(len(self.classes_))
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the scores of shape (n, k)."""
        check_is_fitted(self, "dual_coef_")
        X = validate_data(self, X, dtype=np.float64, reset=False)
        kernel = kernel_function("rbf", gamma=self.gamma_, degree=3, coef0=0.0, bias="none")
        return scores(X, self.support_vectors_, self.dual_coef_, kernel)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of the largest score."""
        return np.asarray(self.classes_[self.decision_function(X).argmax(axis=1)])
