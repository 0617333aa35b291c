"""A table of a paper, ours beside it: Markdown, CSV and LaTeX."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from mcbench.catalogue import RUN_COLUMNS
from mcbench.markup import booktabs, escape, markdown


@dataclass(frozen=True)
class PaperTable:
    """A table whose best values are in bold and whose significant ones are marked.

    Attributes
    ----------
    frame : DataFrame
        The values. A column `run` or `runs` names the runs behind a row.
    note : str
        What a reader has to know, such as sizes that were reduced.
    best : sequence of sequence of str
        Groups of columns; the least value of each row in each group is in bold.
    largest : sequence of sequence of str
        The same for the largest value.
    decimals : mapping of str to int
        Digits after the point of a column; four significant ones by default.
    marks : mapping of (row, column) to str
        What is written behind a value, such as "*" for a significant difference. The row is its
        number, from 0.
    """

    frame: pd.DataFrame
    note: str = ""
    best: Sequence[Sequence[str]] = ()
    largest: Sequence[Sequence[str]] = ()
    decimals: Mapping[str, int] = field(default_factory=dict)
    marks: Mapping[tuple[int, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = list(map(str, self.frame.columns))
        if len(set(names)) < len(names):
            raise ValueError(f"two columns of a table have one name: {names}")

    def markdown(self, title: str) -> str:
        """Return title, note and table as Markdown."""
        bold = self._bold()
        names = list(map(str, self.frame.columns))
        rows = [
            [
                (f"**{text}**" if (number, name) in bold else text)
                + self.marks.get((number, name), "").replace("*", "\\*")
                for name, text in zip(names, row, strict=True)
            ]
            for number, row in enumerate(self._cells())
        ]
        parts = [title, *([self.note] if self.note else []), markdown(names, rows)]
        return "\n\n".join(parts) + "\n"

    def csv(self) -> str:
        """Return the values with all their digits."""
        return self.frame.to_csv(index=False, lineterminator="\n")

    def latex(self, title: str) -> str:
        """Return the table in booktabs' style; the runs of each row are comments behind it."""
        bold = self._bold()
        names = list(map(str, self.frame.columns))
        shown = [name for name in names if name not in RUN_COLUMNS]
        rows, comments = [], []
        for number, row in enumerate(self._cells()):
            cells = dict(zip(names, row, strict=True))
            rows.append(
                [
                    (
                        f"\\textbf{{{escape(cells[name])}}}"
                        if (number, name) in bold
                        else escape(cells[name])
                    )
                    + self._mark(number, name)
                    for name in shown
                ]
            )
            comments.append(
                " ".join(f"{name} {cells[name]}" for name in RUN_COLUMNS if name in cells)
            )
        left = [not _number(value) for value in self._first(shown)]
        caption = ". ".join(filter(None, [title, self.note]))
        return booktabs(shown, rows, left, " ".join(caption.split()), comments)

    def _mark(self, number: int, name: str) -> str:
        mark = self.marks.get((number, name))
        return f"$^{{{escape(mark)}}}$" if mark else ""

    def _first(self, names: Sequence[str]) -> list[Any]:
        """Return a value of each column that is there."""
        return [next(iter(self.frame[name].dropna()), "") for name in names]

    def _cells(self) -> list[list[str]]:
        names = list(map(str, self.frame.columns))
        return [
            [self._text(name, value) for name, value in zip(names, row, strict=True)]
            for row in self.frame.itertuples(index=False)
        ]

    def _text(self, name: str, value: Any) -> str:
        if pd.isna(value):
            return "-"
        if not isinstance(value, float):
            return str(value)
        if name in self.decimals:
            return f"{value:.{self.decimals[name]}f}"
        return f"{value:.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"

    def _bold(self) -> set[tuple[int, str]]:
        """Return the cells that are as good as the best of their group, as far as it is shown."""
        found = set()
        for groups, sign in ((self.best, 1), (self.largest, -1)):
            for names in groups:
                for number, row in enumerate(self.frame[list(names)].to_dict("records")):
                    shown = {name: v for name, v in row.items() if not pd.isna(v)}
                    if len(shown) < 2:
                        continue
                    texts = {str(name): self._text(str(name), v) for name, v in shown.items()}
                    top = str(min(shown, key=lambda name: sign * shown[name]))
                    found |= {(number, name) for name, text in texts.items() if text == texts[top]}
        return found


def _number(value: Any) -> bool:
    return isinstance(value, int | float) or hasattr(value, "dtype")
