"""Tables as they are on disk, as cells for a page.

The Markdown says how a value is shown (its digits, the best in bold, marks of significance), the
comma-separated file has it in full.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mcbench.catalogue import RUN_COLUMNS, split_runs

_BORDER = re.compile(r"(?<!\\)\|")
_BOLD = re.compile(r"\*\*(.*?)\*\*(.*)", re.DOTALL)


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes
    ----------
    text : str
        What is shown.
    mark : str
        What stands behind it, such as "*".
    bold : bool
        Whether it is the best of its group.
    full : str
        The value with all its digits, where that says more.
    number : bool
        Whether it is a number.
    runs : tuple of str
        The runs that a cell of the column `run` or `runs` names.
    """

    text: str
    mark: str = ""
    bold: bool = False
    full: str = ""
    number: bool = False
    runs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table: the names of its columns, its rows, and what a reader has to know."""

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""

    @property
    def numeric(self) -> list[bool]:
        """Which columns have numbers, and nothing else but dashes."""
        columns = zip(*self.rows, strict=True) if self.rows else [() for _ in self.header]
        return [
            any(cell.number for cell in column)
            and all(cell.number or cell.text == "-" for cell in column)
            for column in columns
        ]


def read_table(markdown: Path, values: Path | None = None) -> Table:
    """Return a table from its Markdown file and its comma-separated one."""
    title, *parts = markdown.read_text(encoding="utf-8").strip().split("\n\n")
    del title
    lines = parts[-1].splitlines() if parts else []
    header, *rows = [_split(line) for line in lines[:1] + lines[2:]] or [[]]
    cells = [[shown(text, name) for name, text in zip(header, row, strict=False)] for row in rows]
    return Table(header, _with_values(cells, values), "\n\n".join(parts[:-1]))


def shown(text: str, column: str) -> Cell:
    """Return a cell of Markdown in a column."""
    if column in RUN_COLUMNS:
        return Cell(text, runs=tuple(split_runs(text)))
    found = _BOLD.fullmatch(text)
    inner, mark = (found[1], found[2]) if found else (text, "")
    if not found and "\\*" in text:
        inner, star, rest = text.partition("\\*")
        mark = star + rest
    mark = mark.replace("\\*", "*")
    return Cell(inner, mark, bold=found is not None, number=_is_number(inner))


def _with_values(rows: list[list[Cell]], path: Path | None) -> list[list[Cell]]:
    """Return the cells with what the comma-separated file says more than they do."""
    if path is None:
        return rows
    with path.open(encoding="utf-8", newline="") as file:
        values = list(csv.reader(file))[1:]
    return [
        [
            replace(cell, full=value) if cell.number and value != cell.text else cell
            for cell, value in zip(row, line, strict=False)
        ]
        for row, line in zip(rows, values, strict=False)
    ]


def _split(line: str) -> list[str]:
    """Return the cells of a line of a Markdown table."""
    return [cell.strip().replace("\\|", "|") for cell in _BORDER.split(line)[1:-1]]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
