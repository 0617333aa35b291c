"""The checks in a process of their own: a solver that crashes or hangs is wrong, no more."""

import json
import os
import select
import subprocess
import time
from collections.abc import Iterator, Sequence

from mcbench.errors import SolverUnavailable
from mcbench.gate.gate import CHECKS, WRONG, Finding
from mcbench.tree import end_all, killed_by, new_mark, start_module

#: Seconds that a check may take, the start of the process included.
LONGEST_S = 300.0


def findings(overrides: Sequence[str], longest_s: float = LONGEST_S) -> Iterator[Finding]:
    """Check the solver of a configuration as `mcbench.gate.gate.findings` does.

    Parameters
    ----------
    overrides : sequence of str
        The configuration.
    longest_s : float
        Seconds after which a check that has not ended is given up.

    Raises
    ------
    SolverUnavailable
        When the solver needs a package that is not installed.
    """
    names = list(CHECKS)
    done = 0
    while done < len(names):
        for found in _until_it_ends(names, done, overrides, longest_s):
            done += 1
            yield found


def _until_it_ends(
    names: Sequence[str], first: int, overrides: Sequence[str], longest_s: float
) -> Iterator[Finding]:
    """Go through the findings of one process; the last one says how it ended, if not well."""
    reading, writing = os.pipe()
    mark = new_mark()
    child = start_module(
        "mcbench.gate.child",
        str(writing),
        str(first),
        *overrides,
        mark=mark,
        stdout=subprocess.DEVNULL,  # what a solver prints is no finding
        pass_fds=[writing],
    )
    os.close(writing)
    done = first
    try:
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            for line in _lines(pipe.fileno(), longest_s):
                message = json.loads(line)
                if "unavailable" in message:
                    raise SolverUnavailable(message["unavailable"])
                done += 1
                yield Finding(**message)
    except TimeoutError:
        yield Finding(names[done], WRONG, f"it had not ended after {longest_s:g} s")
        return
    finally:
        end_all(child.pid, mark)
        child.wait()
    if done < len(names):
        yield Finding(names[done], WRONG, _ended(child.returncode))


def _lines(pipe: int, longest_s: float) -> Iterator[bytes]:
    """Go through the lines of a pipe to its end; a TimeoutError when one takes too long."""
    rest, since = b"", time.monotonic()
    while True:
        patience = since + longest_s - time.monotonic()
        if patience <= 0 or not select.select([pipe], [], [], patience)[0]:
            raise TimeoutError
        got = os.read(pipe, 65536)
        if not got:
            return
        *whole, rest = (rest + got).split(b"\n")
        if whole:
            since = time.monotonic()
            yield from whole


def _ended(code: int) -> str:
    """Say how a process ended that had more to do."""
    if name := killed_by(code):
        return f"its process was killed by signal {-code} ({name})"
    return f"its process ended with exit code {code}"
