"""The finished runs as columns, without pandas: its import takes longer than listing 10 000 runs.

Runs of the same kind, whose records have the same columns, are kept together, so that a column is
found once for all of them.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, compress
from typing import TYPE_CHECKING, Any, overload

from mcbench.index import Entry

if TYPE_CHECKING:
    import pandas as pd

Kinds = dict[tuple[str, ...], list[list[Any]]]


class Listing:
    """Finished runs; `listing["solver"]` is a column, `listing[allowed]` the runs allowed.

    Attributes
    ----------
    columns : tuple of str
        The names of all columns; a choice of runs has those of the whole.
    """

    def __init__(self, kinds: Kinds, columns: Iterable[str] | None = None) -> None:
        self._kinds = kinds
        names = (name for kind in kinds for name in kind) if columns is None else columns
        self.columns = tuple(dict.fromkeys(names))

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Listing":
        """Return the listing of an index."""
        kinds: Kinds = {}
        for entry in entries:
            kinds.setdefault(entry.columns, []).append(entry.values)
        return cls(kinds)

    def __len__(self) -> int:
        return sum(map(len, self._kinds.values()))

    @property
    def empty(self) -> bool:
        """Whether there is no run."""
        return not len(self)

    @overload
    def __getitem__(self, key: str) -> list[Any]: ...

    @overload
    def __getitem__(self, key: Sequence[bool]) -> "Listing": ...

    def __getitem__(self, key: str | Sequence[bool]) -> "list[Any] | Listing":
        if isinstance(key, str):
            return self._column(key)
        allowed = iter(key)
        kinds = {kind: list(compress(rows, allowed)) for kind, rows in self._kinds.items()}
        return Listing({kind: rows for kind, rows in kinds.items() if rows}, self.columns)

    def frame(self) -> "pd.DataFrame":
        """Return the runs as a table; what a run does not have is missing."""
        import pandas as pd

        if not self.columns:
            return pd.DataFrame({"id": [], "status": []})
        parts = []
        for kind, rows in self._kinds.items():
            absent = [None] * len(rows)
            parts.append((dict(zip(kind, zip(*rows, strict=True), strict=True)), absent))
        return pd.DataFrame(
            {
                name: list(chain.from_iterable(own.get(name, absent) for own, absent in parts))
                for name in self.columns
            }
        )

    def _column(self, name: str) -> list[Any]:
        column: list[Any] = []
        for kind, rows in self._kinds.items():
            if name in kind:
                place = kind.index(name)
                column += [row[place] for row in rows]
            else:
                column += [None] * len(rows)
        return column
