"""A run in a process of its own, with limits on time and memory."""

import contextlib
import json
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcbench.errors import UnwritableError, UserError
from mcbench.memory import out_of_memory_kills, resident_mb
from mcbench.record import CorruptRecordError, load_record
from mcbench.tail import Tail
from mcbench.tree import end_all, exceeds, killed_by, new_mark, start_module

OUTCOME = "outcome.json"
POLL_S = 0.05

#: Exit code of a child that cannot write its results; the reason is the last that it says.
UNWRITABLE = 113

#: Seconds between looks at the memory of all processes of a run.
ALL_S = 0.5


@dataclass(frozen=True)
class Limits:
    """What a run may use.

    Attributes
    ----------
    time_s : float or None
        Wall clock of the whole run.
    memory_mb : float or None
        Memory of the process and of those that it starts.
    isolate : bool
        Use a child process even without a limit.
    """

    time_s: float | None = None
    memory_mb: float | None = None
    isolate: bool = False

    @classmethod
    def of(cls, protocol: Mapping[str, Any]) -> "Limits":
        """Return the limits that a protocol sets."""
        limits = protocol.get("limits") or {}
        for key in ("time_s", "memory_mb"):
            value = limits.get(key)
            if value is not None and not (isinstance(value, int | float) and value > 0):
                raise UserError(f"protocol.limits.{key} is {value}: give a positive number.")
        return cls(limits.get("time_s"), limits.get("memory_mb"), bool(protocol.get("isolate")))

    @property
    def needs_child(self) -> bool:
        """Whether the run has to be in a process of its own."""
        return self.isolate or self.time_s is not None or self.memory_mb is not None

    def as_dict(self) -> dict[str, Any]:
        """Return the limits for the record."""
        return {"time_s": self.time_s, "memory_mb": self.memory_mb, "isolate": self.isolate}


@dataclass(frozen=True)
class Ended:
    """How a child process ended: status, the sentence that explains it, and what it measured."""

    status: str
    reason: str = ""
    sections: dict[str, Any] = field(default_factory=dict)


def in_child(
    folder: Path,
    limits: Limits,
    beat: Callable[[dict[str, Any]], None],
    spent_s: float = 0.0,
) -> Ended:
    """Execute the run in `folder` in a child process and wait for its end.

    Parameters
    ----------
    folder : Path
        The claimed folder with the run's record; the child writes its results there.
    limits : Limits
        The child is killed when it exceeds them.
    beat : callable
        Told how far the child's fit is.
    spent_s : float
        Seconds of the run before, which count for its limit.

    Raises
    ------
    UnwritableError
        When the child could not write what it found.
    """
    start = time.monotonic() - spent_s
    mark, kills = new_mark(), out_of_memory_kills()
    child = start_module(
        "mcbench.child",
        str(folder),
        str(limits.memory_mb or ""),
        mark=mark,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert child.stdout is not None
    tail = Tail(child.stdout)
    peak = looked = 0.0
    beaten: Any = None
    killed: Ended | None = None
    try:
        while child.poll() is None:
            tail.wait(POLL_S)
            peak = max(peak, resident_mb(child.pid))
            now = time.monotonic()
            if limits.time_s is not None and now - start > limits.time_s:
                killed = Ended("timeout", f"It took longer than {limits.time_s:g} s.")
            elif limits.memory_mb is not None and (
                peak > limits.memory_mb
                or (now > looked + ALL_S and exceeds(child.pid, limits.memory_mb))
            ):
                killed = Ended("out_of_memory", f"It used more than {limits.memory_mb:g} MB.")
            looked = now if now > looked + ALL_S else looked
            if killed is not None:
                break
            progress = _progress(folder)
            if progress is not None and progress != beaten:
                beaten = progress
                beat(progress)
    finally:
        end_all(child.pid, mark)
        child.wait()
        said = tail.close()
    if killed is None and child.returncode == UNWRITABLE and said:
        raise UnwritableError(said.splitlines()[-1])
    ended = killed or _ended(folder, child.returncode, out_of_memory_kills() > kills)
    if said and ended.status != "done":
        ended.sections.setdefault("traceback", said)
    ended.sections.setdefault("memory", {}).setdefault("peak_mb", peak)
    (folder / OUTCOME).unlink(missing_ok=True)
    return ended


def _progress(folder: Path) -> dict[str, Any] | None:
    with contextlib.suppress(CorruptRecordError):
        found = load_record(folder).get("progress")
        return found if isinstance(found, dict) else None
    return None


def _ended(folder: Path, code: int, memory_ran_out: bool) -> Ended:
    """Return what the child says of its end or, when it could not, what its exit code says."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        found = json.loads((folder / OUTCOME).read_text())
        if found["status"] == "unavailable":
            from mcbench.data import DataUnavailable

            raise DataUnavailable(found["reason"])
        return Ended(found["status"], found["reason"], found["sections"])
    if code == -signal.SIGKILL and memory_ran_out:
        reason = "The system killed its process, because its memory ran out."
        return Ended("out_of_memory", reason)
    if name := killed_by(code):
        why = "; the system does so when memory runs out" if name == "SIGKILL" else ""
        return Ended("failed", f"Its process was killed by signal {-code} ({name}){why}.")
    return Ended("failed", f"Its process ended with exit code {code} and no result.")
