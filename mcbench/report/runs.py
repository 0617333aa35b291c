"""The page of a run: what it was, what was measured, and where it comes from."""

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.metrics import METRICS, TRACE_AXES
from mcbench.record import Record, flatten
from mcbench.report.curves import thinned

if TYPE_CHECKING:
    import pandas as pd

#: The groups of a record in the order in which they are shown; others follow, by name.
GROUPS = {
    "data": "Data",
    "error": "Errors",
    "objective": "Objective, recomputed in double precision",
    "model": "Model",
    "work": "Work",
    "time": "Time [s]",
    "memory": "Memory [MB]",
    "reported": "What the solver says of itself",
    "measured": "Measured",
    "limits": "Limits",
    "identity": "Identity",
    "provenance": "Provenance",
}

#: Sections that have a place of their own on the page, or are of no use once a run has ended.
ELSEWHERE = ("warnings", "traceback", "overrides", "owner", "progress")

#: Checkpoints in the table of a run's page.
ROWS = 25

#: A value that is longer is cut off; the record has it in full.
LONGEST = 240


def title(record: Record) -> str:
    """Return how a person knows a run: its data, its solver, its seed."""
    row = record.flat()
    data = record.get("data") or {}
    what = row["solver"]
    measure = record.config.get("measure")
    if isinstance(measure, Mapping):
        what = str(measure.get("_target_", measure)).rpartition(".")[2]
    named = data.get("title") or row["dataset"]
    return " · ".join(str(part) for part in (named, what, f"seed {row['seed']}") if part)


def command(record: Record) -> str:
    """Return the command that executes a run again."""
    return shlex.join(["mcbench", "run", *map(str, record.get("overrides") or ())])


def error(record: Record) -> str:
    """Return what the errors of a run are of: with `dataset.validation`, of a validation part."""
    part = (record.get("data") or {}).get("validation")
    return "test error" if part is None else "validation error"


def key_values(record: Record, row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what was measured and has a name (`mcbench.metrics`), as name and text."""
    found = []
    for metric in METRICS.values():
        value = row.get(metric.column)
        if isinstance(value, int | float) and value == value:
            name = metric.label.replace("test error", error(record))
            found.append((name, format(value * metric.scale, metric.shown)))
    return found


def groups(record: Record) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the record's sections in readable order: a title, then names and values."""
    loose = {}
    found: dict[str, list[tuple[str, str]]] = {}
    for name, section in record.sections.items():
        if name in ELSEWHERE:
            continue
        if isinstance(section, Mapping):
            found[name] = [(key, text(value)) for key, value in flatten(section).items()]
        else:
            loose[name] = section
    order = [*GROUPS, *sorted(set(found) - set(GROUPS))]
    titled = [(GROUPS.get(name, name), found[name]) for name in order if found.get(name)]
    if loose:
        titled.append(("Other", [(name, text(value)) for name, value in loose.items()]))
    return titled


def settings(record: Record) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the configuration in groups: data set, kernel, solver, protocol, the rest."""
    parts: dict[str, list[tuple[str, str]]] = {}
    for name, value in record.config.items():
        if isinstance(value, Mapping):
            parts[name] = [(key, text(item)) for key, item in flatten(value).items()]
        else:
            parts.setdefault("the run", []).append((name, text(value)))
    return list(parts.items())


def checkpoints(trace: "pd.DataFrame", record: Record) -> tuple[list[str], list[list[str]]]:
    """Return a trace as a table with few rows: the header and the rows."""
    names = [name for name in TRACE_AXES if name in trace and trace[name].notna().any()]
    rows = zip(
        *(trace[name].iloc[thinned(len(trace), ROWS)].tolist() for name in names), strict=True
    )
    header = [TRACE_AXES[name][0].replace("test error", error(record)) for name in names]
    return header, [[text(value) for value in row] for row in rows]


def text(value: Any) -> str:
    """Return a value as it is shown; what is long is cut off."""
    if value is None or (isinstance(value, float) and value != value):
        return "-"
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        shown = "; ".join(
            ", ".join(f"{key} {text(item)}" for key, item in one.items() if item is not None)
            for one in value
        )
    else:
        shown = str(value)
    if len(shown) <= LONGEST:
        return shown
    size = f" ({len(value)} values)" if isinstance(value, list) else ""
    return f"{shown[:LONGEST]} ...{size}"
