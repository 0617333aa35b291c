"""Section 7, equation 14: the error is bounded by the share of support vectors."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from experiments.weston_watkins_1998.machines import train
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.verdict import conclude

TITLE = "Equation 14: leave-one-out error and the bound #SV / (n - 1), hard margin, RBF kernel"
QUADRATIC = "qp-mc-sv"
SIZES = ("n", "error", "bound", "support", "support_mean", "outside")
COLUMNS = ["data", "machine", "gamma", *SIZES, "run"]


def left_out(
    *, data: Any, machine: str, gamma: float, n: int | None = None, seed: int, **other: Any
) -> Mapping[str, Any]:
    """Leave out each example once, train on the others, and classify it.

    Parameters
    ----------
    data : Data
        Both parts together.
    machine : {"qp-mc-sv", "1-a-a", "1-a-1"}
    gamma : float
        Of the RBF kernel.
    n : int, optional
        Take so many examples only, drawn by the seed, with two of each class at least.
    seed : int
        Of that draw.

    Returns
    -------
    mapping
        ``n``; ``errors``, how many were wrong when they were left out; ``outside``, those of them
        that are no support vector of the machine trained on all; ``support``, its number of
        support vectors; ``support_mean``, their mean number in the machines without one example.
    """
    del other
    X = np.concatenate([data.X_train, data.X_test])
    y = np.concatenate([data.y_train, data.y_test])
    rows = np.arange(len(y)) if n is None else drawn(y, n, seed)
    X, y = X[rows], y[rows]
    support = train(machine, X, y, gamma=gamma).model.support_
    wrong, counts = np.zeros(len(y), dtype=bool), []
    for i in range(len(y)):
        others = np.arange(len(y)) != i
        model = train(machine, X[others], y[others], gamma=gamma).model
        wrong[i] = model.predict(X[i : i + 1])[0] != y[i]
        counts.append(len(model.support_))
    return {
        "data": f"{data.title} {len(y)}",
        "machine": machine,
        "gamma": gamma,
        "n": len(y),
        "errors": int(wrong.sum()),
        "outside": int(np.delete(wrong, support).sum()),
        "support": len(support),
        "support_mean": float(np.mean(counts)),
    }


def drawn(y: np.ndarray, n: int, seed: int) -> np.ndarray:
    """Draw n rows in order, two of each class first."""
    order = np.random.default_rng(seed).permutation(len(y))
    first = [order[y[order] == label][:2] for label in np.unique(y)]
    kept = np.concatenate(first)
    rest = order[~np.isin(order, kept)]
    return np.sort(np.concatenate([kept, rest[: n - len(kept)]]))


def values(results: Results) -> pd.DataFrame:
    """One row for each machine and set, rates in per cent."""
    rows = [
        {
            "data": row["measured.data"],
            "machine": row["measured.machine"],
            "gamma": row["measured.gamma"],
            "n": int(row["measured.n"]),
            "error": 100 * row["measured.errors"] / row["measured.n"],
            "bound": 100 * row["measured.support"] / (row["measured.n"] - 1),
            "support": int(row["measured.support"]),
            "support_mean": row["measured.support_mean"],
            "outside": int(row["measured.outside"]),
            "run": row["id"],
        }
        for row in results.frame.to_dict("records")
    ]
    return pd.DataFrame(rows, columns=COLUMNS).sort_values(["data", "machine"], ignore_index=True)


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """Errors beside bounds."""
    titles = {
        "error": "leave-one-out error [%]",
        "bound": "bound [%]",
        "support": "support vectors",
        "support_mean": "mean without one example",
        "outside": "errors at no support vector",
    }
    return {"leave_one_out": values(results).rename(columns=titles)}


def claims(results: Results) -> list[Claim]:
    """The leave-one-out error is not above the bound."""
    rows = values(results).to_dict("records")
    failed = [
        f"{row['data']}, {row['machine']}: {row['error']:.2f} % is above {row['bound']:.2f} %"
        for row in rows
        if not row["error"] <= row["bound"]
    ]
    tested = any(row["machine"] == QUADRATIC for row in rows)
    verdict, reason = conclude(results, tested, failed)
    return [
        Claim(
            id="ww98-loo",
            item="leave_one_out",
            statement="The expected error is bounded by the expected number of support vectors "
            "divided by the number of training examples less one.",
            paper_value="E[error] <= E[#SV] / (n - 1)",
            trust="equation 14 (printed with = for <=)",
            check="the leave-one-out error is not above the number of support vectors (examples "
            "with any coefficient) of the machine trained on all, divided by n - 1; on every set",
            ours="; ".join(
                f"{row['data']}, {row['machine']}: {row['error']:.2f} % <= {row['bound']:.1f} %"
                if row["error"] <= row["bound"]
                else f"{row['data']}, {row['machine']}: {row['error']:.2f} % > {row['bound']:.1f} %"
                for row in rows
            )
            or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(row["run"] for row in rows),
        )
    ]
