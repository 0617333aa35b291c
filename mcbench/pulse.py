"""Something done again and again beside the main work, from a thread."""

from collections.abc import Callable
from threading import Event, Thread
from types import TracebackType
from typing import Self


class Pulse:
    """Calls a function every so many seconds while its block lasts.

    Meant for what takes microseconds, such as a sign of life: the thread shares the interpreter
    with what is timed beside it.

    Parameters
    ----------
    seconds : float
        From one call to the next; the first one comes after as many.
    action : callable
        Called without arguments. What it raises ends the pulse and nothing else.
    """

    def __init__(self, seconds: float, action: Callable[[], object]) -> None:
        self._seconds = seconds
        self._action = action
        self._over = Event()
        self._thread = Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._over.wait(self._seconds):
            self._action()
