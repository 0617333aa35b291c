"""`mcbench diff`: what differs between two runs."""

from argparse import ArgumentParser, Namespace

from mcbench.commands.options import add_results

SUMMARY = "say what differs between two runs, with ratios of times and other numbers"
EXAMPLES = """\
  mcbench diff 3f2a 91c0
  mcbench diff 3f2a last --json
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    for name in ("one", "other"):
        parser.add_argument(name, metavar="RUN", help="the first letters of its identity, or last")
    parser.add_argument("--json", action="store_true", help="the differences, for programs")
    add_results(parser)


def main(args: Namespace) -> int:
    """Print the differences; 0 whether or not there are any."""
    from mcbench.difference import as_text, difference
    from mcbench.files import to_json
    from mcbench.lookup import find_run
    from mcbench.record import strict
    from mcbench.store import Store

    store = Store(args.results)
    one, other = find_run(store, args.one), find_run(store, args.other)
    found = difference(one, other)
    if args.json:
        print(to_json(strict({"a": one.id, "b": other.id, **found}), indent=1))
    elif one.id == other.id:
        print(f"Both are run {one.id}.")
    else:
        print(as_text(one, other, found))
    return 0
