"""`mcbench bench`: the fast solvers against other implementations."""

from argparse import ArgumentParser, Namespace

SUMMARY = "measure the fast solvers beside other implementations"
EXAMPLES = """\
  mcbench bench --quick
  mcbench bench crammer_singer linear --data letter,usps --threads 2
  mcbench bench limit --data mnist_60000 --repetitions 1 --limit 1200
  mcbench bench crammer_singer --set solver=pattern --data satimage

environment:
  MCBENCH_DATA           where data sets are looked for first
  MCBENCH_ONEDAL_PYTHON  a Python that has scikit-learn-intelex
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("names", nargs="*", metavar="SECTION", help="which; default all")
    parser.add_argument("--list", action="store_true", help="list the sections")
    parser.add_argument(
        "--quick", action="store_true", help="small problems, each measured once (minutes)"
    )
    parser.add_argument("--data", metavar="A,B", default="", help="in place of each section's own")
    parser.add_argument(
        "--peers",
        metavar="A,B",
        help="of kernlab, scikit-learn, onedal, liblinear, or none; default all that are here",
    )
    parser.add_argument("--repetitions", type=int, metavar="N", help="default 3; --quick: 1")
    parser.add_argument(
        "--threads", type=int, metavar="N", help="the larger number of threads; default 2"
    )
    parser.add_argument(
        "--limit", type=float, metavar="SECONDS", default=600.0,
        help="of one measurement, with reading and judging; default %(default)g",
    )  # fmt: skip
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        dest="ours",
        help="a parameter of our estimators; null takes the benchmark's away",
    )
    parser.add_argument("--onedal-python", metavar="PATH", help="in place of the environment's")
    parser.add_argument("--output", metavar="FOLDER", help="default bench/ of the results folder")
    parser.add_argument(
        "--publish", action="store_true", help="copy the report to published/bench.md as well"
    )


def main(args: Namespace) -> int:
    """Measure; 1 when a section crashed, 0 whatever the peers did."""
    import os
    from pathlib import Path

    from mcbench.bench.bench import SECTIONS, bench, publish, section_module
    from mcbench.bench.measures.onedal import INTERPRETER
    from mcbench.bench.options import Options
    from mcbench.bench.peers import PEERS
    from mcbench.config import parse
    from mcbench.store import results_dir

    if args.list:
        for name in SECTIONS:
            print(f"{name}: {section_module(name).SUMMARY}")
        return 0
    if args.onedal_python:
        os.environ[INTERPRETER] = args.onedal_python
    peers = tuple(PEERS) if args.peers is None else _names(args.peers)
    given = {"repetitions": args.repetitions, "threads": args.threads}
    given = {key: value for key, value in given.items() if value is not None}
    options = Options(
        data=_names(args.data),
        peers=() if peers == ("none",) else peers,
        time_s=args.limit,
        quick=args.quick,
        ours={item.key_or_group: item.value() for item in map(parse, args.ours)},
        **({"repetitions": 1} if args.quick else {}) | given,
    )
    folder = Path(args.output).absolute() if args.output else results_dir() / "bench"
    crashed = bench(args.names, options, folder, lambda text: print(text, flush=True))
    print(f"Tables, figures and raw measurements are in {folder}.")
    if args.publish:
        print(f"The report is published in {publish(folder, results_dir() / 'published')}.")
    return int(bool(crashed))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)
