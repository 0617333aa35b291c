"""Whether methods differ significantly: over the data sets, and on each set with a test part."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pandas as pd

from experiments.hsu_lin_2002.points import records
from experiments.hsu_lin_2002.published import METHODS
from mcbench.results import Results
from mcbench.statistics import Friedman, McNemar, friedman, mcnemar

LEVEL = 0.05


@dataclass(frozen=True)
class Pair:
    """Two methods on the test part of one data set.

    Attributes
    ----------
    data, a, b : str
    test : McNemar
        ``difference`` is the error of a less that of b.
    adjusted : float
        p after Holm's correction for the pairs of this data set.
    runs : tuple of str
        One run of each.
    """

    data: str
    a: str
    b: str
    test: McNemar
    adjusted: float
    runs: tuple[str, str]

    @property
    def differs(self) -> bool:
        """Whether the pair differs significantly."""
        return self.adjusted < LEVEL

    def sentence(self) -> str:
        """What was found."""
        return (
            f"{self.data}: {METHODS[self.a]} against {METHODS[self.b]} {self.test.sentence()}, "
            f"{self.adjusted:.2g} by Holm"
        )


def over_sets(rates: pd.DataFrame) -> Friedman | None:
    """Friedman's test of the errors.

    Parameters
    ----------
    rates : DataFrame
        ``data``, ``method`` and ``rate`` (per cent), one row for each pair of them.

    Returns
    -------
    Friedman or None
        None where fewer than two data sets have all methods.
    """
    rates = rates.astype({"rate": float})
    wide = (100 - rates.pivot_table(index="data", columns="method", values="rate")).reindex(
        columns=list(METHODS)
    )
    wide = wide.dropna().rename(columns=METHODS)
    # Rates are quotients of counts: what differs by rounding is tied.
    return friedman(wide.round(9)) if len(wide) >= 2 else None


def on_test_parts(results: Results, machines: pd.DataFrame) -> list[Pair]:
    """McNemar's test of all pairs of methods on each data set.

    Parameters
    ----------
    results : Results
        Has which test examples each run gets wrong.
    machines : DataFrame
        ``data``, ``method``, ``runs``: one run for each.
    """
    found = []
    for data, group in machines.groupby("data", sort=False):
        wrong: dict[str, tuple[str, Any]] = {}
        for row in records(group):
            try:
                wrong[row["method"]] = (row["runs"][0], results.wrong(row["runs"][0]))
            except LookupError:  # an older run, which kept no predictions
                continue
        tests = {
            (a, b): mcnemar(wrong[a][1], wrong[b][1])
            for a, b in combinations([name for name in METHODS if name in wrong], 2)
        }
        adjusted = holm([test.p for test in tests.values()])
        found += [
            Pair(str(data), a, b, test, p, (wrong[a][0], wrong[b][0]))
            for ((a, b), test), p in zip(tests.items(), adjusted, strict=True)
        ]
    return found


def holm(p: list[float]) -> list[float]:
    """Holm's adjusted p values: each is to be compared with the level of the whole family.

    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6, 1979.
    """
    adjusted, highest = [0.0] * len(p), 0.0
    for rank, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        highest = max(highest, min(1.0, (len(p) - rank) * p[i]))
        adjusted[i] = highest
    return adjusted
