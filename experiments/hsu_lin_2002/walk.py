"""One row of the grid: a data set, a method and a gamma, and all C one after the other.

What the points of a row share is computed once: the kernel matrices, where they are small enough,
and the start of each fit at the solution of the one before, where the estimator can. A row ends
early in two ways, and its record tells where.

- No coefficient has reached the bound that C sets. Then the solution is the optimum for every
  larger C as well, since the bound takes no part in its optimality conditions, and the rest of the
  row is the same.
- A fit has not ended in its time. Fits with a larger C take longer still, as a rule: this point and
  the rest of the row have no rate.
"""

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel

from mcbench import DAGSVC, load
from mcbench.estimator import build

AT_BOUND = 1e-6  # relative distance from its bound at which a coefficient counts as there
ENDED = ("converged", "stalled")  # stalled: as far as LIBSVM's single precision goes


def row(
    *,
    data: Any,
    config: Mapping[str, Any],
    log2_C: Sequence[int],
    time_limit: float,
    log2_gamma: int | None = None,
    matrix_mb: float = 256.0,
    **other: Any,
) -> Mapping[str, Any]:
    """Count the right answers of a method at one gamma and every C.

    Parameters
    ----------
    data : Data
        A fold, which stands for all folds of its split, or a set whose test part was held out of
        the training part.
    config : mapping
        The run's configuration: its ``solver`` is the method. One against one is decided both by
        votes and along the graph.
    log2_C : sequence of int
        Ascending.
    time_limit : float
        Seconds for each fit.
    log2_gamma : int or None
        Of the RBF kernel; None is the linear kernel.
    matrix_mb : float
        Kernel matrices up to this size, in megabytes, are shared by all C.

    Returns
    -------
    mapping
        ``log2_gamma``, ``log2_C``, ``n`` (examples judged, of all folds) and lists with one entry
        for each C: ``correct.<method>`` (None: not ended), ``seconds`` of all fits, ``iterations``,
        ``same`` (folds whose solution at a smaller C is the solution here) and ``stalled`` (fits
        that ended above the accuracy asked for).
    """
    del other  # the seed is the configuration's
    steps = len(log2_C)
    method = str(config["choices"]["solver"])
    decisions = ("ovo", "dag") if method == "ovo" else (method,)
    correct = {name: np.zeros(steps, dtype=int) for name in decisions}
    totals = {name: np.zeros(steps) for name in ("seconds", "iterations", "same", "stalled")}
    end, n = steps, 0
    for part in parts(data, config):
        n += part.n_test
        train, test, kernel = kernels(part, log2_gamma, matrix_mb)
        machine = build({**config, "kernel": kernel}).set_params(time_limit=time_limit)
        if hasattr(machine, "warm_start"):
            machine.set_params(warm_start=True)
        for step in range(end):
            began = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # the status is looked at
                machine.set_params(C=2.0 ** log2_C[step]).fit(train, part.y_train)
            totals["seconds"][step] += time.perf_counter() - began
            if machine.status_ not in ENDED:
                end = step
                break
            totals["iterations"][step] += machine.n_iter_
            totals["stalled"][step] += machine.status_ == "stalled"
            right = {
                name: int(np.sum(machine.classes_[decided] == part.y_test))
                for name, decided in decide(machine, test, method).items()
            }
            done = free(machine)
            for name in decisions:
                correct[name][step : steps if done else step + 1] += right[name]
            if done:
                totals["same"][step + 1 :] += 1
                break
    ended = range(end)
    return {
        "log2_gamma": log2_gamma,
        "log2_C": list(log2_C),
        "n": n,
        "correct": {
            name: [int(counts[i]) if i in ended else None for i in range(steps)]
            for name, counts in correct.items()
        },
        **{name: values.tolist() for name, values in totals.items()},
    }


row.version = "1"  # type: ignore[attr-defined]  # part of the identity of its runs


def parts(data: Any, config: Mapping[str, Any]) -> Iterator[Any]:
    """Every fold of the data, or the data themselves where their split has none."""
    if not data.folds:
        yield data
        return
    for fold in range(data.folds):
        asked = {**config["dataset"], "fold": fold}
        yield load(**asked, seed=config["seed"])


def kernels(data: Any, log2_gamma: int | None, matrix_mb: float) -> tuple[Any, Any, dict[str, Any]]:
    """What a machine is trained and tested on, and its kernel.

    Kernel matrices where both together have at most `matrix_mb` megabytes, else the examples.
    """
    linear = log2_gamma is None
    gamma = 1.0 if log2_gamma is None else 2.0**log2_gamma
    if 8 * data.n_train * (data.n_train + data.n_test) > matrix_mb * 2**20:
        kernel = {"name": "linear" if linear else "rbf", "gamma": gamma}
        return data.X_train, data.X_test, kernel

    def between(A: Any, B: Any) -> np.ndarray:
        return np.asarray(linear_kernel(A, B) if linear else rbf_kernel(A, B, gamma=gamma))

    train = between(data.X_train, data.X_train)
    return train, between(data.X_test, data.X_train), {"name": "precomputed"}


def decide(machine: Any, test: Any, method: str) -> dict[str, np.ndarray]:
    """The classes decided for the test examples, as indices of ``classes_``."""
    if method == "ovo":
        scores = machine.pairwise_decision_function(test)
        return {
            "ovo": machine.problem().decide(scores),
            "dag": DAGSVC(machine.C).problem().decide(scores),
        }
    return {method: machine.decision_function(test).argmax(axis=1)}


def free(machine: Any) -> bool:
    """Whether no coefficient is at the bound that C sets.

    The bound is on the absolute value for the binary machines, on the coefficient of the own class
    for Crammer & Singer's, which is the largest, and on those of the others for Weston & Watkins's.
    """
    if not machine.dual_coef_.size:
        return False
    a = machine.dual_coef_
    binary = hasattr(machine, "n_binary_machines_")
    boxes = hasattr(machine, "margin")
    largest = np.abs(a).max() if binary else -a.min() if boxes else a.max()
    return bool(largest < machine.C * (1.0 - AT_BOUND))
