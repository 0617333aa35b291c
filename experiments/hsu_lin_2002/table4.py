"""Table 4: the linear kernel on the small sets."""

from typing import Any

import pandas as pd

from experiments.hsu_lin_2002.judging import conclude, not_run
from experiments.hsu_lin_2002.points import GRID, LINEAR, first, points, records, unended
from experiments.hsu_lin_2002.published import METHODS, SMALL
from mcbench.claims import Claim
from mcbench.paper_table import PaperTable
from mcbench.results import Results
from mcbench.words import count

TITLE = "Table 4: 10-fold accuracy in per cent with the linear kernel, and log2 C"


def rates(results: Results, name: str) -> pd.DataFrame:
    """The highest rate of each data set and method in the grid of one kernel."""
    found = first(points(results.part(name)))
    order = {data: place for place, data in enumerate([*SMALL, *METHODS])}
    return found.sort_values(
        ["data", "method"], key=lambda column: column.map(order), ignore_index=True
    )


def both(results: Results) -> pd.DataFrame:
    """The highest rates of both kernels, on the data sets where all methods have both."""
    linear, rbf = rates(results, LINEAR), rates(results, GRID)
    keep = ["data", "method", "rate"]
    table = linear[keep].merge(rbf[keep], on=["data", "method"], suffixes=("", "_rbf"))
    return table[table.groupby("data")["method"].transform("nunique") == len(METHODS)]


def tables(results: Results) -> dict[str, pd.DataFrame | PaperTable]:
    """The linear kernel in the paper's layout, and both kernels cell by cell."""
    linear, rbf = rates(results, LINEAR), rates(results, GRID)
    rows = []
    for data, group in linear.groupby("data", sort=False):
        cells = {row["method"]: row for row in records(group)}
        row: dict[str, Any] = {"data": data}
        for method, name in METHODS.items():
            row[f"{name} log2 C"] = cells[method]["log2_C"] if method in cells else None
            row[name] = float(cells[method]["rate"]) if method in cells else None
        row["runs"] = " ".join(dict.fromkeys(group["run"]))
        rows.append(row)
    names = list(METHODS.values())
    wide = PaperTable(
        pd.DataFrame(rows),
        note=note(results),
        largest=(names,) if rows else (),
        decimals=dict.fromkeys(names, 3),
    )
    both_kernels = linear.merge(rbf, on=["data", "method"], suffixes=("", "_rbf"))
    return {
        "table4": wide,
        "table4_kernels": pd.DataFrame(
            {
                "data": both_kernels["data"],
                "method": both_kernels["method"].map(METHODS),
                "linear [%]": both_kernels["rate"],
                "RBF [%]": both_kernels["rate_rbf"],
                "RBF - linear [points]": both_kernels["rate_rbf"] - both_kernels["rate"],
                "runs": both_kernels["run"] + " " + both_kernels["run_rbf"],
            }
        ),
    }


def note(results: Results) -> str:
    """How many C were tried, and where rows ended early."""
    runs = results.part(LINEAR)
    if runs.empty:
        return ""
    asked = int(runs["measured.log2_C"].map(len).max())
    unfinished = unended(runs)
    tried = f"{count(asked, 'value')} of C" + ("" if asked >= 15 else ", the paper has 15")
    return "; ".join(
        [tried, *([f"not ended in time: {'; '.join(unfinished)}"] if unfinished else [])]
    )


def claims(results: Results) -> list[Claim]:
    """RBF is better overall; OAO and DAG suffer least from the linear kernel."""
    table = both(results)
    means = {
        row["method"]: row
        for row in records(table.groupby("method", as_index=False).mean(numeric_only=True))
    }
    whole = set(METHODS) <= set(means)
    failed = [
        f"{METHODS[method]}: RBF has {row['rate_rbf']:.2f} % in the mean of the sets, the linear "
        f"kernel {row['rate']:.2f} %"
        for method, row in (means.items() if whole else ())
        if row["rate_rbf"] <= row["rate"]
    ]
    ours = ""
    if whole:
        linear = {method: row["rate"] for method, row in means.items()}
        pairwise = min(linear["ovo"], linear["dag"])
        failed += [
            f"{name} has {linear[method]:.2f} % with the linear kernel, OAO and DAG at least "
            f"{pairwise:.2f} %"
            for method, name in METHODS.items()
            if method not in ("ovo", "dag") and linear[method] >= pairwise
        ]
        ours = ", ".join(
            f"{name} {linear[method]:.2f} (RBF {means[method]['rate_rbf']:.2f})"
            for method, name in METHODS.items()
        )
    what = "; ".join(filter(None, [note(results), not_run(results, SMALL, set(table["data"]))]))
    verdict, reason = conclude(results, whole, failed, what)
    return [
        Claim(
            id="hl02-table4",
            item="table4",
            statement="The RBF kernel is better than the linear one overall; with the linear "
            "kernel OAO and DAG do best.",
            paper_value="its text; the table is lost",
            trust="the statements S, no trustworthy number",
            check="for each method the mean over the sets of the highest 10-fold rate is larger "
            "with the RBF kernel; with the linear kernel OAO's and DAG's are above the others'",
            ours=f"means over {count(table['data'].nunique(), 'set')} [%]: {ours}" if ours else "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]
