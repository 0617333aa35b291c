"""How figures look: legible in print, in grey and to the colour-blind, and traceable."""

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from mcbench.files import atomic, writing
from mcbench.words import few

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Okabe and Ito's colours, dark ones first; each comes with a line and a marker of its own.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (7, 2)), (0, (1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

FORMATS = ("svg", "png", "pdf")

RC: Any = {
    "figure.figsize": (5.6, 3.8),
    "figure.dpi": 100,
    "savefig.dpi": 160,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "svg.fonttype": "none",
    # The same figure twice gives the same file.
    "svg.hashsalt": "mcbench",
}


#: The runs that figures are stamped with.
_stamped: "WeakKeyDictionary[Figure, tuple[str, ...]]" = WeakKeyDictionary()


@contextmanager
def paper_style() -> Iterator[None]:
    """Draw within this block as papers do."""
    import matplotlib

    with matplotlib.rc_context(RC):
        yield


def line(number: int) -> dict[str, Any]:
    """Return colour, line and marker of the n-th curve; no two curves share all three."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": LINES[(number + number // len(COLOURS)) % len(LINES)],
        "marker": MARKERS[(number + 2 * (number // len(COLOURS))) % len(MARKERS)],
    }


def stamp(
    figure: "Figure",
    *,
    profile: str = "",
    data: Sequence[str] = (),
    runs: Sequence[str] = (),
    note: str = "",
) -> None:
    """Write below a figure what it was made from.

    Parameters
    ----------
    figure : Figure
        The figure.
    profile : str
        The profile whose runs it shows.
    data : sequence of str
        The data sets, and what they stand in for.
    runs : sequence of str
        Identities of the runs; the first three are written, and the number of all.
    note : str
        What else a reader has to know.
    """
    parts = [note] if note else []
    parts += [f"profile {profile}"] if profile else []
    named = [
        item
        for item in dict.fromkeys(map(str, filter(None, data)))
        if item.lower() not in note.lower()
    ]
    parts += [", ".join(named)] if named else []
    _stamped[figure] = tuple(dict.fromkeys(map(str, runs)))
    if len(runs):
        known = [name[:8] for name in dict.fromkeys(runs)]
        word = "run" if len(known) == 1 else "runs"
        parts.append(f"{word} {few(known, 3)}")
    _write(figure, "; ".join(parts))


def attribute(figure: "Figure", source: str) -> None:
    """Write in front of what a figure is stamped with whose figure it is.

    Parameters
    ----------
    figure : Figure
        The figure, stamped or not.
    source : str
        The paper and its figure.
    """
    stamped = " ".join(figure.get_supxlabel().split())
    _write(figure, "; ".join(filter(None, [source, stamped])))


def runs_of(figure: "Figure") -> tuple[str, ...]:
    """Return the runs that a figure is stamped with, none when it was not stamped."""
    return _stamped.get(figure, ())


def save(figure: "Figure", stem: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write a figure as `stem.<format>` for each format; the same figure gives the same bytes."""
    import matplotlib

    paths = []
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with writing(stem.parent, "choose another with --output PATH"), matplotlib.rc_context(RC):
        stem.parent.mkdir(parents=True, exist_ok=True)
        figure.draw_without_rendering()  # the layout is the same for all formats: find it once
        figure.set_layout_engine("none")
        for form in formats:
            path = stem.with_name(f"{stem.name}.{form}")
            with atomic(path) as fresh:
                figure.savefig(fresh, format=form, metadata=dates.get(form))
            paths.append(path)
    return paths


def _write(figure: "Figure", text: str) -> None:
    """Write a text below a figure, in lines that fit."""
    lines = textwrap.wrap(text, width=int(figure.get_figwidth() * 20))
    figure.supxlabel("\n".join(lines), fontsize=6.5, color="#555555", x=0.01, ha="left")
