"""Table 2: test error of MProtSVM with an increasing number of prototypes."""

from typing import Any

import pandas as pd

from experiments.aiolli_sperduti_2005.averages import averaged
from experiments.aiolli_sperduti_2005.judging import (
    FALLS,
    beyond_the_least,
    disagreement,
    not_falling,
    one_number,
    seeds_of,
)
from experiments.aiolli_sperduti_2005.published import SIZES, TABLE2, TRUST
from experiments.aiolli_sperduti_2005.stages import CAPTION, TEST, trained
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.statistics import percent_interval
from mcbench.verdict import AGREES, conclude

TITLE = f"Table 2: mean test error of MProtSVM in per cent ({CAPTION})"
Q = "config.solver.n_prototypes"


def following(results: Results) -> list[dict[str, Any]]:
    """Train with the C of the least validation error, for each q."""
    return trained(results, ("dataset", "solver.n_prototypes", "solver.tol"))


def points(results: Results) -> pd.DataFrame:
    """One row for each data set and q, with the paper's error where the sizes are the paper's."""
    table = averaged(results.part(TEST), Q).rename(columns={Q: "q"})
    if table.empty:
        return table
    same = [SIZES.get(r["name"]) == (r["n_train"], r["n_test"]) for _, r in table.iterrows()]
    paper = [TABLE2.get(r["name"], {}).get(r["q"]) for _, r in table.iterrows()]
    shown = pd.Series(
        [known if fits else None for known, fits in zip(paper, same, strict=True)],
        table.index,
        dtype=float,
    )
    return table.assign(q=table["q"].astype(int), paper=shown)


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """The paper's table with ours beside it."""
    rows = [
        {
            "data": row["data"],
            "q": row["q"],
            "beta": row["n_classes"] * row["q"] / row["n_train"],
            "error [%]": row["error"],
            "sd over seeds": row["sd"],
            "seeds": row["seeds"],
            "paper": row["paper"],
            "difference": row["error"] - row["paper"],
            "its 99 % interval": "{:.2f} - {:.2f}".format(
                *percent_interval(row["paper"], row["n_test"])
            )
            if pd.notna(row["paper"])
            else "-",
            "C": row["C"],
            "runs": " ".join(row["runs"]),
        }
        for row in points(results).to_dict("records")
    ]
    return {"table2": pd.DataFrame(rows)}


def claims(results: Results) -> list[Claim]:
    """The errors are the paper's, and fall with the number of prototypes."""
    table = points(results)
    ours, failed, notes, single = [], [], [], []
    for data, rows in table.groupby("data") if len(table) else ():
        errors = rows.set_index("q")["error"].sort_index()
        ours.append(f"{data}: " + ", ".join(f"{q}: {error:.2f}" for q, error in errors.items()))
        known = rows.dropna(subset="paper").to_dict("records")
        for row in known:
            what = f"{row['name']}, q = {row['q']}"
            failed += disagreement(what, row["error"], row["paper"], row["n_test"])
        if known:
            failed += not_falling(str(data), errors, known[0]["n_test"])
            notes.append(beyond_the_least(str(data), errors))
            single += one_number(str(data), errors)
    seen = set() if table.empty else set(table.dropna(subset="paper")["name"])
    absent = [name for name in TABLE2 if name not in seen]
    notes.append(f"not at the paper's size: {', '.join(absent)}" if absent else "")
    notes.append(seeds_of(table.dropna(subset="paper")["seeds"]) if seen else "")
    note = "; ".join(filter(None, notes))
    verdict, reason = conclude(results, bool(seen), failed, note, single)
    return [
        Claim(
            id="as05-table2",
            item="table2",
            statement="The error falls as linear prototypes are added, with a moderate number "
            "close to that of non-linear machines.",
            paper_value="; ".join(
                f"{name}: " + ", ".join(f"{q}: {error:.2f}" for q, error in errors.items())
                for name, errors in TABLE2.items()
            ),
            trust=TRUST,
            check=f"the mean error over the seeds is {AGREES}, for every q that was run; {FALLS}; "
            "on the sets of the paper's sizes; the non-linear machines are as05-refs'",
            ours="; ".join(ours) or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]
