"""Executing the runs of items: their grids, and then those that follow from what these gave."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mcbench.config import resolve
from mcbench.discovery import Paper
from mcbench.grid import Job, expand_following, limited
from mcbench.outcome import IMPOSSIBLE, Outcome
from mcbench.plan import Plan
from mcbench.progress import Display
from mcbench.results import Results
from mcbench.store import Store
from mcbench.sweep import Launch, Sweep, prepare, run_sweep
from mcbench.words import count, telling

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Item:
    """A table or figure to reproduce, and the runs that it asks for."""

    paper: Paper
    name: str
    jobs: list[Job]

    @property
    def module(self) -> Any:
        """What the experiment package says about it."""
        return self.paper.items[self.name]

    def __str__(self) -> str:
        return f"{self.paper.key}/{self.name}"


#: Told which item raised, where, and what.
Crash = Callable[[Item, str, Exception], None]


@dataclass(frozen=True)
class Stages:
    """How the runs of items are executed, in two stages.

    The first stage is the grids of the items' files. An item may have a function
    `following(results)` that returns further grids in the same form, chosen by the results of the
    first stage (`mcbench.selection`); they are the second stage.

    Attributes
    ----------
    profile : {"smoke", "quick", "paper"}
        The profile, for the items to see.
    store : Store
        Where runs are kept.
    user : sequence of str
        Overrides that win over the items' own, in both stages.
    rerun : str, optional
        As for `mcbench.plan.answered`.
    stop_on_error : bool
        Start no further run after the first that failed.
    execute : bool
        False: execute nothing; what the store does not have is missing.
    only : sequence of str
        Conditions on the runs, as for `limited`.
    launch : callable, optional
        Executes plans, as for `run_sweep`.
    """

    profile: str
    store: Store
    user: Sequence[str] = ()
    rerun: str | None = None
    stop_on_error: bool = False
    execute: bool = True
    only: Sequence[str] = ()
    launch: Launch | None = None

    def run(
        self, items: Sequence[Item], crash: Crash, say: Callable[[str], None]
    ) -> tuple[list[Outcome], list[tuple[Item, Results]]]:
        """Execute the runs of items that are not in the store.

        Parameters
        ----------
        items : sequence of Item
            With the runs of the first stage.
        crash : callable
            Told what raised while an item chose its second stage, which it then has not.
        say : callable
            Told how many runs follow the first stage.

        Returns
        -------
        outcomes : list of Outcome
            One for each run of both stages.
        found : list of (Item, Results)
            The items with the runs of both stages, and what these gave.
        """
        first = prepare(_jobs(items), self.store, self.rerun)
        outcomes = self._execute(first, ())
        found = self._gather(items, first, outcomes)
        items = [self._extended(item, results, crash) for item, results in found]
        second = prepare(_jobs(items), self.store, self.rerun, before=first)
        if len(second.ids) == len(first.ids):
            return outcomes, found
        new = [*second.known, *second.unavailable, *second.todo]
        say(f"{count(len(new), 'run')} chosen by the results so far")
        outcomes += self._execute(second, outcomes)
        return outcomes, self._gather(items, second, outcomes)

    def _execute(self, sweep: Sweep, before: Sequence[Outcome]) -> list[Outcome]:
        return run_sweep(
            sweep,
            self.store,
            rerun=self.rerun,
            stop_on_error=self.stop_on_error,
            quiet=True,
            before=before,
            launch=self.launch if self.execute else _missing,
        )

    def _extended(self, item: Item, results: Results, crash: Crash) -> Item:
        """Return an item with the runs that follow from its results."""
        if not hasattr(item.module, "following"):
            return item
        try:
            grids = item.module.following(results)
            jobs = limited(expand_following(str(item), grids, self.user), self.only)
            for job in jobs:  # a wrong override is this item's mistake and ends no other
                resolve(job.overrides)
        except Exception as error:
            crash(item, "following", error)
            return item
        return replace(item, jobs=list(dict.fromkeys([*item.jobs, *jobs])))

    def _gather(
        self, items: Sequence[Item], sweep: Sweep, outcomes: Sequence[Outcome]
    ) -> list[tuple[Item, Results]]:
        """Return what each item gets to see: its own runs, and the reasons for those not there."""
        frame = self.store.frame().astype({"id": "str"})
        ended = {outcome.id: outcome for outcome in outcomes if outcome.id}
        return [(item, self._results(item, sweep, ended, frame)) for item in items]

    def _results(
        self, item: Item, sweep: Sweep, ended: Mapping[str, Outcome], frame: "pd.DataFrame"
    ) -> Results:
        import pandas as pd

        wanted: list[dict[str, str]] = []
        missing: list[tuple[tuple[str, ...], str]] = []
        lost: dict[str, tuple[tuple[str, ...], str]] = {}  # a run may be asked for twice
        for job in item.jobs:
            run_id = sweep.ids[job]
            outcome = ended.get(run_id) or sweep.refused.get(job)
            if outcome is not None and outcome.status in ("done", "cached"):
                wanted.append({"id": run_id, "part": job.part})
            elif outcome is not None:
                asked = tuple(telling(job.overrides))
                missing.append((asked, f"{outcome.status}: {outcome.reason}"))
                if outcome.status not in IMPOSSIBLE:
                    lost.setdefault(run_id or str(job.overrides), missing[-1])
        rows = pd.DataFrame(wanted, columns=["id", "part"], dtype="str").drop_duplicates()
        found = rows.merge(frame, on="id", how="inner").copy()
        return Results(self.profile, found, self.store, missing, list(lost.values()))


def _missing(plans: Sequence[Plan], _: Display) -> list[Outcome]:
    """Execute nothing."""
    return [Outcome(wanted.label, "missing", "not in the store", wanted.id) for wanted in plans]


def _jobs(items: Sequence[Item]) -> list[Job]:
    return [job for item in items for job in item.jobs]
