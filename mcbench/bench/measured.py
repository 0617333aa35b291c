"""What came of the measurements of an entry."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcbench.bench.entry import Entry
from mcbench.outcome import COMPLETE
from mcbench.record import Record


@dataclass(frozen=True)
class Measured:
    """The medians over an entry's repetitions, or why there are none.

    Attributes
    ----------
    entry : Entry
        What was measured.
    status : str
        "done", "skipped", "unavailable", or how the run that failed ended.
    reason : str
        Why it is not done.
    values : mapping
        Measured values by name: medians of numbers.
    runs : tuple of str
        Identities of the runs.
    """

    entry: Entry
    status: str
    reason: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    runs: tuple[str, ...] = ()

    @classmethod
    def of(cls, entry: Entry, records: Sequence[Record]) -> "Measured":
        """Return what the runs say together: one that is not done speaks for all."""
        ids = tuple(record.id for record in records)
        for record in records:
            if not record.done:
                return cls(entry, record.status, record.reason, runs=ids)
        return cls(entry, "done", values=medians([r["measured"] for r in records]), runs=ids)

    @property
    def done(self) -> bool:
        """Whether there are values."""
        return self.status == "done"

    def get(self, name: str) -> Any:
        """Return a value, None where there is none."""
        return self.values.get(name)

    @property
    def note(self) -> str:
        """What a table says of it beside the numbers."""
        if not self.done:
            return f"{self.status.replace('_', ' ')}: {self.reason}".rstrip(": ")
        said = self.get("status")
        return "" if said in (None, *COMPLETE) else f"ended: {said}"

    def line(self) -> str:
        """Return it as the line that is printed when it has been measured."""
        threads = f"{self.entry.threads} thread{'s' if self.entry.threads > 1 else ''}"
        name = f"{self.entry.section}: {self.entry.case.name}, {self.entry.label}, {threads}"
        if not self.done:
            return f"{name}: {self.note}"
        parts = [f"{self.get('seconds'):.3g} s"] if self.get("seconds") is not None else []
        parts += [f"gap {self.get('gap'):.2g}"] if self.get("gap") is not None else []
        return f"{name}: {', '.join([*parts, *filter(None, [self.note])])} (n = {len(self.runs)})"


def medians(measured: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the median of each number over the mappings that have it, else its first value."""
    names = dict.fromkeys(name for values in measured for name in values)
    result: dict[str, Any] = {}
    for name in names:
        found = [values[name] for values in measured if values.get(name) is not None]
        numbers = [x for x in found if isinstance(x, int | float) and not isinstance(x, bool)]
        if found and len(numbers) == len(found):
            result[name] = statistics.median(numbers)
        else:
            result[name] = found[0] if found else None
    return result


def faster(peer: Measured, ours: Measured) -> float | None:
    """Return how many times as long as ours the peer takes; None where one has no time.

    Processor time where both have one thread, since other processes may share the machine; else
    wall clock.
    """
    name = "cpu_seconds" if peer.entry.threads == ours.entry.threads == 1 else "seconds"
    theirs, own = peer.get(name), ours.get(name)
    if theirs is None or not own:
        return None
    return float(theirs) / float(own)
