"""Examples predicted in a second."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.bench.measures.fitting import fitted
from mcbench.stopwatch import Stopwatch

if TYPE_CHECKING:
    from mcbench.data import Data

PASSES = 3


def predict(
    *,
    data: "Data",
    config: Mapping[str, Any],
    seed: int,  # noqa: ARG001
    rows: int,
    **_: Any,
) -> dict[str, Any]:
    """Fit, and predict the first `rows` test examples three times; the median pass counts.

    Parameters
    ----------
    data, config, seed
        The run's.
    rows : int
        Test examples, or as many as there are.
    """
    estimator, found = fitted(data, config)
    X, y = data.X_test[:rows], data.y_test[:rows]
    estimator.predict(X[:10])
    passes = []
    for _pass in range(PASSES):
        watch = Stopwatch()
        predicted = estimator.predict(X)
        watch.stop()
        passes.append((watch.wall, watch.cpu))
    wall, cpu = np.median(passes, axis=0)
    return {
        "n": found["n"],
        "fit_seconds": found["seconds"],
        "rows": len(y),
        "seconds": float(wall),
        "cpu_seconds": float(cpu),
        "examples_per_second": len(y) / float(wall),
        "support": len(estimator.support_),
        "test_error": float(np.mean(predicted != y)),
    }
