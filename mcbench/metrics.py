"""What is measured, by name; tables and plots iterate over it.

Another package adds a metric by an entry point of the group `mcbench.metrics`: a `Metric`, or a
function of a run and of its predictions, which is evaluated for any run that has been kept:

    def macro_f1(run, predictions):
        return f1_score(predictions["y"], predictions["predicted"], average="macro")

One in a file of the user's is asked for by its dotted name, e.g. `my_metrics.macro_f1`.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from mcbench.errors import SolverUnavailable, UserError, pass_on_interrupt, suggest
from mcbench.locate import locate
from mcbench.plugins import plugins

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Metric:
    """One measured quantity of a run.

    Attributes
    ----------
    name : str
        How it is asked for on the command line.
    title : str
        How it is called in tables and on axes.
    unit : str
        Unit, empty for a plain number.
    column : str
        The column of the flat record.
    better : {"lower", "higher", ""}
        Which direction is better; empty when neither is.
    scale : float
        Factor from the record's unit to the shown one.
    shown : str
        Format of a value.
    compute : callable or None
        For a quantity that records do not hold: function of a run (a mapping of the flat record's
        columns) and its predictions (a table with the columns `y` and `predicted`), in the unit
        before scaling. Its values become the column.
    """

    name: str
    title: str
    unit: str
    column: str
    better: Literal["lower", "higher", ""] = "lower"
    scale: float = 1.0
    shown: str = ".4g"
    compute: "Callable[[Mapping[str, Any], pd.DataFrame], float] | None" = None

    @property
    def label(self) -> str:
        """Title and unit, for an axis or a column."""
        return f"{self.title} [{self.unit}]" if self.unit else self.title


def _registry(*metrics: Metric) -> dict[str, Metric]:
    return {metric.name: metric for metric in metrics}


METRICS = _registry(
    Metric("error", "test error", "%", "error.test", scale=100, shown=".2f"),
    Metric("train_error", "training error", "%", "error.train", scale=100, shown=".2f"),
    Metric("dual", "dual objective", "", "objective.dual", better="higher", shown=".7g"),
    Metric("primal", "primal objective", "", "objective.primal", shown=".7g"),
    Metric("gap", "relative gap", "", "objective.gap", shown=".1e"),
    Metric("violation", "KKT violation", "", "objective.violation", shown=".1e"),
    Metric("support", "support vectors", "", "model.n_support", shown=".6g"),
    Metric("iterations", "iterations", "", "work.iterations", shown=".6g"),
    Metric("rows", "kernel rows", "", "work.kernel_rows", shown=".6g"),
    Metric("hits", "cache hits", "", "work.cache_hits", better="", shown=".6g"),
    Metric("seconds", "fit", "s", "time.fit", shown=".3g"),
    Metric("cpu", "fit, processor", "s", "time.fit_cpu", shown=".3g"),
    Metric("kernel_seconds", "kernel", "s", "time.kernel", shown=".3g"),
    Metric("predict", "prediction", "s", "time.predict", shown=".3g"),
    Metric("memory", "fit memory", "MB", "memory.fit_mb", shown=".3g"),
    Metric("peak", "peak memory", "MB", "memory.peak_mb", shown=".4g"),
)

#: Columns of a trace: name, label, and whether a logarithmic axis is natural.
TRACE_AXES: dict[str, tuple[str, bool]] = {
    "iteration": ("iterations", True),
    "seconds": ("seconds", True),
    "cpu_seconds": ("processor seconds", True),
    "kernel_rows": ("kernel rows computed", True),
    "cache_hits": ("cache hits", True),
    "active_set": ("active set", False),
    "level": ("threshold", True),
    "support": ("support vectors", False),
    "primal": ("primal objective", False),
    "dual": ("dual objective", False),
    "gap": ("relative duality gap", True),
    "violation": ("KKT violation", True),
    "test_error": ("test error", False),
}

#: When a run has a trace.
TRACED = "a run is traced when its protocol has a trace, and its solver `callback` and `problem()`"

ALIASES = {"iterations": "iteration"}

DEFAULT_COLUMNS = ("error", "dual", "gap", "support", "rows", "seconds", "memory")


def metric_names() -> list[str]:
    """Return the names of all metrics, those of plug-ins included."""
    return list(dict.fromkeys([*METRICS, *plugins("metrics")]))


def is_metric(name: str) -> bool:
    """Return whether a metric has this name; a dotted one is a key of the runs otherwise."""
    if name in METRICS or name in plugins("metrics"):
        return True
    try:
        return "." in name and callable(locate(name))
    except (SolverUnavailable, UserError):
        return False


def metric(name: str) -> Metric:
    """Return the metric of that name: our own, a plug-in's, or one of a file of the user's."""
    if name in METRICS:
        return METRICS[name]
    declared = plugins("metrics")
    if name not in declared and "." not in name:
        raise UserError(f"There is no metric '{name}'; {suggest(name, metric_names())}")
    try:
        found = locate(declared[name].target if name in declared else name)
    except SolverUnavailable as error:
        raise UserError(str(error)) from error
    if isinstance(found, Metric):
        return found
    if not callable(found):
        raise UserError(f"{name} is no metric: it must be a Metric or a function of a run.")
    title = name.rpartition(".")[2].replace("_", " ")
    return Metric(name, title, "", f"metric.{name}", better="", compute=found)


def computed(
    frame: "pd.DataFrame",
    metrics: Sequence[Metric],
    predictions: "Callable[[str], pd.DataFrame]",
) -> "pd.DataFrame":
    """Return runs with the columns of metrics that records do not hold.

    A metric that fails for a run is missing there, and said to be.

    Parameters
    ----------
    frame : DataFrame
        Runs, one row each.
    metrics : sequence of Metric
        What is wanted.
    predictions : callable
        Gives the predictions of a run by its identity (`Store.predictions`).
    """
    wanted = [one for one in metrics if one.compute is not None]
    if not wanted or frame.empty:
        return frame
    rows = frame.to_dict("records")
    kept = [predictions(row["id"]) for row in rows]
    columns: dict[str, list[float]] = {}
    for one in wanted:
        failures: list[str] = []
        pairs = zip(rows, kept, strict=True)
        columns[one.column] = [_value(one, row, table, failures) for row, table in pairs]
        if failures:
            text = f"{one.name} failed for {len(failures)} of {len(rows)} runs: {failures[0]}"
            print(f"mcbench: {text}", file=sys.stderr)
    return frame.assign(**columns)


def _value(
    one: Metric, run: Mapping[Any, Any], predictions: "pd.DataFrame", failures: list[str]
) -> float:
    """Compute a metric for a run; NaN, and a sentence more in `failures`, where it fails."""
    assert one.compute is not None
    try:
        return float(one.compute(run, predictions))
    except Exception as error:  # code of others must not end a table
        pass_on_interrupt(error)
        text = " ".join(str(error).split())
        failures.append(f"{type(error).__name__}: {text}")
        return float("nan")


def of_part(text: str, frame: "pd.DataFrame") -> str:
    """Return a text in which "test error" says what the errors of these runs are of.

    Runs with `dataset.validation` have part of their training part in the place of the test part.
    """
    if "data.validation" not in frame or not frame["data.validation"].notna().any():
        return text
    part = "validation" if frame["data.validation"].notna().all() else "test or validation"
    return text.replace("test error", f"{part} error")


def titled(metrics: Sequence[Metric], frame: "pd.DataFrame") -> list[Metric]:
    """Return the metrics as they are called for these runs (`of_part`)."""
    return [replace(metric, title=of_part(metric.title, frame)) for metric in metrics]


def trace_axis(name: str) -> str:
    """Return the trace's column for an axis asked for."""
    name = ALIASES.get(name, name)
    if name not in TRACE_AXES:
        raise UserError(f"A trace has no '{name}'; {suggest(name, TRACE_AXES)}")
    return name
