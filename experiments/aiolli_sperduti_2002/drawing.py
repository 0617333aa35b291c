"""The figures' common layout: a quantity against time, a panel for each problem."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiments.aiolli_sperduti_2002.curves import Curve, Panel, panels
from mcbench.results import Results
from mcbench.style import line, stamp

STAND_IN = "in place of the papers' 5000 digits of NIST-3, which were never published: "

#: Curves are drawn to where the last of them has this share of the optimal L.
SHOWN = 0.999


def against_time(
    results: Results,
    names: Sequence[str],
    column: str,
    *,
    small: bool = False,
    note: str = "",
) -> tuple[Figure, list[tuple[Axes, Panel]]]:
    """Draw a column of the traces against CPU time.

    Parameters
    ----------
    results : Results
        The runs.
    names : sequence of str
        The curves, in this order.
    column : {"L", "error"}
        What is drawn; beside L, the optimal one as a dotted line.
    small : bool
        The runs with the small cache, not those with the large one.
    note : str
        What else stands below the figure.

    Returns
    -------
    figure : Figure
    axes : list of (Axes, Panel)
        To draw more.
    """
    found = panels(results)
    figure = Figure(figsize=(0.6 + 3.6 * len(found), 3.9), layout="constrained")
    drawn = list(zip(figure.subplots(1, len(found), squeeze=False)[0], found, strict=True))
    for axes, panel in drawn:
        here = [c for name in names for c in panel.curves if c.name == name and c.small == small]
        for curve in here:
            axes.plot(
                "seconds",
                column,
                data=curve.trace,
                label=curve.name,
                markevery=max(1, len(curve.trace) // 12),
                **line(names.index(curve.name)),
            )
        axes.set(xlabel="CPU time [s]", xlim=(0, _end(here, panel.best)))
        axes.xaxis.set_major_locator(MaxNLocator(6))
        axes.set_title(f"{panel.title}\n{_cache(here, panel)}", fontsize=9)
        if column == "L" and np.isfinite(panel.best):
            axes.axhline(panel.best, color="#555555", linestyle=":", linewidth=1.0)
            axes.set_ylim(0, 1.05 * panel.best)
    if drawn:
        labels = {"L": "Lagrangian $L = 2 D$", "error": "test error [%]"}
        drawn[0][0].set_ylabel(labels[column])
        drawn[0][0].legend(loc="lower right" if column == "L" else "upper right")
    dotted = "dotted: the optimal L" if column == "L" else ""
    stamp_results(figure, results, "; ".join(filter(None, [dotted, note])))
    return figure, drawn


def stand_ins(results: Results) -> str:
    """What the runs show in place of the papers' own data."""
    titles = results.frame.get("data.title", pd.Series(dtype=str)).dropna()
    return STAND_IN + ", ".join(dict.fromkeys(titles))


def stamp_results(figure: Figure, results: Results, note: str = "") -> None:
    """Write below a figure the stand-ins for the papers' data, a note, profile and runs."""
    stamp(
        figure,
        profile=results.profile,
        data=[],
        runs=list(results.frame["id"]),
        note="; ".join(filter(None, [stand_ins(results), note])),
    )


def _cache(curves: Sequence[Curve], panel: Panel) -> str:
    sizes = " or ".join(str(rows) for rows in sorted({curve.rows for curve in curves}))
    return f"{panel.subtitle}; cache {sizes or 'of no'} rows"


def _end(curves: Sequence[Curve], best: float) -> float | None:
    """Where the axis of time ends."""
    times = [
        min(curve.first(SHOWN * best), float(curve.trace["seconds"].iloc[-1])) for curve in curves
    ]
    return 1.05 * max(times) if times else None
