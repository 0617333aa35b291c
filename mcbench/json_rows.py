"""Lists of rows in JSON files, which somebody may have edited."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def read_list(path: Path, whole: Callable[[Any], bool]) -> list[dict[str, Any]]:
    """Return the rows of a file that are as they should be; none when it cannot be read.

    Parameters
    ----------
    path : Path
        A file with a list of rows.
    whole : callable
        Whether a row has all that its readers count on.
    """
    return [row for row in _content(path) or () if whole(row)]


def length(path: Path) -> int | None:
    """Return how many rows a file has, of whatever kind; None when it cannot be read."""
    rows = _content(path)
    return None if rows is None else len(rows)


def all_texts(value: Any) -> bool:
    """Return whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _content(path: Path) -> list[Any] | None:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return rows if isinstance(rows, list) else None
