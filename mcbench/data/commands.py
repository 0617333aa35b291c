"""``mcbench data list``, ``fetch`` and ``verify``. Each returns an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ._types import DataUnavailable
from .definition import DatasetInfo
from .fetch import read
from .folders import cache_folder, data_folder, find
from .read import read_canonical
from .registry import select


def list_datasets(names: Sequence[str] = (), *, console: Console | None = None) -> int:
    """List the data sets; with names, tell everything about those.

    Parameters
    ----------
    names : sequence of str
        Data sets to describe; none lists them all in a table.
    console : rich.console.Console or None
        Where to print; None prints to stdout.
    """
    console = console or _console()
    chosen = _select(names)
    if chosen is None:
        return 2
    if names:
        for info in chosen:
            _describe(info, console)
        return 0
    wide = console.width >= 76
    sizes = ("rows", "attributes", "classes") if wide else ("rows",)
    table = _table(console, "name", *sizes, "here", "splits")
    for column in table.columns[1 : 1 + len(sizes)]:
        column.justify = "right"
    for info in chosen:
        numbers = (info.rows, info.n_features, info.n_classes)[: len(sizes)]
        table.add_row(
            info.name,
            *map(str, numbers),
            _state(info),
            ", ".join(info.split_names) + (" (stand-in)" if info.stand_in else ""),
        )
    console.print(table)
    return 0


def fetch(names: Sequence[str] = (), *, console: Console | None = None) -> int:
    """Download what is missing, and verify it. Exit code 1 when something cannot be had.

    Parameters
    ----------
    names : sequence of str
        Data sets; none fetches all that are not embedded.
    console : rich.console.Console or None
        Where to print; None prints to stdout.
    """
    console = console or _console()
    chosen = _select(names)
    if chosen is None:
        return 2
    missing = 0
    for info in chosen:
        if info.embedded:
            if names:
                _line(console, f"{info.name}: comes with mcbench, nothing to fetch")
            continue
        try:
            read_canonical(info)
        except DataUnavailable as error:
            missing += 1
            print(f"mcbench: {error}", file=sys.stderr)
            continue
        _line(console, f"{info.name}: {_state(info)}, verified")
    return 1 if missing else 0


def verify(names: Sequence[str] = (), *, console: Console | None = None) -> int:
    """Compare all data that are here with their hashes; nothing is downloaded.

    Exit code 1 when something is wrong; data that are absent are not wrong.

    Parameters
    ----------
    names : sequence of str
        Data sets; none verifies all.
    console : rich.console.Console or None
        Where to print; None prints to stdout.
    """
    console = console or _console()
    chosen = _select(names)
    if chosen is None:
        return 2
    table = _table(console, "name", "result", "content hash")
    wrong: list[str] = []
    for info in chosen:
        problems = _wrong_files(info)
        result, known = "absent", ""
        if not problems and info.available():
            try:
                read_canonical(info, rehash=True)
                result, known = "ok", (info.content_hash or "in part")[:12]
            except DataUnavailable as error:
                problems = [str(error)]
        if problems:
            result = "WRONG"
            wrong += [f"{info.name}: {problem}" for problem in problems]
        table.add_row(info.name, result, known)
    console.print(table)
    for line in wrong:
        print(f"mcbench: {line}", file=sys.stderr)
    return 1 if wrong else 0


def _wrong_files(info: DatasetInfo) -> list[str]:
    """Say which local files of a data set are not what they should be."""
    problems = []
    for recipe in info.recipes:
        for file in recipe.files:
            for folder in (data_folder(), cache_folder()):
                path = find(folder, file.path) if folder is not None else None
                if path is None:
                    continue
                try:
                    read(path, file)
                except (OSError, ValueError) as error:
                    problems.append(f"{path} is wrong: {error}")
    return problems


def _describe(info: DatasetInfo, console: Console) -> None:
    """Print all that is known about a data set."""
    lines = [
        ("", f"{info.name}: {info.title}"),
        ("rows", ", ".join(f"{part.name} {part.rows}" for part in info.parts)),
        ("attributes", str(info.n_features)),
        ("classes", f"{info.n_classes}: {info.labels}"),
        ("here", _state(info)),
        ("note", info.stand_in or ""),
        ("note", info.note),
        ("licence", info.licence),
        ("source", info.source),
        ("papers", ", ".join(info.papers)),
        ("content hash", info.content_hash or ""),
    ]
    for split in info.splits:
        folds = f" ({split.folds} folds)" if split.folds else ""
        lines.append(("split", f"{split.name}{folds}: {split.note}".rstrip(": ")))
    for recipe in info.recipes:
        for file in recipe.files:
            lines.append(("file", file.path))
            lines += [("mirror", mirror.url) for mirror in file.mirrors]
    for key, text in lines:
        if text:
            _line(console, f"  {key}: {text}" if key else text)


def _state(info: DatasetInfo) -> str:
    """Where the data are."""
    if info.embedded:
        return "embedded"
    return "local" if info.available() else "to fetch"


def _select(names: Sequence[str]) -> list[DatasetInfo] | None:
    """Return the data sets, None (and a line on stderr) for a name that is unknown."""
    try:
        return select(names)
    except ValueError as error:
        print(f"mcbench: {error}", file=sys.stderr)
        return None


def _console() -> Console:
    """Return a console on stdout; piped output is plain and never cut at 80 columns."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=200)


def _table(console: Console, *columns: str) -> Table:
    """Return an empty table, without lines where the output is no terminal."""
    table = Table(box=None, pad_edge=False, header_style="bold" if console.is_terminal else "")
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column in ("name", "rows", "here"))
    return table


def _line(console: Console, text: str) -> None:
    """Print a line as it is."""
    console.print(escape(text), soft_wrap=not console.is_terminal)
