"""Many runs: the store is asked first, the rest is executed, failures do not end it."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mcbench.attempts import OnRetry
from mcbench.config import resolve
from mcbench.errors import SolverUnavailable, UnwritableError, UserError
from mcbench.grid import Job
from mcbench.outcome import Outcome, outcome_of_record
from mcbench.plan import Plan, answered, plan
from mcbench.progress import Display
from mcbench.record import OtherSchemaError, Record
from mcbench.run import ALONE, OnProgress, execute_plan
from mcbench.share import sweep_shares
from mcbench.store import Store
from mcbench.words import count, shorten

#: With more cached runs than this, only their number is said.
MANY = 20

#: Seconds between looks at a run that another process executes.
POLL_S = 0.5

#: Executes plans and returns their outcomes in the same order.
Launch = Callable[[Sequence[Plan], Display], list[Outcome]]


@dataclass
class Sweep:
    """Runs that are planned, in three heaps.

    Attributes
    ----------
    plans : dict of str to Plan
        All runs by identity, each once.
    known : list of Outcome
        Runs that need not be executed: the store has them.
    todo : list of Plan
        Runs to execute.
    unavailable : list of Outcome
        Runs whose data cannot be had here, and those whose solver's package is not installed.
    ids : dict of Job to str
        The identity of each run asked for; empty where it could not be found out.
    refused : dict of Job to Outcome
        How those ended whose identity could not be found out.
    """

    plans: dict[str, Plan] = field(default_factory=dict)
    ids: dict[Job, str] = field(default_factory=dict)
    known: list[Outcome] = field(default_factory=list)
    todo: list[Plan] = field(default_factory=list)
    unavailable: list[Outcome] = field(default_factory=list)
    refused: dict[Job, Outcome] = field(default_factory=dict)


def prepare(
    jobs: Iterable[Job],
    store: Store,
    rerun: str | None = None,
    before: Sweep | None = None,
) -> Sweep:
    """Identify runs and ask the store for each, before anything is loaded or scheduled.

    Parameters
    ----------
    jobs : iterable of Job
        The runs asked for.
    store : Store
        Where to look for them.
    rerun : str, optional
        As for `mcbench.plan.answered`.
    before : Sweep, optional
        A sweep that has been run already. Its runs are known to the new one and not run again.

    Raises
    ------
    UserError
        When an override names nothing that exists, or no run at all is possible: nothing has
        been executed then. A combination that a solver refuses is a failure among the others.
    """
    from mcbench.data import DataUnavailable

    sweep = Sweep()
    if before is not None:
        sweep = Sweep(dict(before.plans), dict(before.ids), refused=dict(before.refused))
    refused: UserError | None = None
    for job in jobs:
        if job in sweep.ids:
            continue
        config = resolve(job.overrides)
        try:
            wanted = plan(config, job.overrides)
        except (DataUnavailable, SolverUnavailable) as error:
            status = "unavailable" if isinstance(error, DataUnavailable) else "skipped"
            sweep.refused[job] = Outcome(_label(job), status, str(error))
            sweep.unavailable.append(sweep.refused[job])
            sweep.ids[job] = ""
            continue
        except UserError as error:
            refused = refused or error
            sweep.refused[job] = Outcome(_label(job), "failed", str(error))
            sweep.known.append(sweep.refused[job])
            sweep.ids[job] = ""
            continue
        sweep.ids[job] = wanted.id
        if wanted.id in sweep.plans:
            continue
        try:
            record = answered(store, wanted, rerun)
        except OtherSchemaError as error:
            refused = refused or error
            sweep.refused[job] = Outcome(_label(job), "failed", str(error))
            sweep.known.append(sweep.refused[job])
            sweep.ids[job] = ""
            continue
        sweep.plans[wanted.id] = wanted
        if record is None:
            sweep.todo.append(wanted)
        else:
            sweep.known.append(outcome_of_record(wanted.label, record, fresh=False))
    if refused is not None and not sweep.plans and before is None:
        raise refused
    return sweep


def run_sweep(
    sweep: Sweep,
    store: Store,
    *,
    rerun: str | None = None,
    stop_on_error: bool = False,
    quiet: bool = False,
    before: Sequence[Outcome] = (),
    launch: Launch | None = None,
) -> list[Outcome]:
    """Execute what a sweep has to do and return the outcome of all its runs.

    A run that another process executes meanwhile is waited for when all others have ended; should
    that process die, the run is executed here.

    Parameters
    ----------
    sweep : Sweep
        What `prepare` returned.
    store : Store
        Where runs are kept.
    rerun : str, optional
        As for `mcbench.plan.answered`.
    stop_on_error : bool
        Start no further run after the first that failed.
    quiet : bool
        Print only what did not go well.
    before : sequence of Outcome
        Outcomes of another sweep; with `stop_on_error` nothing is started if a run failed there.
    launch : callable, optional
        Executes the plans; by default one after the other in this process.
    """
    store.sweep()
    sweep_shares(store.runs)
    there = {wanted.id: store.get(wanted.id) for wanted in sweep.todo}
    with Display(len(sweep.todo), quiet=quiet) as display:
        _say_known(sweep, display, quiet=quiet)
        if stop_on_error and any(outcome.bad for outcome in before):
            ended = [not_started(wanted) for wanted in sweep.todo]
        elif launch is not None:
            ended = launch(sweep.todo, display)
        else:
            ended = _one_by_one(sweep.todo, store, display, rerun, stop_on_error)
        ended = _awaited(sweep.todo, ended, there, store, display, rerun)
    return [*sweep.known, *sweep.unavailable, *ended]


def run_one(
    wanted: Plan,
    store: Store,
    rerun: str | None = None,
    on_progress: OnProgress | None = None,
    on_retry: OnRetry | None = None,
    parallel: Mapping[str, Any] = ALONE,
) -> Outcome:
    """Execute one planned run; whatever happens becomes an outcome."""
    from mcbench.data import DataUnavailable

    try:
        record, fresh = execute_plan(
            wanted,
            store,
            rerun=rerun,
            on_progress=on_progress,
            on_retry=on_retry,
            parallel=parallel,
        )
    except DataUnavailable as error:
        return Outcome(wanted.label, "unavailable", str(error), wanted.id)
    return outcome_of_record(wanted.label, record, fresh=fresh)


def not_started(wanted: Plan, why: str = "on_error=stop") -> Outcome:
    """Return the outcome of a run that came after a failure that stops the sweep."""
    return Outcome(wanted.label, "not started", why, wanted.id)


def summary(outcomes: Sequence[Outcome], seconds: float | None = None) -> str:
    """Return the number of runs by outcome, and the time that they took in all."""
    counts = Counter(outcome.status.replace("_", " ") for outcome in outcomes)
    parts = [f"{n} {name}" for name, n in counts.items()]
    text = count(len(outcomes), "run") + (": " if parts else "") + ", ".join(parts)
    return text if seconds is None else f"{text}; {seconds:.3g} s in all"


def _label(job: Job) -> str:
    return " ".join(map(shorten, job.overrides))


def _one_by_one(
    plans: Sequence[Plan], store: Store, display: Display, rerun: str | None, stop: bool
) -> list[Outcome]:
    ended: list[Outcome] = []
    unwritable = ""
    for wanted in plans:
        if unwritable:
            ended.append(not_started(wanted, unwritable))
            continue
        if stop and any(outcome.bad for outcome in ended):
            ended.append(not_started(wanted))
            continue
        display.begin(wanted.label)
        try:
            outcome = run_one(wanted, store, rerun, display.beat, display.say)
        except UnwritableError as error:  # every further run would fail as well
            if not ended:
                raise
            outcome = Outcome(wanted.label, "failed", str(error), wanted.id)
            unwritable = "the results cannot be written; the same command goes on"
        display.end(outcome)
        ended.append(outcome)
    return ended


def _awaited(
    plans: Sequence[Plan],
    ended: Sequence[Outcome],
    there: Mapping[str, Record | None],
    store: Store,
    display: Display,
    rerun: str | None,
) -> list[Outcome]:
    """Wait for the runs that other processes execute, in place of those that were `there`."""
    busy = sum(outcome.status == "running" for outcome in ended)
    if busy:
        display.say(f"waiting for {count(busy, 'run')} that another process executes")
    final = []
    for wanted, outcome in zip(plans, ended, strict=True):
        found = outcome
        while found.status == "running":
            # Looked at first, so that a run that ends just now is found below.
            lives = any(one.id == wanted.id and alive for one, alive in store.running())
            record = store.get(wanted.id)
            if record is not None and record != there[wanted.id]:
                found = outcome_of_record(wanted.label, record, fresh=False)
            elif lives:
                display.begin(wanted.label)
                time.sleep(POLL_S)
            else:  # it was given up there
                found = run_one(wanted, store, rerun, display.beat, display.say)
        if found is not outcome:
            display.end(found)
        final.append(found)
    return final


def _say_known(sweep: Sweep, display: Display, *, quiet: bool) -> None:
    cached = [outcome for outcome in sweep.known if outcome.status == "cached"]
    if len(cached) > MANY or (quiet and cached):
        display.say(f"cached: {count(len(cached), 'run')}")
    said: set[str] = set()
    for outcome in [*sweep.known, *sweep.unavailable]:
        if outcome.status != "cached" or (len(cached) <= MANY and not quiet):
            again = outcome.reason in said  # all runs of a data set lack it for one long reason
            display.say((replace(outcome, reason="as above") if again else outcome).line())
            said.update(filter(None, [outcome.reason]))
