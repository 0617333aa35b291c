"""A run in progress: a folder of the store that exactly one process owns.

`runs/.running/<id>` holds a record with status "running" and the owner's process. It is renamed
to `runs/<id>` when the run has ended, so that a reader of the store sees whole runs only. While
the run lasts, its process touches the record every few seconds; on another machine, where the
process cannot be looked at, a record that was not touched for long is an expired run.
"""

import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcbench.files import atomic, writing
from mcbench.naming import beside, is_name
from mcbench.process import is_alive, owner
from mcbench.record import (
    FILE,
    FINISHED,
    CorruptRecordError,
    OtherSchemaError,
    Record,
    load_record,
    machine_of,
    write_config,
)

if TYPE_CHECKING:
    import pandas as pd

RUNNING = ".running"
LOCK = ".lock"

#: Seconds between two signs of life, and between two notes of how far the fit is.
BEAT_S = 15.0
PROGRESS_S = 1.0


class ClaimLost(Exception):  # noqa: N818  (a state of the world, not a mistake)
    """Another machine took the run, because this process gave no sign of life for long."""


class Claim:
    """The right to execute one run, and the folder in which it is written.

    Attributes
    ----------
    folder : Path
        Where the run's files go.
    record : Record
        The run's record, written with status "running".
    """

    def __init__(self, runs: Path, record: Record) -> None:
        self.folder = runs / RUNNING / record.id
        self.record = record
        self._runs = runs
        self._target = runs / record.id
        self._results = runs.parent
        self._last_progress = 0.0

    def touch(self) -> None:
        """Give a sign of life; costs some microseconds."""
        with suppress(OSError):  # a run that was taken away ends without its owner's word
            os.utime(self.folder / FILE)

    def beat(self, progress: dict[str, Any], *, force: bool = False) -> None:
        """Write how far the fit is, at most once a second."""
        now = time.monotonic()
        if not force and now - self._last_progress < PROGRESS_S:
            return
        self._last_progress = now
        self.record.sections["progress"] = progress
        with suppress(OSError):  # a sign of life is not worth a run
            self.record.save(self.folder)

    def write_config(self, config: dict[str, Any]) -> None:
        """Write the configuration as YAML."""
        with writing(self._results):
            write_config(self.folder, config)

    def write_tables(self, tables: "Mapping[str, pd.DataFrame]") -> None:
        """Write tables beside the record, each to the file of its name."""
        for name, table in tables.items():
            with writing(self._results), atomic(self.folder / name) as path:
                table.to_parquet(path, index=False)

    def finish(self, record: Record) -> None:
        """Write the record of the ended run and move the folder to its place.

        Raises
        ------
        ClaimLost
            When another process has the run meanwhile: nothing is written then.
        """
        assert record.status in FINISHED
        with locked(self._runs):
            if not self._owned():
                raise ClaimLost(record.id)
            record.save(self.folder)
            promote(self.folder, self._target)

    def clear_tables(self) -> None:
        """Remove the tables of an attempt that failed."""
        for path in self.folder.glob("*.parquet"):
            path.unlink(missing_ok=True)

    def abandon(self) -> None:
        """Leave no trace of the run."""
        with suppress(OSError), locked(self._runs):
            if self._owned():
                shutil.rmtree(self.folder, ignore_errors=True)

    def _owned(self) -> bool:
        """Return whether the folder is still this process's, as far as its record says."""
        try:
            found = load_record(self.folder).get("owner")
        except (CorruptRecordError, OtherSchemaError):
            return False
        return bool(found == self.record.get("owner"))


def claim(runs: Path, record: Record, *, replaces: Record | None = None) -> Claim | None:
    """Claim a run; None when it is done meanwhile, or another living process is at it.

    Parameters
    ----------
    runs : Path
        Folder of all runs.
    record : Record
        The record to start with.
    replaces : Record, optional
        The finished run in the store that may be replaced. One that has taken its place since it
        was read may not: another process has done the same run again.
    """
    record.status = "running"
    record.sections["owner"] = owner()
    mine = Claim(runs, record)
    with writing(runs.parent):
        (runs / RUNNING).mkdir(parents=True, exist_ok=True)
        with locked(runs):
            sweep_one(runs, record.id)
            if mine.folder.exists() or _in_the_way(runs / record.id, replaces):
                return None
            mine.folder.mkdir()
            try:
                record.save(mine.folder)
            except BaseException:  # this process has the lock, which `abandon` would wait for
                shutil.rmtree(mine.folder, ignore_errors=True)
                raise
    return mine


def _in_the_way(target: Path, replaces: Record | None) -> bool:
    """Return whether a finished run is there other than the one that may be replaced."""
    if not target.exists():
        return False
    try:
        return replaces is None or load_record(target, target.name) != replaces
    except CorruptRecordError:  # who looks for it next sets it aside, which takes the lock
        return True


def in_progress(runs: Path) -> list[tuple[Record, bool]]:
    """Return the runs in progress, each with whether its process still lives."""
    found = []
    for folder in sorted((runs / RUNNING).glob("*")):
        try:
            record = load_record(folder)
        except (CorruptRecordError, OtherSchemaError):
            continue
        if record.status == "running":
            found.append((record, _lives(folder, record)))
    return found


def sweep(runs: Path) -> int:
    """Clear what dead processes left; return how many runs they had not finished."""
    from mcbench.index import INDEX

    if not (runs / RUNNING).is_dir():
        return 0
    try:
        with locked(runs):
            # An index that a process was writing when it was killed; one that is just being
            # written may go as well, since the next reader writes it again.
            for path in runs.glob(f".{INDEX}.*"):
                path.unlink(missing_ok=True)
            return sum(sweep_one(runs, folder.name) for folder in (runs / RUNNING).glob("*"))
    except OSError:  # A store that cannot be written can still answer; `claim` says so.
        return 0


def sweep_one(runs: Path, run_id: str) -> bool:
    """Clear one leftover; a run that had ended but was not moved is moved. Needs the lock."""
    folder = runs / RUNNING / run_id
    if not folder.is_dir():
        return False
    try:
        record = load_record(folder)
    except CorruptRecordError:
        shutil.rmtree(folder, ignore_errors=True)
        return True
    except OtherSchemaError:  # Another version's: not ours to clear.
        return False
    if _lives(folder, record):
        return False
    if record.status in FINISHED and record.id == run_id and not (runs / run_id).exists():
        promote(folder, runs / run_id)
        return False
    shutil.rmtree(folder, ignore_errors=True)
    return record.status == "running"


def promote(folder: Path, target: Path) -> None:
    """Move a finished run to its place; an older one there makes way.

    One of another machine goes beside it, unless there is one of that machine already.
    """
    elsewhere = _other_machine(folder, target)
    if elsewhere is not None:
        target.rename(elsewhere)
    if target.exists():
        old = folder.with_name(f"{target.name}.old.{os.getpid()}")
        target.rename(old)
        folder.rename(target)
        shutil.rmtree(old, ignore_errors=True)
    else:
        folder.rename(target)


def _other_machine(folder: Path, target: Path) -> Path | None:
    """Return where a run that is in the way goes, None when it is of the same machine."""
    try:
        new, old = machine_of(load_record(folder)), machine_of(load_record(target))
    except (CorruptRecordError, OtherSchemaError):
        return None
    if old is None or old == new:
        return None
    place = target.with_name(beside(target.name, old))
    return place if is_name(place.name) and not place.exists() else None


@contextmanager
def locked(runs: Path) -> Iterator[None]:
    """Hold the store's lock, which orders claims between processes."""
    with (runs / LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _lives(folder: Path, record: Record) -> bool:
    try:
        age = time.time() - (folder / FILE).stat().st_mtime
    except OSError:
        return False
    return is_alive(record.get("owner") or {}, age)
