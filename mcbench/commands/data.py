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
    from mcbench.plugins import plugins

    if args.action == "list":
        status = int(commands.list_datasets(args.names) or 0)
        for plugin in () if args.names else plugins("datasets").values():
            print(f"Also {plugin}: dataset={plugin.name}.")
        return status
    action = commands.fetch if args.action == "fetch" else commands.verify
    return int(action(args.names) or 0)
