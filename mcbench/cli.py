"""The command line: `mcbench COMMAND ...`."""

import argparse
import errno
import importlib
import io
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from mcbench._version import __version__
from mcbench.errors import UserError, interrupted, printable, suggest
from mcbench.help import Help

COMMANDS = (
    "run",
    "reproduce",
    "report",
    "bench",
    "data",
    "status",
    "table",
    "plot",
    "show",
    "diff",
    "results",
    "new",
    "check-solver",
    "completion",
)

#: Set by a shell that asks what TAB completes.
COMPLETING = "_ARGCOMPLETE"

#: What writing to a standard output that takes no more raises.
OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)

USAGE_ERROR = 2
INTERRUPTED = 130

EXAMPLES = """\
  mcbench run dataset=satimage solver=cache
  mcbench reproduce --profile smoke
"""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Name a value that is not allowed, and those that are."""
        if action.choices is None or value in action.choices:
            return
        options = action.option_strings
        owner = f"{options[-1]} has no value" if options else f"{self.prog} has no"
        raise UserError(f"{owner} '{value}'; {suggest(str(value), action.choices)}")

    def options(self) -> list[str]:
        """Return the options that this command has."""
        return [name for action in self._actions for name in action.option_strings]

    def error(self, message: str) -> None:  # type: ignore[override]
        """Print the sentence and the way to the help."""
        sentence = message[:1].upper() + message[1:].rstrip(".")
        self.exit(USAGE_ERROR, f"mcbench: {printable(sentence)}; see {self.prog} --help.\n")


def build_parser() -> Parser:
    """Return the parser of the whole command line."""
    parser = Parser(
        prog="mcbench",
        description="Reproduce, compare and beat the classic multiclass SVM papers.",
        epilog=f"examples:\n{EXAMPLES}\nmcbench COMMAND --help shows examples of each command.",
        formatter_class=Help,
    )
    parser.add_argument("--version", action="version", version=f"mcbench {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name in COMMANDS:
        module = importlib.import_module(f"mcbench.commands.{name.replace('-', '_')}")
        sub = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=module.SUMMARY[0].upper() + module.SUMMARY[1:] + ".",
            epilog=f"examples:\n{module.EXAMPLES}",
            formatter_class=Help,
        )
        module.configure(sub)
        sub.set_defaults(main=module.main, options=sub.options())
    return parser


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; overrides and conditions may stand before and after options."""
    parser = build_parser()
    given = next((item for item in arguments if not item.startswith("-")), None)
    if given is not None and given not in COMMANDS:
        raise UserError(f"There is no command '{given}'; {suggest(given, COMMANDS)}")
    args, rest = parser.parse_known_args(arguments)
    if args.command is None and rest:
        raise UserError(f"mcbench has no option '{rest[0]}'; {suggest(rest[0], parser.options())}")
    if args.command is None:
        parser.print_help()
        raise SystemExit(USAGE_ERROR)
    unknown = [item for item in rest if item.startswith("-")]
    free = next((name for name in ("overrides", "filters", "names") if hasattr(args, name)), None)
    if rest and not unknown and free is None:
        raise UserError(
            f"mcbench {args.command} does not take '{rest[0]}': see mcbench {args.command} --help."
        )
    if unknown:
        wrong = unknown[0].partition("=")[0]
        if wrong == "--results":  # of commands that have a configuration
            raise UserError(f"mcbench {args.command} has no --results: write results_dir=FOLDER.")
        raise UserError(
            f"mcbench {args.command} has no option '{wrong}'; {suggest(wrong, args.options)}"
        )
    if free is not None:
        setattr(args, free, [*getattr(args, free), *rest])
    check_folders(args)
    return args


def check_folders(args: argparse.Namespace) -> None:
    """Refuse folders and files that are named by nothing, and a file where results should be."""
    for name in ("results", "output", "format"):
        if getattr(args, name, None) == "":
            raise UserError(f"--{name} is empty: give a value, or leave it out.")
    for owner, path in (
        ("--results", getattr(args, "results", None)),
        ("MCBENCH_RESULTS", os.environ.get("MCBENCH_RESULTS")),
    ):
        if path and os.path.isfile(os.path.expanduser(path)):  # noqa: PTH111, PTH113
            raise UserError(f"{owner} names {path}, which is a file: name a folder.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    warnings.formatwarning = lambda message, *_, **__: f"mcbench: {message}\n"
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what it cannot show ends no command
            stream.reconfigure(errors="replace")
    if COMPLETING in os.environ:
        from mcbench.completion import answer

        answer(build_parser())
    try:
        args = parse(sys.argv[1:] if arguments is None else arguments)
        status = int(args.main(args))
        sys.stdout.flush()
        return status
    except (Exception, KeyboardInterrupt) as error:
        return _ended(error)


def _ended(error: BaseException) -> int:
    """Say in a sentence what ended a command, and return its exit status.

    Raises
    ------
    Exception
        The error itself, when it is a fault of the program.
    """
    if interrupted(error):
        print(
            "mcbench: Interrupted: runs that ended are kept, the one in progress is not; "
            "the same command goes on.",
            file=sys.stderr,
        )
        return INTERRUPTED
    if isinstance(error, UserError):
        print(f"mcbench: {printable(str(error))}", file=sys.stderr)
        return USAGE_ERROR
    if isinstance(error, BrokenPipeError):
        sys.stderr.close()
        return 0
    if isinstance(error, OSError) and error.filename is None and error.errno in OUTPUT_ERRORS:
        _give_up_output()
        print(f"mcbench: The output cannot be written ({error.strerror}).", file=sys.stderr)
        return 1
    raise error


def _give_up_output() -> None:
    """Let what is still to be written to standard output go nowhere, also at the end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
