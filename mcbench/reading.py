"""What a record's file holds, refused when no reader of records could read it."""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

#: Sections and parts of the configuration that are mappings wherever they are, and sections that
#: are lists.
MAPPINGS = (
    "data", "time", "memory", "error", "objective", "work", "reported", "model", "measured",
    "limits", "identity", "owner", "progress", "provenance",
)  # fmt: skip
PROVENANCE = ("packages", "git", "machine")  # mappings of plain values
SETTINGS = ("choices", "dataset", "kernel", "solver", "protocol", "measure")
LISTS = ("files", "overrides", "warnings")

#: A record larger than this is none: it would not fit into memory, or not be worth it.
LARGEST = 2**28


class CorruptRecordError(Exception):
    """A record's file cannot be read, or is not that of its folder."""


def read_json(path: Path) -> Any:
    """Return what a file holds, whatever that is; a `CorruptRecordError` when it is no JSON."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # a pipe would never end
            raise CorruptRecordError(f"{path} is no file")
        if found.st_size > LARGEST:
            raise CorruptRecordError(f"{path} is too large for a record")
        text = path.read_text(encoding="utf-8")
        content = json.loads(text)
        if "\\ud" in text.lower():  # perhaps half a surrogate pair, that nothing can print
            json.dumps(content, ensure_ascii=False).encode()
    except FileNotFoundError as error:
        raise CorruptRecordError(f"{path} is missing") from error
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise CorruptRecordError(f"{path} cannot be read ({why})") from error
    except (ValueError, RecursionError) as error:
        why = str(error).splitlines()[0]
        raise CorruptRecordError(f"{path} cannot be read ({why})") from error
    return content


def check_parts(path: Path, found: dict[str, Any]) -> None:
    """Raise a `CorruptRecordError` for parts that are not of the kind they always are."""
    if not isinstance(found.get("id"), str):
        raise CorruptRecordError(f"{path} has no identity")
    if not isinstance(found.get("reason", ""), str):
        raise CorruptRecordError(f"{path} has a reason that is no text")
    parts = {f"config.{name}": found["config"].get(name) for name in SETTINGS}
    parts |= {name: found.get(name) for name in MAPPINGS}
    for name, part in parts.items():
        if part is not None and not isinstance(part, Mapping):
            raise CorruptRecordError(f"{path} has a part {name} without names")
    for name in PROVENANCE:
        part = (found.get("provenance") or {}).get(name) or {}
        if not isinstance(part, Mapping) or any(
            isinstance(value, Mapping | list) for value in part.values()
        ):
            raise CorruptRecordError(f"{path} has a part provenance.{name} without plain values")
    for name in LISTS:
        items = found.get(name)
        if items is not None and not (
            isinstance(items, list) and all(isinstance(item, str) for item in items)
        ):
            raise CorruptRecordError(f"{path} has a part {name} that is no list of texts")
