"""`mcbench table`: mean, spread and number of seeds for each data set and solver, or a pivot."""

import shutil
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from mcbench.commands.options import add_filters, add_results

if TYPE_CHECKING:
    import pandas as pd

    from mcbench.metrics import Metric
    from mcbench.store import Store

SUMMARY = "mean, spread and n over seeds, per data set and solver"
EXAMPLES = """\
  mcbench table
  mcbench table dataset=satimage --columns error,seconds --format latex
  mcbench table --rows dataset --columns solver --value error
  mcbench table --rows solver --columns solver.C --value seconds \\
    --aggregate median dataset=iris
  mcbench table --aggregate none --format csv

A key is a column of the runs: dataset, kernel, solver, seed, or a setting
such as solver.C, kernel.gamma, dataset.train_size. With a key for the
columns, a cell shows the value, its spread and the number of seeds; the best
is in bold and test errors significantly worse are marked (exact McNemar test,
or corrected resampled t-test over splits). Nothing but seeds is averaged,
unless --over says so.
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    from mcbench.aggregate import AGGREGATES
    from mcbench.metrics import DEFAULT_COLUMNS, metric_names

    add_filters(parser)
    parser.add_argument(
        "--rows",
        metavar="KEY[,KEY]",
        help="what makes the rows; default all that tells the runs apart, but for the seed",
    )
    parser.add_argument(
        "--over", metavar="KEY", help="average over this beside the seed, such as dataset.fold"
    )
    parser.add_argument(
        "--columns", metavar="A,B", help="metrics, or one or more keys whose values make columns"
    )
    parser.add_argument(
        "--metrics",
        metavar="A,B",
        help=f"which of: {', '.join(metric_names())}; default {', '.join(DEFAULT_COLUMNS)}",
    )
    parser.add_argument(
        "--value", metavar="METRIC", help="what the cells show, with a key for the columns; "
        "default error",
    )  # fmt: skip
    parser.add_argument(
        "--aggregate",
        choices=list(AGGREGATES),
        default="mean",
        metavar="HOW",
        help="of the seeds: mean (default; with the standard deviation), median (with the range), "
        "min, max, or none: each run",
    )
    parser.add_argument(
        "--format", choices=["markdown", "csv", "latex"], default="markdown", help="of the table"
    )
    add_results(parser)


def main(args: Namespace) -> int:
    """Print the table; 1 when there is nothing to print."""
    from mcbench.errors import UserError
    from mcbench.keys import names_of
    from mcbench.labels import with_model
    from mcbench.metrics import DEFAULT_COLUMNS, computed, is_metric, metric
    from mcbench.query import unmatched
    from mcbench.store import Store
    from mcbench.words import count

    for name in ("rows", "columns", "over", "metrics", "value"):
        given = getattr(args, name)
        setattr(args, name, names_of(given))
        if given is not None and not names_of(given):
            raise UserError(f"--{name} names nothing: leave it out, or give a name.")
    of_metrics = all(map(is_metric, args.columns))
    mixed = list(filter(is_metric, args.columns))
    if mixed and not of_metrics:
        raise UserError(
            f"--columns mixes metrics and keys: leave out {', '.join(mixed)}; --value names the "
            "metric of the cells."
        )
    if args.metrics and args.columns:
        raise UserError("--metrics and --columns both say what the columns are: give one of them.")
    if args.value and of_metrics:
        raise UserError("--value is for a key as columns: add one, such as --columns solver.")
    if of_metrics:
        shown = [metric(name) for name in args.metrics or args.columns or DEFAULT_COLUMNS]
    else:
        shown = [metric(name) for name in args.value or ["error"]]
        if len(shown) > 1:
            raise UserError("--value names one metric: leave the others out.")
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
    done = computed(done, shown, store.predictions)
    if of_metrics:
        _print_summary(done, shown, args)
    else:
        _print_pivot(done, shown[0], args, store)
    bad = int((frame["status"] != "done").sum())
    if bad:
        are, them = ("is", "it") if bad == 1 else ("are", "them")
        print(
            f"{count(bad, 'run')} that failed {are} not shown: mcbench status lists {them}.",
            file=sys.stderr,
        )
    return 0


def _print_summary(done: "pd.DataFrame", shown: "list[Metric]", args: Namespace) -> None:
    """Print a table whose columns are metrics."""
    from mcbench.metrics import titled
    from mcbench.tables import early, render, summarize

    metrics = titled(shown, done)
    table, labels = summarize(done, metrics, args.aggregate, args.rows, args.over)
    print(render(table, labels, metrics, args.format, terminal_width(), args.aggregate))
    if early(done):
        print(early(done), file=sys.stderr)


def _print_pivot(done: "pd.DataFrame", shown: "Metric", args: Namespace, store: "Store") -> None:
    """Print a table whose columns are values of keys."""
    from mcbench.metrics import titled
    from mcbench.pivot import pivot
    from mcbench.pivot_text import as_csv, as_latex, as_markdown, caption
    from mcbench.significance import against_best

    (value,) = titled([shown], done)
    table = pivot(done, args.rows, args.columns, value, args.aggregate, args.over)
    tests = against_best(table, store)
    if args.format == "csv":
        print(as_csv(table, tests))
        print(caption(table, tests), file=sys.stderr)
    elif args.format == "latex":
        print(as_latex(table, tests))
    else:
        print(as_markdown(table, tests, terminal_width()))


def terminal_width() -> int | None:
    """Return the columns of the terminal, None where the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
