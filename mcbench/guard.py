"""Runs a program and ends all that it started: `python guard.py PARENT REPORT SECONDS PROGRAM ...`.

It stands between mcbench and a program that is not ours, in a process group of its own with it.
Should mcbench be killed, the system tells the guard, which kills the group: a shell script leaves
nothing behind. It imports nothing of mcbench, so that it starts at once.
"""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Run the program, write what it used to the report, and end its process group.

    Parameters
    ----------
    arguments : list of str
        The number of mcbench's process, the file to be written, the time limit in seconds (0 for
        none), the program and its arguments.
    """
    parent, report, limit, *command = arguments

    def end(found: dict[str, Any] | None = None) -> None:
        if found is not None:
            Path(report).write_text(json.dumps(found))
        os.killpg(0, signal.SIGKILL)

    os.setsid()
    signal.signal(signal.SIGTERM, lambda *_: end())
    signal.signal(signal.SIGALRM, lambda *_: end({"timeout": True}))
    with contextlib.suppress(OSError, AttributeError):  # Linux only
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):
        end()
    signal.setitimer(signal.ITIMER_REAL, float(limit))
    start = time.perf_counter()
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    except OSError as error:
        end({"error": error.strerror})
        return
    # wait4 alone tells what this one child used.
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    signal.setitimer(signal.ITIMER_REAL, 0)
    kilobytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    end(
        {
            "code": os.waitstatus_to_exitcode(status),
            "seconds": seconds,
            "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "peak_mb": kilobytes / 1024,
        }
    )


if __name__ == "__main__":
    main(sys.argv[1:])
