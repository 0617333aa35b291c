"""Kernel columns held within a number of bytes; those used least recently make room."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .columns import Columns
from .snapshot import Snapshot, put, told
from .workers import Workers

LINE = 64  # bytes
SLAB = 2**26  # bytes taken at a time
FEWEST = 32  # columns, however few fit
BATCH = 128  # columns whose products are worth being made together
COUNTS = ("n_computed", "n_hits", "now")
NONE = np.empty(0, dtype=np.intp)


class ColumnCache:
    """Columns by their example.

    The last bits of a column may depend on those that it was computed together with, its batch: a
    matrix product has other loops for other widths. So a state names the batches, and a cache that
    goes on from it computes a column together with its batch again, when it is asked for.

    Parameters
    ----------
    source : Columns
    megabytes : float
        Room, in 2^20 bytes; at least 32 columns are held.

    Attributes
    ----------
    capacity : int
        Columns that fit.
    n_computed, n_hits : int
        Columns computed, and columns asked for that were there. Those that an interruption has lost
        were there.
    """

    def __init__(self, source: Columns, megabytes: float) -> None:
        self.source = source
        size = source.dtype.itemsize
        # Whole lines, and an odd number of them: columns do not share the sets of a cache.
        lines = -(-source.n * size // LINE)
        self.length = (lines | 1) * LINE // size
        fitting = int(megabytes * 2**20 / (self.length * size))
        self.capacity = min(source.n, max(fitting, FEWEST))
        self.slabs: list[np.ndarray] = []
        self.address = np.empty(0, dtype=np.int64)  # slot -> address
        self.holds = np.empty(0, dtype=np.intp)  # slot -> example
        self.used = np.empty(0, dtype=np.int64)  # slot -> time of the last use
        self.slot = np.full(source.n, -1, dtype=np.intp)  # example -> slot
        self.batches: list[np.ndarray] = []  # slot -> examples computed together
        self.lost: set[int] = set()  # slots whose values an interruption has lost
        self.n_filled = self.n_computed = self.n_hits = self.now = 0

    def get(
        self,
        examples: np.ndarray,
        team: Workers,
        ahead: Callable[[int, np.ndarray], np.ndarray],
    ) -> np.ndarray:
        """The addresses of the columns of some examples, at most ``capacity``.

        They hold until the next call. Few columns take nearly as long as a batch of them: as long
        as there is room, ``ahead(m, held)`` is asked for up to m more examples that are not held
        and may be wanted soon.
        """
        self.now += 1
        held = self.slot[examples] >= 0
        self.used[self.slot[examples[held]]] = self.now
        if self.lost:
            self.compute_again(self.slot[examples[held]], team)
        missing = examples[~held]
        self.n_hits += len(examples) - len(missing)
        if len(missing):
            more = min(BATCH, self.capacity - self.n_filled) - len(missing)
            if more > 0:
                there = self.holds_column
                there[missing] = True
                missing = np.concatenate([missing, ahead(more, there)])
            slots = self.room(len(missing))
            self.slot[missing] = slots
            self.holds[slots] = missing
            self.used[slots] = self.now
            for slot in slots.tolist():
                self.batches[slot] = missing
            self.lost.difference_update(slots.tolist())
            self.source.compute(missing, self.address[slots], team)
            self.n_computed += len(missing)
        return self.address[self.slot[examples]]

    def room(self, m: int) -> np.ndarray:
        """M slots that are free now."""
        while len(self.address) < min(self.n_filled + m, self.capacity):
            self.grow()
        fresh = np.arange(self.n_filled, min(self.n_filled + m, self.capacity))
        self.n_filled += len(fresh)
        n_old = m - len(fresh)
        if n_old == 0:
            return fresh
        oldest = np.argpartition(self.used[: self.n_filled - len(fresh)], n_old - 1)[:n_old]
        self.slot[self.holds[oldest]] = -1
        return np.concatenate([fresh, oldest])

    def grow(self) -> None:
        """Take one more slab of memory."""
        size = self.source.dtype.itemsize
        rows = min(max(1, SLAB // (self.length * size)), self.capacity - len(self.address))
        slab = np.empty(rows * self.length + LINE // size, self.source.dtype)
        start = slab.ctypes.data + -slab.ctypes.data % LINE
        self.slabs.append(slab)
        added = start + np.arange(rows, dtype=np.int64) * self.length * size
        self.address = np.concatenate([self.address, added])
        self.holds = np.concatenate([self.holds, np.full(rows, -1, dtype=np.intp)])
        self.used = np.concatenate([self.used, np.zeros(rows, dtype=np.int64)])
        self.batches += [NONE] * rows

    def compute_again(self, slots: np.ndarray, team: Workers) -> None:
        """Compute the columns of some slots as before the interruption, if they were lost in it."""
        batches = {id(self.batches[s]): self.batches[s] for s in slots.tolist() if s in self.lost}
        spare = np.empty(self.length, self.source.dtype)  # for columns that are no longer held
        for batch in batches.values():
            slots = self.slot[batch]
            mine = np.array([s >= 0 and self.batches[s] is batch for s in slots.tolist()])
            self.lost.difference_update(slots[mine].tolist())
            if self.source.alike:
                self.source.compute(batch[mine], self.address[slots[mine]], team)
            else:
                where = np.where(mine, self.address[slots], spare.ctypes.data)
                self.source.compute(batch, where, team)

    def snapshot(self) -> Snapshot:
        """Which columns are held, in which slots, and how each was computed."""
        filled = self.batches[: self.n_filled]
        batches = {id(batch): batch for batch in filled}
        number = {key: i for i, key in enumerate(batches)}
        return {
            **told(self, COUNTS),
            "holds": self.holds[: self.n_filled].copy(),
            "used": self.used[: self.n_filled].copy(),
            "batch": np.array([number[id(batch)] for batch in filled], dtype=np.intp),
            "members": np.concatenate([NONE, *batches.values()]),
            "sizes": np.array([len(batch) for batch in batches.values()], dtype=np.intp),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Hold the columns of a state; their values come when they are asked for."""
        n = self.n_filled = len(state["holds"])
        while len(self.address) < n:
            self.grow()
        put(self, COUNTS, state)
        self.holds[:n], self.used[:n] = state["holds"], state["used"]
        self.slot[self.holds[:n]] = np.arange(n)
        batches = np.split(state["members"], np.cumsum(state["sizes"])[:-1])
        self.batches[:n] = [batches[number] for number in state["batch"]]
        self.lost = set(range(n))

    @property
    def full(self) -> bool:
        """Whether a new column takes the place of another one."""
        return self.n_filled == self.capacity

    @property
    def holds_column(self) -> np.ndarray:
        """Which examples have their column here."""
        return self.slot >= 0
