"""Thresholds of the selection values: cooled (CS01 section 7) or by the values (AS05 5.3)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

RHO0 = 0.999

COOLED: dict[str, Callable[[float], float]] = {
    "fixed": lambda t: 0.0,  # noqa: ARG005 (one signature)
    "exponential": lambda t: RHO0 * math.exp(-t),
    "linear": lambda t: RHO0 / (t + 1),
    "logarithmic": lambda t: RHO0 / math.log10(t + 10),
}

# The real t at which a threshold has fallen to a value.
CROSSINGS: dict[str, Callable[[float], float]] = {
    "exponential": lambda value: math.log(RHO0 / value),
    "linear": lambda value: RHO0 / value - 1,
    "logarithmic": lambda value: 10 ** (RHO0 / value) - 10 if RHO0 / value < 300 else math.inf,
}

FROM_VALUES: dict[str, Callable[[np.ndarray, float], float]] = {
    "max": lambda values, mu: mu * values.max(),
    "mean": lambda values, mu: min(values.sum() / len(values), values.max()),  # noqa: ARG005
}


def skip(threshold: str, t: float, worst: float) -> float:
    """The first t' >= t at which the threshold is not above the largest value."""
    crossing = CROSSINGS[threshold](worst)
    t = max(t, math.ceil(crossing) if math.isfinite(crossing) else math.inf)
    while COOLED[threshold](t) > worst:
        t = t * (1 + 1e-12) + 1
    return t
