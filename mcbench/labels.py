"""What tells runs apart, in as few columns as possible."""

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from mcbench.identity import canonical_json

if TYPE_CHECKING:
    import pandas as pd

#: Configuration columns that never tell two groups of runs apart.
IGNORED = ("config.seed", "config.results_dir", "config.on_error", "config.solver_name")
IGNORED_PREFIXES = ("config.choices.", "config.protocol.limits.", "config.protocol.isolate")
MORE = ("solver_version", "data.content_hash", "provenance.machine.id")

DATASET, KERNEL, SOLVER = "dataset", "kernel", "solver"


def add_labels(frame: "pd.DataFrame") -> tuple["pd.DataFrame", list[str]]:
    """Return the runs with readable label columns, and the names of these columns.

    Data set and solver always are labels; the kernel is one when there are several, and so is
    each setting in which runs with the same names differ, but for the seed. Runs with equal
    labels differ in their seed at most, so that averaging over them is right.
    """
    labels = [DATASET, SOLVER]
    frame = frame.copy()
    for name in (DATASET, KERNEL, SOLVER):
        frame[name] = frame[name].map(lambda value: "-" if value is None else str(value))
    if frame[KERNEL].nunique() > 1:
        labels.insert(1, KERNEL)
    for column in _candidates(frame):
        texts = frame[column].map(canonical_json)
        if texts.nunique() < 2:
            continue
        if int(texts.groupby([frame[name] for name in labels]).nunique().max()) > 1:
            short = column.removeprefix("config.").removeprefix("provenance.")
            frame[short] = frame[column].map(_text)
            labels.append(short)
    return frame, labels


def curve_name(run: Mapping[Hashable, Any], labels: Iterable[str]) -> str:
    """Return what a group of runs is called: names as they are, settings as key=value."""
    parts = []
    for name in labels:
        value = str(run[name])
        plain = name in (DATASET, KERNEL, SOLVER)
        parts.append(value if plain else f"{name.rpartition('.')[2]}={value}")
    return " ".join(parts)


def _candidates(frame: "pd.DataFrame") -> list[str]:
    names = [str(name) for name in frame.columns]
    config = [
        name
        for name in names
        if name.startswith("config.")
        and name not in IGNORED
        and not name.startswith(IGNORED_PREFIXES)
    ]
    return sorted(config) + [name for name in MORE if name in names]


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return "-"
    return f"{value:g}" if isinstance(value, float) else str(value)
