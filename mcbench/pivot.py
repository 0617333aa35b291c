"""A table of one metric: a row and a column for each value of chosen keys, a cell for each pair."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from mcbench.aggregate import AGGREGATES, aggregated, numbers
from mcbench.errors import UserError
from mcbench.keys import check_cells, keyed
from mcbench.labels import COMPARED, DATASET
from mcbench.metrics import Metric
from mcbench.tables import RUN_LABELS, ended_early, order

if TYPE_CHECKING:
    import pandas as pd

Key = tuple[str, ...]

#: Metrics that compare only between solvers of one problem: none of their values is the best.
OF_A_PROBLEM = ("primal", "dual")


@dataclass(frozen=True, eq=False)
class Cell:
    """The runs of one row and column.

    Attributes
    ----------
    found : dict of str to float
        Their statistics (`mcbench.aggregate`), and `n`.
    runs : DataFrame
        The runs themselves.
    early : int
        How many of them ended before their accuracy was reached.
    """

    found: dict[str, float]
    runs: "pd.DataFrame"
    early: int


@dataclass(frozen=True)
class Pivot:
    """A table with a cell for each row and column.

    Attributes
    ----------
    rows, columns : list of str
        The keys that rows and columns are made of.
    metric : Metric
        What the cells show.
    aggregate : str
        How runs that differ in the seed become one value.
    cells : dict
        The cells that there are, by the values of the rows' and of the columns' keys.
    over : list of str
        What runs of one cell differ in.
    """

    rows: list[str]
    columns: list[str]
    metric: Metric
    aggregate: str
    cells: dict[tuple[Key, Key], Cell]
    over: list[str]

    def row_keys(self) -> list[Key]:
        """Return the rows in order."""
        return _sorted({row for row, _ in self.cells})

    def column_keys(self) -> list[Key]:
        """Return the columns in order."""
        return _sorted({column for _, column in self.cells})

    def centre(self, cell: Cell) -> float:
        """Return the value that a cell stands for."""
        return cell.found[AGGREGATES[self.aggregate][0]]

    @property
    def compared_in_columns(self) -> bool:
        """Whether the columns are data sets, so that the rows compete in each of them."""
        return any(map(_of_data, self.columns)) and not all(map(_of_data, self.rows))

    def competitions(self) -> list[list[tuple[Key, Key]]]:
        """Return the cells that compete for being the best: those of the same data."""
        along = self.compared_in_columns
        where = [i for i, name in enumerate(self.rows) if _of_data(name) or name in RUN_LABELS]

        def group(cell: tuple[Key, Key]) -> tuple[Key, ...]:
            row, column = cell
            return (tuple(row[i] for i in where), column) if along else (row,)

        return [list(cells) for _, cells in groupby(sorted(self.cells, key=group), key=group)]

    def candidates(self, names: Sequence[tuple[Key, Key]]) -> dict[tuple[Key, Key], float]:
        """Return the values of the cells of a competition of which one is the best.

        Cells with fewer runs than others are not among them: they may lack the harder seeds.
        """
        most = max(len(self.cells[name].runs) for name in names)
        values = {n: self.centre(self.cells[n]) for n in names if len(self.cells[n].runs) == most}
        return {name: value for name, value in values.items() if value == value}

    def best(self) -> set[tuple[Key, Key]]:
        """Return the cells that are as good as the best of their competition, as shown."""
        found: set[tuple[Key, Key]] = set()
        if not self.metric.better or self.metric.name in OF_A_PROBLEM:
            return found
        for names in self.competitions():
            values = self.candidates(names)
            if len(values) < 2:
                continue
            top = min(values.values()) if self.metric.better == "lower" else max(values.values())
            text = format(top, self.metric.shown)
            found |= {n for n, value in values.items() if format(value, self.metric.shown) == text}
        return found

    def unequal(self) -> dict[str, list[str]]:
        """Return settings without which solvers cannot be compared and that differ in the table."""
        found = {}
        for name in COMPARED:
            short = name.removeprefix("config.")
            if short in (*self.rows, *self.columns):
                continue
            values = {v for cell in self.cells.values() for v in cell.runs.get(short, ["-"])}
            if len(values - {"-"}) > 1:
                found[short] = sorted(values - {"-"}, key=order)
        return found


def pivot(
    frame: "pd.DataFrame",
    rows: Sequence[str],
    columns: Sequence[str],
    metric: Metric,
    aggregate: str = "mean",
    over: Sequence[str] = (),
) -> Pivot:
    """Return the table of a metric over rows and columns.

    Parameters
    ----------
    frame : DataFrame
        Finished runs, one row each.
    rows : sequence of str
        What tells the rows apart; none: all that tells runs apart beside the columns.
    columns : sequence of str
        What tells the columns apart.
    metric : Metric
        What the cells show.
    aggregate : str
        One of `mcbench.aggregate.AGGREGATES`; with "none" each seed has a row of its own.
    over : sequence of str
        What is averaged over beside the seed.

    Raises
    ------
    UserError
        When a cell would mix runs that differ in more than the seed, or no run has the metric.
    """
    alone = ["seed"] if aggregate == "none" and "seed" not in (*rows, *columns) else []
    labelled, others = keyed(frame, [*rows, *alone, *columns], over)
    made_of = [*(rows or others), *alone]
    if rows:
        check_cells(labelled, [*made_of, *columns], others, rows)
    if not made_of:
        raise UserError("Nothing is left for the rows: name a key with --rows, such as dataset.")
    cells: dict[tuple[Key, Key], Cell] = {}
    for key, group in labelled.groupby([*made_of, *columns], sort=False):
        values = numbers(group, metric)
        if len(values):
            place = _split(key, len(made_of))
            early = int(ended_early(group).sum())
            cells[place] = Cell(aggregated(values, aggregate), group, early)
    if not cells:
        raise UserError(f"None of these runs has a value of {metric.name}: choose another --value.")
    return Pivot(made_of, list(columns), metric, aggregate, cells, ["seed", *over])


def _split(key: Hashable, size: int) -> tuple[Key, Key]:
    names = tuple(map(str, key)) if isinstance(key, tuple) else (str(key),)
    return names[:size], names[size:]


def _of_data(name: str) -> bool:
    return name == DATASET or name.startswith((f"{DATASET}.", "data."))


def _sorted(keys: set[Key]) -> list[Key]:
    return sorted(keys, key=lambda key: [order(part) for part in key])
