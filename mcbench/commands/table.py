"""`mcbench table`: mean, spread and number of seeds for each data set and solver."""

import shutil
import sys
from argparse import ArgumentParser, Namespace

from mcbench.commands.options import add_filters, add_results

SUMMARY = "mean, spread and n over seeds, per data set and solver"
EXAMPLES = """\
  mcbench table
  mcbench table dataset=satimage --metrics error,seconds --format latex
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    from mcbench.metrics import DEFAULT_COLUMNS, METRICS

    add_filters(parser)
    parser.add_argument(
        "--metrics",
        metavar="A,B",
        default=",".join(DEFAULT_COLUMNS),
        help=f"which of: {', '.join(METRICS)}; default %(default)s".replace("%,", "%%,"),
    )
    parser.add_argument(
        "--format", choices=["markdown", "csv", "latex"], default="markdown", help="of the table"
    )
    add_results(parser)


def main(args: Namespace) -> int:
    """Print the table; 1 when there is nothing to print."""
    from mcbench.errors import UserError
    from mcbench.labels import with_model
    from mcbench.metrics import metric, titled
    from mcbench.query import unmatched
    from mcbench.store import Store
    from mcbench.tables import early, render, summarize
    from mcbench.words import count

    metrics = [metric(name) for name in args.metrics.split(",") if name]
    store = Store(args.results)
    frame = store.find(*args.filters)
    done = with_model(frame[frame["status"] == "done"])
    wrong = unmatched(store.listing(), args.filters) if args.filters else []
    if done.empty and wrong:
        raise UserError(f"No finished runs to show in {store.root}: {'; '.join(wrong)}.")
    for sentence in wrong:
        print(f"mcbench: {sentence}.", file=sys.stderr)
    if done.empty:
        print(f"No finished runs to show in {store.root}.", file=sys.stderr)
        return 1
    metrics = titled(metrics, done)
    table, labels = summarize(done, metrics)
    print(render(table, labels, metrics, args.format, terminal_width()))
    if early(done):
        print(early(done), file=sys.stderr)
    bad = int((frame["status"] != "done").sum())
    if bad:
        are, them = ("is", "it") if bad == 1 else ("are", "them")
        print(
            f"{count(bad, 'run')} that failed {are} not shown: mcbench status lists {them}.",
            file=sys.stderr,
        )
    return 0


def terminal_width() -> int | None:
    """Return the columns of the terminal, None where the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
