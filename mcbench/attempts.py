"""A run tried again when it failed, as often as `retries` allows."""

from collections.abc import Callable

from mcbench.outcome import Outcome
from mcbench.record import Record

#: Told the sentence about an attempt that failed and that another one follows.
OnRetry = Callable[[str], None]


def attempts(
    record: Record,
    perform: Callable[[], None],
    *,
    retries: int,
    label: str,
    clear: Callable[[], None],
    on_retry: OnRetry | None = None,
) -> None:
    """Perform a run until it is done or may not be tried again.

    Parameters
    ----------
    record : Record
        The run's record. It says in the end how the last attempt ended, how many there were, and
        why the earlier ones failed.
    perform : callable
        One attempt: sets the record's status, reason and sections.
    retries : int
        The number of attempts after the first one.
    label : str
        How a person knows the run.
    clear : callable
        Removes what a failed attempt left.
    on_retry : callable, optional
        Told of each failed attempt that another one follows.
    """
    start = dict(record.sections)
    reasons: list[str] = []
    for attempt in range(1, retries + 2):
        record.sections = dict(start)
        perform()
        record.sections["attempts"] = {"count": attempt, "reasons": reasons}
        if record.done or attempt > retries:
            return
        reasons.append(f"{record.status.replace('_', ' ')}: {record.reason}")
        if on_retry is not None:
            which = f"{record.reason} (attempt {attempt} of {retries + 1}, tried again)"
            on_retry(Outcome(label, record.status, which, record.id).line())
        clear()
        record.status, record.reason = "running", ""
