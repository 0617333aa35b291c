"""Fits of one problem over a range of C."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.bench.measures.fitting import fitted, judgement
from mcbench.bench.measures.problem import data_of

if TYPE_CHECKING:
    from mcbench.data import Data

PASSES = 3


def over_costs(
    *,
    data: "Data | None",
    config: Mapping[str, Any],
    seed: int,  # noqa: ARG001
    Cs: Sequence[float],
    generator: Mapping[str, Any] | None = None,
    **_: Any,
) -> dict[str, Any]:
    """Fit with each C, three times where it takes less than a second; judge the last model.

    Parameters
    ----------
    data, config, seed
        The run's.
    Cs : sequence of float
    generator : mapping, optional
        What makes the data in place of `data`.
    """
    data = data_of(data, generator)
    seconds, gaps, statuses = [], [], []
    for C in Cs:
        asked = {**config, "solver": {**config["solver"], "C": C}}
        times: list[float] = []
        while len(times) < PASSES and sum(times) < 1.0:
            estimator, found = fitted(data, asked)
            times.append(found["cpu_seconds"])
        seconds.append(float(np.median(times)))
        gaps.append(float(judgement(estimator, data, asked)["gap"]))
        statuses.append(str(found["status"]))
    return {
        "n": data.X_train.shape[0],
        "seconds": sum(seconds),
        "Cs": list(Cs),
        "cpu_seconds_by_C": seconds,
        "gaps": gaps,
        "statuses": statuses,
        "largest_gap": max(gaps),
        "shortest": min(seconds),
        "longest": max(seconds),
        "growth": max(seconds) / max(min(seconds), 1e-9),
    }
