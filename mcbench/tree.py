"""All processes that a run has started: what they occupy, and their end.

They are found as the session and the descendants of the run's own process and, when they have
left both, by a mark in their environment (Linux; elsewhere only the process group is ended).
"""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from mcbench.memory import proportional_mb, resident_mb

#: The environment variable that all processes of a run inherit.
MARK = "MCBENCH_RUN"

#: How often processes are looked for which start others faster than they are ended.
ROUNDS = 100


def new_mark() -> str:
    """Return a value for `MARK` that no other run has."""
    return secrets.token_hex(8)


def start_module(
    module: str, *arguments: str, mark: str, **options: Any
) -> "subprocess.Popen[bytes]":
    """Start a module of Python in a session of its own, marked, so that all of it can be ended.

    Parameters
    ----------
    module, *arguments : str
        The module, found as it is here, and what it is told.
    mark : str
        What `new_mark` returned.
    **options
        For `subprocess.Popen`.
    """
    path = os.pathsep.join(item for item in sys.path if item)
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path, MARK: mark},
        start_new_session=True,
        **options,
    )


def killed_by(code: int) -> str | None:
    """Return the name of the signal that an exit code stands for, None when it is none."""
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name if code < 0 else None
    return None


def exceeds(pid: int, limit_mb: float) -> bool:
    """Return whether a process and its descendants occupy more memory than they may.

    Memory that several of them share counts once.
    """
    members = descendants(pid)
    if sum(map(resident_mb, members)) <= limit_mb:
        return False
    return len(members) == 1 or sum(map(proportional_mb, members)) > limit_mb


def descendants(pid: int) -> set[int]:
    """Return a process, those of its session, and what these have started."""
    parents, found = {}, {pid}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
            if int(fields[3]) == pid:
                found.add(int(folder.name))
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def end_all(pid: int, mark: str) -> None:
    """Kill a process, its group, and every process that carries the mark, until none is left."""
    for _ in range(ROUNDS):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        found = _marked(mark)
        if not found:
            return
        for one in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        time.sleep(0.01)


def _marked(mark: str) -> list[int]:
    """Return the processes that carry a mark; those that have ended carry none any more."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
