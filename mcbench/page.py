"""A run as a page of text: what it was, what came out, where it was executed."""

import shlex
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mcbench.metrics import METRICS
from mcbench.record import Record
from mcbench.report.runs import groups, key_values, settings, text, title
from mcbench.words import count

WIDTH = 80

#: Sections of the record that the page says in another way, or that are of no use to a reader.
ELSEWHERE = ("Provenance", "Identity", "Other", "Limits")

Pairs = list[tuple[str, str]]


def page(record: Record, folder: Path) -> str:
    """Return the page.

    Parameters
    ----------
    record : Record
        A finished run.
    folder : Path
        Where it is.
    """
    parts = [_head(record), _section("To repeat it", command(record))]
    parts.append(_section("Results", _pairs(key_values(record, record.flat()))))
    for name, pairs in groups(_rest(record)):
        if name not in ELSEWHERE:
            parts.append(_section(name.partition(",")[0], _pairs(pairs)))
    warned = [f"- {warning}" for warning in record.get("warnings") or ()]
    parts.append(_section("Warnings", "\n".join(map(_wrapped, warned))))
    parts.append(_section("Settings", _pairs(_lines(settings(record)))))
    parts.append(_section("Machine and versions", _pairs(_origin(record))))
    parts.append(_section("Files", _files(folder)))
    lines = str(record.get("traceback") or "").rstrip().splitlines()
    marks = [line for line in lines if len(line) > WIDTH and not line.strip(" ^~")]
    said = [_wrapped(line) for line in lines if line not in marks]
    parts.append(_section("Traceback", "\n".join(said)))
    return "\n\n".join(part for part in parts if part)


def command(record: Record, width: int = WIDTH) -> str:
    """Return the command that executes a run again, broken into lines for a shell."""
    lines = ["  mcbench run"]
    for item in map(str, record.get("overrides") or ()):
        word = shlex.quote(item)
        if len(lines[-1]) + len(word) + 3 <= width:
            lines[-1] += f" {word}"
            continue
        lines[-1] += " \\"
        if len(word) + 6 <= width:
            lines.append(f"    {word}")
            continue
        # Quoted parts that only a backslash and a new line part are one word to a shell.
        parts = _quoted(item, width - 8)
        lines += [f"    {parts[0]}\\", *(f"{part}\\" for part in parts[1:-1]), parts[-1]]
    return "\n".join(lines)


def _quoted(word: str, size: int) -> list[str]:
    """Return a word in quoted parts of a size, as a shell takes them."""
    parts = [""]
    for char in word:
        piece = "'\\''" if char == "'" else char
        if len(parts[-1]) + len(piece) > size:
            parts.append("")
        parts[-1] += piece
    return [f"'{part}'" for part in parts]


def _head(record: Record) -> str:
    ended = f", ended {record.get('finished')}" if record.get("finished") else ""
    lines = [f"Run {record.id}", title(record), f"{record.status.replace('_', ' ')}{ended}"]
    return "\n".join([*lines, *([_wrapped(record.reason)] if record.reason else [])])


def _rest(record: Record) -> Record:
    """Return the record without what `key_values` says of it."""
    said = {metric.column for metric in METRICS.values()}
    sections = {
        name: {key: value for key, value in section.items() if f"{name}.{key}" not in said}
        if isinstance(section, Mapping)
        else section
        for name, section in record.sections.items()
    }
    return replace(record, sections=sections)


def _section(name: str, body: str) -> str:
    return f"{name}\n{body}" if body.strip() else ""


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    """Return names and values in two columns; what is missing is left out."""
    shown = [(name, value) for name, value in pairs if value not in ("", "-")]
    size = min(max((len(name) for name, _ in shown), default=0), WIDTH // 3)
    return "\n".join(
        textwrap.fill(
            value,
            WIDTH,
            initial_indent=f"  {name:<{size}}  ",
            subsequent_indent=" " * (size + 4),
        )
        for name, value in shown
    )


def _lines(parts: list[tuple[str, Pairs]]) -> Pairs:
    """Return one line for each part of the configuration."""
    return [
        (name, ", ".join(f"{key} {value}" for key, value in pairs if value != "-"))
        for name, pairs in parts
    ]


def _origin(record: Record) -> Pairs:
    """Return where and with what a run was executed."""
    found = record.get("provenance") or {}
    machine = found.get("machine") or {}
    git = found.get("git") or {}
    packages = found.get("packages") or {}
    cores = count(int(machine["cores"]), "core") if machine.get("cores") else ""
    memory = f"{machine['memory_mb']} MB" if machine.get("memory_mb") else ""
    changed = ", with changes" if git.get("dirty") else ""
    return [
        ("machine", ", ".join(filter(None, [text(machine.get("cpu")), cores, memory]))),
        ("system", text(machine.get("distribution") or machine.get("system"))),
        ("mcbench", text(found.get("mcbench"))),
        ("commit", f"{git['commit']}{changed}" if git.get("commit") else ""),
        ("Python", text(found.get("python"))),
        ("packages", ", ".join(f"{name} {version}" for name, version in packages.items())),
        ("solver version", text(record.get("solver_version"))),
    ]


def _files(folder: Path) -> str:
    files = sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []
    lines = [f"  {path.name:<24} {path.stat().st_size:>10} bytes" for path in files]
    return "\n".join([f"  {folder}", *lines])


def _wrapped(line: str) -> str:
    """Return a line broken at the page's width, indented as it is."""
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line, WIDTH, subsequent_indent=f"{indent}  ", drop_whitespace=True,
        replace_whitespace=False, break_on_hyphens=False,
    )  # fmt: skip


def as_mapping(record: Record, folder: Path) -> Mapping[str, Any]:
    """Return all of a run for a program: its record, and the folder that it is in."""
    head = {"id": record.id, "status": record.status, "reason": record.reason}
    return {**head, "folder": str(folder), "config": record.config, **record.sections}
