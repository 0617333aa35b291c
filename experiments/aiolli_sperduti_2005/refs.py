"""Section 8: the machines that the paper compares with, on usps and letter."""

from typing import Any

import pandas as pd

from experiments.aiolli_sperduti_2005.averages import averaged
from experiments.aiolli_sperduti_2005.judging import disagreement
from experiments.aiolli_sperduti_2005.published import REFERENCES, TRUST
from experiments.aiolli_sperduti_2005.stages import VALIDATION, trained
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.verdict import AGREES, conclude

TITLE = "Section 8: reference machines, test error in per cent"
KERNELS = {"poly": "polynomial of degree 3", "rbf": "RBF kernel"}
NEIGHBOUR = "nearest_neighbour"


def following(results: Results) -> list[dict[str, Any]]:
    """Train with the kernel parameters and the C of the least validation error."""
    return trained(
        results,
        ("dataset", "kernel", "solver"),
        ("kernel.gamma", "kernel.coef0", "solver.C"),
    )


def compared(results: Results) -> pd.DataFrame:
    """One row for each machine, with the paper's error where the split is the paper's."""
    frame = results.frame
    if frame.empty or (frame["part"] == VALIDATION).all():
        return pd.DataFrame()
    runs = frame[frame["part"] != VALIDATION].copy()
    machine = runs["kernel"].map(KERNELS).where(runs["solver"] != NEIGHBOUR, "nearest neighbour")
    table = averaged(runs.assign(machine=machine), "data.split", "machine", "solver")
    return table.assign(
        paper=pd.Series(
            [
                REFERENCES.get((r["name"], r["data.split"], r["machine"]))
                if r["data.split"] == f"{r['n_train']}/{r['n_test']}"
                else None
                for _, r in table.iterrows()
            ],
            table.index,
            dtype=float,
        )
    )


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """The errors, the paper's beside ours, and the chosen parameters."""
    frame = results.frame.set_index("id") if len(results.frame) else results.frame
    rows = []
    for row in compared(results).to_dict("records"):
        run = frame.loc[row["runs"][0]]
        kernel = row["solver"] != NEIGHBOUR
        rows.append(
            {
                "data": row["data"],
                "machine": row["machine"],
                "error [%]": row["error"],
                "paper": row["paper"],
                "difference": row["error"] - row["paper"],
                "vectors": int(run["model.n_support"]) if kernel else row["n_train"],
                "gamma": run["config.kernel.gamma"] if kernel else None,
                "coef0": run["config.kernel.coef0"] if kernel else None,
                "C": row["C"] if kernel else None,
                "runs": " ".join(row["runs"]),
            }
        )
    return {"refs": pd.DataFrame(rows)}


def claims(results: Results) -> list[Claim]:
    """The errors agree."""
    table = compared(results)
    known = table.dropna(subset="paper").to_dict("records") if len(table) else []
    failed = [
        reason
        for row in known
        for reason in disagreement(
            f"{row['machine']} on {row['data']}", row["error"], row["paper"], row["n_test"]
        )
    ]
    order = list(REFERENCES)
    known.sort(key=lambda row: order.index((row["name"], row["data.split"], row["machine"])))
    seen = {(row["name"], row["data.split"], row["machine"]) for row in known}
    absent = [f"{machine} on {name}" for name, split, machine in REFERENCES.keys() - seen]
    note = f"not run at the paper's size: {', '.join(sorted(absent))}" if absent else ""
    verdict, reason = conclude(results, bool(known), failed, note)
    return [
        Claim(
            id="as05-refs",
            item="refs",
            statement="The errors of the machines that MProtSVM is compared with.",
            paper_value="; ".join(
                f"{machine} on {name} {split}: {error:.2f}"
                for (name, split, machine), error in REFERENCES.items()
            ),
            trust=TRUST,
            check=f"each error is {AGREES}",
            ours="; ".join(f"{r['machine']} on {r['data']}: {r['error']:.2f}" for r in known)
            or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]
