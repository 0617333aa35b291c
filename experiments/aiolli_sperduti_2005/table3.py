"""Table 3: very few prototypes against the SVM and the RVM on six problems of two classes."""

from typing import Any

import pandas as pd

from experiments.aiolli_sperduti_2005.averages import averaged
from experiments.aiolli_sperduti_2005.published import CHOSEN, QUOTED, TABLE3, TRUST
from experiments.aiolli_sperduti_2005.stages import CAPTION, TEST, VALIDATION, trained
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.selection import chosen
from mcbench.statistics import mean_interval
from mcbench.verdict import conclude

TITLE = f"Table 3: test error of MProtSVM in per cent ({CAPTION}); [..]: q chosen so too"
KEY = "solver.n_prototypes"


def following(results: Results) -> list[dict[str, Any]]:
    """Train with the C of the least validation error, for each q; a seed is a realisation."""
    return trained(results, ("dataset", KEY, "solver.tol"))


def points(results: Results) -> pd.DataFrame:
    """One row for each data set and q: mean and spread over the realisations."""
    runs = results.part(TEST)
    if runs.empty:
        return pd.DataFrame()
    # Realisations of a set may differ in their sizes by an example or two; they are one set.
    sizes = runs.groupby("data.name")[["data.n_train", "data.n_test"]].transform("first")
    table = averaged(runs.copy().assign(**sizes), f"config.{KEY}")
    return table.rename(columns={f"config.{KEY}": "q"}).astype({"q": int})


def preferred(results: Results) -> dict[str, int]:
    """The q with the least validation error on each data set, C chosen with it."""
    parameters = (f"config.{KEY}", "config.solver.C")
    best = chosen(results.part(VALIDATION), by=["dataset"], parameter=parameters)
    return {row["dataset"]: row[f"config.{KEY}"] for row in best}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """The paper's table with ours beside it; its columns for SVM and RVM are Tipping's."""
    marks = preferred(results)
    rows = []
    for row in points(results).to_dict("records"):
        name, q = row["name"], row["q"]
        vectors_svm, vectors_rvm, svm, rvm = QUOTED[name]
        ours = f"{row['error']:.1f}"
        paper = TABLE3[name].get(q)
        rows.append(
            {
                "data": row["data"],
                "q": q,
                "vectors": 2 * q,
                "error": f"[{ours}]" if marks.get(name) == q else ours,
                "sd over realisations": row["sd"],
                "realisations": row["seeds"],
                "paper": f"[{paper}]" if CHOSEN[name] == q else paper,
                "SVM (quoted)": svm,
                "its vectors": vectors_svm,
                "RVM (quoted)": rvm,
                "its vectors ": vectors_rvm,
                "C": row["C"],
                "runs": " ".join(row["runs"]),
            }
        )
    return {"table3": pd.DataFrame(rows)}


def claims(results: Results) -> list[Claim]:
    """The errors are the paper's, as far as ten realisations can tell."""
    known = [
        row
        for row in points(results).to_dict("records")
        if row["seeds"] > 1 and row["q"] in TABLE3[row["name"]]
    ]
    failed = []
    for row in known:
        paper = TABLE3[row["name"]][row["q"]]
        low, high = mean_interval(row["error"], row["sd"], row["seeds"])
        if low > paper:
            failed.append(
                f"{row['name']}, q = {row['q']}: {row['error']:.1f} % ({low:.1f} - {high:.1f}) "
                f"is worse than {paper} %"
            )
    seen = {row["name"] for row in known}
    absent = [name for name in TABLE3 if name not in seen]
    splits = min((row["seeds"] for row in known), default=0)
    note = f"not run: {', '.join(absent)}" if absent else ""
    if absent and not results.missing:
        note += " (to be fetched; profile paper has them)"
    if known and splits < 10:
        note = "; ".join(filter(None, [note, f"{splits} realisations, not ten"]))
    verdict, reason = conclude(results, bool(known), failed, note)
    return [
        Claim(
            id="as05-table3",
            item="table3",
            statement="Models of 2 to 20 vectors do as well as SVMs of hundreds.",
            paper_value="; ".join(
                f"{name.removeprefix('ida_')}: " + ", ".join(f"{q}: {e}" for q, e in errors.items())
                for name, errors in TABLE3.items()
            ),
            trust=f"{TRUST}; its columns for SVM and RVM are quoted from Tipping (2001)",
            check="for every set and q, the paper's error lies within the 99 % interval of our "
            "mean (Student's, over the realisations that were run), or ours is better",
            ours="; ".join(
                f"{name.removeprefix('ida_')}: "
                + ", ".join(f"{r['q']}: {r['error']:.1f}" for r in known if r["name"] == name)
                for name in TABLE3
                if name in seen
            )
            or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]
