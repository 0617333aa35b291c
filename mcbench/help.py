"""Help that fits the terminal: long examples are broken as a shell takes them, prose refilled."""

import re
import textwrap
from argparse import Action, RawDescriptionHelpFormatter

#: Where the second column of lines such as "convergence  one curve per solver" begins.
_COLUMN = re.compile(r"^\s*\S+ {2,}(?=\S)")
_COMMAND = re.compile(r"^\s+(mcbench|source) ")


class Help(RawDescriptionHelpFormatter):
    """argparse's help, with texts that keep their lines where these fit."""

    def add_argument(self, action: Action) -> None:
        """Make room for the indent of commands, which argparse forgets."""
        super().add_argument(action)
        if list(self._iter_indented_subactions(action)):
            self._action_max_length += self._indent_increment

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return textwrap.indent(fitted(text, width - len(indent)), indent)


def fitted(text: str, width: int) -> str:
    """Return a text whose lines fit, as far as that can be.

    Parameters
    ----------
    text : str
        Prose, examples of commands (indented), and lines of two columns.
    width : int
        Columns of the terminal.
    """
    lines: list[str] = []
    for paragraph in _paragraphs(text.splitlines()):
        if max(map(len, paragraph)) <= width:
            lines += paragraph
        elif _COMMAND.match(paragraph[0]):
            lines += _broken(" ".join(line.strip(" \\") for line in paragraph), width)
        else:
            column = _COLUMN.match(paragraph[0])
            hang = " " * (len(column[0]) if column else 0)
            first, *rest = (line.strip() for line in paragraph)
            lead = column[0] if column else ""
            words = " ".join([first.removeprefix(lead.lstrip()), *rest])
            lines += textwrap.wrap(
                words, max(width, len(hang) + 10), initial_indent=lead, subsequent_indent=hang
            )
    return "\n".join(lines)


def _paragraphs(lines: list[str]) -> list[list[str]]:
    """Return the lines that belong together: refilled together or not at all."""
    found: list[list[str]] = []
    for line in lines:
        if found and _goes_on(found[-1], line):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _goes_on(before: list[str], line: str) -> bool:
    """Return whether a line goes on with the paragraph before."""
    if before[-1].endswith("\\"):
        return True
    if not line.strip() or not before[-1].strip() or before[-1].endswith(":"):
        return False
    if _COMMAND.match(line) or _COLUMN.match(line) or _COMMAND.match(before[0]):
        return False
    column = _COLUMN.match(before[0])
    indent = len(line) - len(line.lstrip())
    return indent == (len(column[0]) if column else 0)


def _broken(command: str, width: int) -> list[str]:
    """Return a command in lines that a shell reads as one."""
    lines = ["  " + command.split()[0]]
    for word in command.split()[1:]:
        if len(lines[-1]) + len(word) + 3 > width and lines[-1].strip():
            lines[-1] += " \\"
            lines.append(f"    {word}")
        else:
            lines[-1] += f" {word}"
    return lines
