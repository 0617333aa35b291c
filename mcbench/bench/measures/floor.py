"""The least that a fit has to compute: the kernel columns of its support vectors, once.

One float32 product and one pass of exponentials, with the threads of the fit, in blocks of columns
that are overwritten: no time goes into fresh memory.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.bench.measures.fitting import fitted
from mcbench.stopwatch import Stopwatch
from solvers.workers import Workers

if TYPE_CHECKING:
    from mcbench.data import Data

COLUMNS = 512
PIECE = 2**16  # values that stay in a core's cache


def fit(
    *,
    data: "Data",
    config: Mapping[str, Any],
    seed: int,  # noqa: ARG001
    **_: Any,
) -> dict[str, Any]:
    """Fit, and in the same process time those columns."""
    estimator, found = fitted(data, config)
    threads = int(config["protocol"]["threads"])
    X = np.ascontiguousarray(data.X_train, dtype=np.float32)
    gamma = float(config["kernel"]["gamma"])
    columns(X, X[estimator.support_[:COLUMNS]], gamma, threads)
    watch = Stopwatch()
    columns(X, X[estimator.support_], gamma, threads)
    watch.stop()
    return {
        **found,
        "support": len(estimator.support_),
        "reported_gap": estimator.duality_gap_,
        "floor_seconds": watch.wall,
        "floor_cpu_seconds": watch.cpu,
        "over_floor": found["seconds"] / watch.wall,
    }


def columns(X: np.ndarray, Z: np.ndarray, gamma: float, threads: int) -> np.ndarray:
    """Compute exp(-gamma ||x - z||^2) for all x and z; return the last block of columns.

    Parameters
    ----------
    X, Z : float32 ndarray of shape (n, d) and (m, d)
        Examples and support vectors.
    gamma : float
    threads : int
        For the exponentials; the product has those of the BLAS library.
    """
    one = np.float32(1.0)
    # -gamma ||x - z||^2 = <(x, ||x||^2, 1), (2 gamma z, -gamma, -gamma ||z||^2)>
    left = np.column_stack([X, np.einsum("ij,ij->i", X, X), np.full(len(X), one)])
    right = np.column_stack(
        [2 * gamma * Z, np.full(len(Z), -gamma), -gamma * np.einsum("ij,ij->i", Z, Z)]
    ).astype(np.float32)
    block = np.empty((min(COLUMNS, len(Z)), len(X)), dtype=np.float32)
    team = Workers(threads)
    for start in range(0, len(Z), COLUMNS):
        part = right[start : start + COLUMNS]
        out = block[: len(part)]
        np.matmul(part, left.T, out=out)
        _exponentials(out.reshape(-1), team)
    return block


def _exponentials(values: np.ndarray, team: Workers) -> None:
    """Replace values by their exponentials."""

    def share(low: int, high: int) -> None:
        np.exp(values[low:high], out=values[low:high])

    team.split(share, len(values), PIECE)
