"""The child process of one run: `python -m mcbench.child FOLDER [MEMORY_MB]`."""

import contextlib
import ctypes
import faulthandler
import os
import resource
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

from mcbench.checkpoint import Checkpoints
from mcbench.claim import Claim
from mcbench.errors import UnwritableError
from mcbench.files import to_json, write_atomic, writing
from mcbench.limits import OUTCOME, UNWRITABLE
from mcbench.record import load_record, strict
from mcbench.tail import KEPT

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> int:
    """Execute the run whose record is in the folder, and write what came of it."""
    folder = Path(arguments[0])
    faulthandler.enable()
    die_with_parent()
    outcome: dict[str, Any]
    try:
        outcome = _run(folder, arguments[1:])
    except UnwritableError as error:
        return _unwritable(error)
    except BaseException as error:  # also what a solver raises to end its process
        from mcbench.run import outcome_of

        status, reason = outcome_of(error)
        if type(error).__name__ == "DataUnavailable":
            status, reason = "unavailable", str(error)
        sections = {"traceback": traceback.format_exc()[-KEPT:]}
        outcome = {"status": status, "reason": reason, "sections": sections}
    try:
        with writing(folder.parent.parent.parent):
            write_atomic(folder / OUTCOME, to_json(strict(outcome)))
    except UnwritableError as error:
        return _unwritable(error)
    return 0


def _unwritable(error: UnwritableError) -> int:
    print(f"\n{error}", flush=True)
    return UNWRITABLE


def _run(folder: Path, limit: list[str]) -> dict[str, Any]:
    from mcbench.run import carry_out

    record = load_record(folder)
    mine = Claim(folder.parent.parent, record)
    if limit and limit[0]:
        _limit_memory(float(limit[0]))
    checkpoints = Checkpoints.of(folder.parent.parent, record)
    sections = carry_out(record, mine, mine.beat, checkpoints)
    return {"status": "done", "reason": "", "sections": sections}


def _limit_memory(limit_mb: float) -> None:
    """Let allocations beyond the limit fail, so that the run ends before the machine suffers."""
    with contextlib.suppress(ValueError, OSError):
        size = int(limit_mb * 2**20)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def die_with_parent() -> None:
    """Ask the system (Linux) to end this process when its parent is killed."""
    parent = os.getppid()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
