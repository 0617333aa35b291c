"""Rows and columns that a user chooses for a table: no cell may mix what is not a seed."""

from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING

from mcbench.errors import UserError
from mcbench.labels import DATASET, KERNEL, SOLVER, TRACED, add_labels, as_text
from mcbench.query import column_of
from mcbench.words import count, few

if TYPE_CHECKING:
    import pandas as pd

#: Folds of a cross-validation that are given by hand are as good as seeds, if so wanted.
FOLD = "dataset.fold"

#: So many values of a setting are named.
FEW = 4


def names_of(text: str | None) -> list[str]:
    """Return the names in a list with commas, `config.` in front of them left out."""
    return [
        name.strip().removeprefix("config.").removeprefix("provenance.")
        for name in (text or "").split(",")
        if name
    ]


def keyed(
    frame: "pd.DataFrame", keys: Sequence[str], over: Sequence[str] = ()
) -> tuple["pd.DataFrame", list[str]]:
    """Return the runs with the keys as columns of text, and what else tells runs apart.

    Parameters
    ----------
    frame : DataFrame
        Runs, one row each.
    keys : sequence of str
        Short names (dataset, solver, seed) or dotted ones (solver.C, data.n_classes).
    over : sequence of str
        What may differ within a cell beside the seed, because the user says so.

    Raises
    ------
    UserError
        When runs have no such column, or one is asked for twice.
    """
    asked = [*keys, *over]
    for key in asked:
        if asked.count(key) > 1:
            raise UserError(f"'{key}' is asked for twice: give it to --rows, --columns or --over.")
    for key in over:
        column_of(frame, key)
    columns = {key: frame[column_of(frame, key)].map(as_text) for key in keys if key != TRACED}
    labelled, labels = add_labels(frame)
    for key in keys:
        if key in columns and key not in (*labels, DATASET, KERNEL, SOLVER):
            labelled[key] = columns[key]
    if TRACED in keys and TRACED not in labels:
        labelled[TRACED] = "-"
    return labelled, [name for name in labels if name not in asked]


def check_cells(
    labelled: "pd.DataFrame", keys: Sequence[str], others: Sequence[str], rows: Sequence[str]
) -> None:
    """Raise a `UserError` when a cell has runs that differ in more than the seed.

    Parameters
    ----------
    labelled : DataFrame
        What `keyed` returned.
    keys : sequence of str
        What tells cells apart.
    others : sequence of str
        What else tells runs apart.
    rows : sequence of str
        The keys that the user gave for the rows.
    """
    if not others:
        return
    groups = labelled.groupby(list(keys), sort=False)
    several = groups[list(others)].nunique() > 1
    mixed = several.index[several.any(axis=1)]
    if mixed.empty:
        return
    where = mixed[0] if isinstance(mixed[0], tuple) else (mixed[0],)
    cell = " ".join(f"{key}={value}" for key, value in zip(keys, where, strict=True))
    group = groups.get_group(where)
    names = [name for name in others if group[name].nunique() > 1]
    listed = "; ".join(f"{name} ({few(list(dict.fromkeys(group[name])), FEW)})" for name in names)
    apart = [name for name in others if several[name].any()]
    way = f"with --rows {','.join([*rows, *apart])}" if len(apart) <= FEW else "without --rows"
    ways = [_choice(group, names), f"make rows of all that differ {way}"]
    ways += [f"average over folds with --over {FOLD}"] if apart == [FOLD] else []
    raise UserError(
        f"{count(len(mixed), 'cell')} would mix runs that differ in more than the seed, as "
        f"{cell} in {listed}: {', or '.join(filter(None, ways))}."
    )


def _choice(group: "pd.DataFrame", names: Sequence[str]) -> str:
    """Return how to choose runs of a cell that agree in these labels, as a user would write it."""
    if len(names) > FEW or TRACED in names:  # by nothing that is recorded under its name
        return ""
    first = group.iloc[0]
    values = {name: "null" if first[name] == "-" else str(first[name]) for name in names}
    return f"choose some with {' '.join(quote(f'{name}={v}') for name, v in values.items())}"
