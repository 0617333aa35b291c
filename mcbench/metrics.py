"""What is measured, by name; tables and plots iterate over it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from mcbench.errors import UserError, suggest

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
    """

    name: str
    title: str
    unit: str
    column: str
    better: Literal["lower", "higher", ""] = "lower"
    scale: float = 1.0
    shown: str = ".4g"

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

ALIASES = {"iterations": "iteration"}

DEFAULT_COLUMNS = ("error", "dual", "gap", "support", "rows", "seconds", "memory")


def metric(name: str) -> Metric:
    """Return the metric of that name."""
    if name not in METRICS:
        raise UserError(f"There is no metric '{name}'; {suggest(name, METRICS)}")
    return METRICS[name]


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
