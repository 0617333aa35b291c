"""`mcbench reproduce`: the papers' figures, tables and claims."""

from argparse import ArgumentParser, Namespace

from mcbench.commands.options import add_profile, add_rerun

SUMMARY = "reproduce papers: runs, figures, tables, claims"
EXAMPLES = """\
  mcbench reproduce
  mcbench reproduce crammer_singer_2001/fig7 --profile smoke
  mcbench reproduce --no-run --profile paper
  mcbench reproduce --list
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "names", nargs="*", metavar="PAPER[/ITEM]", help="what; default everything there is"
    )
    parser.add_argument("--list", action="store_true", help="list papers and their items")
    add_profile(parser, "of the runs")
    parser.add_argument(
        "--no-run", action="store_true", help="execute nothing: evaluate the runs that are there"
    )
    add_rerun(parser)


def main(args: Namespace) -> int:
    """Reproduce; 0 whatever the verdicts, 1 when a run failed or a claim crashed."""
    from mcbench.config import resolve
    from mcbench.discovery import select
    from mcbench.reproduce import report, reproduce
    from mcbench.store import Store

    names = [name for name in args.names if "=" not in name]
    user = [name for name in args.names if "=" in name]
    if args.list:
        for paper, item in select(names):
            print(f"{paper.key}/{item}: {paper.items[item].TITLE}")
        return 0
    config = resolve([text for text in user if text.startswith(("results_dir=", "on_error="))])
    store = Store(config["results_dir"])
    done = reproduce(
        names,
        args.profile,
        store,
        user=user,
        rerun=args.rerun,
        stop_on_error=config["on_error"] == "stop",
        execute=not args.no_run,
    )
    report(done, print)
    print(f"Figures, tables and claims are in {store.root}.")
    return done.exit_code
