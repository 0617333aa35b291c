"""Docstrings are written for people at a terminal; this makes them reStructuredText.

Indented formulas are literal blocks, and a bar or an asterisk is itself.
"""

import re
from typing import Any

from sphinx.application import Sphinx

#: A name in backticks stays as it is; all else may hold characters that mean markup.
CODE = re.compile(r"(``[^`]+``|`[^`]+`)")


def process(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:  # noqa: ARG001
    """Change the lines of one docstring in place."""
    lines[:] = list(prepared(lines))


def prepared(lines: list[str]) -> list[str]:
    """Return a docstring's lines, the formulas before its first section as literal blocks."""
    sections = [i for i, line in enumerate(lines[1:]) if set(line.strip()) == {"-"}]
    first = sections[0] if sections else len(lines)
    done: list[str] = []
    literal = False
    for i, line in enumerate(lines):
        formula = i < first and line.startswith("  ") and bool(line.strip())
        if formula and not literal and not (done and done[-1].strip()):
            done += ["::", ""]
            literal = True
        elif line.strip() and not formula:
            literal = False
        done.append(line if literal or line.lstrip().startswith((">>>", "...")) else escaped(line))
    return done


def escaped(line: str) -> str:
    """Return a line in which bars and asterisks outside code are no markup."""
    parts = CODE.split(line)
    return "".join(
        part if i % 2 else re.sub(r"(?<!\\)([|*])", r"\\\1", part) for i, part in enumerate(parts)
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the change, before napoleon's."""
    app.connect("autodoc-process-docstring", process, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
