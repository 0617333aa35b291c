"""A program that is not ours: run to its end, its time and memory taken by the system."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcbench.child import die_with_parent

SHOWN = 300  # characters of what a program said that are repeated


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


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Ran:
    """Run a program in a folder; it dies with this process.

    Raises
    ------
    RuntimeError
        When it ends with an exit status other than 0, with the end of what it said.
    """
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen(
            list(command),
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            preexec_fn=die_with_parent,
        )
        # wait4 alone tells what this one child used.
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        output = out.read().decode(errors="replace")
    if process.returncode:
        said = " ".join(output.split())[-SHOWN:] or "nothing"
        name = Path(command[0]).name
        raise RuntimeError(f"{name} ended with exit status {process.returncode}, saying: {said}")
    kilobytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return Ran(seconds, usage.ru_utime + usage.ru_stime, kilobytes / 1024, output)
