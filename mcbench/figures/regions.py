"""Decision regions of recorded runs in the plane of two attributes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from mcbench.errors import UserError
from mcbench.figures.panels import finish
from mcbench.figures.plane import draw_plane
from mcbench.labels import DATASET, add_labels, curve_name
from mcbench.style import paper_style
from mcbench.words import count

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from mcbench.refit import Plane

MOST = 9
ACROSS = 3


def check_panels(number: int) -> None:
    """Raise a `UserError` when there are more runs than a figure has room for."""
    if number > MOST:
        raise UserError(
            f"These are {number} runs, and a figure has {MOST} panels: choose some, for example "
            "solver=block seed=0, or one by id=PREFIX*."
        )


def regions(frame: "pd.DataFrame", planes: "Mapping[str, Plane]", profile: str = "") -> "Figure":
    """Draw the decision regions of runs, one panel each.

    Parameters
    ----------
    frame : DataFrame
        The runs, one row each; at most `MOST`.
    planes : mapping of str to Plane
        Their models of two attributes, by identity (`mcbench.refit`).
    profile : str
        Named below the figure.
    """
    from matplotlib.figure import Figure

    check_panels(len(frame))
    labelled, labels = add_labels(frame)
    if labelled.groupby(labels, sort=False).ngroups < len(frame):
        labels.append("seed")
    if labelled[DATASET].nunique() == 1:
        labels.remove(DATASET)
    columns = min(len(frame), ACROSS)
    rows = -(-len(frame) // columns)
    with paper_style():
        figure = Figure(figsize=(0.8 + 3.0 * columns, 0.9 + 3.0 * rows), layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes in grid[len(frame) :]:
            axes.set_visible(False)
        panels = {}
        for axes, run in zip(grid, labelled.to_dict("records"), strict=False):
            plane = planes[run["id"]]
            span = np.ptp(plane.X, axis=0)
            margin = np.where(span > 0, 0.05 * span, 1.0)
            draw_plane(axes, plane.X, plane.labels, plane.region, margin=margin)
            for drawn, name in zip(axes.get_lines(), plane.names, strict=False):
                several = frame[DATASET].nunique() > 1
                drawn.set_label(f"{run[DATASET]}: {name}" if several else f"class {name}")
            axes.set_title(
                f"{curve_name(run, labels)}\ntraining error {100 * plane.error:.1f} %", fontsize=8
            )
            axes.set_xlabel(f"attribute {plane.attributes[0]}")
            axes.set_ylabel(f"attribute {plane.attributes[1]}")
            panels[run["id"]] = axes
        attributes = {
            f"{count(plane.of, 'attribute')}" for plane in planes.values() if plane.of > 2
        }
        note = "fitted again for this figure"
        if attributes:
            note += f", on two of {' and '.join(sorted(attributes))}"
        finish(figure, panels, frame, profile, note)
    return figure
