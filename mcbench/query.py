"""Choosing runs by conditions such as "dataset=satimage" or "solver=kkt,cache"."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, TypeVar

from mcbench.errors import UserError, close_ones
from mcbench.words import few

if TYPE_CHECKING:
    import pandas as pd

    from mcbench.listing import Listing

#: Finished runs, as a table or as columns.
Runs = TypeVar("Runs", "pd.DataFrame", "Listing")

#: So many values of a column are named.
FEW = 30


def apply_filters(frame: Runs, filters: Iterable[str]) -> Runs:
    """Return the rows that every condition allows.

    Parameters
    ----------
    frame : DataFrame or Listing
        Runs, one row each.
    filters : iterable of str
        `column=value[,value...]`. The column is a short name (dataset, solver, seed, status) or a
        dotted one (solver.C, dataset.train_size); a value may have the wildcards * and ?.
    """
    for condition in filters:
        key, equals, values = condition.partition("=")
        if not equals:
            raise UserError(f"'{condition}' is no condition: write column=value.")
        if frame.empty:
            return frame
        column = column_of(frame, key)
        wanted = values.split(",")
        texts = [_text(item) for item in frame[column]]
        known = {item: _matches(item, wanted) for item in set(texts)}
        frame = frame[[known[item] for item in texts]]
    return frame


def unmatched(frame: "pd.DataFrame | Listing", filters: Iterable[str]) -> list[str]:
    """Return a sentence for each value asked for that no run has, with those that there are."""
    sentences = []
    for condition in filters:
        key, _, values = condition.partition("=")
        if frame.empty:
            break
        known = sorted({_text(item) for item in frame[column_of(frame, key)]})
        for value in values.split(","):
            if any(_matches(text, [value]) for text in known):
                continue
            sentences.append(
                f"no run has {key}={value}; {close_ones(value, known)}there are: {few(known, FEW)}"
            )
    return sentences


def column_of(frame: "pd.DataFrame | Listing", key: str) -> str:
    """Return the column that a short or a dotted name stands for."""
    for candidate in (key, f"config.{key}", f"provenance.{key}"):
        if candidate in frame.columns:
            return candidate
    names = [str(name).removeprefix("config.") for name in frame.columns]
    raise UserError(f"Runs have no column '{key}'{_few(key, names)}")


def _few(key: str, names: list[str]) -> str:
    """Name the close ones, or else the short ones: all of them would be a page."""
    short = ", ".join(sorted({name for name in names if "." not in name}))
    close = close_ones(key, names)
    return f"{f'; {close}' if close else '. '}Without a dot there are: {short}."


def _matches(text: str, wanted: list[str]) -> bool:
    return any(fnmatchcase(text, item) or _same_number(text, item) for item in wanted)


def _same_number(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
