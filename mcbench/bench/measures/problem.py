"""The data of a measurement, and the harness's judgement of what came back."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.bench.synthetic import generate
from mcbench.judge import Judge, certifiable

if TYPE_CHECKING:
    from mcbench.data import Data
    from solvers.certificate import Solution


def data_of(data: "Data | None", generator: Mapping[str, Any] | None) -> "Data":
    """Return the data set of a run, or the generated one."""
    if generator is not None:
        return generate(dict(generator))
    assert data is not None
    return data


def judge_of(
    data: "Data", config: Mapping[str, Any], estimator: Any, memory_mb: float = 0.0
) -> Judge | None:
    """Return who evaluates solutions of the estimator's problem; None if it states none.

    Kernel rows are kept between evaluations up to `memory_mb`.
    """
    if not certifiable(estimator):
        return None
    bias = getattr(estimator, "bias", "none")
    return Judge(data, config["kernel"], estimator.problem(), bias, memory_mb)


def judged(judge: Judge, solution: "Solution") -> dict[str, Any]:
    """Return gap, objectives, violation, infeasibility and test error, in float64."""
    return {
        **judge.certificate(solution),
        "test_error": judge.test_error(solution),
        "support": int(np.count_nonzero(np.any(solution.dual_coef != 0.0, axis=1))),
    }


def primal_of_weights(W: np.ndarray, X: Any, y: np.ndarray, C: float) -> float:
    """Return 1/2 sum_r ||w_r||^2 + C sum_i xi_i of Crammer & Singer's linear machine.

    Parameters
    ----------
    W : ndarray of shape (k, d)
        The weights, classes in order.
    X : ndarray or CSR of shape (n, d)
    y : int ndarray of shape (n,)
        Labels 0 .. k-1.
    C : float
    """
    f = np.asarray(X @ W.T)
    rows = np.arange(len(y))
    own = f[rows, y].copy()
    f += 1.0
    f[rows, y] -= 1.0
    return 0.5 * float(np.sum(W * W)) + C * float(np.sum(f.max(axis=1) - own))
