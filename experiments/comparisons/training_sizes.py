"""Crammer-Singer against one-vs-rest and one-vs-one: time and error over training sizes.

scikit-learn's documentation of LinearSVC (parameter `multi_class`, version 1.9) says of the
Crammer-Singer machine that it "is seldom used in practice as it rarely leads to better accuracy
and is more expensive to compute". That is tested here, with an RBF kernel.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.statistics import McNemar, binomial_interval, mcnemar
from mcbench.style import line, stamp
from mcbench.verdict import conclude

TITLE = "Fit time and test error over training sizes, one C and gamma for all machines"
MACHINES = {"block": "Crammer-Singer", "ovr": "one-vs-rest", "ovo": "one-vs-one"}
DIRECT = "block"
LEVEL = 0.01  # of a test that calls two errors different


@dataclass(frozen=True)
class Largest:
    """The machines on the largest training set of one data set that all have.

    Attributes
    ----------
    data : str
        The data set and its size.
    seconds : mapping of str to float
        Median fit time of each machine over the seeds.
    tests : mapping of str to McNemar
        The direct machine against each other one, all seeds together.
    """

    data: str
    seconds: dict[str, float]
    tests: dict[str, McNemar]


def points(results: Results) -> pd.DataFrame:
    """One row for each data set, machine and size: median times and mean errors over the seeds."""
    frame = results.frame
    if frame.empty:
        return pd.DataFrame()
    rows = []
    for key, runs in frame.groupby(["data.title", "data.n_train", "solver"]):
        data, n, solver = cast("tuple[str, float, str]", key)
        error, n_test = float(runs["error.test"].mean()), int(runs["data.n_test"].iloc[0])
        low, high = binomial_interval(error, n_test)
        rows.append(
            {
                "data": data,
                "n": int(n),
                "solver": solver,
                "machine": MACHINES.get(solver, solver),
                "fit [s]": float(runs["time.fit"].median()),
                "least": float(runs["time.fit"].min()),
                "most": float(runs["time.fit"].max()),
                "prediction [s]": float(runs["time.predict"].median()),
                "test error [%]": 100 * error,
                "low": 100 * low,
                "high": 100 * high,
                "support vectors": float(runs["model.n_support"].median()),
                "seeds": len(runs),
                "runs": " ".join(runs["id"]),
            }
        )
    table = pd.DataFrame(rows)
    order = {machine: i for i, machine in enumerate(MACHINES.values())}
    rank = table["machine"].map(order).fillna(len(order))
    return table.assign(rank=rank).sort_values(["data", "n", "rank"]).drop(columns="rank")


def figures(results: Results) -> dict[str, Figure]:
    """For each data set fit time (both axes logarithmic) and test error with its interval."""
    table = points(results)
    titles = list(dict.fromkeys(table["data"]))
    figure = Figure(figsize=(7.6, 0.5 + 3.2 * len(titles)), layout="constrained")
    panels = figure.subplots(len(titles), 2, squeeze=False)
    for (left, right), title in zip(panels, titles, strict=True):
        rows = table[table["data"] == title]
        for i, machine in enumerate(dict.fromkeys(rows["machine"])):
            curve = rows[rows["machine"] == machine]
            shifted = curve["n"] * 1.02 ** (i - 1)  # else the intervals hide each other
            for axes, x, value, low, high in (
                (left, curve["n"], "fit [s]", "least", "most"),
                (right, shifted, "test error [%]", "low", "high"),
            ):
                ends = [curve[value] - curve[low], curve[high] - curve[value]]
                axes.errorbar(
                    x, curve[value], yerr=ends, label=machine, capsize=2, elinewidth=0.8, **line(i)
                )
        left.set(yscale="log", ylabel="fit time [s]", title=title)
        right.set(ylabel="test error [%]", ylim=(0, None), title=title)
        sizes = sorted(set(rows["n"]))
        for axes in (left, right):
            axes.set(xscale="log", xlabel="size of training set [examples]")
            axes.set_xticks(sizes, [f"{n:g}" if n < 1000 else f"{n / 1000:g}k" for n in sizes])
            axes.minorticks_off()
        left.legend()
    frame = results.frame
    draws = int(table["seeds"].max())
    of = f"medians and means of {draws} draws" if draws > 1 else "one draw"
    stamp(
        figure,
        profile=results.profile,
        data=list(frame["data.title"]),
        runs=list(frame["id"]),
        note=f"{_parameters(frame)}; {of} of the training "
        "set; bars: fastest and slowest fit if several, exact binomial 99 % interval of "
        "the error; points of one size are set side by side",
    )
    return {"training_sizes": figure}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """The points of the figure."""
    table = points(results)
    if table.empty:
        return {"training_sizes": table}
    spread = table["low"].map("{:.2f} - ".format) + table["high"].map("{:.2f}".format)
    columns = ["data", "n", "machine", "seeds", "fit [s]", "prediction [s]", "support vectors"]
    columns += ["test error [%]", "99 % interval", "runs"]
    return {"training_sizes": table.assign(**{"99 % interval": spread})[columns]}


def largest(results: Results) -> list[Largest]:
    """The machines at the largest size of each data set that all three have."""
    found = []
    frame = results.frame
    for title, runs in frame.groupby("data.title") if len(frame) else ():
        sizes = [set(runs.loc[runs["solver"] == name, "data.n_train"]) for name in MACHINES]
        common = set.intersection(*sizes)
        if not common:
            continue
        at = runs[runs["data.n_train"] == max(common)].sort_values("seed")
        by = {name: at[at["solver"] == name] for name in MACHINES}
        if len({tuple(machine["seed"]) for machine in by.values()}) > 1:
            continue
        wrong = {
            name: np.concatenate([results.wrong(run) for run in machine["id"]]).tolist()
            for name, machine in by.items()
        }
        found.append(
            Largest(
                data=f"{title}, {max(common):.0f} examples",
                seconds={name: float(runs["time.fit"].median()) for name, runs in by.items()},
                tests={
                    name: mcnemar(wrong[DIRECT], wrong[name]) for name in MACHINES if name != DIRECT
                },
            )
        )
    return found


def claims(results: Results) -> list[Claim]:
    """What scikit-learn's documentation says about the machine."""
    ours, failed = [], []
    for case in largest(results):
        parts = []
        for name, test in case.tests.items():
            times = case.seconds[DIRECT] / case.seconds[name]
            more = 100 * (test.only_a - test.only_b) / test.n
            parts.append(
                f"{times:.2f} times the fit time of {MACHINES[name]}, error {more:+.2f} points "
                f"(McNemar p = {test.p:.2g}, n = {test.n})"
            )
            if test.p < LEVEL and more < 0:
                failed.append(f"{case.data}: the error is lower than that of {MACHINES[name]}")
            if times <= 1:
                failed.append(
                    f"{case.data}: the fit is {1 / times:.2g} times as fast as that of "
                    f"{MACHINES[name]} by libsvm"
                )
        ours.append(f"{case.data}: {', '.join(parts)}")
    verdict, reason = conclude(results, bool(ours), failed)
    return [
        Claim(
            id="extra-sizes",
            item="training_sizes",
            statement='The Crammer-Singer machine "rarely leads to better accuracy and is more '
            'expensive to compute" than one-vs-rest (here one-vs-one too, and an RBF kernel).',
            paper_value="in words, of linear machines",
            trust="S: printed, scikit-learn's documentation of LinearSVC (1.9)",
            check="at the largest training size of every data set, same C, gamma and tolerance: "
            f"its error is not lower at the {LEVEL:.0%} level of McNemar's exact test, and its fit "
            "takes longer, against one-vs-rest and against one-vs-one",
            ours="; ".join(ours) or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]


def _parameters(frame: pd.DataFrame) -> str:
    """C and gamma of each data set."""
    found = frame.drop_duplicates("data.title")
    return "; ".join(
        f"{title}: C = {C:g}, gamma = {gamma:g}"
        for title, C, gamma in zip(
            found["data.title"], found["config.solver.C"], found["config.kernel.gamma"], strict=True
        )
    )
