"""A run that is planned: its configuration checked and identified, nothing loaded or executed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcbench.checkpoint import every_s
from mcbench.dataset import check_dataset, content_hash
from mcbench.errors import UserError
from mcbench.estimator import build, check, complete, solver_version
from mcbench.identity import group_id, run_id
from mcbench.limits import Limits
from mcbench.record import Record
from mcbench.rerun import again
from mcbench.schedule import Schedule
from mcbench.store import Store
from mcbench.words import label


@dataclass(frozen=True)
class Plan:
    """A run that is known by its identity and not yet executed.

    Attributes
    ----------
    id : str
        Identity of the run.
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
    config: dict[str, Any]
    content_hash: str | None
    solver_version: str
    overrides: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """How a person knows the run."""
        return label(self.config, self.overrides)

    @property
    def group(self) -> str:
        """Identity of the run but for its seed."""
        return group_id(self.config, self.content_hash, self.solver_version)

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
    check_retries(config.get("retries"))
    # What launches a run is no setting of the run.
    config = complete({key: value for key, value in config.items() if key != "launcher"})
    if not config.get("measure"):
        check_kernel(config["kernel"])
        check(build(config))
    check_dataset(config)
    check_protocol(config["protocol"])
    version = solver_version(config)
    data = content_hash(config)
    return Plan(
        run_id(config, data, version),
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
    rerun : str, optional
        Which finished runs do not count: "failed", "all", or a pattern (`mcbench.rerun`).
    """
    record = store.get(wanted.id)
    if record is None or again(rerun, wanted.id, wanted.label, record.status):
        return None
    if not record.done and _limit_raised(record, wanted.config):
        return None
    return record


def check_measure(measure: Any) -> None:
    """Raise a `UserError` for a measurement that is no mapping with a `_target_`."""
    target = measure.get("_target_") if isinstance(measure, Mapping) else None
    if measure is not None and not isinstance(target, str):
        raise UserError(f"measure is {measure!r}: give {{_target_: module.function, ...}} or null.")


def check_retries(retries: Any) -> None:
    """Raise a `UserError` for a number of further attempts that is none."""
    if retries is not None and (
        isinstance(retries, bool) or not isinstance(retries, int) or retries < 0
    ):
        raise UserError(f"retries is {retries!r}: give a whole number, 0 or more.")


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
