"""A folder in which something is made before it takes its place."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mcbench.errors import UserError


@contextmanager
def staging(folder: Path, lock: int, busy: str) -> Iterator[Path]:
    """Give an empty folder to one process at a time, and remove it in the end.

    Parameters
    ----------
    folder : Path
        The folder; what a process that was killed has left there goes.
    lock : int
        Descriptor of the file or folder that stands for the right to it.
    busy : str
        What is said when another process has that right.

    Raises
    ------
    UserError
        When another process has it.
    """
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UserError(busy) from error
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
