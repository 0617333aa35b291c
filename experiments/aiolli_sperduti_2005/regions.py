"""Decision regions in the plane: what one, three and five prototypes per class can do."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.datasets import make_moons

from mcbench import MultiPrototypeSVC
from mcbench.figures.plane import BORDER, CELL, draw_plane, line_to_name
from mcbench.results import Results
from mcbench.style import stamp

TITLE = "Decision regions of two classes in the plane, with the cells of the prototypes"
MOONS = "Two half-moons"


def planar(
    *, data: Any, q: int, C: float, tau: float, seed: int, **other: Any
) -> Mapping[str, Any]:
    """Train a model on examples in the plane and keep what draws it.

    Parameters
    ----------
    data : Data or None
        With two attributes; None: two half-moons, 400 examples for training and 4900 for test.
    q : int
        Prototypes per class.
    C, tau : float
        Of the machine.
    seed : int
        Of its annealing, and of the half-moons.

    Returns
    -------
    mapping
        The training examples, and for each prototype its class and the weights (w_1, w_2, b) of
        its score w_1 x_1 + w_2 x_2 + b; training and test error.
    """
    del other
    if data is None:
        X, y = make_moons(400, noise=0.2, random_state=seed)
        X_test, y_test = make_moons(4900, noise=0.2, random_state=seed + 1)
    else:
        X, y, X_test, y_test = data.X_train, data.y_train, data.X_test, data.y_test
    model = MultiPrototypeSVC(C, n_prototypes=q, tau=tau, random_state=seed).fit(X, y)
    weights = np.column_stack([model.coef_, model.intercept_])
    return {
        "data": MOONS if data is None else data.title,
        "q": q,
        "examples": X.tolist(),
        "labels": np.unique(y, return_inverse=True)[1].tolist(),
        "weights": weights.tolist(),
        "classes": np.asarray(model.prototype_class_).tolist(),
        "train": 1 - model.score(X, y),
        "test": 1 - model.score(X_test, y_test),
    }


def draw(axes: Axes, run: "pd.Series[Any]") -> None:
    """Draw regions (coloured), cells (thin lines), the border between the classes and examples."""
    X, labels = np.array(run["measured.examples"]), np.array(run["measured.labels"])
    weights, classes = np.array(run["measured.weights"]), np.array(run["measured.classes"])

    def cell(points: np.ndarray) -> np.ndarray:
        return np.argmax(points @ weights[:, :2].T + weights[:, 2], axis=1)

    draw_plane(axes, X, labels, lambda points: classes[cell(points)], cell)
    axes.set(
        title=f"q = {run['measured.q']:.0f}: test error {100 * run['measured.test']:.1f} %",
        aspect="equal",
        xlabel="$x_1$",
    )


def figures(results: Results) -> dict[str, Figure]:
    """One row of panels for each data set, one panel for each q."""
    if results.frame.empty:
        return {}
    found = results.frame.sort_values("measured.q").groupby("measured.data")
    columns = max(len(runs) for _, runs in found)
    figure = Figure(figsize=(0.6 + 3.0 * columns, 0.6 + 3.1 * len(found)), layout="constrained")
    grid = figure.subplots(len(found), columns, squeeze=False)
    for row, (data, runs) in zip(grid, found, strict=True):
        for axes in row[len(runs) :]:
            axes.set_visible(False)
        for axes, (_, run) in zip(row, runs.iterrows(), strict=False):
            draw(axes, run)
        row[0].set_ylabel(f"{data}\n$x_2$")
    examples = grid[0, 0].get_lines()
    for drawn, name in zip(examples, ("first class", "second class"), strict=True):
        drawn.set_label(name)
    border = line_to_name(BORDER, "border between the classes")
    inner = line_to_name(CELL, "border of a prototype's cell")
    figure.legend(handles=[*examples, border, inner], loc="outside upper center", ncols=4)
    stamp(
        figure,
        profile=results.profile,
        data=list(results.frame["measured.data"]),
        runs=list(results.frame["id"]),
        note="a prototype's cell: where it has the largest score",
    )
    return {"regions": figure}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """The errors of the models that are drawn."""
    if results.frame.empty:
        return {"regions": pd.DataFrame()}
    frame = results.frame.sort_values(["measured.data", "measured.q"])
    return {
        "regions": pd.DataFrame(
            {
                "data": frame["measured.data"],
                "q": frame["measured.q"].astype(int),
                "training error [%]": 100 * frame["measured.train"],
                "test error [%]": 100 * frame["measured.test"],
                "run": frame["id"],
            }
        )
    }
