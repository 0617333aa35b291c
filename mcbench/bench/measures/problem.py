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
