"""A pivot as Markdown, CSV or LaTeX, with its caption."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mcbench.aggregate import AGGREGATES, EARLY, shown
from mcbench.markup import blocks, booktabs, escape, fits, markdown
from mcbench.pivot import Key, Pivot
from mcbench.significance import LEVEL, Tested
from mcbench.tables import written

if TYPE_CHECKING:
    from mcbench.pivot import Cell

#: Behind values that are significantly worse than the best.
WORSE = "*"

Tests = Mapping[tuple[Key, Key], Tested]

#: What a cell shows, said in a caption.
SAID = {
    "mean": "mean ± standard deviation (number of seeds)",
    "median": "median [least, largest] (number of seeds)",
    "min": "least (number of seeds)",
    "max": "largest (number of seeds)",
    "none": "one value a seed",
}


def as_markdown(table: Pivot, tests: Tests, width: int | None = None) -> str:
    """Return the table with its caption; in a narrow terminal, one block for each row."""
    best, header = table.best(), _header(table)
    cells = [
        [_plain(table, (row, column), tests, best) for column in table.column_keys()]
        for row in table.row_keys()
    ]
    rows = [[*row, *line] for row, line in zip(table.row_keys(), cells, strict=True)]
    text = markdown([*table.rows, *header], rows)
    if not fits(text, width):
        text = blocks(header, cells, [_joined(table.rows, row) for row in table.row_keys()])
    return f"{text}\n\n{caption(table, tests)}"


def as_csv(table: Pivot, tests: Tests) -> str:
    """Return each cell's statistics as columns: `<column>.mean` and so on, and p where tested."""
    statistics = (*AGGREGATES[table.aggregate], "n")
    more = ["early"] if any(cell.early for cell in table.cells.values()) else []
    more += ["p"] if tests else []
    names = [f"{key}.{name}" for key in _header(table) for name in (*statistics, *more)]
    rows: list[list[float | int | str]] = []
    for row in table.row_keys():
        values: list[float | int | str] = list(row)
        for column in table.column_keys():
            place = (row, column)
            found: dict[str, float] = {}
            if place in table.cells:
                cell = table.cells[place]
                found = {**cell.found, "early": cell.early}
            if place in tests:
                found["p"] = tests[place][0]
            values += [found.get(name, "") for name in (*statistics, *more)]
        rows.append(values)
    return written([[*table.rows, *names], *rows])


def as_latex(table: Pivot, tests: Tests) -> str:
    """Return the table in booktabs' style, as a whole table environment with its caption."""
    best, header = table.best(), _header(table)
    rows = []
    for row in table.row_keys():
        line = [escape(name) for name in row]
        for column in table.column_keys():
            cell = table.cells.get((row, column))
            text = "--" if cell is None else _number(table, cell, latex=True)
            if (row, column) in best:
                text = f"\\boldmath{text}"
            marks = _marks(cell, tests.get((row, column)))
            raised = "".join({WORSE: "*", EARLY: "\\dagger"}[mark] for mark in marks)
            line.append(text + (f"$^{{{raised}}}$" if raised else ""))
        rows.append(line)
    left = [True] * len(table.rows) + [False] * len(header)
    said = caption(table, tests).replace("**", "").replace("\\*", WORSE)
    text = booktabs([*table.rows, *header], rows, left, said)
    return text.replace("±", "$\\pm$").replace(EARLY, "$\\dagger$")


def caption(table: Pivot, tests: Tests) -> str:
    """Return what the cells show, what is in bold and what is marked."""
    parts = [f"{table.metric.label}: {SAID[table.aggregate]}."]
    parts[0] = parts[0][0].upper() + parts[0][1:]
    of = "column" if table.compared_in_columns else "row"
    if table.best():
        parts.append(f"**Bold**: the best of each {of}.")
    if tests:
        names = " or, where seeds are different splits, ".join(
            sorted({t for _, t in tests.values()})
        )
        parts.append(
            f"\\{WORSE}: worse than the best of its {of} at the {100 * LEVEL:.0f} % level "
            f"({names}; Holm's correction for the comparisons with one best)."
        )
    if any(cell.early for cell in table.cells.values()):
        parts.append(f"{EARLY}: of fits of which some ended before the accuracy asked for.")
    for name, values in table.unequal().items():
        parts.append(f"{name} is not the same everywhere: {', '.join(values)}.")
    return " ".join(parts)


def _header(table: Pivot) -> list[str]:
    return [_joined(table.columns, key) for key in table.column_keys()]


def _joined(names: list[str], key: Key) -> str:
    """Return a key's values: names as they are, settings as key=value."""
    plain = ("dataset", "kernel", "solver")
    return " ".join(
        value if name in plain else f"{name.rpartition('.')[2]}={value}"
        for name, value in zip(names, key, strict=True)
    )


def _number(table: Pivot, cell: "Cell", *, latex: bool = False) -> str:
    text = shown(cell.found, table.metric, table.aggregate, latex=latex)
    return text if table.aggregate == "none" else f"{text} ({cell.found['n']:.0f})"


def _plain(table: Pivot, name: tuple[Key, Key], tests: Tests, best: set[tuple[Key, Key]]) -> str:
    cell = table.cells.get(name)
    if cell is None:
        return "-"
    text = _number(table, cell)
    marks = "".join(_marks(cell, tests.get(name))).replace(WORSE, f"\\{WORSE}")
    return (f"**{text}**" if name in best else text) + (f" {marks}" if marks else "")


def _marks(cell: "Cell | None", tested: Tested | None) -> list[str]:
    """Return the marks behind a value."""
    worse = tested is not None and tested[0] < LEVEL
    return [WORSE] * worse + [EARLY] * bool(cell and cell.early)
