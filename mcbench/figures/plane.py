"""Regions in the plane: what each point is given to, the borders, and the examples."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from mcbench.style import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Points of the raster along each axis, and how far it goes beyond the examples.
STEPS = 400
MARGIN = 0.3


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
            axes.contour(x, y, cells == r, levels=[0.5], colors="#777777", linewidths=0.5)
    for number in np.unique(found)[1:]:  # borders lie around each class but one
        axes.contour(x, y, found == number, levels=[0.5], colors="black", linewidths=1.2)
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
