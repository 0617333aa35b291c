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
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

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

if TYPE_CHECKING:
    import pandas as pd

INDEX = "index.jsonl"

#: What is in the records and of no use in a table.
LEFT_OUT = ("data.licence", "data.source", "data.split_hash", "files", "overrides")

#: The kinds whose columns this process has written already, for each index.
_written: set[tuple[Path, str]] = set()


class Entry(NamedTuple):
    """One finished run in the index."""

    id: str
    stamp: list[int]
    columns: tuple[str, ...]
    values: list[Any]

    @property
    def kind(self) -> str:
        """The name of the columns."""
        return digest(self.columns)[:8]

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
    """Add a run that has just ended; in one write, so that lines of processes never mix."""
    entry = _entry(record, _stamp(runs / record.id))
    key = (runs, entry.kind)
    text = entry.line() if key in _written else entry.header() + entry.line()
    _written.add(key)
    handle = os.open(runs / INDEX, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        os.write(handle, text.encode())
    finally:
        os.close(handle)


def as_table(entries: Iterable[Entry]) -> "pd.DataFrame":
    """Return all entries as a table; what a run does not have is missing."""
    import pandas as pd

    kinds: dict[tuple[str, ...], list[list[Any]]] = {}
    for entry in entries:
        kinds.setdefault(entry.columns, []).append(entry.values)
    if not kinds:
        return pd.DataFrame({"id": [], "status": []})
    tables = [pd.DataFrame(rows, columns=list(columns)) for columns, rows in kinds.items()]
    return tables[0] if len(tables) == 1 else pd.concat(tables, ignore_index=True)


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
    row = strict(record.flat())
    columns = tuple(name for name in row if name not in LEFT_OUT)
    return Entry(record.id, stamp, columns, [row[name] for name in columns])


def _read(path: Path) -> tuple[dict[str, Entry], bool]:
    """Return the readable entries by run, the last one of each, and whether all were in order."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}, True
    except (OSError, UnicodeDecodeError):
        return {}, False
    entries: dict[str, Entry] = {}
    columns: dict[str, tuple[str, ...]] = {}
    lines, clean = _parse(text)
    for line in lines:
        try:
            if "columns" in line:
                columns[line["kind"]] = tuple(line["columns"])
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
    if not runs.is_dir():
        return {}
    with os.scandir(runs) as entries:
        found = [(entry.name, entry.path) for entry in entries if entry.is_dir()]
    return {name: _stamp(path) for name, path in sorted(found) if not name.startswith(".")}
