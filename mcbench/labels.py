"""What tells runs apart, in as few columns as possible."""

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from mcbench.identity import canonical_json

if TYPE_CHECKING:
    import pandas as pd

#: Configuration columns that never tell two groups of runs apart.
IGNORED = (
    "config.seed",
    "config.results_dir",
    "config.on_error",
    "config.retries",
    "config.solver_name",
)
IGNORED_PREFIXES = ("config.choices.", "config.protocol.limits.", "config.protocol.isolate")
#: How a fit is looked at does not change it; `traced` says whether it was.
TRACE = "config.protocol.trace"
STOP_AT = f"{TRACE}.stop_at"  # but for this one, which ends it
UNTOLD = ("stop_at", "memory_mb")
#: Settings of solvers without which they cannot be compared: shown also where solvers differ.
COMPARED = ("config.solver.C", "config.solver.tol")
MORE = ("solver_version", "data.content_hash", "provenance.machine.id")

#: An error of a validation part is no test error, so this is shown wherever it is set.
VALIDATION = "config.dataset.validation"

DATASET, KERNEL, SOLVER = "dataset", "kernel", "solver"

#: The label of runs that differ in whether they were traced; no column of theirs has this name.
TRACED = "traced"


def add_labels(frame: "pd.DataFrame") -> tuple["pd.DataFrame", list[str]]:
    """Return the runs with readable label columns, and the names of these columns.

    Data set and solver always are labels, and the kernel is one when there are several. So is
    each setting of the data, the kernel or the solver that their names do not explain, the
    validation part where there is one, and anything else in which runs with the same labels
    differ, but for the seed. Runs with equal labels differ in their seed at most, so that
    averaging over them is right.
    """
    labels = [DATASET, SOLVER]
    frame = frame.copy()
    for name in (DATASET, KERNEL, SOLVER):
        frame[name] = frame[name].map(lambda value: "-" if value is None else str(value))
    if frame[KERNEL].nunique() > 1:
        labels.insert(1, KERNEL)
    for column in _candidates(frame):
        texts = frame[column].map(_comparable)
        if _tells(texts, column, frame, labels):
            short = column.removeprefix("config.").removeprefix("provenance.")
            frame[short] = frame[column].map(as_text)
            labels.append(short)
    traced = _traced(frame, labels)
    if traced is not None:
        frame[TRACED] = traced
        labels.append(TRACED)
    return frame, labels


def with_model(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the runs that fitted a model, without those that measured something instead."""
    columns = [name for name in frame.columns if _below(str(name), "config.measure")]
    return frame[frame[columns].isna().all(axis=1)] if columns else frame


def _tells(texts: "pd.Series", column: str, frame: "pd.DataFrame", labels: list[str]) -> bool:
    """Return whether a column says what the names do not: values differ, or must be shown."""
    given = texts[texts != _comparable(None)]
    if column == VALIDATION:
        return len(given) > 0
    if texts.nunique() < 2:
        return False
    if column in COMPARED:
        return int(given.nunique()) > 1
    owner = {"config.dataset.": [DATASET], "config.kernel.": [KERNEL], "config.solver.": [SOLVER]}
    names = next((own for start, own in owner.items() if column.startswith(start)), labels)
    return int(texts.groupby([frame[name] for name in names]).nunique().max()) > 1


def _traced(frame: "pd.DataFrame", labels: list[str]) -> "pd.Series | None":
    """Return whether each run was traced, None where runs with equal labels agree in it.

    Traces that differ in their checkpoints only are told apart where seeds coincide: no seed
    counts twice.
    """
    columns = [
        str(name)
        for name in frame.columns
        if _below(str(name), TRACE) and str(name).removeprefix(f"{TRACE}.") not in UNTOLD
    ]
    if not columns:
        return None
    details = frame[columns].apply(
        lambda row: " ".join(
            f"{name.removeprefix(f'{TRACE}.')}={as_text(value)}"
            for name, value in row.items()
            if _comparable(value) != _comparable(None)
        ),
        axis=1,
    )
    plain = details.map(lambda text: "yes" if text else "no")
    keys = [frame[name] for name in labels]
    seed = next((name for name in ("seed", "config.seed") if name in frame), None)
    if seed is not None and int(details.groupby([*keys, plain, frame[seed]]).nunique().max()) > 1:
        return details.map(lambda text: text or "no")
    return plain if int(plain.groupby(keys).nunique().max()) > 1 else None


def _below(name: str, key: str) -> bool:
    return name == key or name.startswith(f"{key}.")


def _comparable(value: Any) -> str:
    """Return a value such that equal settings are equal; a missing one is as if it were null."""
    return canonical_json(None if isinstance(value, float) and value != value else value)


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
        and (name == STOP_AT or not _below(name, TRACE))
    ]
    return sorted(config) + [name for name in MORE if name in names]


def as_text(value: Any) -> str:
    """Return a value as a label; a missing one is "-"."""
    if value is None or (isinstance(value, float) and value != value):
        return "-"
    return f"{value:g}" if isinstance(value, float) else str(value)
