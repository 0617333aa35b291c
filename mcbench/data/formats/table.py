"""What a reader makes of a file: attributes, labels as written, and names of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._types import Matrix


@dataclass(frozen=True, eq=False)
class Table:
    """One table of examples.

    Attributes
    ----------
    X : ndarray or csr_matrix of float64
        Attributes.
    labels : sequence
        Labels as written: text or numbers.
    columns : tuple of str
        Names of the attributes where the file has them.
    """

    X: Matrix
    labels: Sequence[object]
    columns: tuple[str, ...] = ()


def encode(tables: Sequence[Table]) -> tuple[list[np.ndarray], tuple[str, ...]]:
    """Make int64 class labels of the labels of one or more tables, all in the same way.

    Integers, also written as text or as 3.0, stay what they are. Any other text is replaced by
    its position in the sorted list of distinct texts.

    Returns
    -------
    codes : list of ndarray
        Labels of each table.
    names : tuple of str
        The sorted texts, empty for integers.
    """
    for table in tables:
        for row, label in enumerate(table.labels):
            if label is None or (isinstance(label, float) and not np.isfinite(label)):
                raise ValueError(
                    f"the label {label!r} of example {row + 1} is missing or not finite: labels "
                    "must be integers or text"
                )
    numbers = [[_number(label) for label in table.labels] for table in tables]
    if all(number is not None for column in numbers for number in column):
        for column in numbers:
            for row, number in enumerate(column):
                if number is None or not float(number).is_integer() or abs(number) > 2**53:
                    raise ValueError(
                        f"the label {number!r} of example {row + 1} is not a class: labels must be "
                        "integers or text"
                    )
        return [np.array(column, dtype=np.float64).astype(np.int64) for column in numbers], ()
    texts = [[str(label) for label in table.labels] for table in tables]
    names = sorted({text for column in texts for text in column})
    order = {text: code for code, text in enumerate(names)}
    return [np.array([order[text] for text in column], dtype=np.int64) for column in texts], tuple(
        names
    )


def _number(label: object) -> float | None:
    """Return the label as a finite number, None where it is text."""
    try:
        value = float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return value if np.isfinite(value) else None
