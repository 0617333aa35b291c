"""The R package kernlab: `ksvm` with type "spoc-svc" or "kbb-svc", the decomposition of BSVM.

Its "spoc-svc" is Crammer & Singer's problem with our C. Its "kbb-svc" is Weston & Watkins's with
a penalized bias (the kernel K + 1) and margin 2, with the same C. `sigma` is gamma, `tol` the
largest violation allowed. The tests hold both against our optimum on a small problem.
"""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.bench.external import run
from mcbench.bench.measures.problem import data_of, judge_of, judged
from mcbench.errors import UserError
from mcbench.estimator import build
from solvers.certificate import Solution

if TYPE_CHECKING:
    from mcbench.data import Data

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


def fit(
    *,
    data: "Data | None",
    config: Mapping[str, Any],
    seed: int,
    machine: str,
    tol: float = 1e-3,
    cache_mb: float = 1000.0,
    generator: Mapping[str, Any] | None = None,
    **_: Any,
) -> dict[str, Any]:
    """Let kernlab solve the problem that the run's estimator states, and judge its coefficients.

    Parameters
    ----------
    data, config, seed
        The run's.
    machine : {"spoc-svc", "kbb-svc"}
    tol : float
        Its tolerance.
    cache_mb : float
        Its cache of kernel values, in MB.
    generator : mapping, optional
        What makes the data in place of `data`.
    """
    if config["kernel"]["name"] != "rbf":
        raise UserError("kernlab is measured with the kernel rbf only.")
    data = data_of(data, generator)
    problem = build(config)
    classes, y = np.unique(data.y_train, return_inverse=True)
    n, d = data.X_train.shape
    ask = [n, d, machine, config["kernel"]["gamma"], problem.C, tol, cache_mb]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "fit.R").write_text(SCRIPT)
        (folder / "X.bin").write_bytes(np.asarray(data.X_train).tobytes(order="F"))
        (folder / "y.bin").write_bytes(y.astype(np.int32).tobytes())
        ran = run(["Rscript", "--vanilla", "fit.R", *map(str, ask)], folder)
        alpha = np.frombuffer((folder / "alpha.bin").read_bytes()).reshape(n, -1, order="F")
        seconds, cpu_seconds = json.loads((folder / "used.json").read_text())
    found = {
        "n": n,
        "tol": tol,
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "peak_mb": ran.peak_mb,
    }
    if seed == 0:
        judge = judge_of(data, config, problem)
        assert judge is not None
        found |= judged(judge, Solution(coefficients(alpha, y, len(classes), machine)))
    return found


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
