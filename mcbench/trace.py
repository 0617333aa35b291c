"""The callback that a solver is given: it stops the clock, looks, and writes a row."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.checkpoint import Checkpoints
from mcbench.judge import Judge
from mcbench.memory import PeakMemory
from mcbench.schedule import BEAT_S, Schedule, in_seconds
from mcbench.stopwatch import Stopwatch

if TYPE_CHECKING:
    import pandas as pd

    from solvers.certificate import Solution

#: What a solver tells at a checkpoint. Only counters: no judgement of itself.
TOLD = ("kernel_rows", "cache_hits", "active_set", "level")

NEVER = 2**62


class Observer:
    """The harness's clock and memory of a fit; both stand still inside the callback.

    A solver calls back at the start, at checkpoints and at the end. What it does after its last
    call (its own certificate, copies of the model) is not the fit: `seconds`, `cpu_seconds` and
    the memory are those of the last call.

    Parameters
    ----------
    beat : callable, optional
        Told how far the fit is: a mapping with iteration, seconds and gap.
    checkpoints : Checkpoints, optional
        Keeps the solver's state, and gives the one to go on from; clock and memory then go on from
        those of the part before.
    """

    def __init__(
        self,
        beat: Callable[[dict[str, Any]], None] | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        self.watch = Stopwatch()
        self.memory = PeakMemory()
        self.seconds = self.cpu_seconds = self.peak_mb = self.grown_mb = 0.0
        self.satisfied = False
        self._called = False
        self._beat = beat
        self._checkpoints = checkpoints
        self._saved = checkpoints.load() if checkpoints is not None else None

    def start(self) -> None:
        """Start clock and memory, right before the fit."""
        before = None if self._saved is None else self._saved.observed
        if before is not None:
            self.restore(before)
        self.memory.restart()
        self.watch.restart()
        if before is not None:
            self.watch.go_on_from(before["wall"], before["cpu"], before["paused"])

    def earlier(self) -> dict[str, Any] | None:
        """Return the state that the solver shall go on from, None for its start; once."""
        saved, self._saved = self._saved, None  # which frees its memory
        return None if saved is None else saved.state

    def stop(self) -> None:
        """Stop them, right after the fit; without a call from the solver, it ends here."""
        self.watch.stop()
        self.memory.pause()
        if not self._called:
            self._note()

    def __call__(self, progress: Any) -> bool:
        """Look at the solver; True when it shall stop."""
        self.watch.pause()
        self.memory.pause()
        self._called = True
        self._note()
        try:
            gap = self.look(progress)
            if self._beat is not None:
                iteration = int(progress.iteration)
                self._beat({"iteration": iteration, "seconds": self.seconds, "gap": gap})
            self._keep(progress)
            return self.satisfied
        finally:
            self.memory.resume()
            self.watch.resume()

    def look(self, progress: Any) -> float | None:  # noqa: ARG002
        """Look at the solver while the clock stands still; return the gap where it is known."""
        return None

    def next_checkpoint(self, iteration: int, seconds: float) -> int:
        """Return the iteration at which to call next: where a state may be due, or at the end."""
        if self._checkpoints is None:
            return NEVER
        return in_seconds(iteration, seconds, beat_s(self._checkpoints))

    def snapshot(self, iteration: int) -> dict[str, Any]:
        """Return what has been observed so far, as plain values."""
        return {
            "iteration": iteration,
            "wall": self.seconds,
            "cpu": self.cpu_seconds,
            "paused": self.watch.paused_wall,
            "peak_mb": self.peak_mb,
            "grown_mb": self.grown_mb,
        }

    def restore(self, observed: dict[str, Any]) -> None:
        """Go on from what had been observed; the clock does when it starts."""
        self.peak_mb, self.grown_mb = observed["peak_mb"], observed["grown_mb"]

    def _keep(self, progress: Any) -> None:
        """Write the solver's state down, if it offers one and it is time."""
        take = getattr(progress, "snapshot", None)
        if self._checkpoints is None or take is None:
            return
        self._checkpoints.offered = True
        if self._checkpoints.due():
            self._checkpoints.save(take, self.snapshot(int(progress.iteration)))

    def _note(self) -> None:
        self.seconds, self.cpu_seconds = self.watch.wall, self.watch.cpu
        self.peak_mb = max(self.peak_mb, self.memory.peak_mb)
        self.grown_mb = max(self.grown_mb, self.memory.grown_mb)


class Tracer(Observer):
    """An observer that evaluates the coefficients at checkpoints: one row each.

    Parameters
    ----------
    schedule : Schedule
        When to look.
    judge : Judge
        Evaluates the coefficients.
    test_error : bool
        Predict the test part at every checkpoint.
    stop_at : float, optional
        Stop the fit at the first checkpoint whose violation is not above it.
    beat, checkpoints : optional
        As for `Observer`.
    """

    def __init__(
        self,
        schedule: Schedule,
        judge: Judge,
        *,
        test_error: bool = True,
        stop_at: float | None = None,
        beat: Callable[[dict[str, Any]], None] | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        super().__init__(beat, checkpoints)
        if checkpoints is not None:
            schedule.beat_s = beat_s(checkpoints)
        self._schedule = schedule
        self._judge = judge
        self._test_error = test_error
        self._stop_at = stop_at
        self.rows: list[dict[str, Any]] = []

    def look(self, progress: Any) -> float | None:
        """Add a row if a checkpoint is due; return the gap of the last one."""
        if self._schedule.due(progress.iteration):
            told = {name: getattr(progress, name, None) for name in TOLD}
            self.add(progress.iteration, solution_of(progress), told)
            if self._stop_at is not None:
                self.satisfied = bool(self.rows[-1]["violation"] <= self._stop_at)
        return float(self.rows[-1]["gap"]) if self.rows else None

    def next_checkpoint(self, iteration: int, seconds: float) -> int:
        """Return the iteration at which to call next."""
        return self._schedule.next_call(iteration, seconds)

    def snapshot(self, iteration: int) -> dict[str, Any]:
        """Return what has been observed so far, the rows included."""
        judge = self._judge.snapshot()
        mine = {"rows": self.rows, "next": self._schedule.next, "judge": judge}
        return {**super().snapshot(iteration), **mine}

    def restore(self, observed: dict[str, Any]) -> None:
        """Go on from what had been observed."""
        super().restore(observed)
        self.rows, self._schedule.next = list(observed["rows"]), int(observed["next"])
        self._judge.restore(observed["judge"])

    def close(self, iteration: int, solution: "Solution", told: dict[str, Any]) -> None:
        """Add the row of the end of the fit, unless the last checkpoint was there."""
        if not self.rows or self.rows[-1]["iteration"] != iteration:
            self.add(iteration, solution, told)

    def add(self, iteration: int, solution: "Solution", told: dict[str, Any]) -> None:
        """Evaluate coefficients and add the row."""
        row: dict[str, Any] = {
            "iteration": int(iteration),
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            **dict.fromkeys(TOLD),
            **told,
            "support": int(np.count_nonzero(np.any(solution.dual_coef != 0.0, axis=1))),
            **self._judge.certificate(solution),
        }
        row["test_error"] = self._judge.test_error(solution) if self._test_error else None
        self.rows.append(row)

    def frame(self) -> "pd.DataFrame":
        """Return the trace as a table."""
        import pandas as pd

        return pd.DataFrame(self.rows)


def beat_s(checkpoints: Checkpoints) -> float:
    """Return the seconds between two calls of a solver whose state is kept."""
    return min(BEAT_S, checkpoints.every_s)


def solution_of(progress: Any) -> "Solution":
    """Return the solution that a solver shows at a checkpoint."""
    from solvers.certificate import Solution

    intercept = getattr(progress, "intercept", None)
    multipliers = getattr(progress, "multipliers", None)
    return Solution(progress.dual_coef, 0.0 if intercept is None else intercept, multipliers)
