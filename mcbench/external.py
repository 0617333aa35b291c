"""A program that is not ours: run to its end, its time and memory taken by the system."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcbench import guard

SHOWN = 300  # characters of what a program said that are repeated

#: What a program says that got no more memory.
NO_MEMORY = ("memory", "bad_alloc")


@dataclass(frozen=True)
class Ran:
    """What a program used.

    Attributes
    ----------
    seconds, cpu_seconds : float
        Wall clock and processor time of the whole process.
    peak_mb : float
        Its highest resident memory.
    output : str
        What it printed.
    """

    seconds: float
    cpu_seconds: float
    peak_mb: float
    output: str


def run(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    time_limit: float | None = None,
) -> Ran:
    """Run a program in a folder, without a shell; it ends with this process.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    folder : Path
        Its working directory.
    environment : mapping, optional
        Variables beside those of this process.
    time_limit : float, optional
        Seconds after which it is killed, with all that it has started.

    Raises
    ------
    RuntimeError
        When it cannot be started, or ends with an exit status other than 0; the message has the
        end of what it said.
    TimeoutError
        When it took longer than it may.
    MemoryError
        When it failed for want of memory under a limit on this process, which it inherits.
    """
    name = Path(command[0]).name
    with tempfile.TemporaryDirectory(prefix="mcbench-") as scratch:
        output, report = Path(scratch) / "output", Path(scratch) / "report"
        ask = [str(os.getpid()), str(report), str(time_limit or 0), *command]
        with output.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", guard.__file__, *ask],
                cwd=folder,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
            try:
                process.wait()
            except BaseException:  # an interruption by the user
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGTERM)
                process.wait()
                raise
        said = output.read_text(errors="replace")
        found = json.loads(report.read_text()) if report.is_file() else {}
    if found.get("timeout"):
        raise TimeoutError(f"{name} took longer than {time_limit:g} s.")
    _check(name, found, said)
    return Ran(found["seconds"], found["cpu_seconds"], found["peak_mb"], said)


def process_of(estimator: Any) -> dict[str, dict[str, Any]]:
    """Return what a record says of a fit that was a process of its own; nothing for others.

    An estimator tells it as `process_`, and of its last prediction as `predict_process_`.
    """
    fit: Ran | None = getattr(estimator, "process_", None)
    if fit is None:
        return {}
    times = {"fit": fit.seconds, "fit_cpu": fit.cpu_seconds, "kind": "whole process"}
    predict: Ran | None = getattr(estimator, "predict_process_", None)
    if predict is not None:
        times |= {"predict": predict.seconds, "predict_cpu": predict.cpu_seconds}
    return {"time": times, "memory": {"peak_mb": fit.peak_mb, "fit_mb": fit.peak_mb}}


def _check(name: str, found: Mapping[str, Any], said: str) -> None:
    """Raise what came of a program that did not end well."""
    if "error" in found:
        raise RuntimeError(f"{name} cannot be started: {found['error']}")
    code = found.get("code", -signal.SIGKILL)
    if code == 0:
        return
    end = " ".join(said.split())[-SHOWN:] or "nothing"
    limited = resource.getrlimit(resource.RLIMIT_DATA)[0] != resource.RLIM_INFINITY
    if limited and any(word in said.lower() for word in NO_MEMORY):
        raise MemoryError(f"{name} said: {end}")
    how = f"exit status {code}" if code > 0 else f"signal {-code}"
    raise RuntimeError(f"{name} ended with {how}, saying: {end}")
