"""What differs between two runs: configuration, where they were executed, results."""

from collections.abc import Mapping
from typing import Any

from mcbench.markup import markdown
from mcbench.metrics import METRICS
from mcbench.record import Record, flatten
from mcbench.report.runs import text

#: Sections of results whose numbers mean the same in any two runs.
RESULTS = ("error", "objective", "model", "work", "time", "memory", "reported", "measured")

#: Parts of a machine and its software that are compared; its name in a network is not.
LEFT_OUT = ("machine.host", "command", "variables", "argv", "pid")

Side = Mapping[str, Any]
Differences = dict[str, dict[str, dict[str, Any]]]


def difference(one: Record, other: Record) -> Differences:
    """Return what differs, in three groups: configuration, origin, results.

    Equal things are left out. Each difference has `a` and `b`, the values of either run, None
    where it has none; results that are above 0 in both also have `ratio`, b / a.
    """
    groups = {
        "configuration": (_configuration(one), _configuration(other)),
        "origin": (_origin(one), _origin(other)),
        "results": (_results(one), _results(other)),
    }
    return {name: _differing(*sides, name == "results") for name, sides in groups.items()}


def as_text(one: Record, other: Record, found: Differences) -> str:
    """Return the differences as tables."""
    parts = [f"a: run {one.id}\nb: run {other.id}"]
    titles = {
        "configuration": "Configuration",
        "origin": "Machine, versions and data",
        "results": "Results",
    }
    for name, title in titles.items():
        if not found[name]:
            parts.append(f"{title}: no differences.")
            continue
        ratios = any("ratio" in row for row in found[name].values())
        header = ["", "a", "b", *(["b / a"] if ratios else [])]
        rows = [
            [key, _short(row["a"]), _short(row["b"]), *([_ratio(row)] if ratios else [])]
            for key, row in found[name].items()
        ]
        parts.append(f"{title}\n\n{markdown(header, rows)}")
    return "\n\n".join(parts)


def _differing(one: Side, other: Side, ratios: bool) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for key in dict.fromkeys([*one, *other]):
        a, b = one.get(key), other.get(key)
        if a == b and isinstance(a, bool) == isinstance(b, bool):
            continue
        found[key] = {"a": a, "b": b}
        if ratios and _positive(a) and _positive(b):
            found[key]["ratio"] = b / a  # type: ignore[operator]
    return found


def _configuration(record: Record) -> dict[str, Any]:
    config = {key: value for key, value in record.config.items() if key != "choices"}
    choices = record.config.get("choices") or {}
    return {**choices, **flatten(config)}


def _origin(record: Record) -> dict[str, Any]:
    found = flatten(record.get("provenance") or {})
    found = {key: value for key, value in found.items() if not key.startswith(LEFT_OUT)}
    data = record.get("data") or {}
    found["solver_version"] = record.get("solver_version")
    return {**found, **{f"data.{key}": value for key, value in data.items()}}


def _results(record: Record) -> dict[str, Any]:
    """Return the results by the names that tables give them, the others by those of the record."""
    rows = flatten({name: record.get(name) or {} for name in RESULTS})
    names = {metric.column: metric.label for metric in METRICS.values()}
    scales = {metric.column: metric.scale for metric in METRICS.values()}
    found: dict[str, Any] = {"status": record.status}
    for key, value in rows.items():
        scaled = value * scales[key] if key in scales and _number(value) else value
        found[names.get(key, key)] = scaled
    if record.get("warnings"):
        found["warnings"] = record.get("warnings")
    return found


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _positive(value: Any) -> bool:
    return _number(value) and value > 0


def _ratio(row: Mapping[str, Any]) -> str:
    return f"{row['ratio']:.3g}" if "ratio" in row else ""


def _short(value: Any, longest: int = 26) -> str:
    shown = text(value)
    return shown if len(shown) <= longest else f"{shown[: longest - 3]}..."
