"""The end of what a process says, however much that is."""

import os
import select
import time
from typing import IO

#: Bytes that are kept.
KEPT = 20_000


class Tail:
    """Reads a pipe and keeps its last bytes.

    Parameters
    ----------
    pipe : file
        The reading end of the pipe.
    """

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._kept = b""
        self._ended = False
        os.set_blocking(pipe.fileno(), False)

    def wait(self, seconds: float) -> None:
        """Read what comes within so many seconds, lest the process wait for a full pipe."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._ended:
                time.sleep(left)
            elif select.select([self._pipe], [], [], left)[0]:
                self._read()

    def close(self) -> str:
        """Read what is left and return the end of all that was said."""
        while not self._ended and select.select([self._pipe], [], [], 0)[0]:
            self._read()
        self._pipe.close()
        return self._kept.decode(errors="replace").strip()

    def _read(self) -> None:
        try:
            content = os.read(self._pipe.fileno(), 2**20)
        except BlockingIOError:
            return
        self._ended = not content
        self._kept = (self._kept + content)[-KEPT:]
