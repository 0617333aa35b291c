"""`mcbench reproduce`: the papers' figures, tables and claims."""

import traceback
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from mcbench.commands.options import add_profile, add_rerun

if TYPE_CHECKING:
    from mcbench.store import Store

SUMMARY = "reproduce papers: runs, figures, tables, claims, report"
EXAMPLES = """\
  mcbench reproduce
  mcbench reproduce crammer_singer_2001/fig7 --profile smoke
  mcbench reproduce hsu_lin_2002/table2 --profile paper --only dataset=iris,wine
  mcbench reproduce --jobs 2
  mcbench reproduce --no-run --profile paper
  mcbench reproduce --list
"""

#: Overrides that are looked at here, besides being part of each run's configuration.
SETTINGS = ("results_dir=", "on_error=")


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "names", nargs="*", metavar="PAPER[/ITEM]", help="what; default everything there is"
    )
    parser.add_argument("--list", action="store_true", help="list papers and their items")
    add_profile(parser, "of the runs")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="KEY=VALUE[,VALUE]",
        help="leave out all other runs; --only dataset=iris --only part=published takes both",
    )
    parser.add_argument(
        "--no-run", action="store_true", help="execute nothing: evaluate the runs that are there"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="runs at once, short for launcher=joblib launcher.n_jobs=N; default 1, because runs "
        "side by side disturb each other's times",
    )
    add_rerun(parser)


def main(args: Namespace) -> int:
    """Reproduce; 0 whatever the verdicts, 1 when a run failed or a claim or the report crashed."""
    from mcbench.config import resolve
    from mcbench.discovery import select
    from mcbench.launch import launch_with
    from mcbench.launcher import choose, split_launcher
    from mcbench.outcome import closing_list
    from mcbench.reproduce import report, reproduce
    from mcbench.rerun import check_rerun
    from mcbench.store import Store

    check_rerun(args.rerun)
    names = [name for name in args.names if "=" not in name]
    launching, user = split_launcher(name for name in args.names if "=" in name)
    if args.list:
        for paper, item in select(names):
            print(f"{paper.key}/{item}: {paper.items[item].TITLE}")
        return 0
    config = resolve([text for text in user if text.lstrip("+").startswith(SETTINGS)])
    store = Store(config["results_dir"])
    stop = config["on_error"] == "stop"
    if args.jobs is not None:
        launching = ["launcher=joblib", f"launcher.n_jobs={args.jobs}", *launching]
    launcher = choose(launching, () if launching else _launcher_of_files(names))
    done = reproduce(
        names,
        args.profile,
        store,
        user=user,
        rerun=args.rerun,
        stop_on_error=stop,
        execute=not args.no_run,
        only=args.only,
        launch=launch_with(launcher, store, rerun=args.rerun, stop_on_error=stop),
    )
    report(done, print)
    for line in closing_list(done.outcomes):
        print(line)
    print(f"Figures, tables and claims are in {store.root}.")
    return max(done.exit_code, _report(store))


def _launcher_of_files(names: list[str]) -> list[str]:
    """Return the launcher that the files of all items choose; none where they do not agree."""
    from mcbench.discovery import select
    from mcbench.grid import experiment_launcher

    chosen = {tuple(experiment_launcher(f"{paper.key}/{item}")) for paper, item in select(names)}
    if len(chosen) > 1:
        print(
            "The items choose different launchers, so runs are executed one after the other: "
            "--jobs N chooses for all."
        )
    return list(chosen.pop()) if len(chosen) == 1 else []


def _report(store: "Store") -> int:
    """Build the report; 1 when that fails, which takes nothing from the results."""
    from mcbench.errors import UserError, pass_on_interrupt
    from mcbench.report import build

    try:
        print(f"The report is {build(store)}.")
    except UserError as error:
        print(f"error: no report: {error}")
        return 1
    except Exception as error:
        pass_on_interrupt(error)
        traceback.print_exc()
        print(f"error: the report crashed: {type(error).__name__}: {error}")
        return 1
    return 0
