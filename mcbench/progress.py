"""Progress over many runs: a live bar on a terminal, plain lines in a pipe."""

import time
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mcbench.outcome import Outcome


class Display:
    """Shows how far a sweep is.

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
        self._label = ""
        self._bar: Progress | None = None
        self._task: Any = None
        self._drawn = 0.0
        if self._console.is_terminal and total:
            self._bar = Progress(
                BarColumn(bar_width=20),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.description}", markup=False),
                console=self._console,
                auto_refresh=False,
                transient=True,
            )
            self._task = self._bar.add_task("", total=total)

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
        self._label = label
        self._draw(label)

    def beat(self, progress: dict[str, Any]) -> None:
        """Show how far the fit is; called with the fit's clock stopped, drawn twice a second."""
        now = time.monotonic()
        if self._bar is None or now - self._drawn < 0.5:
            return
        gap = progress.get("gap")
        shown = f"gap {gap:.1e}" if gap is not None else f"iteration {progress.get('iteration')}"
        self._draw(f"{progress.get('seconds', 0.0):.0f} s, {shown}  {self._label}")

    def end(self, outcome: Outcome) -> None:
        """Print how a run ended."""
        self._ended += 1
        if not self._quiet or outcome.bad or self._bar is None:
            self.say(f"[{self._ended}/{self._total}] {outcome.line()}")
        if self._bar is not None:
            self._bar.advance(self._task)
            self._bar.refresh()

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _draw(self, description: str) -> None:
        if self._bar is not None:
            self._drawn = time.monotonic()
            self._bar.update(self._task, description=description)
            self._bar.refresh()
