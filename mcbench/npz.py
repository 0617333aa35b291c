"""A flat mapping of arrays and plain values as the members of an .npz file."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

AT, VALUES = ".at", ".values"

Packed = tuple[dict[str, np.ndarray], dict[str, Any], dict[str, list[int]]]


def pack(state: Mapping[str, Any]) -> Packed:
    """Return a state's arrays, its plain values, and the shapes of those arrays that are sparse.

    Coefficients are mostly zero; of such an array the other values and their places are kept. What
    is zero is asked of the bits, so that -0.0 is not.
    """
    arrays: dict[str, np.ndarray] = {}
    plain: dict[str, Any] = {}
    sparse: dict[str, list[int]] = {}
    for name, value in state.items():
        if not isinstance(value, np.ndarray):
            plain[name] = value
            continue
        if value.dtype == np.float64 and value.size:
            at = np.flatnonzero(np.ascontiguousarray(value).view(np.int64))
            if 2 * len(at) < value.size:
                arrays[name + AT], arrays[name + VALUES] = at, value.ravel()[at]
                sparse[name] = list(value.shape)
                continue
        arrays[name] = value
    return arrays, plain, sparse


def unpack(
    arrays: Mapping[str, np.ndarray], plain: Mapping[str, Any], sparse: Mapping[str, list[int]]
) -> dict[str, Any]:
    """Return the state that `pack` took apart."""
    rest = dict(arrays)
    state: dict[str, Any] = dict(plain)
    for name, shape in sparse.items():
        value = np.zeros(shape)
        value.flat[rest.pop(name + AT)] = rest.pop(name + VALUES)
        state[name] = value
    return {**state, **rest}


def write_npz(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays to a file that only this process writes: all of them or, if it dies, nothing."""
    fresh = path.with_name(f"{path.name}.part")
    try:
        with fresh.open("wb") as file:
            np.savez(file, **dict(arrays))  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
