"""oneDAL's support vector machine, through scikit-learn-intelex in an interpreter that has it.

One-vs-one: another machine than ours, given for scale. That package's library takes its number of
threads from the processors that the process may use, so these are limited.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.external import run

if TYPE_CHECKING:
    from mcbench.data import Data

#: Names the interpreter, where it is not this one.
INTERPRETER = "MCBENCH_ONEDAL_PYTHON"

SCRIPT = """
import json, os, sys, time
ask = json.loads(sys.argv[1])
if hasattr(os, "sched_setaffinity"):
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, allowed[: ask["threads"]])
import numpy as np
from sklearnex.svm import SVC
data = np.load("data.npz")
X, y = data["X"], data["y"]
machine = SVC(C=ask["C"], kernel="rbf", gamma=ask["gamma"], tol=ask["tol"],
              cache_size=ask["cache_mb"])
few = np.concatenate([np.flatnonzero(y == label)[:8] for label in np.unique(y)[:3]])
machine.fit(X[few], y[few])
wall, cpu = time.perf_counter(), time.process_time()
machine.fit(X, y)
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
found = {"seconds": wall, "cpu_seconds": cpu, "support": len(machine.support_)}
if len(data["Z"]):
    found["test_error"] = float(np.mean(machine.predict(data["Z"]) != data["z"]))
with open("found.json", "w") as file:
    json.dump(found, file)
"""


def interpreter() -> str:
    """Return the Python interpreter to be asked."""
    return os.environ.get(INTERPRETER) or sys.executable


def importable() -> bool:
    """Return whether that interpreter has scikit-learn-intelex."""
    ask = [interpreter(), "-c", "import sklearnex.svm"]
    try:
        return subprocess.run(ask, capture_output=True, env=outside()).returncode == 0
    except OSError:
        return False


def outside() -> dict[str, str]:
    """Return the environment without what points another interpreter to our packages."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


def fit(
    *,
    data: "Data",
    config: Mapping[str, Any],
    seed: int,  # noqa: ARG001
    tol: float = 1e-3,
    cache_mb: float = 1000.0,
    **_: Any,
) -> dict[str, Any]:
    """Fit there, with the run's C, kernel and threads.

    Parameters
    ----------
    data, config, seed
        The run's.
    tol, cache_mb : float
        Its tolerance, and its cache of kernel values in MB.
    """
    ask = {
        "C": config["solver"]["C"],
        "gamma": config["kernel"]["gamma"],
        "tol": tol,
        "cache_mb": cache_mb,
        "threads": config["protocol"]["threads"],
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "fit.py").write_text(SCRIPT)
        np.savez(folder / "data.npz", X=data.X_train, y=data.y_train, Z=data.X_test, z=data.y_test)
        path = {"PYTHONPATH": ""} if "PYTHONPATH" in os.environ else {}
        ran = run([interpreter(), "fit.py", json.dumps(ask)], folder, path)
        found = json.loads((folder / "found.json").read_text())
    return {"n": data.X_train.shape[0], "peak_mb": ran.peak_mb, **found}
