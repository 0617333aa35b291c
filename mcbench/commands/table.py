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
    from mcbench.metrics import metric
    from mcbench.store import Store
    from mcbench.tables import render, summarize

    metrics = [metric(name) for name in args.metrics.split(",") if name]
    store = Store(args.results)
    frame = store.find(*args.filters)
    done = frame[frame["status"] == "done"]
    if "time.fit" in done and "error.test" in done:
        done = done[done["error.train"].notna()]
    if done.empty:
        print(f"No finished runs to show in {store.root}.", file=sys.stderr)
        return 1
    table, labels = summarize(done, metrics)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    print(render(table, labels, metrics, args.format, width))
    bad = int((frame["status"] != "done").sum())
    if bad:
        print(f"{bad} runs that failed are not shown: mcbench status lists them.", file=sys.stderr)
    return 0
