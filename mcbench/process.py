"""Whether the process that a run in progress names is still there."""

import os
import socket
from pathlib import Path
from typing import Any


def owner() -> dict[str, Any]:
    """Return what identifies this process, to be written beside a run in progress."""
    pid = os.getpid()
    return {"pid": pid, "host": socket.gethostname(), "started": _start_time(pid)}


#: How long a process of another machine is believed to live without a sign of life. Its beat
#: (`mcbench.claim.BEAT_S`) comes forty times as often, but clocks differ, and a fit may hold up the
#: beat for minutes.
PATIENCE_S = 600.0


def is_alive(described: dict[str, Any], age_s: float, patience_s: float = PATIENCE_S) -> bool:
    """Return whether the described process still runs.

    Parameters
    ----------
    described : dict
        What `owner` returned in that process.
    age_s : float
        Seconds since the process gave a sign of life.
    patience_s : float
        How long a process of another machine, which cannot be looked at, is believed to live.
    """
    if described.get("host") != socket.gethostname():
        return age_s < patience_s
    pid = described.get("pid")
    if not isinstance(pid, int):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    started = _start_time(pid)
    # A process number is used again: the same one started at another time is another process.
    return described.get("started") is None or started is None or started == described["started"]


def _start_time(pid: int) -> int | None:
    """Clock ticks between boot and the start of a process; None where not told or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return -1 if fields[0] == "Z" else int(fields[19])
    except (OSError, ValueError, IndexError):
        return None
