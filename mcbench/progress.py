"""Progress over many runs: a live bar on a terminal, plain lines in a pipe."""

import time
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from mcbench.outcome import Outcome
from mcbench.words import count, duration

#: Seconds between two drawings of the bar, and between two lines about the pace in a pipe.
DRAW_S = 0.5
SAY_S = 60.0


class Display:
    """Shows how far a sweep is, at what rate, and how long it may still take.

    Parameters
    ----------
    total : int
        Number of runs to execute.
    console : Console, optional
        Where to; by default standard output.
    quiet : bool
        Show only what did not go well.
    """

    def __init__(self, total: int, console: Console | None = None, *, quiet: bool = False) -> None:
        self._console = console or Console(highlight=False)
        self._total = total
        self._ended = 0
        self._quiet = quiet
        self._running: list[str] = []
        self._bar: Progress | None = None
        self._task: Any = None
        self._drawn = 0.0
        self._start = self._said = time.monotonic()
        if self._console.is_terminal and total:
            self._bar = Progress(
                BarColumn(bar_width=20),
                MofNCompleteColumn(),
                TextColumn("{task.fields[pace]}", markup=False),
                TextColumn("{task.description}", markup=False),
                console=self._console,
                auto_refresh=False,
                transient=True,
            )
            self._task = self._bar.add_task("", total=total, pace="")

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, label: str) -> None:
        """Say which run starts."""
        if label not in self._running:
            self._running.append(label)
        self._draw()

    def beat(self, progress: dict[str, Any]) -> None:
        """Show how far the fit is; called with the fit's clock stopped, drawn twice a second."""
        if self._bar is None or time.monotonic() - self._drawn < DRAW_S:
            return
        gap = progress.get("gap")
        shown = f"gap {gap:.1e}" if gap is not None else f"iteration {progress.get('iteration')}"
        self._draw(f"{progress.get('seconds', 0.0):.0f} s, {shown}  ")

    def tick(self) -> None:
        """Bring the bar up to date, twice a second at most."""
        if time.monotonic() - self._drawn >= DRAW_S:
            self._draw()

    def end(self, outcome: Outcome) -> None:
        """Print how a run ended; one that another process executes has not ended yet."""
        if outcome.label in self._running:
            self._running.remove(outcome.label)
        if outcome.status == "running":
            return
        self._ended += 1
        if not self._quiet or outcome.bad or self._bar is None:
            self.say(f"[{self._ended}/{self._total}] {outcome.line()}")
        if self._bar is not None:
            self._bar.advance(self._task)
            self._draw()
        elif time.monotonic() - self._said >= SAY_S and self._ended < self._total:
            self._said = time.monotonic()
            self.say(f"{self._ended} of {count(self._total, 'run')}, {self.pace()}")

    def pace(self) -> str:
        """Return the rate so far and what it makes expect; nothing before a run has ended."""
        seconds = time.monotonic() - self._start
        if not self._ended or seconds <= 0:
            return ""
        rate = self._ended / seconds
        per, noun = (rate, "s") if rate >= 1 else (60 * rate, "min")
        return f"{per:.2g} runs/{noun}, {duration((self._total - self._ended) / rate)} left"

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _draw(self, how_far: str = "") -> None:
        if self._bar is None:
            return
        self._drawn = time.monotonic()
        several = f"{len(self._running)} running, " if len(self._running) > 1 else ""
        shown = several + how_far + (self._running[-1] if self._running else "")
        self._bar.update(self._task, description=shown, pace=self.pace())
        self._bar.refresh()
