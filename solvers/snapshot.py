"""The state of a fit as flat data, from which another fit goes on to the same bits.

Whatever a loop consists of (`solvers.drive.Loop`) has two methods. ``snapshot()`` gives all that it
does not know from the data and the parameters, as a mapping from names to arrays, copied, and plain
values (numbers, text, truth values, None); the names of a part's values begin with the part's own
and a dot. ``restore(state)`` takes such a state back, on a loop at its start for the same data and
parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

Snapshot = dict[str, Any]


def joined(**parts: Mapping[str, Any]) -> Snapshot:
    """The states of parts as one."""
    return {f"{name}.{key}": value for name, part in parts.items() for key, value in part.items()}


def part_of(state: Mapping[str, Any], name: str) -> Snapshot:
    """The state of one part."""
    start = f"{name}."
    return {key[len(start) :]: value for key, value in state.items() if key.startswith(start)}


def told(owner: Any, names: Iterable[str]) -> Snapshot:
    """Some attributes, arrays and lists copied."""
    return {name: copied(getattr(owner, name)) for name in names}


def put(owner: Any, names: Iterable[str], state: Mapping[str, Any]) -> None:
    """Set attributes that `told` gave."""
    for name in names:
        setattr(owner, name, copied(state[name]))


def copied(value: Any) -> Any:
    """A value that does not change with the original."""
    return value.copy() if isinstance(value, np.ndarray | list) else value
