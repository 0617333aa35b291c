"""Theorem 2: each step of the fixed point shrinks the distance by at least 1 - 1/k."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.verdict import conclude
from solvers.core.reference.projection import exact, fixed_point_step

TITLE = "Theorem 2: contraction of the fixed point"
NEGLIGIBLE = 1e-9  # a distance in which rounding would be measured


def contraction(*, k: int, problems: int, seed: int, **other: Any) -> Mapping[str, float]:
    """Follow the fixed point on random reduced problems.

    Parameters
    ----------
    k : int
        Number of classes.
    problems : int
        Reduced problems; their values d are normal, with a scale between 0.01 and 100, and C = 1.
    seed : int
        Of the random problems.

    Returns
    -------
    mapping
        ``worst``: the largest |theta_{l+1} - theta*| / |theta_l - theta*| divided by 1 - 1/k;
        ``steps``: how many steps were looked at.
    """
    del other  # data and configuration: the problems are made here
    rng = np.random.default_rng([seed, k])
    worst, steps = 0.0, 0
    for _ in range(problems):
        d = rng.normal(size=k) * 10 ** rng.uniform(-2, 2)
        solution, _ = exact(d, 0, 1.0, 0.0)
        theta = float(d.min())
        while (distance := abs(theta - solution)) > NEGLIGIBLE * (1 + abs(solution)):
            theta = fixed_point_step(theta, d, 0, 1.0)
            worst = max(worst, abs(theta - solution) / distance / (1 - 1 / k))
            steps += 1
    return {"k": k, "worst": worst, "steps": steps}


def claims(results: Results) -> list[Claim]:
    """The theorem, on every step of every problem."""
    frame = results.frame
    found = len(frame) > 0
    worst = float(frame["measured.worst"].max()) if found else float("nan")
    holds = worst <= 1 + 1e-6
    failed = [] if holds else [f"a step shrinks the distance by {worst:.4f} (1 - 1/k) only"]
    verdict, reason = conclude(results, found, failed)
    return [
        Claim(
            id="cs01-theorem2",
            item="theorem2",
            statement="|theta_(l+1) - theta*| <= (1 - 1/k) |theta_l - theta*| at every step.",
            paper_value="at most 1 - 1/k",
            trust="proved in the paper",
            check="the property holds on every step, k = 2 .. 100",
            ours=f"at most 1 - 1/k within 1e-6 in {int(frame['measured.steps'].sum())} steps"
            if holds
            else f"up to {worst:.4f} (1 - 1/k)"
            if found
            else "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(frame["id"]),
        )
    ]
