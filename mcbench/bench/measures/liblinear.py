"""LIBLINEAR's `-s 4`: the linear machine of Crammer & Singer by dual coordinate descent.

Its program tells no times. What is reported is the processor time of a call less that of the same
call with a tolerance that ends it after its first pass: reading the file, one pass and writing
the model are not counted, which is in LIBLINEAR's favour.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.datasets import dump_svmlight_file

from mcbench.bench.measures.problem import data_of
from mcbench.errors import UserError
from mcbench.external import run
from mcbench.judge import primal_of_weights
from mcbench.peers.liblinear import PROGRAMS, program, weights

if TYPE_CHECKING:
    from mcbench.data import Data

ONE_PASS = "1e30"


def fit(
    *,
    data: "Data | None",
    config: Mapping[str, Any],
    seed: int,  # noqa: ARG001
    tol: float = 0.1,
    generator: Mapping[str, Any] | None = None,
    **_: Any,
) -> dict[str, Any]:
    """Train with LIBLINEAR and value its weights in float64.

    Parameters
    ----------
    data, config, seed
        The run's; C is that of its estimator.
    tol : float
        LIBLINEAR's -e; 0.1 is its default.
    generator : mapping, optional
        What makes the data in place of `data`.
    """
    train = program()
    if train is None:
        raise UserError(f"LIBLINEAR's program is not installed: {' or '.join(PROGRAMS)}.")
    data = data_of(data, generator)
    classes, y = np.unique(data.y_train, return_inverse=True)
    C = float(config["solver"]["C"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump_svmlight_file(data.X_train, y, str(folder / "train.svm"), zero_based=False)
        ask = [train, "-s", "4", "-c", repr(C), "-q"]
        first = run([*ask, "-e", ONE_PASS, "train.svm", "model"], folder)
        ran = run([*ask, "-e", repr(tol), "train.svm", "model"], folder)
        W = weights((folder / "model").read_text(), len(classes), data.X_train.shape[1])
    found = {
        "n": data.X_train.shape[0],
        "tol": tol,
        "seconds": max(ran.seconds - first.seconds, 0.0),
        "cpu_seconds": max(ran.cpu_seconds - first.cpu_seconds, 0.0),
        "reading_seconds": first.cpu_seconds,
        "peak_mb": ran.peak_mb,
        "primal": primal_of_weights(W, data.X_train, y, C),
    }
    if data.X_test.shape[0]:
        decided = classes[np.asarray(data.X_test @ W.T).argmax(axis=1)]
        found["test_error"] = float(np.mean(decided != data.y_test))
    return found
