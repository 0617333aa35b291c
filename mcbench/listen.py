"""The sweep's side of a share: prints what workers say, and waits for them."""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self

from mcbench.errors import UserError, pass_on_interrupt
from mcbench.outcome import Outcome
from mcbench.plan import Plan
from mcbench.process import is_alive
from mcbench.progress import Display
from mcbench.pulse import Pulse
from mcbench.share import SAID, Share

#: Seconds between looks at what the workers say, and how long they may take to leave.
LISTEN_S = 0.2
LEAVE_S = 10.0

#: How long a worker on another machine is believed to live without the sign of life that it gives
#: every second.
PATIENCE_S = 60.0


class Crew:
    """The workers of one share, as the sweep knows them.

    Attributes
    ----------
    begun : set of int
        The numbers of the runs that were begun.
    outcomes : dict of int to Outcome
        How those ended that did.
    error : Exception or None
        Why the launcher, or a worker, did not end as it should.
    """

    def __init__(self, share: Share, plans: Sequence[Plan], display: Display) -> None:
        self.begun: set[int] = set()
        self.outcomes: dict[int, Outcome] = {}
        self.error: Exception | None = None
        self._said = share.folder / SAID
        self._plans = plans
        self._display = display
        self._lock = Lock()
        self._pulse = Pulse(LISTEN_S, self.listen)
        self._read: dict[Path, int] = {}
        self._present: dict[Path, dict[str, Any]] = {}

    def __enter__(self) -> Self:
        self._pulse.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._pulse.__exit__(kind, error, where)
        self.listen()

    def listen(self) -> None:
        """Print what the workers have said since the last time."""
        with self._lock:
            for path in sorted(self._said.glob("*.jsonl")):
                for line in self._news(path):
                    self._note(path, json.loads(line))
            self._display.tick()

    def _news(self, path: Path) -> list[bytes]:
        """Return the whole lines of a file that are new."""
        start = self._read.get(path, 0)
        with path.open("rb") as file:
            file.seek(start)
            whole, newline, _ = file.read().rpartition(b"\n")
        self._read[path] = start + len(whole) + len(newline)
        return whole.splitlines()

    def _note(self, path: Path, message: dict[str, Any]) -> None:
        if "joined" in message:
            self._present[path] = message["joined"]
        elif "begun" in message:
            self.begun.add(message["begun"])
            self._display.begin(self._plans[message["begun"]].label)
        elif "retry" in message:
            self._display.say(message["retry"])
        elif "ended" in message:
            outcome = Outcome(**message["outcome"])
            self.outcomes[message["ended"]] = outcome
            self._display.end(outcome)
        elif "left" in message:
            self._present.pop(path, None)

    def _living(self) -> bool:
        """Return whether a worker seems to live that has not said that it leaves."""
        self.listen()
        for path, process in self._present.items():
            with suppress(OSError):
                if is_alive(process, time.time() - path.stat().st_mtime, PATIENCE_S):
                    return True
        return False

    def wait_for(self, launch: Callable[[], Sequence[Any]]) -> None:
        """Launch the workers and wait for all, also when one of them ends before the others.

        Raises
        ------
        UserError
            When a worker cannot go on for a reason that the user can mend.
        """
        try:
            for returned in launch():
                returned.return_value  # noqa: B018  (raises what the worker raised)
        except UserError:
            raise
        except Exception as error:
            pass_on_interrupt(error)
            self.error = error
            while self._living():
                time.sleep(LISTEN_S)

    def wait_for_leave(self) -> None:
        """Give interrupted workers some time to give up what they are at."""
        end = time.monotonic() + LEAVE_S
        while self._living() and time.monotonic() < end:
            time.sleep(LISTEN_S)
