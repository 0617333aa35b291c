"""`mcbench show`: one run, readable."""

from argparse import ArgumentParser, Namespace

from mcbench.commands.options import add_results

SUMMARY = "show one run: what it was, what came out, where it was executed"
EXAMPLES = """\
  mcbench show last
  mcbench show 3f2a
  mcbench show 3f2a --json
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "run", metavar="RUN", help="the first letters of its identity, or last: the latest"
    )
    parser.add_argument("--json", action="store_true", help="all of its record, for programs")
    add_results(parser)


def main(args: Namespace) -> int:
    """Print the run."""
    from mcbench.files import to_json
    from mcbench.lookup import find_run
    from mcbench.page import as_mapping, page
    from mcbench.record import strict
    from mcbench.store import Store

    store = Store(args.results)
    record = find_run(store, args.run)
    folder = store.runs / record.id
    if args.json:
        print(to_json(strict(as_mapping(record, folder)), indent=1))
    else:
        print(page(record, folder))
    return 0
