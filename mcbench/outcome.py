"""How a run ended, in a line."""

from collections.abc import Iterable
from dataclasses import dataclass

from mcbench.record import Record

#: Outcomes that make the exit status of a sweep non-zero.
BAD = ("failed", "timeout", "out_of_memory")

#: Outcomes of runs that cannot be had here, whatever is done.
IMPOSSIBLE = ("unavailable", "skipped")

#: Words of solvers for a fit that went all its way.
COMPLETE = ("converged", "completed")

#: Failures that are listed at the end of a sweep.
MANY = 20


@dataclass(frozen=True)
class Outcome:
    """What a sweep says of one run.

    Attributes
    ----------
    label : str
        How a person knows the run.
    status : str
        done, cached, failed, timeout, out_of_memory, unavailable, skipped, running, "not started"
        or missing.
    reason : str
        Why it is not done.
    id : str
        Its identity, where known.
    detail : str
        Time, gap and error of a run that is done.
    """

    label: str
    status: str
    reason: str = ""
    id: str = ""
    detail: str = ""

    @property
    def bad(self) -> bool:
        """Whether this is a failure."""
        return self.status in BAD

    def line(self) -> str:
        """Return the outcome as one line."""
        text = f"{self.status.replace('_', ' '):<11} {self.id:<16} {self.label}"
        return text + (f": {self.reason or self.detail}" if self.reason or self.detail else "")


def closing_list(outcomes: Iterable[Outcome]) -> list[str]:
    """Return the lines that close a sweep in which several runs failed: each, and what to do."""
    bad = [outcome for outcome in outcomes if outcome.bad]
    if len(bad) < 2:
        return []
    lines = [f"  {outcome.line()}" for outcome in bad[:MANY]]
    if len(bad) > MANY:
        lines.append(f"  ... and {len(bad) - MANY} more; mcbench status lists them.")
    again = "The same command with --rerun failed executes them again."
    return [f"{len(bad)} runs failed:", *lines, again]


def outcome_of_record(label: str, record: Record, *, fresh: bool) -> Outcome:
    """Return the outcome that a record stands for.

    Parameters
    ----------
    label : str
        How a person knows the run.
    record : Record
        The run's record.
    fresh : bool
        Whether the run was executed just now rather than found.
    """
    status, reason = record.status, record.reason
    if not fresh and record.done:
        status = "cached"
    elif not fresh and status in BAD:
        reason += " (earlier; --rerun failed tries again)"
    return Outcome(label, status, reason, record.id, _detail(record) if record.done else "")


def _detail(record: Record) -> str:
    parts = []
    data = record.get("data") or {}
    if data.get("fold") is not None:
        of = f" of {data['folds']}" if data.get("folds") else ""
        parts.append(f"fold {data['fold']}{of}")
    seconds = (record.get("time") or {}).get("fit")
    if seconds is not None:
        parts.append(f"{seconds:.3g} s")
    gap = (record.get("objective") or {}).get("gap")
    if gap is not None:
        parts.append(f"gap {gap:.2g}")
    error = (record.get("error") or {}).get("test")
    if error is not None:
        part = "test" if data.get("validation") is None else "validation"
        parts.append(f"{part} error {100 * error:.2f} %")
    status = (record.get("reported") or {}).get("status")
    if status not in (None, *COMPLETE):
        parts.append(f"stopped: {status}")
    return ", ".join(parts)
