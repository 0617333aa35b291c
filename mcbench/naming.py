"""The names of runs' folders.

A run is kept in the folder of its identity. When the same run of another machine is merged into
a store that has it already, that one goes beside it as `<id>@<machine id>`: the results are the
same, the timings are not.
"""

import os
import re
from pathlib import Path

_NAME = re.compile(r"([0-9a-f]{16})(?:@([0-9a-f]{8}))?")


def is_name(name: str) -> bool:
    """Return whether a folder of this name is a run's."""
    return _NAME.fullmatch(name) is not None


def names_in(runs: Path) -> list[str]:
    """Return the names of all runs in a folder, in order."""
    with os.scandir(runs) as entries:
        return sorted(entry.name for entry in entries if is_name(entry.name))


def split(name: str) -> tuple[str, str | None]:
    """Return the identity that a folder's name begins with, and the machine if it names one."""
    run_id, _, machine = name.partition("@")
    return run_id, machine or None


def beside(run_id: str, machine: str) -> str:
    """Return the name for another machine's run of an identity that the store has already."""
    return f"{run_id}@{machine}"
