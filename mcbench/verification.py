"""Looking at every run of a store as a whole: what a listing believes is read and compared here."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mcbench import naming
from mcbench.claim import LOCK
from mcbench.identity import canonical_json, identity, run_id
from mcbench.index import INDEX
from mcbench.record import (
    CONFIG,
    PREDICTIONS,
    TRACE,
    CorruptRecordError,
    OtherSchemaError,
    Record,
    load_record,
    machine_of,
    strict,
)
from mcbench.store import Store


@dataclass(frozen=True)
class Finding:
    """What is wrong with an entry of the store.

    Attributes
    ----------
    path : Path
        The folder or file.
    reason : str
        What is wrong with it.
    foreign : bool
        Whether it belongs to another version of mcbench, or to somebody else: it is left alone.
    """

    path: Path
    reason: str
    foreign: bool = False

    def line(self) -> str:
        """Return the finding as one line."""
        return f"{self.path.name}: {self.reason}."


#: Told all that is going to be looked at; gives it back one by one, and may show how far it is.
Watch = Callable[[Sequence[Path]], Iterable[Path]]


def verify(store: Store, watch: Watch = iter) -> tuple[int, list[Finding]]:
    """Read everything in a store; return the number of runs and what is wrong.

    Parameters
    ----------
    store : Store
        The store.
    watch : callable, optional
        Sees all entries go by.
    """
    try:
        paths = sorted(store.runs.iterdir())
    except FileNotFoundError:
        return 0, []
    found = [finding for path in watch(paths) if (finding := check(path)) is not None]
    return sum(naming.is_name(path.name) for path in paths), found


def set_aside(store: Store, findings: Iterable[Finding]) -> list[Finding]:
    """Set aside what is wrong and the store's own; return the findings with what became of them."""
    result = []
    for finding in findings:
        if finding.foreign:
            result.append(finding)
            continue
        done = store.set_aside(finding.path)
        became = f"set aside in {store.aside}" if done else "it cannot be moved"
        result.append(replace(finding, reason=f"{finding.reason}; {became}"))
    store.rebuild()
    return result


def whole(folders: Iterable[Path]) -> tuple[list[Path], list[Finding]]:
    """Return the folders of the runs that are whole, and what is wrong with the others."""
    found = {folder: check(folder) for folder in folders}
    good = [folder for folder, finding in found.items() if finding is None]
    return good, [finding for finding in found.values() if finding is not None]


def inspect(folder: Path) -> Record:
    """Read a run whole and return its record.

    Raises
    ------
    CorruptRecordError
        When anything of it cannot be read or contradicts the rest.
    OtherSchemaError
        When another version of mcbench wrote it.
    """
    record = load_record(folder, folder.name)
    _check_identity(folder, record)
    _check_config(folder, record)
    kept = {name: _table(folder / name) for name in (TRACE, PREDICTIONS)}
    for name in record.get("files") or ():
        if kept.get(name, ...) is None:
            raise CorruptRecordError(f"{folder / name} is missing")
    _check_predictions(folder, record, kept[PREDICTIONS])
    return record


def check(path: Path) -> Finding | None:
    """Return what is wrong with one entry of the folder of runs, None when nothing is."""
    if path.name in (INDEX, LOCK):
        return None if path.is_file() else Finding(path, "it is no file")
    if path.name.startswith("."):
        return None
    if not naming.is_name(path.name):
        return Finding(path, "it is no run of mcbench, and is left where it is", foreign=True)
    if path.is_symlink() and not path.exists():
        return Finding(path, "it is a link to nowhere")
    if not path.is_dir():
        return Finding(path, "it is no folder")
    try:
        inspect(path)
    except CorruptRecordError as error:
        return Finding(path, str(error))
    except OtherSchemaError as error:
        return Finding(path, str(error).rstrip("."), foreign=True)
    return None


def _check_identity(folder: Path, record: Record) -> None:
    """Compute the identity again, from the configuration, the data and the solver's version."""
    known = record.get("identity") or {}
    content, version = known.get("content_hash"), known.get("solver_version")
    found = run_id(record.config, content, str(version))
    wanted, _ = naming.split(folder.name)
    if found != wanted:
        raise CorruptRecordError(f"its configuration is that of run {found}")
    if not record.done:
        return
    measured = (record.get("data") or {}).get("content_hash")
    name = (record.config.get("dataset") or {}).get("name")
    if measured != content:
        raise CorruptRecordError(f"it was made with the data {measured}, not {content}")
    if name is not None and content is None:
        raise CorruptRecordError("its data have no hash")
    if _hashes().get(str(name), content) != content:
        raise CorruptRecordError(f"its data are not those that are known as {name} here")
    if machine_of(record) is None:
        raise CorruptRecordError("its record does not say on which machine it was made")


@cache
def _hashes() -> dict[str, str]:
    """Return the hashes of the data sets whose content is known."""
    from mcbench.data import datasets

    known = {name: getattr(info, "content_hash", None) for name, info in datasets().items()}
    return {name: str(content) for name, content in known.items() if content}


def _check_config(folder: Path, record: Record) -> None:
    """Compare the configuration that a person reads with the record's."""
    import yaml  # type: ignore[import-untyped]

    path = folder / CONFIG
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the former is ten times as fast
    try:
        plain = loader(path.read_bytes()).get_single_data()
    except FileNotFoundError as error:
        raise CorruptRecordError(f"{path} is missing") from error
    except (OSError, ValueError, yaml.YAMLError, RecursionError) as error:
        why = (str(error).splitlines() or ["no reason given"])[0]
        raise CorruptRecordError(f"{path} cannot be read ({why})") from error
    if not isinstance(plain, dict) or _comparable(plain) != _comparable(record.config):
        raise CorruptRecordError(f"{path} is not the configuration of the record")


def _comparable(config: dict[str, Any]) -> str:
    return canonical_json(strict(identity(config)))


def _table(path: Path) -> Any:
    """Return a table, None when there is none."""
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    if not os.path.lexists(path):
        return None
    if not path.is_file():
        raise CorruptRecordError(f"{path} is no file")
    try:
        with ParquetFile(path) as file:
            return file.read()
    except (ArrowException, OSError) as error:
        why = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise CorruptRecordError(f"{path} cannot be read ({why})") from error


def _check_predictions(folder: Path, record: Record, table: Any) -> None:
    """Count the errors again where the predictions were kept."""
    wrong = (record.get("error") or {}).get("test_wrong")
    if table is None or wrong is None:
        return
    try:
        counted = int((np.asarray(table["y"]) != np.asarray(table["predicted"])).sum())
    except KeyError as error:
        raise CorruptRecordError(f"{folder / PREDICTIONS} lacks the column {error}") from error
    if counted != wrong:
        raise CorruptRecordError(f"{folder / PREDICTIONS} has {counted} errors, the record {wrong}")
