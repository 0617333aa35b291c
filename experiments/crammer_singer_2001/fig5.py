"""Figure 5: run time and test error as a function of the required accuracy."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from experiments.crammer_singer_2001.stamped import stamp_results
from mcbench.claims import Claim
from mcbench.metrics import of_part
from mcbench.results import Results
from mcbench.style import line
from mcbench.verdict import conclude

TITLE = "Figure 5: run time and test error against the required accuracy"
EPS = "config.solver.tol"
PAPERS_GROWTH = 1.3


def curves(results: Results) -> dict[str, pd.DataFrame]:
    """The runs of each data set in the order of the accuracy."""
    return {
        f"{title}, {n:.0f} examples": runs.sort_values(EPS)
        for (title, n), runs in results.frame.groupby(["data.title", "data.n_train"])
    }


def figures(results: Results) -> dict[str, Figure]:
    """The paper's two panels; the times of several data sets are relative."""
    figure = Figure(figsize=(8.0, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    found = curves(results)
    for i, (title, runs) in enumerate(found.items()):
        seconds = runs["time.fit"] / (runs["time.fit"].min() if len(found) > 1 else 1.0)
        left.plot(runs[EPS], seconds, label=title, **line(i))
        right.plot(runs[EPS], 100 * runs["error.test"], label=title, **line(i))
    left.set(
        ylabel="run time / shortest run time" if len(found) > 1 else "run time [s]", ylim=(0, None)
    )
    right.set(ylabel=of_part("test error [%]", results.frame))
    for axes in (left, right):
        axes.set(xscale="log", xlabel="required accuracy eps [margin units]")
        axes.legend()
    stamp_results(figure, results)
    return {"fig5": figure}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """The points of the figure."""
    frame = results.frame.sort_values(["data.title", EPS])
    return {
        "fig5": pd.DataFrame(
            {
                "data": frame["data.title"],
                "examples": frame["data.n_train"].astype(int),
                "solver": frame["solver"],
                "eps": frame[EPS],
                "seconds": frame["time.fit"],
                of_part("test error [%]", frame): 100 * frame["error.test"],
                "gap": frame["objective.gap"],
                "support vectors": frame["model.n_support"],
                "run": frame["id"],
            }
        )
    }


def compare(runs: pd.DataFrame) -> dict[str, Any]:
    """The quantities of the claim, on one data set; empty if a point is missing."""
    points = runs.drop_duplicates(EPS).set_index(EPS)
    if not {1.0, 1e-1, 1e-3, 1e-4} <= set(points.index):
        return {}
    error = 100 * points["error.test"]
    return {
        "moderate": float(error[1e-1] - error[1e-4]),
        "growth": float(points["time.fit"][1e-3] / points["time.fit"][1e-1]),
        "finest": float(points["time.fit"][1e-4] / points["time.fit"][1e-1]),
        "loose": float(error[1.0] - error[1e-1]),
        "one": 100 / float(points["data.n_test"].iloc[0]),
    }


def claims(results: Results) -> list[Claim]:
    """A moderate accuracy is enough, and a finer one costs little more."""
    found = {}
    if len(results.frame):
        found = {title: compare(runs) for title, runs in curves(results).items()}
    found = {title: values for title, values in found.items() if values}
    failed = []
    for title, v in found.items():
        if abs(v["moderate"]) > 0.1 + 1e-9:
            failed.append(
                f"{title}: error at 0.1 is {abs(v['moderate']):.2f} points "
                f"{'above' if v['moderate'] > 0 else 'below'} the one at 1e-4 "
                f"(one test example is {v['one']:.3f})"
            )
        if not 1.0 <= v["growth"] < 2.0:
            failed.append(f"{title}: 1e-3 takes {v['growth']:.2f} times as long as 0.1")
        if v["loose"] <= 0.1:
            failed.append(f"{title}: error at eps = 1 is only {v['loose']:+.2f} points worse")
    beyond = any(v["growth"] > PAPERS_GROWTH for v in found.values())
    note = "more than the paper's 20 to 30 %" if beyond and not failed else ""
    verdict, reason = conclude(results, bool(found), failed, note)
    ours = "; ".join(
        f"{title}: 0.1 {v['moderate']:+.2f} points from 1e-4, 1e-3 takes {v['growth']:.2f} and "
        f"1e-4 {v['finest']:.2f} times as long as 0.1, eps = 1 {v['loose']:+.2f} points"
        for title, v in found.items()
    )
    return [
        Claim(
            id="cs01-fig5",
            item="fig5",
            statement="eps = 0.1 generalizes as well as 1e-4; finer values cost tens of per cent "
            "more time, not a multiple.",
            paper_value="mnist, 60000 examples: a chart, its error axis from 1.40 to 1.90 %; time "
            "+ 20-30 %",
            trust="text; the chart's axis",
            check="error at 0.1 within 0.1 points of the one at 1e-4; time at 1e-3 less than twice "
            "that at 0.1 and not shorter; error at 1 more than 0.1 points worse; on every data set",
            ours=ours or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]
