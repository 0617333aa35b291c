"""When the fit is looked at: checkpoints of the trace, and signs of life between them."""

from collections.abc import Mapping
from math import ceil
from typing import Any

from mcbench.errors import UserError

BEAT_S = 2.0


class Schedule:
    """The iterations at which a solver calls back.

    The checkpoints depend on the iteration alone, so that a run repeated has the same ones.
    Between them the solver calls back about every two seconds to show that it lives.

    Parameters
    ----------
    factor : float
        The next checkpoint is at this multiple of the iteration of the one before.
    every : int or None
        When given, the next checkpoint is this many iterations later instead.
    beat_s : float
        Seconds between two signs of life.

    Attributes
    ----------
    next : int
        The iteration of the next checkpoint.
    """

    def __init__(
        self, factor: float = 1.25, every: int | None = None, beat_s: float = BEAT_S
    ) -> None:
        if every is None and not factor > 1:
            raise UserError(f"protocol.trace.factor is {factor}: give a number above 1.")
        if every is not None and every < 1:
            raise UserError(f"protocol.trace.every is {every}: give 1 or more iterations, or null.")
        self._factor = factor
        self._every = every
        self.beat_s = beat_s
        self.next = 0

    @classmethod
    def of(cls, trace: Mapping[str, Any], n_train: int = 1) -> "Schedule":
        """Return the schedule that `protocol.trace` describes for so many training examples."""
        passes = trace.get("passes")
        if passes is not None:
            if passes <= 0 or trace.get("every") is not None:
                raise UserError(
                    "protocol.trace.passes must be a positive number of passes over the training "
                    "set, and excludes protocol.trace.every."
                )
            return cls(every=max(1, round(passes * n_train)))
        return cls(trace.get("factor") or 1.25, trace.get("every"))

    def due(self, iteration: int) -> bool:
        """Return whether this iteration is a checkpoint; if so, the next one is set."""
        if iteration < self.next:
            return False
        step = self._every or max(1, ceil(iteration * (self._factor - 1)))
        self.next = iteration + step
        return True

    def next_call(self, iteration: int, seconds: float) -> int:
        """Return the iteration at which the solver shall call next."""
        if iteration < 1 or seconds <= 0:
            return self.next
        return min(self.next, in_seconds(iteration, seconds, self.beat_s))


def in_seconds(iteration: int, seconds: float, later_s: float) -> int:
    """Return the iteration that a fit reaches about so many seconds later, at its speed so far."""
    if iteration < 1 or seconds <= 0:
        return iteration + 1
    return iteration + max(1, int(iteration / seconds * later_s))
