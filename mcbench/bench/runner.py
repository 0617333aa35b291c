"""Measures entries: each repetition a run of mcbench, in a process of its own."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator

from mcbench.bench.entry import Entry
from mcbench.bench.measured import Measured
from mcbench.bench.options import Options
from mcbench.data import DataUnavailable
from mcbench.record import Record
from mcbench.run import execute
from mcbench.store import Store

#: What takes longer is measured once.
LONG_S = 60.0

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


class Runner:
    """Executes measurements and says how each ended.

    Parameters
    ----------
    store : Store
        Where the runs are kept.
    options : Options
    say : callable
        Is given a line for each entry.
    """

    def __init__(self, store: Store, options: Options, say: Callable[[str], None]) -> None:
        self.store = store
        self.options = options
        self.say = say
        self.measured: list[Measured] = []

    def measure(self, entry: Entry, *, once: bool = False) -> Measured:
        """Measure an entry as often as the options say, or once.

        What was measured earlier does not count: ratios are of one machine at one time.
        """
        missing = entry.case.missing()
        if missing:
            return self._keep(Measured(entry, "skipped", missing))
        records: list[Record] = []
        start = time.perf_counter()
        for repetition in range(1 if once else self.options.repetitions):
            config = entry.config(repetition, self.options.time_s)
            try:
                with thread_environment(entry.threads):
                    records.append(execute(config, self.store, rerun="all"))
            except DataUnavailable as error:
                return self._keep(Measured(entry, "unavailable", str(error)))
            if not records[-1].done or time.perf_counter() - start > LONG_S:
                break
        return self._keep(Measured.of(entry, records))

    def skip(self, entry: Entry, reason: str) -> Measured:
        """Note an entry that cannot be measured."""
        return self._keep(Measured(entry, "skipped", reason))

    def _keep(self, measured: Measured) -> Measured:
        self.measured.append(measured)
        self.say(measured.line())
        return measured


@contextlib.contextmanager
def thread_environment(threads: int) -> Iterator[None]:
    """Let child processes start their libraries with so many threads."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, str(threads)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
