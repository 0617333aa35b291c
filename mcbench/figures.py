"""General figures: pure functions from tables to a figure."""

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcbench.errors import UserError
from mcbench.labels import DATASET, add_labels, curve_name, with_model
from mcbench.metrics import TRACE_AXES, metric, of_part, trace_axis
from mcbench.style import line, paper_style, stamp

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_COLUMNS = 3

#: Of a legend: characters to an inch (with room to spare), and the height of one line in inches.
CHARACTERS = 12
ONE_LINE = 0.25


def convergence(
    frame: "pd.DataFrame",
    traces: Mapping[str, "pd.DataFrame"],
    x: str = "seconds",
    y: str = "gap",
    profile: str = "",
) -> "Figure":
    """Draw how runs converge: one panel per data set, one curve per solver, all seeds thin.

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
    traced = frame[frame["id"].map(lambda key: not traces[key].empty)]
    if traced.empty:
        raise UserError("None of these runs has a trace: run them with protocol=default.")
    labelled, labels = add_labels(traced)
    curves = [name for name in labels if name != DATASET]
    styles = _styles(labelled, curves)
    with paper_style():
        figure, panels = _panels(labelled)
        for name, axes in panels.items():
            seen: set[str] = set()
            for _, run in labelled[labelled[DATASET] == name].iterrows():
                curve = curve_name(run.to_dict(), curves)
                points = traces[run["id"]][[x, y]].dropna()
                points = _drawable(points, x, y)
                axes.plot(
                    points[x],
                    points[y] * (100 if y == "test_error" else 1),
                    label=None if curve in seen else curve,
                    markevery=max(1, len(points) // 8),
                    **{**line(styles[curve]), "linewidth": 1.2},
                )
                seen.add(curve)
            axes.set_xlabel(TRACE_AXES[x][0])
            axes.set_xscale("log" if TRACE_AXES[x][1] else "linear")
            axes.set_yscale("log" if TRACE_AXES[y][1] else "linear")
        next(iter(panels.values())).set_ylabel(
            of_part(TRACE_AXES[y][0], traced) + (" [%]" if y == "test_error" else "")
        )
        _finish(figure, panels, traced, profile)
    return figure


def scaling(
    frame: "pd.DataFrame", y: str = "seconds", x: str = "data.n_train", profile: str = ""
) -> "Figure":
    """Draw a metric against the number of training examples, both axes logarithmic.

    Points are means over seeds, bars go from the smallest to the largest run.
    """
    shown = metric(y)
    frame = with_model(frame)
    if not {x, shown.column} <= set(frame.columns):
        raise UserError(f"None of these runs has both {x} and {shown.column}.")
    frame = frame.dropna(subset=[x, shown.column])
    if frame.empty:
        raise UserError(f"None of these runs has both {x} and {shown.column}.")
    labelled, labels = add_labels(frame)
    curves = [name for name in labels if name not in (DATASET, "dataset.train_size")]
    panel = [DATASET]
    # Files of one data set that differ in the size only belong into one panel.
    if frame["data.title"].nunique() < labelled[DATASET].nunique():
        labelled[DATASET] = frame["data.title"]
    labelled[x] = labelled[x].astype(float)
    labelled["_y"] = labelled[shown.column].astype(float) * shown.scale
    styles = _styles(labelled, curves)
    with paper_style():
        figure, panels = _panels(labelled)
        for name, axes in panels.items():
            here = labelled[labelled[panel[0]] == name]
            for key, runs in here.groupby(curves, sort=False):
                curve = curve_name(dict(zip(curves, key, strict=True)), curves)
                stats = runs.groupby(x)["_y"].agg(["mean", "min", "max"])
                axes.errorbar(
                    stats.index,
                    stats["mean"],
                    yerr=[stats["mean"] - stats["min"], stats["max"] - stats["mean"]],
                    label=curve,
                    capsize=2,
                    **line(styles[curve]),
                )
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("training examples")
        next(iter(panels.values())).set_ylabel(of_part(shown.label, frame))
        _finish(figure, panels, frame, profile)
    return figure


def _panels(frame: "pd.DataFrame") -> tuple["Figure", dict[str, "Axes"]]:
    """Return a figure with a panel for each data set."""
    from matplotlib.figure import Figure

    names = sorted(frame[DATASET].unique())
    columns = min(len(names), MAX_COLUMNS)
    rows = -(-len(names) // columns)
    figure = Figure(figsize=(1.4 + 4.0 * columns, 0.4 + 3.4 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in grid[len(names) :]:
        axes.set_visible(False)
    for name, axes in zip(names, grid, strict=False):
        axes.set_title(name)
    return figure, dict(zip(names, grid, strict=False))


def _styles(frame: "pd.DataFrame", curves: list[str]) -> dict[str, int]:
    """Give each curve a number, the same one in every panel."""
    names = [curve_name(run, curves) for run in frame[curves].to_dict("records")]
    return {name: number for number, name in enumerate(sorted(set(names)))}


def _drawable(points: "pd.DataFrame", x: str, y: str) -> "pd.DataFrame":
    """Leave out what a logarithmic axis cannot show."""
    for name in (x, y):
        if TRACE_AXES[name][1]:
            points = points[points[name] > 0]
    return points


def _finish(
    figure: "Figure", panels: Mapping[str, "Axes"], frame: "pd.DataFrame", profile: str
) -> None:
    """Add the legend and, below, what the figure was made from."""
    found: dict[str, Any] = {}
    for axes in panels.values():
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(name, handle)
    names = sorted(found)
    handles = [found[name] for name in names]
    _legend(figure, handles, names)
    notes = [
        f"{title} ({stand_in})" if isinstance(stand_in, str) else str(title)
        for title, stand_in in frame[["data.title", "data.stand_in"]].itertuples(index=False)
    ]
    stamp(figure, profile=profile, data=notes, runs=list(frame["id"]))


def _legend(figure: "Figure", handles: list[Any], names: list[str]) -> None:
    """Put the legend above the panels, in as many columns as the figure's width allows.

    Long names are broken into lines, and the figure grows by what the legend needs in height, so
    that neither is anything cut off nor do the panels shrink.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(figure).get_renderer()
    widest = int(figure.get_figwidth() * CHARACTERS)
    names = ["\n".join(textwrap.wrap(name, widest)) or name for name in names]
    for columns in range(max(1, min(len(names), 4)), 0, -1):
        legend = figure.legend(handles, names, loc="outside upper center", ncols=columns)
        box = legend.get_window_extent(renderer)
        if columns == 1 or box.width <= 0.98 * figure.bbox.width:
            break
        legend.remove()
    extra = box.height / figure.dpi - ONE_LINE
    if extra > 0:
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + extra)
