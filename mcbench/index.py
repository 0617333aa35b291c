"""The store's index: the finished runs in one file, mended where it disagrees with the folders.

The folders are the truth. The index has two kinds of lines: the columns of a kind of run,
`{"columns": [...]}`, and one line per run, `{"id", "stamp", "kind", "values"}`, where kind names
the columns and stamp is the time and size of the record that the line was made from. A line
without its folder is dropped; a folder without its line is read.
"""

import contextlib
import gc
import json
import os
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from mcbench import naming
from mcbench.errors import UserError
from mcbench.files import to_json, write_atomic
from mcbench.identity import digest
from mcbench.record import (
    FILE,
    CorruptRecordError,
    OtherSchemaError,
    Record,
    load_record,
    strict,
)
from mcbench.words import label

INDEX = "index.jsonl"

#: What is in the records and of no use in a table.
LEFT_OUT = ("data.licence", "data.source", "data.split_hash", "files", "overrides")

#: A column that is not in the records: how a person knows the run. Older indices lack it.
LABEL = "label"

#: The kinds whose columns this process has written already, for each index.
_written: set[tuple[Path, str]] = set()

#: What the index held that was read last, by its path, inode, time and size.
_remembered: dict[tuple[Path, int, int, int], tuple[dict[str, "Entry"], bool]] = {}


class Entry(NamedTuple):
    """One finished run in the index."""

    id: str
    stamp: list[int]
    columns: tuple[str, ...]
    values: list[Any]

    @property
    def kind(self) -> str:
        """The name of the columns."""
        return _kind(self.columns)

    def line(self) -> str:
        """Return the line of the run."""
        found = {"id": self.id, "stamp": self.stamp, "kind": self.kind, "values": self.values}
        return to_json(found) + "\n"

    def header(self) -> str:
        """Return the line of its columns."""
        return to_json({"kind": self.kind, "columns": self.columns}) + "\n"


def read_index(runs: Path, on_corrupt: Callable[[Path, str], None]) -> list[Entry]:
    """Return one entry per finished run, and mend the index where it is wrong.

    Parameters
    ----------
    runs : Path
        Folder of all runs.
    on_corrupt : callable
        Called with the folder and the reason for each record that cannot be read.
    """
    stamps = _stamps(runs)
    entries, clean = _read(runs / INDEX)
    kept = {key: entry for key, entry in entries.items() if entry.stamp == stamps.get(key)}
    fresh: list[Entry] = []
    for run_id, stamp in stamps.items():
        if run_id not in kept:
            try:
                fresh.append(_entry(load_record(runs / run_id, run_id), stamp))
            except CorruptRecordError as error:
                on_corrupt(runs / run_id, str(error))
            except OtherSchemaError as error:
                warnings.warn(f"Run skipped: {error}", stacklevel=2)
    result = [*kept.values(), *fresh]
    if fresh or not clean or len(kept) != len(entries):
        headers = {entry.columns: entry.header() for entry in result}
        text = "".join([*headers.values(), *(entry.line() for entry in result)])
        with contextlib.suppress(OSError):  # A store that cannot be written can still be read.
            write_atomic(runs / INDEX, text)
    return result


def append(runs: Path, record: Record) -> None:
    """Add a run that has just ended; in one write, so that lines of processes never mix.

    An index that cannot be written is made good by the next reader that can.
    """
    entry = _entry(record, _stamp(runs / record.id))
    entry = entry._replace(values=strict(entry.values))  # as a reader of the record finds them
    key = (runs, entry.kind)
    text = entry.line() if key in _written else entry.header() + entry.line()
    _written.add(key)
    with contextlib.suppress(OSError):
        handle = os.open(runs / INDEX, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(handle, text.encode())
        finally:
            os.close(handle)


@contextlib.contextmanager
def quick() -> Iterator[None]:
    """Do without the garbage collector, which costs half the time when nothing is garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _entry(record: Record, stamp: list[int]) -> Entry:
    row = record.flat()
    row[LABEL] = label(record.config, record.get("overrides") or ())
    columns = tuple(name for name in row if name not in LEFT_OUT)
    return Entry(record.id, stamp, columns, [row[name] for name in columns])


@cache
def _kind(columns: tuple[str, ...]) -> str:
    return digest(columns)[:8]


def _read(path: Path) -> tuple[dict[str, Entry], bool]:
    """Return the readable entries by run, the last one of each, and whether all were in order.

    What was read last is remembered as long as the file is the same.
    """
    try:
        found = path.stat()
        file = (path, found.st_ino, found.st_mtime_ns, found.st_size)
        if file not in _remembered:
            content = _entries(path.read_text(encoding="utf-8"))
            _remembered.clear()
            _remembered[file] = content
    except FileNotFoundError:
        return {}, True
    except (OSError, UnicodeDecodeError):
        return {}, False
    return _remembered[file]


def _entries(text: str) -> tuple[dict[str, Entry], bool]:
    entries: dict[str, Entry] = {}
    columns: dict[str, tuple[str, ...]] = {}
    lines, clean = _parse(text)
    for line in lines:
        try:
            if "columns" in line:
                names = tuple(line["columns"])
                if LABEL in names:
                    columns[line["kind"]] = names
                continue
            found = Entry(line["id"], line["stamp"], columns[line["kind"]], line["values"])
        except (TypeError, KeyError):
            clean = False
            continue
        clean &= found.id not in entries and len(found.values) == len(found.columns)
        if len(found.values) == len(found.columns):
            entries[found.id] = found
    return entries, clean


def _parse(text: str) -> tuple[list[Any], bool]:
    """Parse all lines at once or, if one of them is wrong, those that are right."""
    lines = text.splitlines()
    with contextlib.suppress(ValueError):
        return json.loads(f"[{','.join(lines)}]"), True
    good = []
    for line in lines:
        with contextlib.suppress(ValueError):
            good.append(json.loads(line))
    return good, False


def _stamp(folder: Path | str) -> list[int]:
    """Time stamp and size of a record's file; zeros when it is missing."""
    try:
        found = os.stat(f"{folder}/{FILE}")  # noqa: PTH116 (there may be 10 000 of them)
    except OSError:
        return [0, 0]
    return [found.st_mtime_ns, found.st_size]


def _stamps(runs: Path) -> dict[str, list[int]]:
    """Return the stamp of each run; what has no run's name is nobody's business here."""
    try:
        names = naming.names_in(runs)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UserError(
            f"{runs} cannot be read ({error.strerror}): make it readable, or choose another "
            "results folder."
        ) from error
    return {name: _stamp(f"{runs}/{name}") for name in names}
