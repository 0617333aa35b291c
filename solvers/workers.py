"""Threads for the passes over all training examples.

A pass is cut into ranges of examples, and whoever is free takes the next one: on a busy machine one
thread does most of them, and none waits for a share that was dealt out beforehand. Waiting threads
sleep. The libraries that multiply matrices are kept to one thread each meanwhile, since it is the
ranges that are divided. The cuts do not depend on the number of threads, so neither do the results.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

import joblib
from threadpoolctl import ThreadpoolController

GRAIN = 2048  # examples of a range


class OneThreadEach:
    """Keeps BLAS to one thread while anybody needs that; knows what it was allowed before.

    The limit holds for the whole process. Fits in several threads share it: the first one sets it
    and the last one lifts it.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.n_users = 0
        self.allowed = 1
        self.limiter: Any = None
        self.blas = ThreadpoolController().select(user_api="blas")

    def enter(self) -> int:
        """Set the limit; return the number of threads that BLAS may use otherwise."""
        with self.lock:
            if self.n_users == 0:
                self.allowed = self.n_allowed()
                self.limiter = self.blas.limit(limits=1) if self.allowed > 1 else None
            self.n_users += 1
            return self.allowed

    def leave(self) -> None:
        """Lift the limit when nobody needs it any more."""
        with self.lock:
            self.n_users -= 1
            if self.n_users == 0 and self.limiter is not None:
                self.limiter.restore_original_limits()

    def n_allowed(self) -> int:
        """The least number of threads that any of the libraries may use, at most one a core."""
        threads = [library["num_threads"] for library in self.blas.info()]
        return max(1, min([joblib.cpu_count(), *threads]))


@cache
def one_thread_each() -> OneThreadEach:
    """The limit of this process."""
    return OneThreadEach()


class Workers:
    """Some threads that share out ranges of examples.

    Parameters
    ----------
    n_threads : int
        The calling one included.
    """

    def __init__(self, n_threads: int) -> None:
        self.n_threads = n_threads
        self.pool = ThreadPoolExecutor(n_threads - 1) if n_threads > 1 else None

    def split(self, work: Callable[[int, int], None], n: int, grain: int = GRAIN) -> None:
        """Call work(low, high) for ranges that cover 0 .. n - 1."""
        ranges = deque((low, min(low + grain, n)) for low in range(0, n, grain))
        if self.pool is None or len(ranges) == 1:
            for low, high in ranges:
                work(low, high)
            return

        def take() -> None:
            while True:
                try:
                    low, high = ranges.popleft()
                except IndexError:
                    return
                work(low, high)

        n_others = min(self.n_threads, len(ranges)) - 1
        others = [self.pool.submit(take) for _ in range(n_others)]
        try:
            take()
        finally:
            ranges.clear()
            for other in others:
                if not other.cancel():
                    other.result()


@contextmanager
def workers() -> Iterator[Workers]:
    """As many threads as BLAS may use, with BLAS kept to one thread each."""
    limit = one_thread_each()
    team = Workers(limit.enter())
    try:
        yield team
    finally:
        if team.pool is not None:
            team.pool.shutdown()
        limit.leave()
