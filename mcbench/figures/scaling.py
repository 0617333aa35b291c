"""How a measured value grows with the size of the problem, or with any setting."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.errors import UserError, suggest
from mcbench.figures.panels import data_panels, finish, label_y, logarithmic, styles
from mcbench.labels import DATASET, add_labels, curve_name, with_model
from mcbench.metrics import metric, of_part
from mcbench.style import line, paper_style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

#: Sizes of the data by the names that --x takes; the numbers are those of the data as loaded.
SIZES = {
    "train_size": ("data.n_train", "training examples"),
    "classes": ("data.n_classes", "classes"),
    "features": ("data.n_features", "attributes"),
}
#: How far apart sizes have to be, as a ratio, before a slope says anything.
SPAN = 1.5

ALIASES = {"dataset.train_size": "train_size", "data.n_train": "train_size",
           "data.n_classes": "classes", "data.n_features": "features"}  # fmt: skip


def scaling(
    frame: "pd.DataFrame", y: str = "seconds", x: str = "train_size", profile: str = ""
) -> "Figure":
    """Draw a metric against a size or a numeric setting, both axes logarithmic.

    Points are means over seeds, bars go from the least to the largest run. The legend tells the
    slope of each curve, the exponent of the power law fitted to its points by least squares on the
    logarithms.

    Parameters
    ----------
    frame : DataFrame
        The runs, one row each.
    y : str
        A metric.
    x : str
        train_size, classes, features, or a setting with numbers, such as solver.C.
    profile : str
        Named below the figure.
    """
    shown = metric(y)
    frame = with_model(frame)
    column, label = _size(frame, x)
    if shown.column not in frame:
        raise UserError(f"None of these runs has both {x} and {shown.column}.")
    frame = frame[_numbers(frame[column]) & _numbers(frame[shown.column])]
    frame = frame[frame[column].astype(float) > 0]
    if not (frame[shown.column].astype(float) > 0).any():
        raise UserError(f"None of these runs has both {x} and {shown.column} above 0.")
    labelled, labels = add_labels(frame)
    labelled["_x"] = frame[column].astype(float)
    labelled["_y"] = frame[shown.column].astype(float) * shown.scale
    hidden = (DATASET, "dataset.train_size", column.removeprefix("config."))
    curves = [name for name in labels if name not in hidden]
    labelled["_data"] = labelled[DATASET]
    if column in ("data.n_classes", "data.n_features"):
        labelled[DATASET] = "all data sets"
    # Files of one data set that differ in the size only belong into one panel.
    elif frame["data.title"].nunique() < labelled[DATASET].nunique():
        labelled[DATASET] = frame["data.title"]
    looks = styles(labelled, curves)
    slopes: dict[str, list[str]] = {name: [] for name in looks}
    handles: dict[str, list[Any]] = {name: [] for name in looks}
    with paper_style():
        figure, panels = data_panels(labelled)
        for name, axes in panels.items():
            here = labelled[labelled[DATASET] == name]
            drawn = {}
            for key, runs in here.groupby(curves, sort=False):
                curve = curve_name(dict(zip(curves, key, strict=True)), curves)
                stats = runs.groupby(["_x", "_data"])["_y"].agg(["mean", "min", "max"])
                stats = stats[stats["mean"] > 0]  # a logarithmic axis shows no other
                where = stats.index.get_level_values("_x").to_numpy()
                bars = axes.errorbar(
                    where,
                    stats["mean"],
                    yerr=[stats["mean"] - stats["min"], stats["max"] - stats["mean"]],
                    capsize=2,
                    **line(looks[curve]),
                )
                handles[curve].append(bars)
                drawn[curve] = slope(where, stats["mean"].to_numpy())
            for curve in looks:
                slopes[curve].append(_exponent(drawn.get(curve)))
            logarithmic(axes, "x", "y")
            axes.set_xlabel(label)
        for curve, drawn_as in handles.items():
            drawn_as[0].set_label(_named(curve, slopes[curve]))
        label_y(panels, of_part(shown.label, frame))
        note = "slopes: of the panels in their order" if len(panels) > 1 else ""
        finish(figure, panels, frame, profile, note)
    return figure


def slope(x: np.ndarray, y: np.ndarray) -> float | None:
    """Return the exponent a of the power law b x^a that is closest to points in logarithms.

    None when they are too close to each other to tell.
    """
    if len(x) < 2 or x.max() < SPAN * x.min():
        return None
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def _size(frame: "pd.DataFrame", x: str) -> tuple[str, str]:
    """Return the column of what is asked for, and what it is called."""
    x = ALIASES.get(x, x)
    if x in SIZES:
        column, label = SIZES[x]
        if column not in frame:
            raise UserError(f"None of these runs has {x}: choose runs with data.")
        return column, label
    numeric = [
        str(name).removeprefix("config.")
        for name in frame.columns
        if str(name).startswith("config.") and _numbers(frame[name]).any()
    ]
    if x.removeprefix("config.") not in numeric:
        raise UserError(
            f"--x {x} is no size and no setting with numbers; {suggest(x, [*SIZES, *numeric])}"
        )
    return f"config.{x.removeprefix('config.')}", x.removeprefix("config.")


def _numbers(values: "pd.Series[Any]") -> "pd.Series[bool]":
    """Return which values are finite numbers."""
    return values.map(
        lambda value: (
            isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        )
    ).astype(bool)


def _exponent(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _named(curve: str, slopes: list[str]) -> str:
    if all(text == "–" for text in slopes):
        return curve
    return f"{curve} (slope {'; '.join(slopes)})"
