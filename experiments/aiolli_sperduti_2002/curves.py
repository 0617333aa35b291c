"""The curves of the figures: one recorded run each, named as the papers name them.

Plotted is the papers' Lagrangian L = sum_ir alpha_ir - ||W||^2 = 2 D, twice our dual objective
(AS02 eq. 5), against CPU seconds on one thread, which other work on the machine disturbs least.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mcbench.results import Results

SELECTIONS = {"kkt": "KKT", "amg": "AMG", "bmg": "BMG"}
OPTIMIZERS = {"fixed_point": "CS", "all_pairs": "ALL", "basic": "BAS", "opt_kkt": "OPT"}
THRESHOLDS = {"logarithmic": "LOG", "max": "MAX", "mean": "MEAN"}

#: Parts of the grids: the papers' runs, and the exact solution that they are held against.
CURVES, OPTIMUM = "curves", "optimum"

#: What tells one problem from another.
PROBLEM = [
    "data.title",
    "data.n_train",
    "config.kernel.name",
    "config.kernel.gamma",
    "config.solver.C",
    "seed",
]

#: The share of the optimal L at which a run counts as there.
THERE = 0.99

#: Checkpoints are that far apart in iterations: times nearer to each other are not told apart.
RESOLUTION = 1.1


@dataclass(frozen=True)
class Curve:
    """One run.

    Attributes
    ----------
    run : str
        Its identity.
    name : str
        SELECTION-OPTIMIZER THRESHOLD, for example "BMG-ALL MEAN".
    rows : int
        Kernel rows that its cache holds.
    small : bool
        Whether that is the papers' small cache (100 rows for 5000 examples), not the large one
        (3000 rows); for other numbers of examples in proportion.
    trace : DataFrame
        `seconds`, `L`, `kernel_rows`, `level` (the threshold) and `error` (per cent).
    """

    run: str
    name: str
    rows: int
    small: bool
    trace: pd.DataFrame

    def first(self, L: float, column: str = "seconds") -> float:
        """What a column was when L was reached, between checkpoints in proportion; else inf."""
        reached = np.flatnonzero(self.trace["L"] >= L)
        if not len(reached):
            return float("inf")
        upto = self.trace.iloc[: reached[0] + 1]
        return float(np.interp(L, upto["L"], upto[column]))


@dataclass(frozen=True)
class Panel:
    """The curves on one problem.

    Attributes
    ----------
    title : str
        Data and number of examples.
    subtitle : str
        Kernel and C.
    curves : tuple of Curve
        In the order of the grid's solvers.
    best : float
        The optimal L: of the exact solution, or of a curve that came higher; nan without one.
    best_run : str
        The run of the exact solution.
    """

    title: str
    subtitle: str
    curves: tuple[Curve, ...]
    best: float
    best_run: str

    def curve(self, name: str, *, small: bool = False) -> Curve:
        """The curve of a name with the small or the large cache."""
        return next(c for c in self.curves if c.name == name and c.small == small)

    def lacking(self, names: Sequence[str], caches: Sequence[bool]) -> list[str]:
        """Which of these runs are not there."""
        here = {(curve.name, curve.small) for curve in self.curves}
        gone = [
            f"{name} with the {'small' if small else 'large'} cache"
            for name in names
            for small in caches
            if (name, small) not in here
        ]
        return gone if np.isfinite(self.best) else [*gone, "the exact solution"]

    @property
    def runs(self) -> list[str]:
        """Identities of all runs."""
        return [*(curve.run for curve in self.curves), *filter(None, [self.best_run])]


def panels(results: Results) -> list[Panel]:
    """One panel for each problem."""
    if results.frame.empty:
        return []
    return [_panel(runs, results) for _, runs in results.frame.groupby(PROBLEM, sort=False)]


def _panel(runs: pd.DataFrame, results: Results) -> Panel:
    first = runs.iloc[0]
    curves = tuple(_curve(row, results) for _, row in runs[runs["part"] == CURVES].iterrows())
    exact = runs[runs["part"] == OPTIMUM]
    best = max([2 * float(exact["objective.dual"].max()), *(c.trace["L"].max() for c in curves)])
    return Panel(
        title=f"{first['data.title']}, {int(first['data.n_train'])} examples",
        subtitle=f"{_kernel(first)} kernel, gamma = {first['config.kernel.gamma']:g}, "
        f"C = {first['config.solver.C']:g}",
        curves=curves,
        best=best if len(exact) else float("nan"),
        best_run=str(exact["id"].iloc[0]) if len(exact) else "",
    )


def _kernel(run: "pd.Series[float]") -> str:
    name = str(run["config.kernel.name"])
    return name.upper() if name == "rbf" else name


def _curve(run: "pd.Series[float]", results: Results) -> Curve:
    trace = results.trace(str(run["id"]))
    rows = int(run["config.solver.cache_rows"])
    return Curve(
        run=str(run["id"]),
        name=f"{SELECTIONS[str(run['config.solver.selection'])]}-"
        f"{OPTIMIZERS[str(run['config.solver.optimizer'])]} "
        f"{THRESHOLDS[str(run['config.solver.threshold'])]}",
        rows=rows,
        small=rows < 0.1 * run["data.n_train"],
        trace=pd.DataFrame(
            {
                "seconds": trace["cpu_seconds"],
                "L": 2 * trace["dual"],
                "kernel_rows": trace["kernel_rows"],
                "level": trace["level"],
                "error": 100 * trace["test_error"],
            }
        ),
    )


def table(results: Results) -> pd.DataFrame:
    """One row for each curve: when it reached shares of the optimal L, and how it ended."""
    rows = []
    for panel in panels(results):
        for curve in panel.curves:
            end = curve.trace.iloc[-1]
            rows.append(
                {
                    "data": panel.title,
                    "curve": curve.name,
                    "cache [rows]": curve.rows,
                    **{
                        f"CPU s to {share:.0%}": curve.first(share * panel.best)
                        for share in (0.5, 0.9, THERE)
                    },
                    f"kernel rows to {THERE:.0%}": curve.first(THERE * panel.best, "kernel_rows"),
                    "CPU s": end["seconds"],
                    "kernel rows": int(end["kernel_rows"]),
                    "L": end["L"],
                    "% of optimal L": 100 * end["L"] / panel.best,
                    "test error [%]": end["error"],
                    "run": curve.run,
                }
            )
    return pd.DataFrame(rows)
