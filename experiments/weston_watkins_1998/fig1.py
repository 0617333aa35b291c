"""Figure 1: decision regions of both machines, three separable and four other classes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.metrics.pairwise import polynomial_kernel

from experiments.weston_watkins_1998.machines import MACHINES
from experiments.weston_watkins_1998.planar import discs
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.style import COLOURS, stamp
from mcbench.verdict import conclude

TITLE = "Figure 1: decision regions of the quadratic and the linear-programming machine"
KERNEL = {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0}  # (<x, z> + 1)^2
ROWS = {"qp-mc-sv": "quadratic machine", "lp-mc-sv": "linear program"}
MARKERS = ("o", "s", "+", "x")  # the paper's circles, boxes, pluses and crosses
HATCHES = ("", "///", "...", "\\\\\\")
COLUMNS = [
    "classes",
    "machine",
    "C",
    "examples",
    "training errors",
    "support vectors",
    "gap",
    "run",
]
STEPS = 300  # points of the raster along each axis


def planar(
    *, machine: str, k: int, n: int, radius: float, C: float, seed: int, **other: Any
) -> Mapping[str, Any]:
    """Train a machine on artificial examples in the plane and keep what draws it.

    Parameters
    ----------
    machine : {"qp-mc-sv", "lp-mc-sv"}
    k, n : int
        Classes, and examples of each.
    radius : float
        Of the discs that the examples are drawn from.
    C : float
        inf for a hard margin.
    seed : int
        Of the examples.

    Returns
    -------
    mapping
        The examples and labels, and the model: support vectors, their coefficients and the biases.
    """
    del other  # configuration and data: the examples are drawn here
    X, y = discs(k, n, radius, seed)
    cls, own = MACHINES[machine]
    model = cls(float(C), **own, **KERNEL).fit(X, y)
    return {
        "machine": machine,
        "k": k,
        "C": str(float(C)),
        "examples": X.tolist(),
        "labels": y.tolist(),
        "support": model.support_.tolist(),
        "coefficients": model.dual_coef_.tolist(),
        "biases": model.intercept_.tolist(),
        "gap": float(model.duality_gap_),
        "status": str(model.status_),
    }


def predicted(run: "pd.Series[Any]", points: np.ndarray) -> np.ndarray:
    """The class that a recorded model gives to points (n, 2)."""
    support = np.array(run["measured.examples"])[np.array(run["measured.support"], dtype=int)]
    K = polynomial_kernel(points, support, degree=2, gamma=1.0, coef0=1.0)
    scores = K @ np.array(run["measured.coefficients"]) + np.array(run["measured.biases"])
    return np.asarray(scores.argmax(axis=1))


def wrong(run: "pd.Series[Any]") -> np.ndarray:
    """Which training examples a recorded model has wrong."""
    return predicted(run, np.array(run["measured.examples"])) != np.array(run["measured.labels"])


def panels(results: Results) -> pd.DataFrame:
    """One row for each model: what its panel shows."""
    rows = [
        {
            "classes": int(run["measured.k"]),
            "machine": run["measured.machine"],
            "C": float(run["measured.C"]),
            "examples": len(run["measured.examples"]),
            "training errors": int(wrong(run).sum()),
            "support vectors": len(run["measured.support"]),
            "gap": run["measured.gap"],
            "run": run["id"],
        }
        for _, run in results.frame.iterrows()
    ]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame.sort_values(["classes", "machine"], ascending=[True, False], ignore_index=True)


def draw(axes: Axes, run: "pd.Series[Any]") -> None:
    """Draw the regions, the border between them, the examples, rings and crosses."""
    X, labels = np.array(run["measured.examples"]), np.array(run["measured.labels"])
    low, high = X.min(axis=0) - 0.4, X.max(axis=0) + 0.4
    x, y = (np.linspace(low[j], high[j], STEPS) for j in (0, 1))
    plane = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    region = predicted(run, plane).reshape(STEPS, STEPS)
    k = int(run["measured.k"])
    for r in range(k):
        inside = (region == r).astype(float)
        axes.contourf(x, y, inside, levels=[0.5, 1.5], colors=[COLOURS[r]], alpha=0.14)
        if HATCHES[r] and inside.any():
            hatched = axes.contourf(x, y, inside, levels=[0.5, 1.5], colors="none")
            hatched.set(hatch=HATCHES[r], edgecolor="#CCCCCC", linewidth=0)
    for r in range(k):
        axes.contour(x, y, region == r, levels=[0.5], colors="black", linewidths=0.9)
    for r in range(k):
        axes.plot(
            *X[labels == r].T,
            color=COLOURS[r],
            marker=MARKERS[r],
            markersize=4,
            markeredgewidth=1.1,
            linestyle="none",
        )
    ringed = X[np.array(run["measured.support"], dtype=int)]
    axes.plot(*ringed.T, "o", markersize=10, markerfacecolor="none", color="black", mew=0.9)
    axes.plot(*X[wrong(run)].T, "x", markersize=12, color="black", mew=1.4)
    axes.set(aspect="equal", xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    axes.grid(False)


def figures(results: Results) -> dict[str, Figure]:
    """The paper's four panels: classes from left to right, machines from top to bottom."""
    if results.frame.empty:
        return {}
    runs = {(r["measured.machine"], int(r["measured.k"])): r for _, r in results.frame.iterrows()}
    sizes = sorted({k for _, k in runs})
    figure = Figure(figsize=(0.6 + 3.3 * len(sizes), 7.0), layout="constrained")
    grid = figure.subplots(len(ROWS), len(sizes), squeeze=False)
    found = {(row["machine"], row["classes"]): row for row in panels(results).to_dict("records")}
    for row, (machine, title) in zip(grid, ROWS.items(), strict=True):
        for axes, k in zip(row, sizes, strict=True):
            if (machine, k) not in runs:
                axes.set_visible(False)
                continue
            draw(axes, runs[machine, k])
            shown = found[machine, k]
            C = "$\\infty$" if np.isinf(shown["C"]) else f"{shown['C']:g}"
            axes.set_title(
                f"{title}, {k} classes, C = {C}\n{shown['support vectors']} support vectors, "
                f"{shown['training errors']} errors"
            )
            axes.set(xlabel="$x_1$", ylabel="$x_2$")
    stamp(
        figure,
        profile=results.profile,
        data=["artificial examples, drawn by the seed: the paper's are not printed"],
        runs=list(results.frame["id"]),
        note="rings: support vectors; large crosses: training errors; kernel (<x, z> + 1)^2",
    )
    return {"fig1": figure}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """The numbers of the panels."""
    return {"fig1": panels(results)}


def claims(results: Results) -> list[Claim]:
    """Both machines separate what can be separated, and with few support vectors."""
    rows: dict[tuple[int, str], dict[str, Any]] = {
        (int(row["classes"]), str(row["machine"])): {str(key): row[key] for key in row}
        for row in panels(results).to_dict("records")
    }
    complete = all((k, machine) in rows for k in (3, 4) for machine in ROWS)
    failed = []
    for (k, machine), row in rows.items() if complete else ():
        what, errors = f"{machine}, {k} classes", row["training errors"]
        if (errors > 0) != (k == 4):
            failed.append(f"{what}: {errors} training errors")
        if k == 3 and 2 * row["support vectors"] >= row["examples"]:
            failed.append(f"{what}: {row['support vectors']} of {row['examples']} support vectors")
    for k in (3, 4) if complete else ():
        lp, qp = (rows[k, name]["support vectors"] for name in ("lp-mc-sv", "qp-mc-sv"))
        if lp > qp:
            failed.append(f"{k} classes: the linear program has {lp} support vectors, not {qp}")
    verdict, reason = conclude(results, complete, failed)
    return [
        Claim(
            id="ww98-fig1",
            item="fig1",
            statement="Both machines find decision regions for three separable classes and for "
            "four that are not.",
            paper_value="the figure: regions, support vectors ringed, errors crossed",
            trust="S: seen in print, without its data",
            check="four panels; no training error of either machine on the separable classes and "
            "support vectors fewer than half of the examples; at least one error, crossed, on the "
            "others; the linear program has at most as many support vectors as the quadratic "
            "machine",
            ours="; ".join(
                f"{k} classes, {machine}: {row['training errors']} errors, "
                f"{row['support vectors']} of {row['examples']} support vectors"
                for (k, machine), row in rows.items()
            )
            or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]
