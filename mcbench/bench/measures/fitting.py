"""One fit of an estimator: ours, or one that has scikit-learn's manners."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.bench.measures.problem import data_of, judge_of, judged
from mcbench.child import die_with_parent
from mcbench.estimator import build
from mcbench.fit import warm_up
from mcbench.judge import full_solution, primal_of_weights
from mcbench.trace import Observer

if TYPE_CHECKING:
    from mcbench.data import Data

#: What a solver counts itself, by its name in the measurement.
TOLD = {
    "status": "status_",
    "fit_time": "fit_time_",
    "kernel_seconds": "kernel_time_",
    "kernel_rows": "n_kernel_rows_",
    "iterations": "n_iter_",
}


def fit(
    *,
    data: "Data | None",
    config: Mapping[str, Any],
    seed: int,
    generator: Mapping[str, Any] | None = None,
    neighbours: int = 0,
    weights: bool = False,
    **_: Any,
) -> dict[str, Any]:
    """Fit once and judge the model; of repetitions only the first is judged.

    Parameters
    ----------
    data, config, seed
        The run's; `seed` is the number of the repetition.
    generator : mapping, optional
        What makes the data in place of `data`.
    neighbours : int
        Busy processes beside the fit.
    weights : bool
        Value the weights of a linear machine, not its dual coefficients.
    """
    data = data_of(data, generator)
    estimator, found = fitted(data, config, neighbours)
    if seed == 0 and weights:
        found |= valued(estimator, data)
    elif seed == 0:
        found |= judgement(estimator, data, config)
    return found


def fitted(
    data: "Data", config: Mapping[str, Any], neighbours: int = 0
) -> tuple[Any, dict[str, Any]]:
    """Fit; return the estimator, and what the harness's clock and the solver's counters say."""
    warm_up(config, data)
    observer = Observer()
    estimator = build(config, observer)
    with busy(neighbours):
        observer.start()
        estimator.fit(data.X_train, data.y_train)
        observer.stop()
    found = {
        "n": data.X_train.shape[0],
        "seconds": observer.seconds,
        "cpu_seconds": observer.cpu_seconds,
        "peak_mb": observer.peak_mb,
        "grown_mb": observer.grown_mb,
    }
    for name, attribute in TOLD.items():
        value = getattr(estimator, attribute, None)
        found[name] = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    return estimator, found


def judgement(estimator: Any, data: "Data", config: Mapping[str, Any]) -> dict[str, Any]:
    """Return how good the fitted model is; without a stated problem, what it errs."""
    judge = judge_of(data, config, estimator)
    if judge is not None:
        return judged(judge, full_solution(estimator, data.X_train.shape[0]))
    return {**error_of(estimator, data), "support": len(getattr(estimator, "support_", ()))}


def valued(estimator: Any, data: "Data") -> dict[str, Any]:
    """Return the primal value of a linear machine's weights, and what it errs."""
    _, y = np.unique(data.y_train, return_inverse=True)
    primal = primal_of_weights(estimator.coef_, data.X_train, y, estimator.C)
    return {"primal": primal, **error_of(estimator, data)}


def error_of(estimator: Any, data: "Data") -> dict[str, float]:
    """Return the share of test examples that are given another class."""
    if not data.X_test.shape[0]:
        return {}
    return {"test_error": float(np.mean(estimator.predict(data.X_test) != data.y_test))}


@contextlib.contextmanager
def busy(number: int) -> Iterator[None]:
    """Let so many other processes keep a processor busy meanwhile."""
    spin = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(spin, preexec_fn=die_with_parent) for _ in range(number)]
    try:
        yield
    finally:
        for process in others:
            process.kill()
            process.wait()
