"""How the values of runs that differ in the seed become one cell of a table."""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mcbench.errors import UserError, suggest
from mcbench.markup import formula
from mcbench.metrics import Metric

if TYPE_CHECKING:
    import pandas as pd

    Values = pd.Series[float]

#: Statistics by name; the spread is the standard deviation of the sample, NaN for a single run.
STATISTICS: "dict[str, Callable[[Values], float]]" = {
    "mean": lambda values: values.mean(),
    "sd": lambda values: values.std(ddof=1),
    "median": lambda values: values.median(),
    "min": lambda values: values.min(),
    "max": lambda values: values.max(),
    "value": lambda values: values.mean(),
}

#: What a cell shows: the first of these stands for all its runs, the others say how they spread.
AGGREGATES: dict[str, tuple[str, ...]] = {
    "mean": ("mean", "sd"),
    "median": ("median", "min", "max"),
    "min": ("min",),
    "max": ("max",),
    "none": ("value",),
}

#: Behind values of runs whose fit ended before its accuracy was reached.
EARLY = "†"


def check_aggregate(name: str) -> None:
    """Raise a `UserError` for a name that is none of `AGGREGATES`."""
    if name not in AGGREGATES:
        raise UserError(f"There is no aggregate '{name}'; {suggest(name, AGGREGATES)}")


def numbers(runs: "pd.DataFrame", metric: Metric) -> "Values":
    """Return a metric's values of runs, in the unit that it is shown in; missing ones left out."""
    import pandas as pd

    if metric.column not in runs:
        return pd.Series(dtype=float)
    values = pd.to_numeric(runs[metric.column], errors="coerce").dropna()
    return values.astype(float) * metric.scale


def aggregated(values: "Values", aggregate: str) -> dict[str, float]:
    """Return the statistics of a cell, and `n`, the number of its values."""
    found = {name: float(STATISTICS[name](values)) for name in AGGREGATES[aggregate]}
    return {**found, "n": len(values)}


def shown(
    found: Mapping[str, float], metric: Metric, aggregate: str, *, latex: bool = False
) -> str:
    """Return a cell's statistics as text: "mean ± sd", "median [min, max]", or the one value."""
    centre, *spread = (found[name] for name in AGGREGATES[aggregate])
    if math.isnan(centre):
        return "--" if latex else "-"
    text = format(centre, metric.shown)
    if aggregate == "mean" and not math.isnan(spread[0]):
        form = ".1e" if "e" in metric.shown else ".2g"
        text += " ± " + (format(spread[0], form) if spread[0] else "0")
    elif aggregate == "median" and found["n"] > 1:
        low, high = (format(value, metric.shown) for value in spread)
        text += f" [{low}, {high}]"
    return formula(text) if latex else text
