"""Section 8: the multiclass machine against one-against-rest, on the small databases."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from experiments.crammer_singer_2001.published import SECTION8, SECTION8_TRUST
from experiments.crammer_singer_2001.table1 import PAPER
from mcbench.claims import Claim
from mcbench.paper_table import PaperTable
from mcbench.results import Results
from mcbench.selection import chosen
from mcbench.statistics import McNemar, binomial_interval, mcnemar, percent_interval, sign_test
from mcbench.style import COLOURS, stamp
from mcbench.verdict import AGREES, conclude

TITLE = "Section 8: test error of the multiclass machine and of one-against-rest"
VALIDATION, TEST = "validation", "test"
MULTICLASS = "block"
PARAMETERS = ("config.solver.C", "config.kernel.gamma")
NOT_LARGER = 5  # of the seven sets
COLUMNS = ("multiclass [%]", "one-against-rest [%]")
LEVEL = 0.01  # of a test that calls two errors different


@dataclass(frozen=True)
class Pair:
    """Both machines on one data set, over its folds if it has several.

    Attributes
    ----------
    name : str
        The set.
    n_train : int
        Training examples, of the largest fold.
    wrong : tuple of ndarray of bool
        Which test examples the multiclass machine and one-against-rest have wrong.
    runs : tuple of DataFrame
        The runs of each.
    """

    name: str
    n_train: int
    wrong: tuple[np.ndarray, np.ndarray]
    runs: tuple[pd.DataFrame, pd.DataFrame]

    @property
    def errors(self) -> tuple[float, float]:
        """The errors of both, in per cent."""
        multiclass, rest = (float(100 * wrong.mean()) for wrong in self.wrong)
        return multiclass, rest

    @property
    def difference(self) -> float:
        """How many points the error of one-against-rest lies above that of the multiclass one."""
        return float(100 * (self.wrong[1].astype(int) - self.wrong[0]).sum() / len(self.wrong[0]))

    @property
    def test(self) -> McNemar:
        """McNemar's exact test of the two."""
        return mcnemar(self.wrong[0].tolist(), self.wrong[1].tolist())

    @property
    def whole(self) -> bool:
        """Whether the sizes are those of the paper."""
        train, test, *_ = PAPER[self.name]
        n_test = len(self.wrong[0])
        if test is None:  # folds: each example is tested once
            return n_test == train
        return (self.n_train, n_test) == (train, test)

    def spread(self) -> tuple[float, float]:
        """The exact 99 % interval of the difference, in points.

        Given that the machines disagree on d of n examples, the number of those that only
        one-against-rest has wrong is binomial (d, p), and the difference is (2 p - 1) d / n.
        """
        only = int((self.wrong[1] & ~self.wrong[0]).sum())
        d, n = int((self.wrong[0] != self.wrong[1]).sum()), len(self.wrong[0])
        if not d:
            return 0.0, 0.0
        low, high = binomial_interval(only / d, d)
        return 100 * (2 * low - 1) * d / n, 100 * (2 * high - 1) * d / n


def following(results: Results) -> list[dict[str, Any]]:
    """Train each machine on the whole training part with its best parameters.

    They are those of the least error on the part held out, for each fold on its own, so that no
    example that is tested has a say.
    """
    runs = results.part(VALIDATION)
    return [
        {
            "_part": TEST,
            "dataset": row["dataset"],
            "solver": row["solver"],
            "seed": row["seed"],
            "solver.C": row["config.solver.C"],
            "kernel.gamma": row["config.kernel.gamma"],
        }
        for row in chosen(runs, by=["dataset", "solver", "seed"], parameter=PARAMETERS)
    ]


def pairs(results: Results) -> list[Pair]:
    """The data sets that both machines were tested on in all their folds, in table 1's order."""
    runs = results.part(TEST)
    if runs.empty:
        return []
    runs = runs.sort_values("seed")
    found = {}
    for name, group in runs.groupby("data.name"):
        first = group[group["solver"] == MULTICLASS]
        second = group[group["solver"] != MULTICLASS]
        if len(first) and list(first["seed"]) == list(second["seed"]):
            wrong = tuple(
                np.concatenate([results.wrong(run) for run in machine["id"]])
                for machine in (first, second)
            )
            n_train = int(group["data.n_train"].max())
            found[str(name)] = Pair(str(name), n_train, (wrong[0], wrong[1]), (first, second))
    return [found[name] for name in PAPER if name in found]


def figures(results: Results) -> dict[str, Figure]:
    """The paper's chart: how much larger the error of one-against-rest is, for each set."""
    found = pairs(results)
    if not found:
        return {}
    figure = Figure(figsize=(5.6, 3.6), layout="constrained")
    axes = figure.subplots()
    for i, pair in enumerate(found):
        low, high = pair.spread()
        axes.bar(i, pair.difference, width=0.6, color=COLOURS[0], edgecolor="black", linewidth=0.6)
        ends = [[pair.difference - low], [high - pair.difference]]
        axes.errorbar(i, pair.difference, yerr=ends, color="black", capsize=3, linewidth=1)
        axes.annotate(
            f"{pair.difference:+.2f}".replace("-", "\N{MINUS SIGN}"),
            (i, high),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=7.5,
        )
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(range(len(found)), [_label(pair) for pair in found])
    axes.margins(y=0.12)
    axes.grid(visible=False, axis="x")
    axes.set_ylabel(
        "error of one-against-rest\n\N{MINUS SIGN} error of the multiclass machine [points]"
    )
    stamp(
        figure,
        profile=results.profile,
        runs=[run for pair in found for machine in pair.runs for run in machine["id"]],
        note="above zero the multiclass machine has fewer errors; bars: exact 99 % intervals of "
        "the difference; below the names the test examples",
    )
    return {"section8": figure}


def tables(results: Results) -> dict[str, PaperTable]:
    """Errors, their difference and McNemar's p, with the parameters chosen."""
    found = pairs(results)
    rows = []
    for pair in found:
        low, high = pair.spread()
        multiclass, rest = pair.errors
        rows.append(
            {
                "data": pair.name,
                "training examples": pair.n_train,
                "test examples": len(pair.wrong[0]),
                COLUMNS[0]: multiclass,
                COLUMNS[1]: rest,
                "difference [points]": pair.difference,
                "99 % interval": f"{low:+.2f} .. {high:+.2f}",
                "McNemar p": pair.test.p,
                "paper, multiclass [%]": SECTION8.get(pair.name) if pair.whole else None,
                "multiclass: C, gamma": _parameters(pair.runs[0]),
                "one-against-rest: C, gamma": _parameters(pair.runs[1]),
                "note": "" if pair.whole else "not the paper's size",
                "runs": " ".join([*pair.runs[0]["id"], *pair.runs[1]["id"]]),
            }
        )
    table = PaperTable(
        pd.DataFrame(rows),
        note=f"C and gamma chosen on 30 % of the training part{_reduced(results)}; *: the smaller "
        f"of two errors that differ at the {LEVEL:.0%} level (McNemar's exact test)",
        best=(COLUMNS,) if rows else (),
        decimals=dict.fromkeys((*COLUMNS, "difference [points]"), 2),
        marks={
            (row, COLUMNS[int(pair.difference < 0)]): "*"
            for row, pair in enumerate(found)
            if pair.test.p < LEVEL
        },
    )
    return {"section8": table}


def disagreements(found: list[Pair]) -> list[str]:
    """Where the printed errors are not met, on sets of the paper's sizes."""
    failed = []
    for pair in found:
        paper, ours = SECTION8.get(pair.name), pair.errors[0]
        if paper is None or not pair.whole:
            continue
        high = percent_interval(paper, len(pair.wrong[0]))[1]
        if ours > high:
            failed.append(
                f"{pair.name}: {ours:.4f} % is above the interval of {paper} % (up to {high:.4f} "
                "%; it is rounded in print, and the paper does not say which rows it took)"
            )
    return failed


def claims(results: Results) -> list[Claim]:
    """The multiclass machine is as good as one-against-rest or better."""
    found = pairs(results)
    larger = [pair for pair in found if pair.difference < 0]
    held = len(found) - len(larger)
    failed = disagreements(found)
    if len(larger) > len(PAPER) - NOT_LARGER:
        failed.append(f"the multiclass machine's error is larger on {_names(larger)}")
    met = {pair.name for pair in found if pair.whole} >= set(SECTION8)
    tested = bool(failed) or (held >= NOT_LARGER and met)
    notes = [f"larger on {_names(larger)}"] if larger and not failed else []
    absent = [name for name in PAPER if name not in {pair.name for pair in found}]
    if absent:
        notes.append(f"not tested: {', '.join(absent)}")
        if not results.missing:
            notes.append(f"profile {results.profile} does not run them")
    verdict, reason = conclude(results, tested, failed, "; ".join(notes))
    return [
        Claim(
            id="cs01-sec8",
            item="section8",
            statement="The multiclass machine is comparable to, and sometimes better than, "
            "one-against-rest with the same kernel.",
            paper_value="; ".join(f"{name} {error} %" for name, error in SECTION8.items())
            + "; else a chart without numbers",
            trust=SECTION8_TRUST,
            check=f"the multiclass machine's error is not larger on at least {NOT_LARGER} of the "
            f"seven sets, parameters of both chosen on the training part; satimage and shuttle "
            f"{AGREES}",
            ours=_ours(found, held),
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]


def _ours(found: list[Pair], held: int) -> str:
    if not found:
        return "-"
    errors = "; ".join(
        f"{pair.name} {pair.errors[0]:.2f} against {pair.errors[1]:.2f} % "
        f"(McNemar p = {pair.test.p:.2g})"
        for pair in found
    )
    signs = sign_test([pair.difference for pair in found])
    return f"not larger on {held} of {len(found)} sets (sign test p = {signs.p:.2g}): {errors}"


def _names(found: list[Pair]) -> str:
    return ", ".join(f"{pair.name} (by {-pair.difference:.2f} points)" for pair in found)


def _label(pair: Pair) -> str:
    return f"{pair.name}\n{len(pair.wrong[0])}"


def _reduced(results: Results) -> str:
    """Where the parameters were chosen on fewer examples than the training part has."""
    runs = results.part(VALIDATION)
    if "config.dataset.train_size" not in runs:
        return ""
    sizes = runs.dropna(subset="config.dataset.train_size").groupby("data.name")
    least = {str(name): int(group["config.dataset.train_size"].min()) for name, group in sizes}
    fewer = [f"{name} {n}" for name, n in least.items() if name in PAPER and n < PAPER[name][0]]
    return f" (of fewer examples: {', '.join(fewer)})" if fewer else ""


def _parameters(runs: pd.DataFrame) -> str:
    """The values chosen; of several folds, those of each."""
    values = zip(runs["config.solver.C"], runs["config.kernel.gamma"], strict=True)
    return ", ".join(dict.fromkeys(f"({C:g}, {gamma:g})" for C, gamma in values))
