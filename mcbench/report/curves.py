"""Traces as the data of a chart: few enough points, and the look of `mcbench.style`."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.labels import DATASET, SOLVER, add_labels, curve_name
from mcbench.metrics import TRACE_AXES, of_part
from mcbench.record import strict
from mcbench.style import line

if TYPE_CHECKING:
    import pandas as pd

X = ("seconds", "iteration", "kernel_rows")
Y = ("gap", "dual", "primal", "test_error", "violation")

#: Points of a curve at most, and runs of a chart; the rest is left out.
POINTS = 200
FEW_POINTS = 80  # on the page of a single run
CURVES = 80

#: Objectives of two solvers may differ in the last digits only.
DIGITS = {"dual": 9, "primal": 9}

#: Lines that matplotlib knows by a sign, as lengths of dashes and gaps in widths of the line.
SIGNS = {"-": (), "--": (3.7, 1.6), "-.": (6.4, 1.6, 1, 1.6), ":": (1, 1.65)}

PANEL = "_panel"


def chart(frame: "pd.DataFrame", traces: Mapping[str, "pd.DataFrame"]) -> dict[str, Any] | None:
    """Return what the chart of an item draws; None when none of its runs has a trace.

    Parameters
    ----------
    frame : DataFrame
        The runs, one row each.
    traces : mapping of str to DataFrame
        Their traces, by identity.

    Returns
    -------
    dict
        `x` and `y`: the axes that can be chosen; `panels`: one for each data set and size, each
        with curves, which have a name, a look and runs; `left_out`: how many runs are not shown.
    """
    traced = frame[frame["id"].map(lambda run: len(traces.get(run, ())) > 1)]
    if traced.empty:
        return None
    labelled, labels = add_labels(traced)
    labelled[PANEL] = [_panel(row) for row in traced.to_dict("records")]
    # What a panel's title says already, or all its curves share, is in no curve's name.
    names = [
        name
        for name in labels
        if name == SOLVER or (name != DATASET and labelled.groupby(PANEL)[name].nunique().max() > 1)
    ]
    rows = labelled.to_dict("records")
    for row in rows:
        row["_curve"] = curve_name(row, names)
        row["seed"] = strict(row.get("seed"))
    rows.sort(key=lambda row: (row[PANEL], row["_curve"], row["seed"] or 0, row["id"]))
    shown = _first(rows)
    styles = _numbers(shown)
    panels: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for row in shown:
        run = {"id": row["id"], "seed": row["seed"], **values(traces[row["id"]])}
        panels.setdefault(row[PANEL], {}).setdefault(row["_curve"], []).append(run)
    runs = [run for curves in panels.values() for found in curves.values() for run in found]
    return {
        **_axes(runs, of_part("test error", traced)),
        "panels": [
            {
                "name": panel,
                "curves": [
                    {"name": name, **look(styles[name]), "runs": found}
                    for name, found in curves.items()
                ],
            }
            for panel, curves in panels.items()
        ],
        "left_out": len(rows) - len(shown),
    }


def chart_of_run(run_id: str, trace: "pd.DataFrame", error: str) -> dict[str, Any] | None:
    """Return what the chart of a single run draws; None when it has no trace.

    Parameters
    ----------
    run_id : str
        The run.
    trace : DataFrame
        Its trace.
    error : str
        What its errors are called.
    """
    if len(trace) < 2:
        return None
    run = {"id": run_id, "seed": None, **values(trace, FEW_POINTS)}
    curve = {"name": run_id, **look(0), "runs": [run]}
    panels = [{"name": "this run", "curves": [curve]}]
    return {**_axes([run], error), "panels": panels, "left_out": 0}


def values(trace: "pd.DataFrame", points: int = POINTS) -> dict[str, list[float | None]]:
    """Return the columns of a trace that a chart can show, thinned and rounded."""
    rows = thinned(len(trace), points)
    found: dict[str, list[float | None]] = {}
    for name in (*X, *Y):
        if name in trace:
            column = np.asarray(trace[name], dtype=float)[rows]
            if not np.isnan(column).all():
                scale = 100 if name == "test_error" else 1
                digits = DIGITS.get(name, 5)
                found[name] = [_rounded(value, digits) for value in (scale * column).tolist()]
    return found


def thinned(size: int, points: int = POINTS) -> list[int]:
    """Return which rows of a trace are shown: the first, the last and at most `points`.

    Half of them are spaced evenly and half by a constant factor, so that neither a linear nor a
    logarithmic axis has a gap.
    """
    if size <= points:
        return list(range(size))
    even = np.linspace(0, size - 1, points // 2)
    growing = np.geomspace(1, size, points // 2) - 1
    return sorted({int(row) for row in np.rint(np.concatenate([even, growing]))})


def look(number: int) -> dict[str, Any]:
    """Return colour, dashes and marker of the n-th curve, as `mcbench.style.line` gives them."""
    style = line(number)
    dashes = style["linestyle"]
    dashes = SIGNS[dashes] if isinstance(dashes, str) else dashes[1]
    return {"colour": style["color"], "dashes": list(dashes), "marker": style["marker"]}


def _first(rows: Sequence[dict[Any, Any]]) -> list[dict[Any, Any]]:
    """Return as many runs as a chart shows: of all curves the first seeds, in the same order."""
    seen: Counter[tuple[str, str]] = Counter()
    ranks = []
    for row in rows:
        ranks.append(seen[row[PANEL], row["_curve"]])
        seen[row[PANEL], row["_curve"]] += 1
    kept = sorted(sorted(range(len(rows)), key=ranks.__getitem__)[:CURVES])
    return [rows[i] for i in kept]


def _numbers(rows: Sequence[dict[Any, Any]]) -> dict[str, int]:
    """Return a number for each curve: the same in all panels, the least that is free in each."""
    panels: dict[str, set[str]] = {}
    for row in rows:
        panels.setdefault(row[PANEL], set()).add(row["_curve"])
    found: dict[str, int] = {}
    for name in sorted(set().union(*panels.values())):
        beside = set().union(*(names for names in panels.values() if name in names))
        taken = {found[other] for other in beside if other in found}
        found[name] = min(set(range(len(taken) + 1)) - taken)
    return found


def _axes(runs: Sequence[Mapping[str, Any]], error: str) -> dict[str, list[dict[str, Any]]]:
    """Return the axes that can be chosen: those for which a run has values."""
    labels = {name: label for name, (label, _) in TRACE_AXES.items()}
    labels["test_error"] = f"{error} [%]"
    return {
        axis: [
            {"key": name, "label": labels[name], "log": TRACE_AXES[name][1]}
            for name in names
            if any(name in run for run in runs)
        ]
        for axis, names in (("x", X), ("y", Y))
    }


def _panel(row: Mapping[Any, Any]) -> str:
    """Return the data set and its size."""
    title, size = row.get("data.title"), row.get("data.n_train")
    if not isinstance(title, str):
        return str(row.get(DATASET) or "-")
    return f"{title}, {int(size)} examples" if size and size == size else title


def _rounded(value: float, digits: int) -> float | None:
    """Return a value with few digits; None where it is not finite."""
    if not math.isfinite(value):
        return None
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short
