"""One-step methods get slow when C is large: iterations and time against C."""

import math

import pandas as pd
from matplotlib.figure import Figure

from experiments.hsu_lin_2002.judging import conclude, not_run
from experiments.hsu_lin_2002.published import METHODS
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.style import line, stamp

TITLE = "Iterations and training time against C, at the paper's gamma of CS"
SETS = ("iris", "vehicle")
ONE_STEP = ("block", "ww")
LARGEST = 12  # log2 C, the end of the paper's grid
SLOWER = 10.0  # times as many iterations at the largest C as at C = 1
WHY = {
    "block": "",
    "ww": " (its solver takes a step of Newton's method now and then, which no C slows down)",
}
OPEN = "open marker: a lower bound, not ended in time"


def curves(results: Results) -> pd.DataFrame:
    """One row for each fit: ``data``, ``method``, ``log2_C``, ``iterations``, ``seconds``, ..."""
    frame = results.frame
    if frame.empty:
        return pd.DataFrame(
            columns=["data", "method", "C", "iterations", "seconds", "ended", "run"]
        )
    return pd.DataFrame(
        {
            "data": frame["data.name"],
            "method": frame["solver"],
            "C": frame["config.solver.C"].astype(float),
            "iterations": frame["work.iterations"].astype(float),
            "seconds": frame["time.fit"].astype(float),
            "ended": ~frame["reported.status"].isin(["time_limit", "max_iter"]),
            "run": frame["id"],
        }
    ).sort_values(["data", "method", "C"], ignore_index=True)


def growth(curve: pd.DataFrame) -> float:
    """How many times as many iterations the largest C takes as the one nearest to 1."""
    by_C = dict(zip(curve["C"].map(math.log2), curve["iterations"], strict=True))
    return float(by_C[max(by_C)] / by_C[min(by_C, key=abs)])


def figures(results: Results) -> dict[str, Figure]:
    """A column for each data set; above iterations, below seconds."""
    found = curves(results)
    if found.empty:
        return {}
    sets = list(dict.fromkeys(found["data"]))
    figure = Figure(figsize=(0.8 + 3.0 * len(sets), 5.4), layout="constrained")
    panels = figure.subplots(2, len(sets), squeeze=False, sharex="col")
    for column, data in enumerate(sets):
        for i, (method, name) in enumerate(METHODS.items()):
            curve = found[(found["data"] == data) & (found["method"] == method)]
            if curve.empty:
                continue
            cut = curve[~curve["ended"]]
            for axes, value in zip(panels[:, column], ("iterations", "seconds"), strict=True):
                axes.plot(curve["C"], curve[value], label=name, **line(i))
                axes.plot(
                    cut["C"],
                    cut[value],
                    **{**line(i), "linestyle": "none", "markerfacecolor": "white"},
                )
        for axes in panels[:, column]:
            axes.set_xscale("log", base=2)
            axes.set_yscale("log")
        panels[0, column].set_title(data)
        panels[1, column].set_xlabel("C")
    panels[0, 0].set_ylabel("iterations")
    panels[1, 0].set_ylabel("training time [s]")
    panels[0, 0].legend()
    note = (
        "an iteration of OAO and OAA changes a pair of examples, those of all binary machines are "
        "added up; one of CS and WW changes one example"
    )
    if not found["ended"].all():
        note += f"; {OPEN}"
    stamp(figure, profile=results.profile, data=sets, runs=list(found["run"]), note=note)
    return {"large_c": figure}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """The points of the figure."""
    found = curves(results)
    return {
        "large_c": pd.DataFrame(
            {
                "data": found["data"],
                "method": found["method"].map(METHODS),
                "log2 C": found["C"].map(math.log2),
                "iterations": found["iterations"],
                "training [s]": found["seconds"],
                "ended in time": found["ended"],
                "run": found["run"],
            }
        )
    }


def claims(results: Results) -> list[Claim]:
    """The iterations of the one-step methods grow with C."""
    found = curves(results)
    failed: list[str] = []
    ours: list[str] = []
    seen: set[tuple[str, str]] = set()
    notes: list[str] = []
    for key, curve in found.groupby(["data", "method"]):
        data, method = map(str, key)
        top = math.log2(curve["C"].max())
        if top < LARGEST and method == ONE_STEP[0]:
            notes.append(f"{data}: C up to 2^{top:.0f} only")
        if curve["C"].nunique() < 2:
            continue
        times = growth(curve)
        bound = "" if curve["ended"].all() else "at least "
        what = f"{data}, {METHODS[method]}"
        ours.append(f"{what}: {bound}{times:.3g} times up to C = 2^{top:.0f}")
        if method in ONE_STEP:
            seen.add((data, method))
            if times < SLOWER:
                failed.append(f"{what}: only {times:.3g} times as many iterations{WHY[method]}")
    tested = {(data, method) for data in SETS for method in ONE_STEP} <= seen
    absent = not_run(results, SETS, {data for data, _ in seen})
    note = "; ".join(filter(None, [absent, *notes]))
    verdict, reason = conclude(results, tested, failed, note)
    return [
        Claim(
            id="hl02-largeC",
            item="large_c",
            statement="The decompositions of the one-step methods get slow when C is large.",
            paper_value="huge training times on iris and vehicle, whose optimal C are large",
            trust="the statement S",
            check="iterations against C, plotted; CS and WW take at least "
            f"{SLOWER:g} times as many at the largest C as at C = 1, on both sets",
            ours="; ".join(ours) or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(found["run"]),
        )
    ]
