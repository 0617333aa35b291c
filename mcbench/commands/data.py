"""`mcbench data`: what data there are, fetching and verifying them."""

from argparse import ArgumentParser, Namespace

SUMMARY = "list, fetch and verify data sets"
EXAMPLES = """\
  mcbench data list
  mcbench data fetch mnist usps
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "action", choices=["list", "fetch", "verify"], metavar="{list,fetch,verify}"
    )
    parser.add_argument(
        "names",
        nargs="*",
        default=[],
        metavar="NAME",
        help="data sets; default all that there are",
    )


def main(args: Namespace) -> int:
    """Hand over to the data package."""
    from mcbench.data import commands

    if args.action == "list":
        return int(commands.list_datasets(args.names) or 0)
    action = commands.fetch if args.action == "fetch" else commands.verify
    return int(action(args.names) or 0)
