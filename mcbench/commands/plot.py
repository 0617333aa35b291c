"""`mcbench plot`: convergence curves, and scaling with the number of examples."""

from argparse import ArgumentParser, Namespace

from mcbench.commands.options import add_filters, add_results

SUMMARY = "plot convergence, or scaling with the number of examples"
EXAMPLES = """\
  mcbench plot convergence dataset=satimage --x seconds --y gap
  mcbench plot scaling solver=baseline,cache --y seconds --format svg
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    from mcbench.metrics import METRICS, TRACE_AXES

    parser.add_argument("kind", choices=["convergence", "scaling"], metavar="{convergence,scaling}")
    add_filters(parser)
    parser.add_argument(
        "--x", metavar="NAME", help="of convergence: seconds (default), iterations, kernel_rows"
    )
    parser.add_argument(
        "--y",
        metavar="NAME",
        help=f"of convergence, default gap: {', '.join(TRACE_AXES)}; "
        f"of scaling, default seconds: {', '.join(METRICS)}",
    )
    parser.add_argument(
        "--format", metavar="A,B", default="svg,png", help="svg, png, pdf; default %(default)s"
    )
    parser.add_argument(
        "--output", metavar="PATH", help="where to, without suffix; default results/figures/"
    )
    add_results(parser)


def main(args: Namespace) -> int:
    """Draw the figure and print where it is."""
    from pathlib import Path

    from mcbench.errors import UserError, suggest
    from mcbench.figures import convergence, scaling
    from mcbench.query import unmatched
    from mcbench.store import Store
    from mcbench.style import FORMATS, save

    formats = args.format.split(",")
    for form in formats:
        if form not in FORMATS:
            raise UserError(f"There is no format '{form}'; {suggest(form, FORMATS)}")
    store = Store(args.results)
    frame = store.find("status=done", *args.filters)
    if frame.empty:
        wrong = "; ".join(unmatched(store.listing(), args.filters)) or "mcbench run makes some"
        raise UserError(f"There are no such finished runs in {store.root}: {wrong}.")
    if args.kind == "convergence":
        x, y = args.x or "seconds", args.y or "gap"
        traces = {key: store.trace(key) for key in frame["id"]}
        figure = convergence(frame, traces, x, y)
        name = f"convergence_{y}_{x}"
    else:
        if args.x:
            raise UserError("The x axis of scaling is the number of examples: leave --x out.")
        figure = scaling(frame, args.y or "seconds")
        name = f"scaling_{args.y or 'seconds'}"
    stem = Path(args.output) if args.output else store.root / "figures" / name
    for path in save(figure, stem, formats):
        print(path)
    return 0
