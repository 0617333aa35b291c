"""Taking the runs of another store, or of an archive, into a store.

All that comes is first put beside the runs, out of sight, and verified as a whole; then each run
is moved to its place at once. Nothing that is there is changed, so that a merge which is killed
leaves a valid store, and the same merge again does the rest.
"""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcbench import naming
from mcbench.archive import FILES, unpack
from mcbench.claim import locked
from mcbench.errors import UserError
from mcbench.files import writing
from mcbench.published_archive import public
from mcbench.record import CorruptRecordError, OtherSchemaError, Record, load_record, machine_of
from mcbench.staging import staging
from mcbench.store import Store
from mcbench.verification import inspect

INCOMING = ".incoming"
LOCK = ".merging"


@dataclass
class Merged:
    """What came of a merge, as names of runs; those of the refused with the reason.

    Attributes
    ----------
    taken : list of str
        Runs that the store had not.
    beside : list of str
        Runs that the store had from another machine: both are kept.
    same : list of str
        Runs that the store had already.
    conflicts : list of str
        Runs of which the store has other results of the same machine: these stay.
    refused : list of (str, str)
        Runs that are not whole.
    """

    taken: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)


def merge(store: Store, sources: Sequence[Path]) -> Merged:
    """Take the runs of other stores into a store.

    Parameters
    ----------
    store : Store
        Where they go.
    sources : sequence of Path
        Results folders, their folders of runs, or archives that `mcbench results export` wrote.

    Raises
    ------
    UserError
        When a source is neither, an archive is damaged, or the store cannot be written. Nothing
        has been taken then, or whole runs only.
    """
    folders = {source: _runs_of(source, store) for source in sources}
    merged = Merged()
    with _staging(store) as incoming:
        present = _Present(store)
        coming: list[tuple[Path, Record]] = []
        for number, (source, runs) in enumerate(folders.items()):
            with writing(store.root):
                place = incoming / str(number)
                place.mkdir()
            if runs is None:
                unpack(source, place)
            else:
                _copy_new(runs, place, present, merged)
            for folder in sorted(place.iterdir()):
                try:
                    coming.append((folder, inspect(folder)))
                except (CorruptRecordError, OtherSchemaError) as error:
                    reason = str(error).replace(str(place), str(runs or source)).rstrip(".")
                    merged.refused.append((folder.name, reason))
        for folder, record in coming:
            with writing(store.root), locked(store.runs):
                _place(present, folder, record, merged)
    store.listing()  # brings the index up to date
    return merged


def _runs_of(source: Path, store: Store) -> Path | None:
    """Return the folder of runs that a source is or has, None when it is a file."""
    if source.is_file():
        return None
    if not source.is_dir():
        raise UserError(f"There is no file or folder {source}.")
    runs = source / "runs" if (source / "runs").is_dir() else source
    if not naming.names_in(runs):
        raise UserError(
            f"{source} holds no runs: give a results folder, or a file of mcbench results export."
        )
    if store.runs.is_dir() and runs.samefile(store.runs):
        raise UserError(f"{source} is the store itself: choose the other with --results FOLDER.")
    return runs


@contextlib.contextmanager
def _staging(store: Store) -> Iterator[Path]:
    """Give an empty folder beside the runs; one merge at a time."""
    busy = f"Another process is merging into {store.root}: try again when it has ended."
    with contextlib.ExitStack() as stack:
        with writing(store.root):  # what is done in the folder says itself what it cannot write
            store.runs.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context((store.runs / LOCK).open("w"))
            place = stack.enter_context(staging(store.runs / INCOMING, lock.fileno(), busy))
        yield place


def _copy_new(runs: Path, place: Path, present: "_Present", merged: Merged) -> None:
    """Copy the runs of another store that this one has not, each verified against its source."""
    for name in naming.names_in(runs):
        try:
            wanted = fingerprint(runs / name)
            if present.has(name, wanted):
                merged.same.append(name)
                continue
            with writing(place):
                (place / name).mkdir()
                for file in wanted:
                    shutil.copyfile(runs / name / file, place / name / file)
            if fingerprint(place / name) != wanted:
                raise CorruptRecordError("its copy is not as it was: it changed, or a disk fails")
        except CorruptRecordError as error:
            shutil.rmtree(place / name, ignore_errors=True)
            merged.refused.append((name, str(error)))


def fingerprint(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a run.

    Raises
    ------
    CorruptRecordError
        When one of them cannot be read.
    """
    found = {}
    for name in FILES:
        path = folder / name
        try:
            if path.is_file():
                with path.open("rb") as file:
                    found[name] = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise CorruptRecordError(f"{path} cannot be read ({error.strerror})") from error
    if not found:
        raise CorruptRecordError(f"{folder} holds no run")
    return found


class _Present:
    """The runs that a store has, by identity."""

    def __init__(self, store: Store) -> None:
        self.runs = store.runs
        self._names: dict[str, list[str]] = {}
        for name in naming.names_in(store.runs):
            self.add(name)

    def add(self, name: str) -> None:
        """Take note of a run."""
        self._names.setdefault(naming.split(name)[0], []).append(name)

    def has(self, name: str, wanted: dict[str, str]) -> bool:
        """Return whether one of the same identity is the same to the last bit."""
        for folder in self._folders(name):
            with contextlib.suppress(CorruptRecordError):
                if fingerprint(folder) == wanted:
                    return True
        return False

    def machines(self, name: str) -> set[str | None]:
        """Return the machines that made the runs of the same identity."""
        found = set()
        for folder in self._folders(name):
            with contextlib.suppress(CorruptRecordError, OtherSchemaError):
                found.add(machine_of(load_record(folder)))
        return found

    def tells(self, record: Record) -> bool:
        """Return whether one of the same identity says the same, perhaps with private parts."""
        for folder in self._folders(record.id):
            with contextlib.suppress(CorruptRecordError, OtherSchemaError):
                if public(load_record(folder, folder.name)) == public(record):
                    return True
        return False

    def _folders(self, name: str) -> list[Path]:
        return [self.runs / one for one in self._names.get(naming.split(name)[0], ())]


def _place(present: _Present, folder: Path, record: Record, merged: Merged) -> None:
    """Move one run to its place, if there is one for it. Needs the store's lock."""
    if present.has(folder.name, fingerprint(folder)) or present.tells(record):
        merged.same.append(folder.name)
        return
    run_id, machine = naming.split(folder.name)[0], machine_of(record)
    if machine is not None and machine not in present.machines(run_id):
        own, beside = run_id, naming.beside(run_id, machine)
        for target, heap in ((own, merged.taken), (beside, merged.beside)):
            if naming.is_name(target) and not os.path.lexists(present.runs / target):
                folder.rename(present.runs / target)
                present.add(target)
                heap.append(target)
                return
    merged.conflicts.append(folder.name)
