"""Wall clock and processor time of a stretch of code, with pauses left out."""

import time


class Stopwatch:
    """Seconds spent running: wall clock and processor time of all threads of the process.

    Attributes
    ----------
    wall, cpu : float
        Seconds that ran.
    paused_wall : float
        Seconds that stood still.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Start from nought."""
        self.wall = 0.0
        self.cpu = 0.0
        self.paused_wall = 0.0
        self._wall_mark = time.perf_counter()
        self._cpu_mark = time.process_time()

    def go_on_from(self, wall: float, cpu: float, paused_wall: float) -> None:
        """Add what another watch had counted before."""
        self.wall += wall
        self.cpu += cpu
        self.paused_wall += paused_wall

    def pause(self) -> None:
        """Stop the clock."""
        now = time.perf_counter()
        self.wall += now - self._wall_mark
        self.cpu += time.process_time() - self._cpu_mark
        self._wall_mark = now

    def resume(self) -> None:
        """Let the clock run again."""
        self._cpu_mark = time.process_time()
        now = time.perf_counter()
        self.paused_wall += now - self._wall_mark
        self._wall_mark = now

    def stop(self) -> None:
        """Stop the clock for good."""
        self.pause()
