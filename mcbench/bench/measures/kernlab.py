"""The R package kernlab: `ksvm` with type "spoc-svc" or "kbb-svc", the decomposition of BSVM.

Its "spoc-svc" is Crammer & Singer's problem with our C. Its "kbb-svc" is Weston & Watkins's with
a penalized bias (the kernel K + 1) and margin 2, with the same C. `sigma` is gamma, `tol` the
largest violation allowed. The tests hold both against our optimum on a small problem.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.bench.measures.problem import data_of, judge_of, judged
from mcbench.errors import UserError
from mcbench.estimator import build
from mcbench.peers.kernlab import coefficients, solve
from solvers.certificate import Solution

if TYPE_CHECKING:
    from mcbench.data import Data


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
    gamma = float(config["kernel"]["gamma"])
    solved = solve(data.X_train, y, machine, gamma, problem.C, tol, cache_mb)
    found = {
        "n": len(y),
        "tol": tol,
        "seconds": solved.seconds,
        "cpu_seconds": solved.cpu_seconds,
        "peak_mb": solved.ran.peak_mb,
    }
    if seed == 0:
        judge = judge_of(data, config, problem)
        assert judge is not None
        found |= judged(judge, Solution(coefficients(solved.alpha, y, len(classes), machine)))
    return found
