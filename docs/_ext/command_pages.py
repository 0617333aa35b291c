"""The command line: the help of every command, as the terminal shows it at 80 columns."""

import argparse
import os
from collections.abc import Iterator
from unittest import mock

from markup import code

from mcbench.cli import build_parser


def pages() -> dict[str, str]:
    """Return the help of mcbench and of its commands."""
    with mock.patch.dict(os.environ, {"COLUMNS": "80"}):
        parser = build_parser()
        parts = [code(parser.format_help())]
        for level, sub in commands(parser):
            parts.append(f"{'#' * level} {sub.prog}\n\n{code(sub.format_help())}")
    return {"commands.md": "\n\n".join(parts) + "\n"}


def commands(
    parser: argparse.ArgumentParser, level: int = 2
) -> Iterator[tuple[int, argparse.ArgumentParser]]:
    """Yield the commands below a parser, each followed by its own."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield level, sub
                yield from commands(sub, level + 1)
