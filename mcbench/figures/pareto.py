"""What accuracy costs: the error against a cost, and the runs that nothing else beats in both."""

from typing import TYPE_CHECKING

import numpy as np

from mcbench.errors import UserError, suggest
from mcbench.figures.panels import data_panels, finish, label_y, logarithmic, styles
from mcbench.labels import DATASET, KERNEL, SOLVER, add_labels, curve_name, with_model
from mcbench.metrics import METRICS, metric, of_part
from mcbench.style import line, paper_style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

#: Metrics that are costs: of training, of prediction, of memory.
COSTS = ("seconds", "cpu", "predict", "support", "rows", "memory", "peak")


def pareto(
    frame: "pd.DataFrame", x: str = "seconds", y: str = "error", profile: str = ""
) -> "Figure":
    """Draw the error against a cost: one panel per data set, one point per setting.

    Points are means over seeds, thin bars go from the least to the largest run. The line is the
    front: nothing else is better in both than its points, which are filled; the others are hollow.

    Parameters
    ----------
    frame : DataFrame
        The runs, one row each.
    x : str
        A metric of `COSTS`.
    y : str
        The metric that the cost is for.
    profile : str
        Named below the figure.
    """
    if x not in COSTS:
        raise UserError(f"--x {x} is no cost; {suggest(x, COSTS)}")
    cost, shown = metric(x), metric(y)
    if shown.better != "lower" or y in COSTS:
        gains = [name for name, m in METRICS.items() if m.better == "lower" and name not in COSTS]
        raise UserError(f"--y {y} is nothing to be had for a cost; {suggest(y, gains)}")
    frame = with_model(frame)
    if not {cost.column, shown.column} <= set(frame.columns):
        raise UserError(f"None of these runs has both {cost.column} and {shown.column}.")
    frame = frame.dropna(subset=[cost.column, shown.column])
    frame = frame[frame[cost.column].astype(float) > 0]
    if frame.empty:
        raise UserError(f"None of these runs has both {cost.column} (above 0) and {shown.column}.")
    labelled, labels = add_labels(frame)
    curves = [name for name in labels if name in (KERNEL, SOLVER)]
    labelled["_x"] = labelled[cost.column].astype(float) * cost.scale
    labelled["_y"] = labelled[shown.column].astype(float) * shown.scale
    looks = styles(labelled, curves)
    with paper_style():
        figure, panels = data_panels(labelled)
        for name, axes in panels.items():
            groups = labelled[labelled[DATASET] == name].groupby(labels, sort=False)
            points = groups[["_x", "_y"]].agg(["mean", "min", "max"]).reset_index()
            x_mean, y_mean = (points[axis, "mean"].to_numpy() for axis in ("_x", "_y"))
            on = front(x_mean, y_mean)
            order = on[np.argsort(x_mean[on])]
            axes.plot(
                x_mean[order], y_mean[order], color="#777777", drawstyle="steps-post", zorder=1.5,
                linewidth=1.0,
            )  # fmt: skip
            named: set[str] = set()
            for number, point in points.iterrows():
                curve = curve_name({c: point[c, ""] for c in curves}, curves)
                look = line(looks[curve])
                spans = [
                    [[point[axis, "mean"] - point[axis, "min"]],
                     [point[axis, "max"] - point[axis, "mean"]]]
                    for axis in ("_x", "_y")
                ]  # fmt: skip
                axes.errorbar(
                    point["_x", "mean"], point["_y", "mean"], xerr=spans[0], yerr=spans[1],
                    color=look["color"], marker=look["marker"], linestyle="none",
                    markerfacecolor=look["color"] if number in on else "white", elinewidth=0.6,
                    markersize=5.5,
                )  # fmt: skip
                if curve not in named:  # in the legend all markers are filled
                    axes.plot([], [], color=look["color"], marker=look["marker"],
                              linestyle="none", label=curve)  # fmt: skip
                    named.add(curve)
            logarithmic(axes, "x")
            axes.set_xlabel(cost.label)
        label_y(panels, of_part(shown.label, frame))
        note = "points: means over seeds, bars: least to largest; filled, with the line: the front"
        finish(figure, panels, frame, profile, note)
    return figure


def front(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the points that none other is at least as good as in both and better in one."""
    better = (x[:, None] <= x) & (y[:, None] <= y) & ((x[:, None] < x) | (y[:, None] < y))
    return np.flatnonzero(~better.any(axis=0))
