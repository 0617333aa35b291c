"""Table 1: MProtSVM against LVQ2.1 with the same number of prototypes."""

from typing import Any

import pandas as pd

from experiments.aiolli_sperduti_2005.averages import averaged
from experiments.aiolli_sperduti_2005.judging import (
    FALLS,
    beyond_the_least,
    not_falling,
    one_number,
    seeds_of,
)
from experiments.aiolli_sperduti_2005.published import TABLE1, TRUST
from experiments.aiolli_sperduti_2005.stages import CAPTION, TEST, trained
from mcbench.claims import Claim
from mcbench.paper_table import PaperTable
from mcbench.results import Results
from mcbench.verdict import conclude

TITLE = (
    f"Table 1: MProtSVM against LVQ2.1, mean test error in per cent ({CAPTION}; the window of "
    "LVQ2.1 chosen on the same part)"
)
PAPERS_DATA = "nist"
LVQ_VALIDATION, LVQ = "lvq_validation", "lvq"
WINDOW = "config.solver.window"
MACHINES = ("LVQ2.1", "MProtSVM")


def following(results: Results) -> list[dict[str, Any]]:
    """Train with the C, or the window of LVQ2.1, of the least validation error for each q."""
    lvq = ("dataset", "solver", "solver.prototypes_per_class")
    return [
        *trained(results, ("dataset", "solver", "solver.n_prototypes", "solver.tol")),
        *trained(results, lvq, ("solver.window",), (LVQ_VALIDATION, LVQ)),
    ]


def compared(results: Results) -> pd.DataFrame:
    """Both machines side by side, one row for each data set and q."""
    ours = averaged(results.part(TEST), "config.solver.n_prototypes")
    lvq = averaged(results.part(LVQ), "config.solver.prototypes_per_class", WINDOW)
    if ours.empty or lvq.empty:
        return pd.DataFrame()
    ours = ours.rename(columns={"config.solver.n_prototypes": "q"})
    lvq = lvq.rename(columns={"config.solver.prototypes_per_class": "q", WINDOW: "window"})
    lvq = lvq[["name", "n_train", "q", "window", "error", "sd", "seeds", "runs"]]
    return ours.merge(lvq, on=["name", "n_train", "q"], suffixes=("", "_lvq"))


def tables(results: Results) -> dict[str, PaperTable]:
    """The paper's table with ours beside it."""
    rows = [
        {
            "data": row["data"] if row["name"] == PAPERS_DATA else f"{row['data']}, not nist",
            "q": int(row["q"]),
            "beta": row["n_classes"] * row["q"] / row["n_train"],
            "LVQ2.1": row["error_lvq"],
            "MProtSVM": row["error"],
            "sd of LVQ2.1": row["sd_lvq"],
            "sd of MProtSVM": row["sd"],
            "paper, nist: LVQ2.1": TABLE1.get(row["q"], (None,) * 2)[0],
            "paper, nist: MProtSVM": TABLE1.get(row["q"], (None,) * 2)[1],
            "C": row["C"],
            "window of LVQ2.1": row["window"],
            "seeds": min(row["seeds"], row["seeds_lvq"]),
            "runs": " ".join([*row["runs"], *row["runs_lvq"]]),
        }
        for row in compared(results).to_dict("records")
    ]
    return {"table1": PaperTable(pd.DataFrame(rows), best=[MACHINES] if rows else ())}


def claims(results: Results) -> list[Claim]:
    """The errors fall with q, and those of MProtSVM are below those of LVQ2.1."""
    table = compared(results)
    ours, failed, notes, single = [], [], [], []
    for data, rows in table.groupby("data") if len(table) else ():
        by_q = rows.set_index(rows["q"].astype(int)).sort_index()
        ours.append(
            f"{data}, MProtSVM/LVQ2.1: "
            + ", ".join(f"{q}: {r.error:.2f}/{r.error_lvq:.2f}" for q, r in by_q.iterrows())
        )
        failed += not_falling(str(data), by_q["error"], int(by_q["n_test"].iloc[0]))
        notes.append(beyond_the_least(str(data), by_q["error"]))
        single += one_number(str(data), by_q["error"])
        failed += [
            f"{data}, q = {q}: {row.error:.2f} % is not below LVQ2.1's {row.error_lvq:.2f} %"
            for q, row in by_q.iterrows()
            if row.error >= row.error_lvq
        ]
    real = len(table) and set(table["name"]) == {PAPERS_DATA}
    if ours:
        seeds = pd.concat([table["seeds"], table["seeds_lvq"]])
        notes += ["" if real else "other data in place of the paper's nist", seeds_of(seeds)]
    note = "; ".join(filter(None, notes))
    verdict, reason = conclude(results, bool(ours), failed, note, single)
    return [
        Claim(
            id="as05-table1",
            item="table1",
            statement="With the same number of prototypes MProtSVM is better than LVQ2.1, and "
            "its error falls with their number.",
            paper_value="MProtSVM/LVQ2.1: "
            + ", ".join(f"{q}: {m:.2f}/{v:.2f}" for q, (v, m) in TABLE1.items()),
            trust=f"{TRUST}; its digits were never published",
            check=f"MProtSVM below LVQ2.1 at every q; {FALLS}; on every data set",
            ours="; ".join(ours) or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]
