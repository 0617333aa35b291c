"""The record of a run: what it was, how it ended, what was measured."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcbench import naming
from mcbench.errors import UserError
from mcbench.files import to_json, write_atomic
from mcbench.reading import CorruptRecordError, check_parts, read_json

SCHEMA = 1
FILE = "record.json"
CONFIG = "config.yaml"

#: Tables beside a record: checkpoints of the fit, and the test part's labels with those predicted.
TRACE = "trace.parquet"
PREDICTIONS = "predictions.parquet"

#: How a run can end; "running" while it does not.
FINISHED = ("done", "failed", "timeout", "out_of_memory")
STATUSES = ("running", *FINISHED)

#: Sections of a record that are too long for a table, and what of them goes into one.
LONG = ("traceback", "provenance", "identity", "owner", "progress")
SHORT = {
    "provenance.mcbench": ("provenance", "mcbench"),
    "provenance.python": ("provenance", "python"),
    "provenance.git.commit": ("provenance", "git", "commit"),
    "provenance.git.dirty": ("provenance", "git", "dirty"),
    "provenance.machine.id": ("provenance", "machine", "id"),
    "provenance.machine.cpu": ("provenance", "machine", "cpu"),
    "provenance.machine.host": ("provenance", "machine", "host"),
}


class OtherSchemaError(UserError):
    """A record was written by a version of mcbench with another schema."""


@dataclass
class Record:
    """One run.

    Attributes
    ----------
    id : str
        The run's identity.
    status : str
        One of `STATUSES`.
    config : dict
        The resolved configuration.
    reason : str
        Why the run is not done, in a sentence.
    sections : dict
        Everything else by name: data, time, memory, error, objective, model, work, reported,
        measured, warnings, provenance, ...
    """

    id: str
    status: str
    config: dict[str, Any]
    reason: str = ""
    sections: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, section: str) -> Any:
        return self.sections[section]

    def get(self, section: str, default: Any = None) -> Any:
        """Return a section, or the default."""
        return self.sections.get(section, default)

    @property
    def done(self) -> bool:
        """Whether the run ended well."""
        return self.status == "done"

    def flat(self) -> dict[str, Any]:
        """Return the record as one row: dotted names, and short ones for what is named most."""
        choices = self.config.get("choices") or {}
        row: dict[str, Any] = {"id": self.id, "status": self.status, "reason": self.reason}
        for name in ("dataset", "kernel", "solver"):
            row[name] = choices.get(name)
        row["seed"] = self.config.get("seed")
        row["config.solver_name"] = choices.get("solver")
        short = {key: item for key, item in self.sections.items() if key not in LONG}
        config = {key: item for key, item in self.config.items() if key != "choices"}
        flatten({"config": config, **short}, into=row)
        for column, path in SHORT.items():
            row[column] = _dig(self.sections, path)
        return row

    def save(self, folder: Path) -> None:
        """Write `record.json`, the status first."""
        head = {"schema": SCHEMA, "id": self.id, "status": self.status, "reason": self.reason}
        text = to_json(strict({**head, "config": self.config, **self.sections}), indent=1)
        write_atomic(folder / FILE, text + "\n")


def write_config(folder: Path, config: Mapping[str, Any]) -> None:
    """Write a run's configuration as `config.yaml`, for people to read."""
    from omegaconf import OmegaConf

    write_atomic(folder / CONFIG, OmegaConf.to_yaml(OmegaConf.create(dict(config))))


def load_record(folder: Path, name: str | None = None) -> Record:
    """Read the record in a folder.

    Parameters
    ----------
    folder : Path
        Where the record is.
    name : str, optional
        The name of the run's folder (`mcbench.naming`), which becomes the identity in the store:
        the record has to be of that run and, if it names one, of that machine.

    Raises
    ------
    CorruptRecordError
        When the file is missing, is not a whole record, or is another run's.
    OtherSchemaError
        When another version of mcbench wrote it.
    """
    path = folder / FILE
    found = read_json(path)
    schema = found.get("schema", SCHEMA) if isinstance(found, dict) else SCHEMA
    if schema != SCHEMA:
        raise OtherSchemaError(
            f"The record of run {folder.name} has the schema {schema!r}, written by another "
            f"version of mcbench: use that version, or move {folder} away."
        )
    if not isinstance(found, dict) or found.get("status") not in STATUSES:
        raise CorruptRecordError(f"{path} has no status")
    if name is not None and found["status"] not in FINISHED:
        raise CorruptRecordError(f"{path} is not that of a run that has ended")
    if not isinstance(found.get("config"), dict):
        raise CorruptRecordError(f"{path} has no configuration")
    check_parts(path, found)
    if name is not None:
        _check_name(path, found, name)
        found["id"] = name
    if found.pop("schema", None) is None:
        raise CorruptRecordError(f"{path} has no schema")
    return Record(
        found.pop("id"),
        found.pop("status"),
        found.pop("config"),
        found.pop("reason", ""),
        found,
    )


def machine_of(record: Record) -> str | None:
    """Return the machine that a record names as the one that made it."""
    return _machine(record.sections)


def _check_name(path: Path, found: dict[str, Any], name: str) -> None:
    run_id, machine = naming.split(name)
    if found["id"] != run_id:
        raise CorruptRecordError(f"{path} is the record of run {found['id']}")
    if machine is not None and machine != _machine(found):
        raise CorruptRecordError(f"{path} is a record of the machine {_machine(found)}")


def _machine(sections: Mapping[str, Any]) -> str | None:
    described = (sections.get("provenance") or {}).get("machine")
    found = described.get("id") if isinstance(described, Mapping) else None
    return found if isinstance(found, str) else None


def flatten(
    nested: Mapping[str, Any], prefix: str = "", into: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return nested mappings as one, keys joined by dots."""
    row: dict[str, Any] = {} if into is None else into
    for key, value in nested.items():
        if isinstance(value, Mapping):
            flatten(value, f"{prefix}{key}.", row)
        else:
            row[f"{prefix}{key}"] = value
    return row


def strict(value: Any) -> Any:
    """Return `value` such that every JSON reader takes it: NaN is null, infinity a word.

    What no file can hold of a text (half of a surrogate pair) is written as an escape.
    """
    if isinstance(value, Mapping):
        return {strict(str(key)): strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [strict(item) for item in value]
    if hasattr(value, "tolist"):
        return strict(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "backslashreplace").decode()
    return value


def _dig(nested: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        nested = nested.get(key) if isinstance(nested, Mapping) else None
    return nested
