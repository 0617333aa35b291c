"""Peak memory of a stretch of code.

On Linux the kernel's high-water mark is reset through `/proc/self/clear_refs`, so that a run
does not inherit the peak of what the process did before; elsewhere the process's own maximum is
all there is.
"""

import contextlib
import ctypes
import gc
import resource
import sys
from functools import cache
from pathlib import Path

MB = 2**20


class PeakMemory:
    """The highest resident memory while running; what is allocated while paused is left out.

    Attributes
    ----------
    start_mb : float
        Resident memory at the start.
    peak_mb : float
        Highest resident memory so far.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Start from the memory occupied now."""
        _freeze_imports()
        gc.collect()
        _give_back()
        _reset_peak()
        self.start_mb = self._last_mb = resident_mb()
        self.peak_mb = self.start_mb
        self._foreign_mb = 0.0

    def pause(self) -> None:
        """Take note of the peak and stop counting."""
        self.peak_mb = max(self.peak_mb, high_water_mb() - self._foreign_mb)
        self._last_mb = resident_mb()

    def resume(self) -> None:
        """Count again from here."""
        _give_back()
        self._foreign_mb += resident_mb() - self._last_mb
        _reset_peak()

    @property
    def grown_mb(self) -> float:
        """How far the peak lies above the memory at the start."""
        return max(0.0, self.peak_mb - self.start_mb)


def resident_mb(pid: int | str = "self") -> float:
    """Return the memory that a process occupies now; 0 where the system does not tell."""
    return _status_mb("VmRSS", pid)


def proportional_mb(pid: int) -> float:
    """Return the memory of a process, of what it shares with others only its part."""
    return _status_mb("Pss", pid, "smaps_rollup")


def out_of_memory_kills() -> int:
    """Return how many processes the system has killed since its start because memory ran out."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/vmstat").read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


def high_water_mb() -> float:
    """Return the highest memory of this process since the last reset."""
    found = _status_mb("VmHWM")
    if found:
        return found
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / MB if sys.platform == "darwin" else peak / 1024


@cache
def _freeze_imports() -> None:
    """Once per process: collections need not look at what the imports made (0.1 s each time)."""
    gc.collect()
    gc.freeze()


def _give_back() -> None:
    """Return freed memory to the system (glibc), lest what follows grow into it unseen."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _reset_peak() -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _status_mb(field: str, pid: int | str = "self", file: str = "status") -> float:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid}/{file}").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    return 0.0
