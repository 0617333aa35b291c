"""How runs converge."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mcbench.errors import UserError
from mcbench.figures.panels import data_panels, finish, label_y, logarithmic, styles
from mcbench.labels import DATASET, add_labels, curve_name
from mcbench.metrics import TRACE_AXES, TRACED, of_part, trace_axis
from mcbench.style import line, paper_style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

#: Points of a curve that is the median of several.
POINTS = 400
BAND = "line: median over seeds; band: least to largest; a run that ended keeps its last value"


def convergence(
    frame: "pd.DataFrame",
    traces: Mapping[str, "pd.DataFrame"],
    x: str = "seconds",
    y: str = "gap",
    profile: str = "",
) -> "Figure":
    """Draw how runs converge: one panel per data set, one curve per solver.

    Runs that differ in the seed only are one curve: the median of their values at each x, within a
    band from the least to the largest. Between two checkpoints a run has the value of the first,
    before all of them that of its start, after its end the last one.

    Parameters
    ----------
    frame : DataFrame
        The runs, one row each.
    traces : mapping of str to DataFrame
        Their traces, by identity.
    x, y : str
        Columns of a trace.
    profile : str
        Named below the figure.
    """
    x, y = trace_axis(x), trace_axis(y)
    traced = frame[frame["id"].map(lambda key: x in traces[key] and y in traces[key])]
    if traced.empty:
        raise UserError(f"None of these runs has a trace: {TRACED}.")
    has = [traces[key][[x, y]].dropna().size > 0 for key in traced["id"]]
    if not any(has):
        raise UserError(f"The traces of these runs have no {y} against {x}: choose others.")
    traced = traced[has]
    labelled, labels = add_labels(traced)
    curves = [name for name in labels if name != DATASET]
    looks = styles(labelled, curves)
    scale = 100 if y == "test_error" else 1
    banded = False
    with paper_style():
        figure, panels = data_panels(labelled)
        for name, axes in panels.items():
            here = labelled[labelled[DATASET] == name]
            for key, runs in here.groupby(curves, sort=False):
                curve = curve_name(dict(zip(curves, key, strict=True)), curves)
                look = {**line(looks[curve]), "linewidth": 1.2}
                where, values = curve_of([traces[run] for run in runs["id"]], x, y)
                middle = median(values, logarithmic=TRACE_AXES[y][1]) * scale
                low, high = (f(values, axis=0) * scale for f in (np.min, np.max))
                if len(runs) > 1:
                    banded = True
                    axes.fill_between(
                        where, low, high, color=look["color"], alpha=0.18, linewidth=0
                    )
                axes.plot(where, middle, label=curve, markevery=max(1, len(where) // 8), **look)
            axes.set_xlabel(TRACE_AXES[x][0])
            if TRACE_AXES[x][1]:
                logarithmic(axes, "x")
            if TRACE_AXES[y][1]:
                logarithmic(axes, "y")
        unit = " [%]" if y == "test_error" else ""
        label_y(panels, of_part(TRACE_AXES[y][0], traced) + unit)
        finish(figure, panels, traced, profile, BAND if banded else "")
    return figure


def curve_of(traces: Sequence["pd.DataFrame"], x: str, y: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of runs on common points of x, one row per run.

    Parameters
    ----------
    traces : sequence of DataFrame
        A trace for each run.
    x, y : str
        Columns of a trace.

    Returns
    -------
    where : ndarray, shape (n_points,)
        The checkpoints of all runs; thinned evenly in their number.
    values : ndarray, shape (n_runs, n_points)
        What each run had reached there.
    """
    points = [_steps(trace, x, y) for trace in traces]
    points = [(a, b) for a, b in points if len(a)]
    if not points:
        return np.empty(0), np.empty((0, 0))
    where = np.unique(np.concatenate([a for a, _ in points]))
    if len(points) > 1 and len(where) > POINTS:
        where = where[np.linspace(0, len(where) - 1, POINTS).astype(int)]
    reached = [(np.searchsorted(a, where, side="right") - 1).clip(0) for a, _ in points]
    values = np.array([b[step] for (_, b), step in zip(points, reached, strict=True)])
    return where, values


def median(values: np.ndarray, *, logarithmic: bool) -> np.ndarray:
    """Return the median of each column, in logarithms for an axis that shows these."""
    if not logarithmic:
        return np.asarray(np.median(values, axis=0))
    return np.asarray(np.exp(np.median(np.log(values), axis=0)))


def _steps(trace: "pd.DataFrame", x: str, y: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a trace's checkpoints in the order of x, without those an axis cannot show."""
    points = trace[[x, y]].dropna().astype(float)
    for name in (x, y):
        if TRACE_AXES[name][1]:
            points = points[points[name] > 0]
    points = points.drop_duplicates(x, keep="last").sort_values(x)
    return points[x].to_numpy(), points[y].to_numpy()
