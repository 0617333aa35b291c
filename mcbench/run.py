"""One run: identified, claimed, executed, recorded."""

import os
import time
import traceback
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from mcbench.attempts import OnRetry, attempts
from mcbench.checkpoint import Checkpoints, forget, spent
from mcbench.claim import BEAT_S, Claim, ClaimLost
from mcbench.errors import UnwritableError, UserError, pass_on_interrupt
from mcbench.limits import Limits, in_child
from mcbench.machine import provenance
from mcbench.plan import Plan, answered, plan
from mcbench.pulse import Pulse
from mcbench.record import Record, strict
from mcbench.recordable import check_recordable
from mcbench.store import Store
from mcbench.tail import KEPT
from mcbench.words import telling

OnProgress = Callable[[dict[str, Any]], None]

#: What a record says of runs at the same time, where a run is executed on its own.
ALONE = {"launcher": "basic", "runs": 1}

#: Characters of a solver's message that are kept as the reason.
LONGEST = 1000


def execute(
    config: dict[str, Any],
    store: Store,
    *,
    rerun: str | None = None,
    on_progress: OnProgress | None = None,
) -> Record:
    """Execute one run, unless the store has it, and return its record.

    Parameters
    ----------
    config : dict
        The resolved configuration.
    store : Store
        Where the run is looked for and kept.
    rerun : str, optional
        Execute again what failed, or whatever is there: as for `answered`.
    on_progress : callable, optional
        Told how far the fit is: a mapping with iteration, seconds and gap.

    Returns
    -------
    Record
        With status "running" when another process is executing the same run just now.

    Raises
    ------
    mcbench.data.DataUnavailable
        When the data cannot be had here; nothing is recorded then.
    """
    return execute_plan(plan(config), store, rerun=rerun, on_progress=on_progress)[0]


def execute_plan(
    planned: Plan,
    store: Store,
    *,
    rerun: str | None = None,
    on_progress: OnProgress | None = None,
    on_retry: OnRetry | None = None,
    parallel: Mapping[str, Any] = ALONE,
) -> tuple[Record, bool]:
    """Execute a planned run as `execute` does, and say whether it was executed or found.

    Parameters
    ----------
    planned : Plan
        The run.
    store, rerun, on_progress
        As for `execute`.
    on_retry : callable, optional
        Told of each failed attempt that another one follows.
    parallel : mapping
        What the record says of the runs that are executed at the same time.
    """
    there = store.get(planned.id)  # read first: what another process puts there later stays
    known = answered(store, planned, rerun)
    if known is not None:
        return known, False
    record = _start(planned, parallel)
    mine = store.claim(record, replaces=there)
    if mine is None:
        return _elsewhere(planned, store, there), False

    def beat(progress: dict[str, Any]) -> None:
        mine.beat(progress)
        if on_progress is not None:
            on_progress(progress)

    if there is not None and there.done:  # a fit that went all its way is not gone on with
        forget(store.runs, planned.id)
    try:
        with Pulse(BEAT_S, mine.touch):
            mine.write_config(planned.config)
            attempts(
                record,
                lambda: _perform(record, mine, beat),
                retries=planned.config.get("retries") or 0,
                label=planned.label,
                clear=mine.clear_tables,
                on_retry=on_retry,
            )
        record.sections["finished"] = _now()
        threads = record.sections.pop("threads", None)
        record.sections["provenance"] = {**provenance(), "threads": threads}
        record.sections["files"] = sorted(path.name for path in mine.folder.glob("*.parquet"))
        store.finish(mine, record)
        if record.done:
            forget(store.runs, planned.id)
    except ClaimLost:
        return _elsewhere(planned, store, there), False
    except BaseException:
        mine.abandon()
        raise
    return record, True


def _elsewhere(planned: Plan, store: Store, there: Record | None) -> Record:
    """Return the record of a run that another process has: finished meanwhile, or running.

    What was `there` before is not what that process makes of it.
    """
    found = store.get(planned.id)
    if found is not None and found != there:
        return found
    return Record(planned.id, "running", planned.config, reason="another process executes it")


def _start(planned: Plan, parallel: Mapping[str, Any]) -> Record:
    return Record(
        planned.id,
        "running",
        planned.config,
        sections={
            "group": planned.group,
            "overrides": telling(planned.overrides),
            "started": _now(),
            "identity": {
                "content_hash": planned.content_hash,
                "solver_version": planned.solver_version,
            },
            "solver_version": planned.solver_version,
            "parallel": dict(parallel),
        },
    )


def _perform(record: Record, mine: Claim, beat: OnProgress) -> None:
    """Do the work, here or in a child process, and note how it ended."""
    from mcbench.data import DataUnavailable

    limits = Limits.of(record.config["protocol"])
    start = time.perf_counter()
    process = os.getpid()
    checkpoints = Checkpoints.of(mine.folder.parent.parent, record)
    before = spent(checkpoints.peek()) if checkpoints is not None else 0.0
    try:
        if limits.needs_child:
            ended = in_child(mine.folder, limits, beat, before)
            record.status, record.reason = ended.status, ended.reason
            record.sections |= ended.sections
        else:
            record.sections |= carry_out(record, mine, beat, checkpoints)
            record.status = "done"
    except (DataUnavailable, UnwritableError):
        raise
    except BaseException as error:  # whatever a solver raises
        pass_on_interrupt(error)
        record.status, record.reason = outcome_of(error)
        record.sections["traceback"] = traceback.format_exc()[-KEPT:]
    if os.getpid() != process:  # a solver has forked, and this is not the process that has the run
        os._exit(1)
    record.sections.pop("progress", None)
    record.sections["limits"] = limits.as_dict()
    record.sections.setdefault("time", {}).setdefault("total", before + time.perf_counter() - start)


def carry_out(
    record: Record, mine: Claim, beat: OnProgress, checkpoints: Checkpoints | None
) -> dict[str, Any]:
    """Do the work in this process, write its tables, and return the sections of its record."""
    from mcbench.fit import perform

    planned = (record.get("identity") or {}).get("content_hash")
    done = perform(record.config, beat, checkpoints, planned)
    check_recordable(done.sections)
    mine.write_tables(done.tables)
    return done.sections


def outcome_of(error: BaseException) -> tuple[str, str]:
    """Return the status and the sentence for a run that raised."""
    if isinstance(error, MemoryError):
        return "out_of_memory", f"It ran out of memory ({error or 'an allocation failed'})."
    if isinstance(error, TimeoutError):
        return "timeout", str(error)
    if isinstance(error, UserError):
        return "failed", str(error)
    try:
        text = str(error).strip().splitlines()
    except Exception:  # whatever a solver raises
        text = []
    reason = f"{type(error).__name__}: {text[0][:LONGEST] if text else 'no message'}"
    return "failed", strict(reason)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
