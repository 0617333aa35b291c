"""The code blocks of the documentation's pages: found, and executed one after the other.

A block is a fence, ```` ```python ```` or ```` ```{code-block} python ```` with options:

- `:caption: FILE` writes the block to that file, in the folder in which the page is executed;
- `:class: not-run` is for what takes a cluster, a download or hours: its commands are parsed only.

Lines of a console block that begin with "$ " are commands, the others what they print: each has to
be found in the output, in order, where any number stands for any other and "..." for anything.
"""

import contextlib
import doctest
import io
import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from mcbench import cli

DIRECTIVE = re.compile(r"\{code-block\}\s*(\w+)")
OPTION = re.compile(r":(\w+):[ ]*(.*)")
NUMBER = re.compile(r"\b(?:[0-9a-f]{16}|\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b")


@dataclass(frozen=True)
class Block:
    """One block of code of a page."""

    page: Path
    line: int
    language: str
    text: str
    options: dict[str, str] = field(default_factory=dict)

    @property
    def classes(self) -> list[str]:
        """The classes that the block has."""
        return self.options.get("class", "").split()

    @property
    def is_file(self) -> bool:
        """Whether the block is the content of a file."""
        return "caption" in self.options

    @property
    def executed(self) -> bool:
        """Whether the block can be executed anywhere."""
        return "not-run" not in self.classes

    @property
    def commands(self) -> list[tuple[str, list[str]]]:
        """The commands of a console block, each with the lines that it shows to be printed."""
        found: list[tuple[str, list[str]]] = []
        for line in self.text.replace("\\\n", "").splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found and line.strip():
                found[-1][1].append(line)
        return found

    def __str__(self) -> str:
        return f"{self.page.name}, line {self.line}"


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page, in order."""
    found = []
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type != "fence":
            continue
        directive = DIRECTIVE.match(token.info)
        options, lines = {}, token.content.splitlines(keepends=True)
        if directive:
            while lines and (option := OPTION.match(lines[0])):
                options[option[1]] = option[2].strip()
                del lines[0]
        language = directive[1] if directive else token.info.strip()
        line = (token.map or [0])[0] + 1
        found.append(Block(page, line, language, "".join(lines).lstrip("\n"), options))
    return found


class Session:
    """Executes the blocks of one page in the current folder, which is the page's own."""

    def __init__(self, set_environment: Callable[[str, str], Any]) -> None:
        self._names: dict[str, Any] = {"__name__": "page"}
        self._set_environment = set_environment

    def write(self, block: Block) -> None:
        """Write the file that the block is. All before the first command: listings are kept."""
        path = Path(block.options["caption"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def run(self, block: Block) -> None:
        """Execute the block."""
        if block.language == "python" and ">>>" in block.text:
            self._examples(block)
        elif block.language == "python":
            code = compile("\n" * block.line + block.text, str(block.page), "exec")
            exec(code, self._names)
        elif block.language == "console":
            for command, shown in block.commands:
                printed = self._command(command, block)
                problem = difference(shown, printed)
                assert not problem, f"{block}: $ {command}\n{problem}\nIt printed:\n{printed}"

    def _examples(self, block: Block) -> None:
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        test = doctest.DocTestParser().get_doctest(
            block.text, self._names, block.page.name, str(block.page), block.line
        )
        out = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
        runner.run(test, out=out.write, clear_globs=False)
        self._names.update(test.globs)
        assert not runner.failures, out.getvalue()

    def _command(self, command: str, block: Block) -> str:
        """Execute a command and return what it printed; mcbench's in this process: it is quick."""
        name, *arguments = shlex.split(command)
        if name == "export":
            key, _, value = arguments[0].partition("=")
            self._set_environment(key, value)
            return ""
        simple = not re.search(r"[|><;&]", re.sub(r"\"[^\"]*\"|'[^']*'", "", command))
        if name == "mcbench" and simple:
            out = io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                try:
                    code = cli.main(arguments)
                except SystemExit as end:
                    code = end.code
            printed = out.getvalue()
        else:
            done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
            code, printed = done.returncode, done.stdout + done.stderr
        wanted = 1 if "fails" in block.classes else 0
        assert code == wanted, f"{block}: $ {command}\nends with {code}:\n{printed}"
        return printed


def parse_only(block: Block) -> None:
    """See that the commands of a block that is not executed exist, with all their options."""
    for command, _ in block.commands:
        name, *arguments = shlex.split(command)
        if name == "mcbench":
            cli.parse(arguments)
    if block.language == "python":
        compile(block.text, str(block.page), "exec")


def difference(shown: list[str], printed: str) -> str:
    """Return the first shown line that was not printed where it should be; empty when none."""
    lines = [normal(line) for line in printed.splitlines()]
    at = 0
    for line in shown:
        if line.strip() == "...":
            continue
        pattern = ".*".join(re.escape(part) for part in normal(line).split("..."))
        at = next((i + 1 for i in range(at, len(lines)) if re.search(pattern, lines[i])), 0)
        if not at:
            return f"The page shows a line that is not printed there: {line}"
    return ""


def normal(line: str) -> str:
    """Return a line in which all numbers and identities are one, and runs of blanks and dashes."""
    return re.sub(r"-{2,}", "--", re.sub(r"\s+", " ", NUMBER.sub("#", line))).strip()
