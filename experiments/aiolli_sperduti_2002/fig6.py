"""Figure 6: what a small cache does, to the Lagrangian (a) and to the test error (b)."""

from itertools import permutations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from experiments.aiolli_sperduti_2002.curves import RESOLUTION, THERE, Curve, Panel, panels, table
from experiments.aiolli_sperduti_2002.drawing import against_time, stand_ins
from experiments.aiolli_sperduti_2002.judging import TRUST, evaluated
from mcbench.claims import Claim
from mcbench.paper_table import PaperTable
from mcbench.results import Results

TITLE = (
    "Figure 6 (AS05: figure 10): selections under MEAN, small cache: "
    "(a) Lagrangian, (b) test error against time"
)
KKT, AMG, BMG, BAS = "KKT-ALL MEAN", "AMG-ALL MEAN", "BMG-ALL MEAN", "BMG-BAS MEAN"
NAMES = (KKT, AMG, BMG, BAS)

#: The test error has settled when it stays this near to its last value, in percentage points.
SETTLED = 0.5


def settled(curve: Curve) -> float:
    """The seconds from which on the test error is within half a point of its last value."""
    error = curve.trace["error"].to_numpy()
    away = np.flatnonzero(np.abs(error - error[-1]) > SETTLED)
    return float(curve.trace["seconds"].iloc[away[-1] + 1 if len(away) else 0])


def figures(results: Results) -> dict[str, Figure]:
    """The paper's two charts."""
    a, _ = against_time(results, NAMES, "L", small=True)
    b, drawn = against_time(results, NAMES, "error", small=True)
    for axes, panel in drawn:
        last = [c.trace["error"].iloc[-1] for c in panel.curves if c.small]
        if last:
            axes.set_ylim(0, min(100, 4 * max(last)))
    return {"fig6a": a, "fig6b": b}


def tables(results: Results) -> dict[str, PaperTable]:
    """The times of all curves, and how many times as long the small cache makes them."""
    note = stand_ins(results)
    return {
        "fig6": PaperTable(table(results), note=note),
        "fig6-slowdown": PaperTable(slowdowns(results), note=note),
    }


def slowdowns(results: Results) -> pd.DataFrame:
    """One row for each method that was run with both caches; factors small / large."""
    rows = []
    for panel in panels(results):
        for name in NAMES:
            if panel.lacking([name], (False, True)):
                continue
            large, small = panel.curve(name), panel.curve(name, small=True)
            rows.append(
                {
                    "data": panel.title,
                    "curve": name,
                    **{
                        f"{label}, {which} cache": round(curve.first(THERE * panel.best, column), 3)
                        for column, label in (
                            ("seconds", f"CPU s to {THERE:.0%}"),
                            ("kernel_rows", f"kernel rows to {THERE:.0%}"),
                        )
                        for which, curve in (("large", large), ("small", small))
                    },
                    "times as long": ratio(panel, name, "seconds"),
                    "times the rows": ratio(panel, name, "kernel_rows"),
                    "error settled, times as long": settled(small) / settled(large),
                    "runs": f"{large.run} {small.run}",
                }
            )
    return pd.DataFrame(rows)


def ratio(panel: Panel, name: str, column: str) -> float:
    """How many times as much the small cache takes to 99 % of the optimal L."""
    small, large = panel.curve(name, small=True), panel.curve(name)
    return small.first(THERE * panel.best, column) / large.first(THERE * panel.best, column)


def compare(panel: Panel) -> tuple[str, list[str]]:
    """The claim's four sentences, and that the test error follows."""
    L = THERE * panel.best
    slower = {name: ratio(panel, name, "seconds") for name in NAMES}
    small = {name: panel.curve(name, small=True) for name in NAMES}
    seconds = {name: curve.first(L) for name, curve in small.items()}
    rows = {name: curve.first(L, "kernel_rows") for name, curve in small.items()}
    failed = [f"{name} does not slow down" for name in NAMES if not slower[name] > 1]
    failed += [
        f"KKT-ALL takes {slower[KKT]:.2f} times as long, {name.removesuffix(' MEAN')} "
        f"{slower[name]:.2f} times"
        for name in (AMG, BMG)
        if not slower[KKT] > slower[name]
    ]
    if not seconds[BAS] > seconds[BMG]:
        failed.append(f"BAS takes {seconds[BAS] / seconds[BMG]:.2f} times as long as ALL")
    failed += [
        f"{more} computes {rows[more] / rows[less]:.2f} times the rows of {less} in "
        f"{seconds[more] / seconds[less]:.2f} times its time"
        for more, less in permutations(NAMES, 2)
        if rows[more] > RESOLUTION * rows[less] and not seconds[more] > seconds[less]
    ]
    failed += [
        f"the test error of {name} settles no later"
        for name in NAMES
        if not settled(small[name]) > settled(panel.curve(name))
    ]
    if not settled(small[BAS]) > settled(small[BMG]):
        failed.append("the test error of BAS settles no later than that of ALL")
    found = ", ".join(
        f"{name.removesuffix(' MEAN')} takes {slower[name]:.2f} times as long, {seconds[name]:.2f} "
        f"s ({rows[name]:.0f} rows)"
        for name in NAMES
    )
    return found, failed


def claims(results: Results) -> list[Claim]:
    """The four sentences about the small cache."""
    return [
        Claim(
            id="as-fig10",
            item="fig6",
            statement="With a small cache all methods slow down, most of all selection by the "
            "violation; one two-variable step an example is poor; the number of kernel rows "
            "computed explains it, and the test error shows the same.",
            paper_value="all slower, KKT most; BAS quite poor",
            trust=TRUST,
            check="to 99 % of the optimal L, in CPU time: every method takes longer with the small "
            "cache; KKT-ALL by a larger factor than AMG-ALL and BMG-ALL; BMG-BAS takes longer than "
            "BMG-ALL; of two methods the one that computes more rows (by 10 % or more) takes "
            "longer. Each test error settles (to half a point) later than with the large cache, "
            "that of BMG-BAS later than that of BMG-ALL",
            **evaluated(results, NAMES, compare, caches=(False, True)),
        )
    ]
