"""Section 7: the length of the weights, against that of one against all."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics.pairwise import pairwise_kernels

from experiments.weston_watkins_1998.machines import MACHINES, squared_norm
from experiments.weston_watkins_1998.planar import discs
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.verdict import conclude

TITLE = "Section 7: sum_m ||w_m||^2 of the quadratic machine and of one against all, hard margin"
ROUNDING = 1e-5  # relative; for two classes both are equal
TOY = "three discs in the plane"


def norms(
    *,
    data: Any,
    kernel: str,
    classes: list[int] | None = None,
    gamma: float = 1.0,
    seed: int,
    **other: Any,
) -> Mapping[str, Any]:
    """Train both machines without slacks and measure their weights.

    Parameters
    ----------
    data : Data or None
        Its training part; None: three classes in the plane, 20 examples each.
    kernel : {"linear", "rbf"}
    classes : list of int, optional
        Places of the classes to use in the sorted labels; None: all.
    gamma : float
        Of the RBF kernel.
    seed : int
        Of the artificial examples.

    Returns
    -------
    mapping
        ``qp`` and ``ova``: sum_m ||w_m||^2 of the two machines; ``gap``: the larger duality gap.
    """
    del other
    X, y = discs(3, 20, 1.0, seed) if data is None else (data.X_train, data.y_train)
    labels = np.unique(y)
    used = labels if classes is None else labels[list(classes)]
    X, y = X[np.isin(y, used)], y[np.isin(y, used)]
    K = pairwise_kernels(X, metric=kernel, **({} if kernel == "linear" else {"gamma": gamma}))
    found = {}
    for name in ("qp-mc-sv", "1-a-a"):
        cls, own = MACHINES[name]
        found[name] = cls(np.inf, **own, kernel="precomputed", tol=1e-6).fit(K, y)
    ours, ova = found["qp-mc-sv"], found["1-a-a"]
    chosen = "" if classes is None else f", classes {' and '.join(map(str, used))}"
    return {
        "data": TOY if data is None else f"{data.title}{chosen}",
        "kernel": "linear" if kernel == "linear" else f"RBF, gamma {gamma:g}",
        "k": len(used),
        "n": len(y),
        "qp": squared_norm(K, ours),
        "ova": squared_norm(K, ova),
        "gap": float(max(ours.duality_gap_, ova.duality_gap_)),
    }


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """Both lengths."""
    if results.frame.empty:
        return {"norm": pd.DataFrame()}
    frame = results.frame.sort_values(["measured.data", "measured.kernel"])
    table = pd.DataFrame(
        {
            "data": frame["measured.data"],
            "kernel": frame["measured.kernel"],
            "classes": frame["measured.k"].astype(int),
            "examples": frame["measured.n"].astype(int),
            "qp-mc-sv": frame["measured.qp"],
            "1-a-a": frame["measured.ova"],
            "ratio": frame["measured.qp"] / frame["measured.ova"],
            "larger gap": frame["measured.gap"],
            "run": frame["id"],
        }
    )
    return {"norm": table}


def claims(results: Results) -> list[Claim]:
    """The weights of the quadratic machine are the shorter ones."""
    rows = results.frame.to_dict("records")
    failed = [
        f"{row['measured.data']}, {row['measured.kernel']}: {row['measured.qp']:.6g} is above "
        f"{row['measured.ova']:.6g}"
        for row in rows
        if not row["measured.qp"] <= row["measured.ova"] * (1 + ROUNDING)
    ]
    verdict, reason = conclude(results, bool(rows), failed)
    return [
        Claim(
            id="ww98-norm",
            item="norm",
            statement="One against all is a feasible solution of the quadratic machine's problem, "
            "whose sum of squared weights is the same or lower.",
            paper_value="the same or lower",
            trust="proved in the paper",
            check="sum_m ||w_m||^2 of the quadratic machine is not above that of one against all "
            "(but for 1e-5 of it, the accuracy of both), without slacks, in every case; of iris, "
            "whose classes 1 and 2 no plane separates, classes 0 and 1 for a linear kernel",
            ours="; ".join(
                f"{row['measured.data']}, {row['measured.kernel']}: {row['measured.qp']:.4g} / "
                f"{row['measured.ova']:.4g}"
                for row in rows
            )
            or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]
