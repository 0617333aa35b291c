"""Regions in the plane: what each point is given to, the borders, and the examples."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from mcbench.style import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

#: Points of the raster along each axis, and how far it goes beyond the examples.
STEPS = 400
MARGIN = 0.3

#: Colour and width of the lines between classes, and between the cells in them.
BORDER, CELL = ("black", 1.2), ("#777777", 0.5)


def draw_plane(
    axes: "Axes",
    X: np.ndarray,
    labels: np.ndarray,
    region: Callable[[np.ndarray], np.ndarray],
    cell: Callable[[np.ndarray], np.ndarray] | None = None,
    margin: float | np.ndarray = MARGIN,
) -> None:
    """Draw regions (coloured), their borders (thick), the cells in them (thin) and the examples.

    Parameters
    ----------
    axes : Axes
        Where to.
    X : ndarray, shape (n, 2)
        Examples.
    labels : ndarray of int, shape (n,)
        Numbers of their classes, from 0.
    region : callable
        Returns the numbers of the classes that points, shape (m, 2), are given.
    cell : callable, optional
        Returns numbers of finer parts for the same points.
    margin : float or ndarray, shape (2,)
        How far the raster goes beyond the examples.
    """
    low, high = X.min(axis=0) - margin, X.max(axis=0) + margin
    x, y = (np.linspace(low[k], high[k], STEPS) for k in (0, 1))
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    found = region(points).reshape(STEPS, STEPS)
    known = np.unique(np.concatenate([labels, found.ravel()]))
    levels = np.arange(known.max() + 2) - 0.5
    colours = [COLOURS[number % len(COLOURS)] for number in range(len(levels) - 1)]
    axes.contourf(x, y, found, levels=levels, colors=colours, alpha=0.18)
    if cell is not None:
        cells = cell(points).reshape(STEPS, STEPS)
        for r in np.unique(cells):
            _outline(axes, x, y, cells == r, CELL)
    for number in np.unique(found)[1:]:  # borders lie around each class but one
        _outline(axes, x, y, found == number, BORDER)
    for number in np.unique(labels):
        axes.plot(
            *X[labels == number].T,
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[(number + number // len(COLOURS)) % len(MARKERS)],
            markersize=3,
            linestyle="none",
            label=str(number),
        )
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    axes.grid(False)


def _outline(
    axes: "Axes", x: np.ndarray, y: np.ndarray, inside: np.ndarray, look: tuple[str, float]
) -> None:
    colour, width = look
    axes.contour(x, y, inside, levels=[0.5], colors=colour, linewidths=width)


def line_to_name(look: tuple[str, float], label: str) -> "Line2D":
    """Return a line of a legend that looks like `BORDER` or `CELL`."""
    from matplotlib.lines import Line2D

    colour, width = look
    return Line2D([], [], color=colour, linewidth=width, label=label)
