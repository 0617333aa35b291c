"""The points of the grids as one table, and which of them a method would choose."""

from typing import Any

import numpy as np
import pandas as pd

from experiments.hsu_lin_2002.published import METHODS
from mcbench.results import Results

#: Parts of the grids: with the RBF kernel, with the linear one, at the paper's own parameters, and
#: at those that our grid chose.
GRID, LINEAR, PUBLISHED, CHOSEN = "grid", "linear", "published", "chosen"
COLUMNS = ("data", "method", "folds", "log2_C", "log2_gamma", "n", "rate", "run")


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table."""
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def points(runs: pd.DataFrame) -> pd.DataFrame:
    """Every point of grids that ended.

    Parameters
    ----------
    runs : DataFrame
        Runs of `walk.row`.

    Returns
    -------
    DataFrame
        One row for each data set, method, gamma and C: ``data``, ``method``, ``folds`` (0 where
        a part of the training part validates), ``log2_C``, ``log2_gamma`` (None: linear kernel),
        ``n``, ``rate`` (right answers among the n, in per cent), ``run``.
    """
    rows: list[dict[str, Any]] = []
    for run in records(runs):
        for method in METHODS:
            correct = run.get(f"measured.correct.{method}")
            if not isinstance(correct, list):
                continue
            gamma, folds = run["measured.log2_gamma"], run["data.folds"]
            rows += [
                {
                    "data": run["data.name"],
                    "method": method,
                    "folds": 0 if pd.isna(folds) else int(folds),
                    "log2_C": int(log2_C),
                    "log2_gamma": None if pd.isna(gamma) else int(gamma),
                    "n": int(run["measured.n"]),
                    "rate": 100 * count / run["measured.n"],
                    "run": run["id"],
                }
                for log2_C, count in zip(run["measured.log2_C"], correct, strict=True)
                if count is not None and not pd.isna(count)
            ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def unended(runs: pd.DataFrame) -> list[str]:
    """Which points have no rate because a fit did not end in its time: a text for each method."""
    rows: dict[tuple[str, str], list[tuple[Any, list[int], int]]] = {}
    for run in records(runs):
        for method, title in METHODS.items():
            correct = run.get(f"measured.correct.{method}")
            if isinstance(correct, list):
                without = [
                    int(step)
                    for step, right in zip(run["measured.log2_C"], correct, strict=True)
                    if pd.isna(right)
                ]
                row = (run["measured.log2_gamma"], without, len(correct))
                rows.setdefault((run["data.name"], title), []).append(row)
    found = []
    for (data, title), tried in rows.items():
        short = [(gamma, without) for gamma, without, _ in tried if without]
        if short:
            open_ = sum(len(without) for _, without in short)
            gammas = _span([int(gamma) for gamma, _ in short if not pd.isna(gamma)])
            start = _span([min(without) for _, without in short])
            at = f"log2 gamma {gammas}, " if gammas else ""
            whole = sum(size for _, _, size in tried)
            found.append(f"{data}, {title}: {open_} of {whole} points ({at}log2 C from {start} on)")
    return found


def _span(values: list[int]) -> str:
    """The least and the greatest of whole numbers: "3", "3 to 5"."""
    ends = sorted({min(values), max(values)}) if values else []
    return " to ".join(map(str, ends))


def best(table: pd.DataFrame) -> pd.DataFrame:
    """The points of the highest rate, all tied ones, of each data set and method.

    Ordered such that the smallest C, and then the smallest gamma, comes first; ``ties`` says how
    many there are.
    """
    if table.empty:
        return table.assign(ties=[])
    highest = table.groupby(["data", "method"])["rate"].transform("max")
    order = {method: place for place, method in enumerate(METHODS)}
    found = table[np.isclose(table["rate"], highest, rtol=0.0, atol=1e-9)]
    ties = found.groupby(["data", "method"])["rate"].transform("size")
    return found.assign(ties=ties).sort_values(
        ["data", "method", "log2_C", "log2_gamma"],
        key=lambda column: column.map(order) if column.name == "method" else column,
        ignore_index=True,
    )


def first(table: pd.DataFrame) -> pd.DataFrame:
    """The first of the best points of each data set and method."""
    return best(table).drop_duplicates(["data", "method"])


def chosen_grids(results: Results) -> list[dict[str, Any]]:
    """The grids that train each method with its best parameters.

    Small sets: the ten folds (smoke: two), at one of the best points, for times and support
    vectors. Large sets: the whole training part, at every point that is as good as the best in
    validation.
    """
    tied = best(points(results.part(GRID)))
    if tied.empty:
        return []
    small, large = tied[tied["folds"] > 0], tied[tied["folds"] == 0]
    wanted = [*records(first(small)), *records(large)]
    splits = results.part(GRID).drop_duplicates("data.name").set_index("data.name")
    return [
        {
            "_part": CHOSEN,
            "protocol": "untraced",
            "dataset": splits.loc[row["data"], "dataset"],
            **(
                {
                    "dataset.split": splits.loc[row["data"], "data.split"],
                    "dataset.fold": list(range(2 if results.profile == "smoke" else row["folds"])),
                }
                if row["folds"]
                else {}
            ),
            "solver": row["method"],
            "solver.C": power(row["log2_C"]),
            "kernel.gamma": power(row["log2_gamma"]),
        }
        for row in wanted
    ]


def power(exponent: float) -> float | int:
    """2^exponent, as a configuration would have it: whole numbers are ints."""
    value = 2.0**exponent
    return int(value) if value.is_integer() else value


def fits(runs: pd.DataFrame) -> pd.DataFrame:
    """Fitted machines, the folds of a set as one.

    Returns
    -------
    DataFrame
        One row for each data set, method and point: ``data``, ``method``, ``log2_C``,
        ``log2_gamma``, ``folds``, ``n`` (examples judged), ``rate`` in per cent, ``train`` and
        ``test`` (seconds, means over the folds), ``vectors`` (unique support vectors, mean) and
        ``runs``.
    """
    rows = []
    keys = ["data.name", "solver", "config.solver.C", "config.kernel.gamma"]
    for key, group in runs.groupby(keys) if len(runs) else ():
        values: tuple[Any, ...] = key
        name, method, C, gamma = values
        n = group["data.n_test"].astype(int).sum()
        rows.append(
            {
                "data": str(name),
                "method": str(method),
                "log2_C": round(np.log2(float(C))),
                "log2_gamma": round(np.log2(float(gamma))),
                "folds": len(group) if group["data.folds"].notna().all() else 0,
                "n": int(n),
                "rate": 100 * (1 - float(group["error.test_wrong"].sum()) / n),
                "train": float(group["time.fit"].mean()),
                "test": float(group["time.predict"].mean()),
                "vectors": float(group["model.n_support"].mean()),
                "runs": tuple(group["id"]),
            }
        )
    names = ["log2_C", "log2_gamma", "folds", "n", "rate", "train", "test", "vectors", "runs"]
    return pd.DataFrame(rows, columns=["data", "method", *names])
