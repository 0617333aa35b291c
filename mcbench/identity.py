"""What makes two runs the same run."""

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

#: Parts of the configuration that can change a result or a timing. The rest (names, limits,
#: where results are kept) is how a run is executed, not what it is.
PARTS = ("dataset", "kernel", "solver", "seed", "measure")
PROTOCOL_PARTS = ("threads", "warm_up", "trace")

#: Left out of the parts above: where a file lies (its content is hashed), and memory granted to
#: the evaluation.
NOT_IDENTITY = {"dataset": ("path", "test_path"), "trace": ("memory_mb",)}

#: Settings that came after the first runs: null, they leave the identity as it was without them.
LATER = {"dataset": ("validation",)}

ID_LENGTH = 16


def canonical(value: Any) -> Any:
    """Return `value` such that equal meanings have equal JSON: 1 and 1.0, tuples and lists."""
    if isinstance(value, Mapping):
        return {str(key): canonical(value[key]) for key in value}
    if isinstance(value, list | tuple):
        return [canonical(item) for item in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return value


def canonical_json(value: Any) -> str:
    """JSON text that depends only on the meaning of `value`, not on the order of its keys."""
    return json.dumps(canonical(value), sort_keys=True, separators=(",", ":"), default=str)


def digest(value: Any) -> str:
    """Hash of a plain value, as 16 hexadecimal characters."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:ID_LENGTH]


def identity(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a resolved configuration that identifies the run."""
    parts = {key: _identifying(key, config.get(key)) for key in PARTS}
    protocol = config.get("protocol") or {}
    parts["protocol"] = {key: _identifying(key, protocol.get(key)) for key in PROTOCOL_PARTS}
    return parts


def run_id(config: Mapping[str, Any], content_hash: str | None, solver_version: str) -> str:
    """Return the identity of a run: configuration, data content and the solver's version.

    Parameters
    ----------
    config : mapping
        The resolved configuration.
    content_hash : str or None
        Hash of the data's canonical arrays; None for a run without data.
    solver_version : str
        What the solver declares; it changes when the solver's results or speed change.
    """
    return digest(
        {"config": identity(config), "data": content_hash, "solver_version": solver_version}
    )


def group_id(config: Mapping[str, Any], content_hash: str | None, solver_version: str) -> str:
    """Return the identity of a run but for its seed: runs that a table may average over."""
    return run_id({**config, "seed": None}, content_hash, solver_version)


def _identifying(part: str, value: Any) -> Any:
    """Return what of a part of the configuration identifies the run."""
    if not isinstance(value, Mapping):
        return value
    left_out, later = NOT_IDENTITY.get(part, ()), LATER.get(part, ())
    return {
        key: item
        for key, item in value.items()
        if key not in left_out and not (item is None and key in later)
    }
