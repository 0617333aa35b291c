"""A section's findings as Markdown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcbench.bench.measured import Measured
from mcbench.markup import markdown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NONE = "-"


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    title : str
        With its unit.
    value : str or callable
        Name of a measured value, or a function of what was measured.
    form : str
        Format of a number.
    scale : float
        Factor from the measured unit to the shown one.
    """

    title: str
    value: str | Callable[[Measured], Any]
    form: str = ".3g"
    scale: float = 1.0

    def cell(self, measured: Measured) -> str:
        """Return the cell's text."""
        named = isinstance(self.value, str)
        value = measured.get(str(self.value)) if named else self.value(measured)  # type: ignore[operator]
        if value is None or value == "":
            return NONE
        return value if isinstance(value, str) else format(self.scale * value, self.form)


@dataclass
class Section:
    """What a section found.

    Attributes
    ----------
    title, text : str
        Heading, and what was done.
    tables : list of str
        Markdown, each with the lines that belong to it.
    figures : dict
        Figures by name.
    """

    title: str
    text: str
    tables: list[str] = field(default_factory=list)
    figures: dict[str, "Figure"] = field(default_factory=dict)

    def markdown(self) -> str:
        """Return the section as text, without figures."""
        return "\n\n".join([f"## {self.title}", self.text, *self.tables])


DATA = Column("data", lambda m: m.entry.case.name)
SOLVER = Column("solver", lambda m: m.entry.label)
THREADS = Column("threads", lambda m: m.entry.threads, ".0f")
SECONDS = Column("wall [s]", "seconds")
CPU = Column("CPU [s]", "cpu_seconds")
MEMORY = Column("peak memory [MB]", "peak_mb", ".0f")
GAP = Column("relative gap", "gap", ".2g")
ERROR = Column("test error [%]", "test_error", ".2f", 100)
SUPPORT = Column("support vectors", "support", ".0f")
NOTE = Column("note", lambda m: m.note)


def table(measured: Sequence[Measured], columns: Sequence[Column]) -> str:
    """Return a Markdown table, one row for each entry; a note column only where there are notes."""
    shown = [c for c in columns if c is not NOTE or any(m.note for m in measured)]
    rows = [[column.cell(m) for column in shown] for m in measured]
    return markdown([column.title for column in shown], rows)
