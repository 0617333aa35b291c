"""What a record can hold: checked before a run ends, so that no run ends without a record."""

from collections.abc import Mapping
from typing import Any

from mcbench.errors import UserError

#: Deeper than this is a value that holds itself, or nobody's measurement.
DEEPEST = 50


def check_recordable(sections: Mapping[str, Any]) -> None:
    """Raise a `UserError` that names the first value which a record cannot hold.

    Numbers, text, lists and mappings of these can be held, and what NumPy has of them.
    """
    _check(sections, "", DEEPEST)


def _check(value: Any, name: str, left: int) -> None:
    if value is None or isinstance(value, bool | int | float | str):
        return
    if left == 0:
        raise UserError(f"{_shown(name)} holds itself, or is nested too deeply for a record.")
    if isinstance(value, Mapping):
        for key, item in value.items():
            _check(item, f"{name}.{key}" if name else str(key), left - 1)
    elif isinstance(value, list | tuple):
        for item in value:
            _check(item, name, left - 1)
    elif hasattr(value, "tolist"):
        _check(value.tolist(), name, left - 1)
    else:
        raise UserError(
            f"{_shown(name)} is of the type {type(value).__name__}, which a record cannot hold: "
            "give numbers, text, lists or mappings of these."
        )


def _shown(name: str) -> str:
    return name if len(name) < 60 else f"{name[:57]}..."
