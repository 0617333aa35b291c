"""A fit seen at checkpoints: gap against seconds."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcbench.bench.measures.problem import judge_of
from mcbench.estimator import build
from mcbench.fit import warm_up
from mcbench.schedule import Schedule
from mcbench.trace import Tracer

if TYPE_CHECKING:
    from mcbench.data import Data

FACTOR = 1.25  # between the iterations of checkpoints
KEPT_MB = 4000.0  # of kernel rows, so that a checkpoint is quick


def trace(
    *,
    data: "Data",
    config: Mapping[str, Any],
    seed: int,  # noqa: ARG001
    **_: Any,
) -> dict[str, Any]:
    """Fit, and value the coefficients at checkpoints with the clock stopped.

    Parameters
    ----------
    data, config, seed
        The run's.
    """
    warm_up(config, data)
    judge = judge_of(data, config, build(config), memory_mb=KEPT_MB)
    assert judge is not None
    tracer = Tracer(Schedule.of({"factor": FACTOR}), judge, test_error=False)
    estimator = build(config, tracer)
    tracer.start()
    estimator.fit(data.X_train, data.y_train)
    tracer.stop()
    last = tracer.rows[-1]
    return {
        "n": data.X_train.shape[0],
        "seconds": last["seconds"],
        "cpu_seconds": last["cpu_seconds"],
        "peak_mb": tracer.peak_mb,
        "gap": last["gap"],
        "support": last["support"],
        "kernel_rows": last["kernel_rows"],
        "status": estimator.status_,
        "curve": [[row["seconds"], row["gap"]] for row in tracer.rows],
    }
