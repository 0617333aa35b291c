"""What a benchmark is asked to do."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcbench.bench.cases import Case
from mcbench.bench.peers import PEERS
from mcbench.errors import UserError, suggest

MOST_THREADS = 2


@dataclass(frozen=True)
class Options:
    """The choices of the command line.

    Attributes
    ----------
    data : tuple of str
        Cases, in place of a section's own.
    peers : tuple of str
        Other implementations to be measured.
    repetitions : int
        Measurements of each entry; one of what takes over a minute.
    threads : int
        The larger number of threads; the smaller one is 1.
    time_s : float or None
        Limit on each measurement, reading the data and judging the model included.
    quick : bool
        Small problems.
    ours : mapping
        Parameters of our estimators in place of the benchmark's; None takes one away.
    """

    data: tuple[str, ...] = ()
    peers: tuple[str, ...] = tuple(PEERS)
    repetitions: int = 3
    threads: int = min(MOST_THREADS, os.cpu_count() or 1)
    time_s: float | None = 600.0
    quick: bool = False
    ours: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        for name in self.peers:
            if name not in PEERS:
                raise UserError(f"There is no peer '{name}'; {suggest(name, PEERS)}")
        if self.repetitions < 1 or self.threads < 1:
            raise UserError("Repetitions and threads are whole numbers, 1 or more.")
        if self.time_s is not None and not self.time_s > 0:
            raise UserError("The limit is a positive number of seconds.")

    @property
    def thread_counts(self) -> tuple[int, ...]:
        """1 and the larger number, once where they are the same."""
        return (1, self.threads) if self.threads > 1 else (1,)

    def cases(
        self, known: Mapping[str, Case], usual: Sequence[str], quick: Sequence[str]
    ) -> list[Case]:
        """Return the cases of a section.

        Parameters
        ----------
        known : mapping of str to Case
            All that it can measure.
        usual, quick : sequence of str
            What it measures by default, and of small problems.
        """
        for name in self.data:
            if name not in known and not any(name in table for table in _tables()):
                every = {key for table in _tables() for key in table}
                raise UserError(f"The benchmark has no data '{name}'; {suggest(name, every)}")
        names = self.data or (quick if self.quick else usual)
        return [known[name] for name in names if name in known]

    def solver(self, usual: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """Return an estimator of ours with the parameters asked for."""
        merged = {**usual, **more, **self.ours}
        return {key: value for key, value in merged.items() if value is not None}


def _tables() -> tuple[Mapping[str, Case], ...]:
    from mcbench.bench.cases import KERNEL_CASES, LINEAR_CASES

    return KERNEL_CASES, LINEAR_CASES
