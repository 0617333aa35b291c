"""`mcbench run`: one run, or with -m a sweep."""

import time
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from mcbench.commands.options import WHERE, add_profile, add_rerun

if TYPE_CHECKING:
    from mcbench.grid import Job
    from mcbench.launcher import Launcher
    from mcbench.outcome import Outcome
    from mcbench.store import Store

#: What the table at the end of a sweep shows, and the rows from which on it is left out.
COLUMNS = ("error", "primal", "dual", "gap", "support", "seconds")
MOST_ROWS = 60

SUMMARY = "run one configuration, or a sweep of them"
EXAMPLES = f"""\
  mcbench run dataset=satimage solver=cache solver.C=4 kernel.gamma=4
  mcbench run -m dataset=letter_5000,satimage solver=kkt,cache seed=0,1
  mcbench run -m +experiment=PAPER/ITEM --profile smoke
  mcbench run -m "solver=glob(*)" dataset=iris
  mcbench run -m seed=0,1,2,3 launcher=joblib launcher.n_jobs=2
  mcbench run -m seed=range(100) launcher=submitit_slurm launcher.partition=cpu
  mcbench run -m dataset=iris solver=kkt,cache retries=1 --rerun '*solver=kkt*'

environment:
  MCBENCH_RESULTS  where results are kept; default
                   {WHERE}
  MCBENCH_DATA     where data sets are looked for first
  MCBENCH_CONF     more folders with dataset/, solver/, ... files of your own

A _target_ names code that mcbench imports and runs: use a configuration file
or an experiment of somebody else's only if you trust it.
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "overrides",
        nargs="*",
        metavar="KEY=VALUE",
        help="what differs from conf/config.yaml; dataset=NAME chooses a file of conf/dataset",
    )
    parser.add_argument(
        "-m", "--multirun", action="store_true", help="run every combination of a,b,c values"
    )
    parser.add_argument(
        "--cfg", choices=["job"], help="print the configuration instead of running it"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 when a solver was skipped because its package is not installed",
    )
    add_rerun(parser)
    add_profile(parser, "of an experiment (with +experiment=PAPER/ITEM)")


def main(args: Namespace) -> int:
    """Run; 0 when everything that is possible here is done, 1 when something failed."""
    from mcbench.config import parse, resolve
    from mcbench.errors import UserError
    from mcbench.grid import expand_experiment, expand_sweep, experiment_launcher
    from mcbench.launcher import choose, split_launcher
    from mcbench.outcome import closing_list
    from mcbench.rerun import check_rerun
    from mcbench.store import Store
    from mcbench.sweep import summary

    check_rerun(args.rerun)
    launching, others = split_launcher(args.overrides)
    experiment, overrides = split_experiment(others)
    if experiment and not args.multirun:
        raise UserError(f"The experiment {experiment} is a sweep: add -m.")
    if experiment == "":
        raise UserError("+experiment names nothing: write +experiment=PAPER/ITEM.")
    if args.multirun:
        jobs = (
            expand_experiment(experiment, args.profile, overrides)
            if experiment
            else expand_sweep(overrides)
        )
    else:
        for text in overrides:
            if parse(text).is_sweep_override():
                raise UserError(f"'{text}' asks for several runs: add -m.")
        jobs = expand_sweep(overrides)
    launcher = choose(launching, experiment_launcher(experiment) if experiment else ())
    if args.cfg:
        from omegaconf import OmegaConf

        for job in jobs:
            config = {**resolve(job.overrides), "launcher": launcher.as_dict()}
            print(OmegaConf.to_yaml(OmegaConf.create(config)).rstrip())
        return 0
    start = time.perf_counter()
    store = Store(resolve(jobs[0].overrides)["results_dir"] if jobs else None)
    outcomes = _run(jobs, store, args.rerun, launcher)
    if args.multirun:
        _print_table(outcomes, store)
        print(summary(outcomes, time.perf_counter() - start))
    for line in closing_list(outcomes):
        print(line)
    print(f"Results are in {store.root}.")
    missing = ("unavailable", "skipped") if args.strict else ("unavailable",)
    return int(any(outcome.bad or outcome.status in missing for outcome in outcomes))


def split_experiment(overrides: list[str]) -> tuple[str | None, list[str]]:
    """Return the experiment asked for, and the other overrides."""
    experiment = None
    others = []
    for text in overrides:
        key, _, value = text.lstrip("+").partition("=")
        if key == "experiment":
            experiment = value
        else:
            others.append(text)
    return experiment, others


def _print_table(outcomes: "list[Outcome]", store: "Store") -> None:
    """Print one table of a sweep's finished runs, found or executed, that fitted a model."""
    from mcbench.commands.table import terminal_width
    from mcbench.labels import with_model
    from mcbench.metrics import METRICS, titled
    from mcbench.tables import early, render, summarize

    finished = {outcome.id for outcome in outcomes if outcome.status in ("done", "cached")}
    if not finished:
        return
    frame = store.frame()
    runs = with_model(frame[frame["id"].isin(finished)])
    rows = runs["group"].nunique() if len(runs) else 0  # runs that differ in the seed are one
    if rows > MOST_ROWS:
        print(f"\nA table of these runs has {rows} rows: mcbench table shows it.\n")
    elif rows:
        metrics = titled([METRICS[name] for name in COLUMNS], runs)
        table, labels = summarize(runs, metrics)
        print(f"\n{render(table, labels, metrics, 'markdown', terminal_width())}\n")
        if early(runs):
            print(f"{early(runs)}\n")


def _run(
    jobs: "list[Job]", store: "Store", rerun: str | None, launcher: "Launcher"
) -> "list[Outcome]":
    """Ask the store, execute the rest here or through a launcher."""
    from mcbench.config import resolve
    from mcbench.launch import launch_with
    from mcbench.rerun import check_some
    from mcbench.sweep import prepare, run_sweep

    if not jobs:
        return []
    # How a sweep is executed is one decision for all its runs.
    stop = resolve(jobs[0].overrides)["on_error"] == "stop"
    launch = launch_with(launcher, store, rerun=rerun, stop_on_error=stop)
    sweep = prepare(jobs, store, rerun)
    check_some(rerun, ((wanted.id, wanted.label) for wanted in sweep.plans.values()))
    return run_sweep(sweep, store, rerun=rerun, stop_on_error=stop, launch=launch)
