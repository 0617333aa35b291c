"""The rate over the grid of C and gamma, one panel for each method."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from experiments.hsu_lin_2002.points import best
from experiments.hsu_lin_2002.published import METHODS
from mcbench.style import stamp

SPAN = 20.0  # points below the best rate from which on all is one colour


def heat_map(data: str, rows: pd.DataFrame, profile: str) -> Figure:
    """Draw the rates of one data set.

    The colours of all panels are the same, and range over the best `SPAN` points; a circle marks
    the points of the highest rate, a cross those without one.

    Parameters
    ----------
    data : str
    rows : DataFrame
        Points, as `points.points` returns them.
    profile : str
        Whose runs they are.
    """
    names = [method for method in METHODS if method in set(rows["method"])]
    columns = min(3, len(names))
    lines = -(-len(names) // columns)
    figure = Figure(figsize=(0.9 + 2.1 * columns, 0.9 + 2.1 * lines), layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True).ravel()
    C, gamma = (np.sort(rows[name].unique()) for name in ("log2_C", "log2_gamma"))
    top = rows["rate"].max()
    floor = max(rows["rate"].min(), top - SPAN)
    gaps = False
    for axes, method in zip(grid, names, strict=False):
        own = rows[rows["method"] == method]
        table = own.pivot_table(index="log2_gamma", columns="log2_C", values="rate")
        table = table.reindex(index=gamma, columns=C)
        image = axes.pcolormesh(
            range(len(C)),
            range(len(gamma)),
            table.to_numpy(),
            vmin=floor,
            vmax=top,
            cmap="cividis",
            shading="nearest",
        )
        marks = best(own)
        place = {value: i for i, value in enumerate(C)}, {value: i for i, value in enumerate(gamma)}
        axes.plot(
            marks["log2_C"].map(place[0]),
            marks["log2_gamma"].map(place[1]),
            marker="o",
            markersize=4,
            markerfacecolor="white",
            markeredgecolor="black",
            linestyle="none",
        )
        empty = np.argwhere(table.isna().to_numpy())
        gaps |= len(empty) > 0
        axes.plot(empty[:, 1], empty[:, 0], "x", color="#555555", markersize=3)
        axes.set_title(f"{METHODS[method]}: {own['rate'].max():.2f} %", fontsize=9)
        axes.grid(visible=False)
        every = 1 if len(C) < 8 else 2
        axes.set_xticks(range(0, len(C), every), C[::every])
        axes.set_yticks(range(0, len(gamma), every), gamma[::every])
    for axes in grid[len(names) :]:
        axes.set_visible(False)
    for i, axes in enumerate(grid[: len(names)]):
        if i % columns == 0:
            axes.set_ylabel(r"$\log_2 \gamma$")
        if i + columns >= len(names):
            axes.set_xlabel(r"$\log_2 C$")
            axes.tick_params(labelbottom=True)
    of = "10-fold accuracy" if rows["folds"].all() else "accuracy on the validation part"
    figure.suptitle(f"{data}, RBF kernel: {of}", fontsize=10)
    extend = "min" if rows["rate"].min() < floor else "neither"
    figure.colorbar(image, ax=grid.tolist(), label="accuracy [%]", extend=extend, shrink=0.8)
    stamp(
        figure,
        profile=profile,
        data=[data],
        runs=list(rows["run"].unique()),
        note="o: the highest rate of the method" + ("; x: no rate" if gaps else ""),
    )
    return figure
