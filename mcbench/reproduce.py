"""Reproducing papers: run what is missing, draw the figures, evaluate the claims."""

import sys
import textwrap
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

from mcbench import catalogue
from mcbench.catalogue import Made
from mcbench.claim import locked
from mcbench.claims import Claim, Row, as_row, counts, merge, read_rows, write_rows
from mcbench.discovery import select
from mcbench.errors import UnwritableError, UserError, pass_on_interrupt
from mcbench.files import to_json, write_atomic, writing
from mcbench.grid import expand_experiment, limited
from mcbench.machine import provenance
from mcbench.outcome import Outcome
from mcbench.results import Results
from mcbench.stages import Item, Stages
from mcbench.store import Store
from mcbench.sweep import Launch, summary
from mcbench.words import cited, count, telling

#: Columns of the claims that are said, where the terminal has as many.
WIDEST = 100

#: Outcomes of runs that could not begin, and why.
ABSENT = {"unavailable": "the data are not", "skipped": "their solvers are not installed"}


@dataclass
class Reproduced:
    """What a reproduction gave.

    Attributes
    ----------
    outcomes : list of Outcome
        One for each run.
    claims : list of dict
        The claims evaluated now.
    files : list of Path
        What was written.
    crashed : list of str
        What raised instead of giving a result.
    kept : list of str
        Of which items the results of another profile stay, because no run of this one is there.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    claims: list[Row] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    crashed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0 whatever the verdicts; 1 when a run failed or something crashed."""
        return int(bool(self.crashed) or any(outcome.bad for outcome in self.outcomes))

    def crash(self, item: Item, what: str, error: Exception) -> None:
        """Note what raised; its traceback, where that helps, goes to standard error."""
        pass_on_interrupt(error)
        if isinstance(error, UnwritableError):
            self.crashed.append(f"{what} of {item}: {str(error).rstrip('.')}")
            return
        traceback.print_exc(file=sys.stderr)
        self.crashed.append(f"{what} of {item} crashed: {type(error).__name__}: {error}")


def reproduce(
    names: Sequence[str],
    profile: str,
    store: Store,
    *,
    user: Sequence[str] = (),
    rerun: str | None = None,
    stop_on_error: bool = False,
    execute: bool = True,
    only: Sequence[str] = (),
    launch: Launch | None = None,
    say: Callable[[str], None] = print,
) -> Reproduced:
    """Reproduce items of papers.

    Parameters
    ----------
    names : sequence of str
        "paper" or "paper/item"; empty for everything there is.
    profile : {"smoke", "quick", "paper"}
        How large.
    store : Store
        Where runs are kept; figures, tables and claims go beside them.
    user : sequence of str
        Overrides that win over the experiments' own.
    rerun : str, optional
        As for `mcbench.plan.answered`.
    stop_on_error : bool
        Start no further run after the first that failed.
    execute : bool
        False: execute nothing; evaluate what the store has.
    only : sequence of str
        Leave out the runs that meet none of these conditions, as for `mcbench.grid.limited`.
    launch : callable, optional
        Executes plans, as for `mcbench.sweep.run_sweep`.
    say : callable
        Told what happens, a line at a time.
    """
    start = time.perf_counter()
    items = [
        Item(paper, name, limited(expand_experiment(f"{paper.key}/{name}", profile, user), only))
        for paper, name in select(list(names))
    ]
    if only:
        items = [item for item in items if item.jobs]
        if not items:
            raise UserError(f"No run of these items meets {' or '.join(only)}.")
    changes = [*telling(user), *(f"--only {text}" for text in only)]
    say(f"{count(len(items), 'item')}, profile {profile}; results in {store.root}")
    done = Reproduced()
    stages = Stages(profile, store, user, rerun, stop_on_error, execute, only, launch)
    done.outcomes, found = stages.run(items, done.crash, say)
    say(summary(done.outcomes, time.perf_counter() - start))

    entries, unknown = [], []
    for item, results in found:
        entry = catalogue.entry(item, results, changes)
        if not item.jobs or len(results.frame):
            entry["figures"] = _draw(item, results, store.root, done)
            entry["tables"] = _tabulate(item, results, store.root, done)
        entries.append(entry)
        claims = _guarded(item, "claims", results, done)
        if claims is None and hasattr(item.module, "claims"):
            unknown.append((item.paper.key, item.name))
        for claim in claims or []:
            done.claims.append(
                as_row(changed(undecided(claim, results), changes), item.paper.key, profile)
            )

    evaluated = {(item.paper.key, item.name) for item in items}
    try:
        with writing(store.root):
            _keep(done, entries, evaluated, unknown, store)
    except UnwritableError as error:  # what was found is said nevertheless
        done.crashed.append(str(error).rstrip("."))
    return done


def _keep(
    done: Reproduced,
    entries: list[catalogue.Entry],
    evaluated: set[tuple[str, str]],
    unknown: Sequence[tuple[str, str]],
    store: Store,
) -> None:
    """Write claims and catalogue, those of other items kept.

    So are those that another profile decided, of an item that has no run in this one: what cannot
    be had takes nothing away.

    Parameters
    ----------
    done : Reproduced
        Its claims are written; those of items that crashed are added.
    entries : list of dict
        The items for the catalogue.
    evaluated, unknown : collections of (paper, item)
        The items, and those of them whose claims crashed.
    store : Store
        Beside whose runs they go.
    """
    store.runs.mkdir(parents=True, exist_ok=True)
    with locked(store.runs):  # another process may merge its own
        old = read_rows(store.root)
        # What was claimed before and crashed now stays a row, that nothing is known of any more.
        crash = {"verdict": "not testable", "ours": "-", "runs": [], "reason": "the claim crashed"}
        done.claims += [{**row, **crash} for row in old if (row["paper"], row["item"]) in unknown]
        bare = {(one["paper"], one["item"]): one["profile"] for one in entries if not one["runs"]}
        stay = {
            key: row["profile"]
            for row in old
            if (key := (row["paper"], row["item"])) in bare
            and row["verdict"] != "not testable"
            and row["profile"] != bare[key]
        }
        done.kept = [f"{paper}/{item} ({other})" for (paper, item), other in stay.items()]
        rows = [row for row in done.claims if (row["paper"], row["item"]) not in stay]
        named = {(row["paper"], row["item"]) for row in rows}
        done.files += write_rows(store.root, merge(old, rows, (evaluated | named) - stay.keys()))
        entries = [entry for entry in entries if (entry["paper"], entry["item"]) not in stay]
        whole = catalogue.merge(catalogue.read_entries(store.root), entries)
        done.files.append(catalogue.write_entries(store.root, whole))
    write_atomic(store.root / "environment.json", to_json(provenance(), indent=1) + "\n")


def undecided(claim: Claim, results: Results) -> Claim:
    """Return a claim, not testable when a run that it could rest on is not there.

    A verdict on part of the runs would change with the runs that are there; data and solvers that
    cannot be had here are the item's own business.
    """
    if not results.lost:
        return claim
    (overrides, why), others = results.lost[0], len(results.lost) - 1
    more = f" (and {others} more)" if others else ""
    reason = f"run missing: {' '.join(overrides)}: {why}{more}"
    if claim.verdict != "not testable":
        reason += f"; without it: {claim.verdict}"
    return replace(claim, verdict="not testable", reason=reason)


def changed(claim: Claim, changes: Sequence[str]) -> Claim:
    """Return a claim whose reason says what the user changed of its runs."""
    if not changes:
        return claim
    note = f"runs as changed by: {' '.join(changes)}"
    return replace(claim, reason=f"{claim.reason}; {note}" if claim.reason else note)


def report(done: Reproduced, say: Callable[[str], None]) -> None:
    """Say what came out: missing runs, claims, their count, and what crashed."""
    for status, why in ABSENT.items():
        absent = [outcome for outcome in done.outcomes if outcome.status == status]
        if absent:
            are = "is" if len(absent) == 1 else "are"
            say(f"\n{count(len(absent), 'run')} {are} not here because {why}:")
            for reason in dict.fromkeys(outcome.reason for outcome in absent):
                say(f"  {reason}")
    columns = min(get_terminal_size((WIDEST, 24)).columns, WIDEST)
    for row in done.claims:
        say(f"\n{row['id']}: {row['verdict']}")
        for name in ("statement", "paper_value", "ours", "reason"):
            if row[name]:
                label = {"paper_value": "paper", "reason": "why"}.get(name, name)
                say(wrapped(f"{label}:", row[name], columns))
    say("\n" + counts(done.claims))
    if done.kept:
        say(f"No run is here, so that what another profile found stays: {', '.join(done.kept)}.")
    for sentence in done.crashed:
        say(f"error: {sentence}")


def wrapped(label: str, text: str, columns: int) -> str:
    """Return a labelled text as indented lines that a terminal so wide shows whole."""
    start = f"  {label:<11}"
    return textwrap.fill(
        text,
        max(columns, 40),
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _draw(item: Item, results: Results, root: Path, done: Reproduced) -> list[Made]:
    """Draw the figures of an item; return what was drawn, and of which runs."""
    from mcbench.style import attribute, paper_style, runs_of, save, stamp

    made = []
    with paper_style():
        figures = _guarded(item, "figures", results, done) or {}
    for name, figure in figures.items():
        try:
            if not runs_of(figure):
                stamp(figure, profile=results.profile, runs=list(results.frame["id"]))
            runs = runs_of(figure)
            attribute(figure, f"{cited(item.paper.key)}, {item.module.TITLE}")
            files = save(figure, root / "figures" / item.paper.key / name)
            made.append(catalogue.made(name, files, runs, root))
            done.files += files
        except Exception as error:
            done.crash(item, f"figure {name}", error)
    return made


def _tabulate(item: Item, results: Results, root: Path, done: Reproduced) -> list[Made]:
    """Write the tables of an item; return what was written, and of which runs."""
    from mcbench.paper_table import PaperTable

    made = []
    title = f"{item.module.TITLE} (profile {results.profile})"
    for name, table in (_guarded(item, "tables", results, done) or {}).items():
        stem = root / "tables" / item.paper.key / name
        try:
            if not isinstance(table, PaperTable):
                table = PaperTable(table)
            texts = {
                "md": table.markdown(title),
                "csv": table.csv(),
                "tex": table.latex(title) + "\n",
            }
            files = [stem.with_name(f"{name}.{form}") for form in texts]
            with writing(root):
                stem.parent.mkdir(parents=True, exist_ok=True)
                for path, text in zip(files, texts.values(), strict=True):
                    write_atomic(path, text)
        except Exception as error:
            done.crash(item, f"table {name}", error)
            continue
        runs = catalogue.runs_of_table(table.frame)
        made.append(catalogue.made(name, files, runs, root))
        done.files += files
    return made


def _guarded(item: Item, function: str, results: Results, done: Reproduced) -> Any:
    """Call a function of an item; what it raises is an error that does not stop the others."""
    if not hasattr(item.module, function):
        return None
    try:
        return getattr(item.module, function)(results)
    except Exception as error:
        done.crash(item, function, error)
        return None
