"""Pieces of MyST Markdown, and where the generated ones come from."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONF = ROOT / "conf"


def escaped(text: object) -> str:
    """Return a text in which no character means markup."""
    return re.sub(r"([\\`*_{}\[\]<>$~|#^])", r"\\\1", " ".join(str(text).split()))


def code(text: str, language: str = "text") -> str:
    """Return a block of code."""
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`{3,}", text))])
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the cells are markup already."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def details(summary: str, text: str) -> str:
    """Return a text that is folded away."""
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"
