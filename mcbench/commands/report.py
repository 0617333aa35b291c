"""`mcbench report`: a static site of all that was reproduced."""

from argparse import ArgumentParser, Namespace

from mcbench.commands.options import add_results

SUMMARY = "build the report: claims, figures, tables, curves and runs as a site on disk"
EXAMPLES = """\
  mcbench report
  mcbench report --output /tmp/report --open yes
  mcbench report --publish
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--output", metavar="FOLDER", help="where to; default report/ in the results folder"
    )
    parser.add_argument(
        "--open", choices=["yes", "no"], default="no", help="show it in the browser; default no"
    )
    parser.add_argument(
        "--publish",
        action="store_true",
        help="instead of a site, copy claims, tables, figures and a list of their runs to "
        "results/published/ (or FOLDER), to be committed",
    )
    add_results(parser)


def main(args: Namespace) -> int:
    """Build the report, or publish, and print where it is."""
    from pathlib import Path

    from mcbench.store import Store

    store = Store(args.results)
    output = Path(args.output).expanduser().absolute() if args.output else None
    if args.publish:
        from mcbench.publish import publish

        print(publish(store, output))
        return 0
    from mcbench.report import build

    page = build(store, output)
    print(page)
    if args.open == "yes":
        import webbrowser

        webbrowser.open(page.as_uri())
    return 0
