"""What the figures share: a panel for each data set, one legend above, their runs below."""

import math
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from mcbench.labels import DATASET, curve_name
from mcbench.style import stamp

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

MAX_COLUMNS = 3

#: Of a legend: characters to an inch (with room to spare), and the height of one line in inches.
CHARACTERS = 12
ONE_LINE = 0.25


def data_panels(frame: "pd.DataFrame") -> tuple["Figure", dict[str, "Axes"]]:
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


def label_y(panels: Mapping[str, "Axes"], text: str) -> None:
    """Name the y axis of the first panel of each row."""
    for number, axes in enumerate(panels.values()):
        if number % MAX_COLUMNS == 0:
            axes.set_ylabel(text)


def logarithmic(axes: "Axes", *names: Literal["x", "y"]) -> None:
    """Make axes logarithmic, with plain numbers where they span less than two decades."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for name in names:
        axes.set(**{f"{name}scale": "log"})
        axis: Axis = getattr(axes, f"{name}axis")
        low, high = axis.get_view_interval()
        decades = math.log10(high / low)
        axis.set_minor_formatter(NullFormatter())
        if decades < 2:
            subs = range(1, 10) if decades < 0.5 else (1, 2, 5)
            axis.set_major_locator(LogLocator(subs=subs, numticks=20))
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def styles(frame: "pd.DataFrame", curves: list[str]) -> dict[str, int]:
    """Give each curve a number, the same one in every panel."""
    names = [curve_name(run, curves) for run in frame[curves].to_dict("records")]
    return {name: number for number, name in enumerate(sorted(set(names)))}


def finish(
    figure: "Figure",
    panels: Mapping[str, "Axes"],
    frame: "pd.DataFrame",
    profile: str = "",
    note: str = "",
) -> None:
    """Add the legend and, below, what the figure was made from.

    Parameters
    ----------
    figure : Figure
        The figure.
    panels : mapping of str to Axes
        Its panels, whose named curves the legend has, each name once.
    frame : DataFrame
        The runs that it shows.
    profile, note : str
        Written below.
    """
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
    stamp(figure, profile=profile, data=notes, runs=list(frame["id"]), note=note)


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
