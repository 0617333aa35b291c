"""`mcbench plot`: convergence, scaling, the front of error and cost, decision regions."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from mcbench.commands.options import add_filters, add_results

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    from matplotlib.figure import Figure

    from mcbench.store import Store

SUMMARY = "plot convergence, scaling, the front of error and cost, or decision regions"
EXAMPLES = """\
  mcbench plot convergence dataset=satimage --x seconds --y gap
  mcbench plot scaling solver=baseline,cache --y seconds --output fig.svg
  mcbench plot scaling dataset=letter --x classes
  mcbench plot pareto dataset=glass --x predict
  mcbench plot regions dataset=iris solver=ovr,block seed=0 --attributes 3,4

convergence  one curve per solver: the median over seeds, in a band from the
             least to the largest; of runs that were traced
scaling      a metric against a size or any numeric setting, both logarithmic,
             with the exponent fitted to each curve
pareto       the error against a cost, and the front that nothing else beats
regions      what a run's solver, fitted again on two attributes, gives to
             each point of the plane
"""

KINDS = ("convergence", "scaling", "pareto", "regions")

#: What the axes show when nothing is asked for.
AXES = {
    "convergence": ("seconds", "gap"),
    "scaling": ("train_size", "seconds"),
    "pareto": ("seconds", "error"),
}


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    from mcbench.custom_figures import Kinds
    from mcbench.metrics import TRACE_AXES, metric_names

    parser.add_argument(
        "kind", choices=Kinds(*KINDS), metavar=f"{{{','.join(KINDS)}}}", help="or a figure of a "
        "package or file of yours: its name, or package.function"
    )  # fmt: skip
    add_filters(parser)
    parser.add_argument(
        "--x",
        metavar="NAME",
        help="of convergence: seconds (default), cpu_seconds, iterations, kernel_rows; of scaling: "
        "train_size (default), classes, features, or a setting such as solver.C; of pareto: "
        "seconds (default), predict, support, memory, cpu, rows, peak",
    )
    parser.add_argument(
        "--y",
        metavar="NAME",
        help=f"of convergence, default gap: {', '.join(TRACE_AXES)}; "
        f"of scaling, default seconds: {', '.join(metric_names())}; of pareto, default error",
    )
    parser.add_argument(
        "--attributes", metavar="I,J", help="of regions: which two, from 1; default 1,2"
    )
    parser.add_argument(
        "--format", metavar="A,B", help="svg, png, pdf; default that of --output, or svg,png"
    )
    parser.add_argument(
        "--output",
        metavar="PATH",
        help="where to; its suffix is the format; default figures/ of the results folder",
    )
    add_results(parser)


def main(args: Namespace) -> int:
    """Draw the figure and print where it is."""
    from mcbench.errors import UserError
    from mcbench.query import unmatched
    from mcbench.store import Store
    from mcbench.style import save

    _check_options(args)
    store = Store(args.results)
    stem, formats = _where(args, store)
    frame = store.find("status=done", *args.filters)
    if frame.empty:
        wrong = "; ".join(unmatched(store.listing(), args.filters)) or "mcbench run makes some"
        raise UserError(f"There are no such finished runs in {store.root}: {wrong}.")
    for path in save(_draw(args, frame, store), stem, formats):
        print(path)
    return 0


def _check_options(args: Namespace) -> None:
    """Refuse names and options that the kind of figure does not have, before any run is read."""
    from mcbench.errors import UserError
    from mcbench.metrics import metric, trace_axis

    if args.kind == "convergence":
        for name in _axes(args):
            trace_axis(name)
    elif args.kind == "regions":
        if args.x or args.y:
            raise UserError("The axes of regions are attributes: write --attributes 1,2.")
        _attributes(args.attributes or "1,2")
    elif args.kind in KINDS:
        metric(_axes(args)[1])
    elif args.x or args.y:
        raise UserError(f"The figure {args.kind} chooses its axes: leave --x and --y out.")
    if args.attributes is not None and args.kind != "regions":
        raise UserError(f"--attributes is for regions, not for {args.kind}: leave it out.")


def _draw(args: Namespace, frame: "pd.DataFrame", store: "Store") -> "Figure":
    """Return the figure asked for."""
    from mcbench.custom_figures import drawn
    from mcbench.figures import convergence, pareto, regions, scaling
    from mcbench.metrics import TRACED, computed, metric
    from mcbench.words import count

    if args.kind not in KINDS:
        return drawn(args.kind, frame, store)
    if args.kind == "convergence":
        traces = {key: store.trace(key) for key in frame["id"]}
        untraced = frame[[traces[key].empty for key in frame["id"]]]
        if 0 < len(untraced) < len(frame):
            names = ", ".join(sorted(set(map(str, untraced["solver"]))))
            print(
                f"mcbench: Not drawn: {count(len(untraced), 'run')} without a trace, of {names}: "
                f"{TRACED}.",
                file=sys.stderr,
            )
        return convergence(frame, traces, *_axes(args))
    if args.kind in AXES:
        x, y = _axes(args)
        frame = computed(frame, [metric(y)], store.predictions)
        return scaling(frame, y, x) if args.kind == "scaling" else pareto(frame, x, y)
    from mcbench.figures.regions import check_panels
    from mcbench.labels import with_model
    from mcbench.record import load_record
    from mcbench.refit import refit_all

    frame = with_model(frame)
    check_panels(len(frame))
    chosen = _attributes(args.attributes or "1,2")
    records = (load_record(store.runs / key, key) for key in frame["id"])
    planes, refused = refit_all(records, chosen)
    for error in refused:
        print(f"mcbench: Not drawn: {error}", file=sys.stderr)
    return regions(frame[frame["id"].isin(planes)], planes)


def _axes(args: Namespace) -> tuple[str, str]:
    """Return what the axes show: what was asked for, or what the kind of figure shows without."""
    x, y = AXES[args.kind]
    return args.x or x, args.y or y


def _attributes(text: str) -> list[int]:
    from mcbench.errors import UserError

    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 2:
        raise UserError(f"--attributes '{text}' is not two numbers: write --attributes 1,2.")
    return numbers


def _where(args: Namespace, store: "Store") -> "tuple[Path, list[str]]":
    """Return the path without its suffix, and the formats."""
    from pathlib import Path

    from mcbench.errors import UserError, suggest
    from mcbench.style import FORMATS

    stem, ending = None, ""
    if args.output is not None:
        stem = Path(args.output).expanduser()
        if not args.output or stem.is_dir():
            raise UserError(f"--output '{args.output}' is a folder: name a file, such as fig.svg.")
        if stem.suffix[1:].isalpha():
            stem, ending = stem.with_suffix(""), stem.suffix[1:]
    if ending and args.format:
        raise UserError(f"--output ends in .{ending}, which is the format: leave --format out.")
    formats = (ending or args.format or "svg,png").split(",")
    for form in formats:
        if form not in FORMATS:
            raise UserError(f"There is no format '{form}'; {suggest(form, FORMATS)}")
    if stem is None:
        x, y = _axes(args) if args.kind in AXES else (None, None)
        # The x axis is in the name where it was asked for; that of convergence always is.
        parts = [args.kind, y, x if args.x or args.kind == "convergence" else None]
        stem = store.root / "figures" / "_".join(part for part in parts if part)
    return stem, formats
