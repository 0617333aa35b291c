"""One fit, timed, traced and judged. Reads from top to bottom like a recipe."""

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.checkpoint import Checkpoints
from mcbench.dataset import check_planned, describe_data, load_data
from mcbench.errors import UserError, pass_on_interrupt
from mcbench.estimator import build, locate
from mcbench.external import process_of
from mcbench.judge import Judge, certifiable, full_solution, weights_primal
from mcbench.machine import thread_pools
from mcbench.record import PREDICTIONS, TRACE
from mcbench.schedule import Schedule
from mcbench.stopwatch import Stopwatch
from mcbench.trace import Observer, Tracer
from mcbench.words import count

if TYPE_CHECKING:
    import pandas as pd

    from mcbench.data import Data

Beat = Callable[[dict[str, Any]], None]

#: Counters that a solver keeps, by their name in the record.
WORK = {
    "iterations": "n_iter_",
    "kernel_rows": "n_kernel_rows_",
    "cache_hits": "n_cache_hits_",
    "inner_iterations": "n_inner_iter_",
    "pair_steps": "n_pair_steps_",
}
#: A solver's own word, kept apart from what the harness found.
REPORTED = {
    "status": "status_",
    "primal": "primal_objective_",
    "dual": "dual_objective_",
    "gap": "duality_gap_",
    "violation": "kkt_violation_",
    "fit_seconds": "fit_time_",
}

NO_CHECKPOINTS = "{} has no checkpoints here: an interrupted run of it starts over."

#: Different warnings of a run that its record holds.
MOST_WARNINGS = 100

_warmed_up: set[tuple[str, bool]] = set()


@dataclass
class Performed:
    """What a run gave: sections of its record, and the tables beside it by their files' names."""

    sections: dict[str, Any] = field(default_factory=dict)
    tables: "dict[str, pd.DataFrame]" = field(default_factory=dict)


def perform(
    config: Mapping[str, Any],
    beat: Beat | None = None,
    checkpoints: Checkpoints | None = None,
    content_hash: str | None = None,
) -> Performed:
    """Execute what a configuration describes and evaluate it.

    Parameters
    ----------
    config : mapping
        The resolved configuration.
    beat : callable, optional
        Told how far the fit is.
    checkpoints : Checkpoints, optional
        Keeps the state of the fit, and has the one to go on from.
    content_hash : str, optional
        That of the data which the run was planned for.
    """
    from threadpoolctl import threadpool_limits

    start = time.perf_counter()
    data = load_data(config)
    check_planned(data, content_hash)
    loaded = time.perf_counter()
    with (
        threadpool_limits(config["protocol"]["threads"]),
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        measures = bool(config.get("measure"))
        result = _measure(config, data) if measures else _fit(config, data, beat, checkpoints)
        if checkpoints is not None and not checkpoints.offered:
            name = config["measure" if measures else "solver"]["_target_"].rpartition(".")[2]
            warnings.warn(NO_CHECKPOINTS.format(name), stacklevel=1)
        result.sections["threads"] = thread_pools()
    result.sections["warnings"] = _told(caught)
    if data is not None:
        result.sections["data"] = describe_data(data)
    total = time.perf_counter() - start
    if checkpoints is not None and checkpoints.resumed:
        result.sections["resumed"] = {
            "times": len(checkpoints.resumed),
            "parts": checkpoints.resumed,
        }
        total += checkpoints.spent_s
    result.sections.setdefault("time", {}).update(load=loaded - start, total=total)
    return result


def _told(caught: "list[warnings.WarningMessage]") -> list[str]:
    """Return the texts of warnings, each once; of very many, the first and how many more."""
    texts = list(dict.fromkeys(str(item.message) for item in caught))
    more = len(texts) - MOST_WARNINGS
    return [*texts[:MOST_WARNINGS], f"... and {more} more"] if more > 0 else texts


def _measure(config: Mapping[str, Any], data: "Data | None") -> Performed:
    """Call the function that the run names instead of fitting a model."""
    arguments = dict(config["measure"])
    function = locate(arguments.pop("_target_"))
    watch = Stopwatch()
    measured = function(data=data, config=dict(config), seed=config["seed"], **arguments)
    watch.stop()
    if not isinstance(measured, Mapping):
        raise UserError(f"{function.__name__} returned no mapping of names to measured values.")
    times = {"fit": watch.wall, "fit_cpu": watch.cpu}
    return Performed({"measured": dict(measured), "time": times})


def _fit(
    config: Mapping[str, Any],
    data: "Data | None",
    beat: Beat | None,
    checkpoints: Checkpoints | None,
) -> Performed:
    """Fit the estimator, predict, and judge the model."""
    assert data is not None  # `mcbench.dataset.check_dataset` refuses a fit without data
    if config["protocol"].get("warm_up"):
        warm_up(config, data)

    judge = _judge(config, data, build(config))
    observer = _observer(config["protocol"].get("trace"), judge, beat, checkpoints)
    estimator = build(config, observer)

    observer.start()
    estimator.fit(data.X_train, data.y_train)
    observer.stop()

    result = Performed(
        {
            "time": {
                "fit": observer.seconds,
                "fit_cpu": observer.cpu_seconds,
                "after_fit": observer.watch.wall - observer.seconds,
                "callback": observer.watch.paused_wall,
                "kernel": _number(estimator, "kernel_time_"),
            },
            "memory": {"peak_mb": observer.peak_mb, "fit_mb": observer.grown_mb},
            "work": {key: _number(estimator, name) for key, name in WORK.items()},
            "reported": {key: _number(estimator, name) for key, name in REPORTED.items()},
            "model": {
                "n_support": len(estimator.support_) if hasattr(estimator, "support_") else None,
                "gamma": _number(estimator, "gamma_"),
            },
        }
    )
    _predict(estimator, data, result)
    for section, values in process_of(estimator).items():
        result.sections[section] |= values
    if hasattr(estimator, "weights_"):  # a linear machine without dual coefficients
        primal = weights_primal(estimator, data.X_train, data.y_train)
        result.sections["objective"] = {"primal": primal}
    elif judge is not None:
        solution = full_solution(estimator, data.X_train.shape[0])
        result.sections["objective"] = judge.certificate(solution, keep=False)
        if isinstance(observer, Tracer):
            work = result.sections["work"]
            told = {name: work[name] for name in ("kernel_rows", "cache_hits")}
            observer.close(int(work["iterations"] or 0), solution, told)
            result.tables[TRACE] = observer.frame()
    return result


def _observer(
    trace: Mapping[str, Any] | None,
    judge: Judge | None,
    beat: Beat | None,
    checkpoints: Checkpoints | None,
) -> Observer:
    """Return who looks at the fit: for a trace if it is wanted, else only at its end."""
    if not trace or judge is None:
        return Observer(beat, checkpoints)
    return Tracer(
        Schedule.of(trace, judge.n_train),
        judge,
        test_error=bool(trace.get("test_error")),
        stop_at=trace.get("stop_at"),
        beat=beat,
        checkpoints=checkpoints,
    )


def _judge(config: Mapping[str, Any], data: "Data", estimator: Any) -> Judge | None:
    """Return who evaluates this estimator's model; None when its problem is not known."""
    if not certifiable(estimator):
        return None
    trace = config["protocol"].get("trace") or {}
    return Judge(
        data,
        config["kernel"],
        estimator.problem(),
        bias=getattr(estimator, "bias", "none"),
        memory_mb=trace.get("memory_mb") or 0.0,
    )


def _predict(estimator: Any, data: "Data", result: Performed) -> None:
    """Count the model's errors on both parts; time and keep the predictions of the test part."""
    import pandas as pd

    error: dict[str, Any] = {}
    for part, X, y in (
        ("train", data.X_train, data.y_train),
        ("test", data.X_test, data.y_test),
    ):
        if not X.shape[0]:
            error[part] = error[f"{part}_wrong"] = None
            continue
        watch = Stopwatch()
        predicted = estimator.predict(X)
        watch.stop()
        predicted = _checked(predicted, len(y), data)
        error[f"{part}_wrong"] = int(np.sum(predicted != y))
        error[part] = error[f"{part}_wrong"] / len(y)
        if part == "test":
            result.sections["time"] |= {"predict": watch.wall, "predict_cpu": watch.cpu}
            result.tables[PREDICTIONS] = pd.DataFrame({"y": y, "predicted": predicted})
    result.sections["error"] = error


def _checked(predicted: Any, n: int, data: "Data") -> np.ndarray:
    """Return predictions as an array; a `UserError` unless they are a class for each example."""
    labels = np.asarray(predicted)
    if labels.shape != (n,):
        what = f"the shape {labels.shape}" if labels.ndim else f"{type(predicted).__name__}"
        raise UserError(f"predict returned {what} for {n} examples: it must return a label each.")
    foreign = labels[~np.isin(labels, np.unique(data.y_train))]
    if foreign.size:
        raise UserError(
            f"predict returned {foreign[0]!r} for {count(foreign.size, 'example')}, which is no "
            "class of the training part."
        )
    return labels


def warm_up(config: Mapping[str, Any], data: "Data") -> None:
    """Fit a few examples once per process, so that first use is not timed."""
    key = (str(config["solver"].get("_target_")), hasattr(data.X_train, "indptr"))
    if key in _warmed_up:
        return
    _warmed_up.add(key)
    classes = np.unique(data.y_train)[:3]
    rows = np.concatenate([np.flatnonzero(data.y_train == label)[:8] for label in classes])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            build(config).fit(data.X_train[rows], data.y_train[rows]).predict(data.X_train[rows])
        except Exception as error:  # the run itself will say what is wrong
            pass_on_interrupt(error)


def _number(estimator: Any, name: str) -> Any:
    """Return an attribute that a solver may have, as a plain value."""
    value = getattr(estimator, name, None)
    return value.item() if isinstance(value, np.generic) else value
