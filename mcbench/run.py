"""One run: identified, claimed, executed, recorded."""

import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from mcbench.checkpoint import Checkpoints, every_s, forget, spent
from mcbench.claim import Claim
from mcbench.dataset import check_dataset, content_hash
from mcbench.errors import UserError
from mcbench.estimator import build, check, complete, solver_version
from mcbench.identity import group_id, run_id
from mcbench.limits import Limits, in_child
from mcbench.machine import provenance
from mcbench.record import Record
from mcbench.schedule import Schedule
from mcbench.store import Store
from mcbench.words import shorten

OnProgress = Callable[[dict[str, Any]], None]

RERUN = ("failed", "all")


@dataclass(frozen=True)
class Plan:
    """A run that is known by its identity and not yet executed.

    Attributes
    ----------
    id, group : str
        Identity of the run, and of the run but for its seed.
    config : dict
        The resolved configuration.
    content_hash : str or None
        Hash of the data.
    solver_version : str
        What the solver declares.
    overrides : tuple of str
        How the user asked for it.
    """

    id: str
    group: str
    config: dict[str, Any]
    content_hash: str | None
    solver_version: str
    overrides: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """How a person knows the run."""
        choices = self.config.get("choices") or {}
        known = [f"{key}={choices[key]}" for key in ("dataset", "kernel", "solver") if choices]
        more = [shorten(item) for item in self.overrides if item.partition("=")[0] not in choices]
        seed = [] if any(item.startswith("seed=") for item in more) else [f"seed={self.seed}"]
        return " ".join([*known, *more, *seed])

    @property
    def seed(self) -> Any:
        """The run's seed."""
        return self.config["seed"]


def plan(config: dict[str, Any], overrides: Sequence[str] = ()) -> Plan:
    """Identify a run, without loading its data where their hash is known.

    Raises
    ------
    UserError
        When the solver does not allow a value that the configuration gives it.
    SolverUnavailable
        When the solver needs an optional package that is not installed.
    """
    check_measure(config.get("measure"))
    config = complete(config)
    if not config.get("measure"):
        check_kernel(config["kernel"])
        check(build(config))
    check_dataset(config)
    check_protocol(config["protocol"])
    version = solver_version(config)
    data = content_hash(config)
    return Plan(
        run_id(config, data, version),
        group_id(config, data, version),
        config,
        data,
        version,
        tuple(overrides),
    )


def answered(store: Store, wanted: Plan, rerun: str | None = None) -> Record | None:
    """Return the record that answers a plan already, None when it has to be executed.

    Parameters
    ----------
    store : Store
        Where to look.
    wanted : Plan
        The run.
    rerun : {"failed", "all"}, optional
        Which finished runs do not count: those that failed, or all.
    """
    if rerun == "all":
        return None
    record = store.get(wanted.id)
    if record is None or record.done:
        return record
    if rerun == "failed" or _limit_raised(record, wanted.config):
        return None
    return record


def execute(
    config: dict[str, Any],
    store: Store,
    *,
    rerun: str | None = None,
    on_progress: OnProgress | None = None,
    planned: Plan | None = None,
) -> Record:
    """Execute one run, unless the store has it, and return its record.

    Parameters
    ----------
    config : dict
        The resolved configuration.
    store : Store
        Where the run is looked for and kept.
    rerun : {"failed", "all"}, optional
        Execute again what failed, or whatever is there.
    on_progress : callable, optional
        Told how far the fit is: a mapping with iteration, seconds and gap.
    planned : Plan, optional
        The plan, when the caller has made it already.

    Returns
    -------
    Record
        With status "running" when another process is executing the same run just now.

    Raises
    ------
    mcbench.data.DataUnavailable
        When the data cannot be had here; nothing is recorded then.
    """
    planned = planned or plan(config)
    config = planned.config
    known = answered(store, planned, rerun)
    if known is not None:
        return known
    record = _start(planned)
    there = store.get(planned.id)
    mine = store.claim(record, replace=there is not None)
    if mine is None:
        busy = Record(planned.id, "running", config, "Another process is executing it.")
        return store.get(planned.id) or busy

    def beat(progress: dict[str, Any]) -> None:
        mine.beat(progress)
        if on_progress is not None:
            on_progress(progress)

    if there is not None and there.done:  # a fit that went all its way is not gone on with
        forget(store.runs, planned.id)
    try:
        mine.write_config(config)
        _perform(record, mine, beat)
        record.sections["finished"] = _now()
        threads = record.sections.pop("threads", None)
        record.sections["provenance"] = {**provenance(), "threads": threads}
        record.sections["files"] = sorted(path.name for path in mine.folder.glob("*.parquet"))
        store.finish(mine, record)
        if record.done:
            forget(store.runs, planned.id)
    except BaseException:
        mine.abandon()
        raise
    return record


def _start(planned: Plan) -> Record:
    return Record(
        planned.id,
        "running",
        planned.config,
        sections={
            "group": planned.group,
            "overrides": list(planned.overrides),
            "started": _now(),
            "identity": {
                "content_hash": planned.content_hash,
                "solver_version": planned.solver_version,
            },
            "solver_version": planned.solver_version,
        },
    )


def _perform(record: Record, mine: Claim, beat: OnProgress) -> None:
    """Do the work, here or in a child process, and note how it ended."""
    from mcbench.data import DataUnavailable

    limits = Limits.of(record.config["protocol"])
    start = time.perf_counter()
    checkpoints = Checkpoints.of(mine.folder.parent.parent, record)
    before = spent(checkpoints.peek()) if checkpoints is not None else 0.0
    try:
        if limits.needs_child:
            ended = in_child(mine.folder, limits, beat, before)
            record.status, record.reason = ended.status, ended.reason
            record.sections |= ended.sections
        else:
            from mcbench.fit import perform

            done = perform(record.config, beat, checkpoints)
            mine.write_tables(done.tables)
            record.sections |= done.sections
            record.status = "done"
    except DataUnavailable:
        raise
    except Exception as error:
        record.status, record.reason = outcome_of(error)
        record.sections["traceback"] = traceback.format_exc()
    record.sections.pop("progress", None)
    record.sections["limits"] = limits.as_dict()
    record.sections.setdefault("time", {}).setdefault("total", before + time.perf_counter() - start)


def outcome_of(error: Exception) -> tuple[str, str]:
    """Return the status and the sentence for a run that raised."""
    if isinstance(error, MemoryError):
        return "out_of_memory", f"It ran out of memory ({error or 'an allocation failed'})."
    if isinstance(error, UserError):
        return "failed", str(error)
    text = str(error).strip().splitlines()
    return "failed", f"{type(error).__name__}: {text[0] if text else 'no message'}"


def check_measure(measure: Any) -> None:
    """Raise a `UserError` for a measurement that is no mapping with a `_target_`."""
    target = measure.get("_target_") if isinstance(measure, Mapping) else None
    if measure is not None and not isinstance(target, str):
        raise UserError(f"measure is {measure!r}: give {{_target_: module.function, ...}} or null.")


def check_kernel(kernel: Mapping[str, Any]) -> None:
    """Raise a `UserError` for a kernel that cannot be computed from a data set."""
    if kernel.get("name") == "precomputed":
        raise UserError(
            "kernel.name=precomputed needs a kernel matrix, and a data set has none: "
            "choose a kernel with kernel=NAME."
        )


def check_protocol(protocol: Mapping[str, Any]) -> None:
    """Raise a `UserError` for a value of the protocol that makes no sense."""
    for name in ("trace", "limits"):
        value = protocol.get(name)
        if value is not None and not isinstance(value, Mapping):
            raise UserError(f"protocol.{name} is {value!r}: give a mapping or null.")
    switches = {f"protocol.{name}": protocol.get(name) for name in ("warm_up", "isolate")}
    switches["protocol.trace.test_error"] = (protocol.get("trace") or {}).get("test_error")
    for name, value in switches.items():
        if value is not None and not isinstance(value, bool):
            raise UserError(f"{name} is {value!r}: give true or false.")
    for name in ("factor", "every", "passes", "stop_at", "memory_mb"):
        value = (protocol.get("trace") or {}).get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise UserError(f"protocol.trace.{name} is {value!r}: give a number or null.")
    Limits.of(protocol)
    every_s(protocol)
    if protocol.get("trace"):
        Schedule.of(protocol["trace"])
        stop_at = protocol["trace"].get("stop_at")
        if stop_at is not None and not stop_at > 0:
            raise UserError(f"protocol.trace.stop_at is {stop_at}: give a positive violation.")
    threads = protocol.get("threads")
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise UserError(f"protocol.threads is {threads!r}: give a whole number, 1 or more.")


def _limit_raised(record: Record, config: Mapping[str, Any]) -> bool:
    """Return whether a run hit a limit that is higher now, so that it may end otherwise."""
    then = record.get("limits") or {}
    now = Limits.of(config["protocol"]).as_dict()
    key = {"timeout": "time_s", "out_of_memory": "memory_mb"}.get(record.status)
    if key is None or then.get(key) is None:
        return False
    return now[key] is None or now[key] > then[key]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
