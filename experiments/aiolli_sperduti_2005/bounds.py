"""Theorems 4 and 5: bounds on the error, for trained models."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from mcbench import MultiPrototypeSVC
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.verdict import conclude

TITLE = "Theorems 4 and 5: bounds on the generalization error (above 1 they say nothing)"
THEOREMS = ("theorem4", "theorem5")


def evaluated(
    *, data: Any, q: int, C: float, tau: float, seed: int, **other: Any
) -> Mapping[str, Any]:
    """Train a model and evaluate both bounds.

    Parameters
    ----------
    data : Data
        Training and test part.
    q : int
        Prototypes per class.
    C, tau : float
        Of the machine.
    seed : int
        Of its annealing.

    Returns
    -------
    mapping
        Sizes, training and test error, and the bounds, all as rates.
    """
    del other
    model = MultiPrototypeSVC(C, n_prototypes=q, tau=tau, random_state=seed)
    model.fit(data.X_train, data.y_train)
    found = model.generalization_bounds_
    return {
        "data": f"{data.title} {data.n_train}/{data.n_test}",
        "q": q,
        "train": 1 - model.score(data.X_train, data.y_train),
        "test": 1 - model.score(data.X_test, data.y_test),
        **{name: float(found[name]) for name in (*THEOREMS, "delta", "radius")},
    }


def values(results: Results) -> pd.DataFrame:
    """One row for each model; a bound that does not apply to it is infinite."""
    if results.frame.empty:
        return pd.DataFrame(columns=["data", "q", "train", "test", *THEOREMS, "run"])
    frame = results.frame.sort_values(["measured.data", "measured.q"])
    names = ("q", "train", "test", *THEOREMS, "delta", "radius")
    table = pd.DataFrame({name: frame[f"measured.{name}"].astype(float) for name in names})
    table["q"] = table["q"].astype(int)
    table.insert(0, "data", frame["measured.data"])
    return table.assign(run=frame["id"])


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """Bounds beside errors."""
    titles = {
        "data": "data",
        "q": "q",
        "train": "training error",
        "test": "test error",
        "theorem4": "theorem 4",
        "theorem5": "theorem 5",
        "delta": "delta",
        "radius": "radius",
        "run": "run",
    }
    table = values(results)
    shown = table["theorem4"].map(
        lambda bound: f"{bound:.4g}" if bound < math.inf else "has slacks"
    )
    return {"bounds": table.assign(theorem4=shown).rename(columns=titles)}


def claims(results: Results) -> list[Claim]:
    """No bound is below the test error."""
    table = values(results)
    failed = [
        f"{row['data']}, q = {row['q']}: {name} is {row[name]:.3g}, "
        f"the test error {row['test']:.3g}"
        for row in table.to_dict("records")
        for name in THEOREMS
        if not row[name] >= row["test"]
    ]
    found = len(table) > 0
    least = table[list(THEOREMS)].min().min() if found else math.nan
    note = "every bound is above 1, so it holds and says nothing" if least >= 1 else ""
    applies = int((table["theorem4"] < math.inf).sum())
    verdict, reason = conclude(results, found, failed, note)
    return [
        Claim(
            id="as05-bounds",
            item="bounds",
            statement="The generalization error is bounded: theorem 4 for a model without slacks, "
            "theorem 5 for any.",
            paper_value="two formulas, evaluated for no model",
            trust="proved in the paper",
            check="neither bound, evaluated with the model's own sizes, norm and training error, "
            "is below the test error, for every model that it applies to",
            ours=f"{len(table)} models, theorem 4 applies to {applies}; the smallest bound is "
            f"{least:.3g}, the largest test error {table['test'].max():.3g}"
            if found
            else "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(table["run"]),
        )
    ]
