"""Block decomposition: the worst examples together, everything else at rest.

A round takes a block B of some hundred examples that violate the optimality conditions most, solves
the problem of their coefficients against the small matrix K_BB, and brings all scores up to date by
the kernel columns of those that moved,

    f_r(x_i) += sum_{j in B} d_jr K(x_j, x_i)    for all i.

The columns come from matrix products and stay in a cache. Half of a block are examples of the last
one, with which the new ones compete. Kernel columns are in single precision, scores and coefficients
in double; what the difference adds up to is taken away when scores are computed from scratch, which
happens before any solution is called one. If that does not suffice, columns in double precision take
over.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .column_cache import ColumnCache
from .columns import Columns
from .core.block_descent import BlockDescent
from .core.block_scores import add_step, gather, violations
from .core.reduced_problem import ReducedProblem
from .workers import Workers, workers

INNER = 0.1  # of the largest violation: how well a block is solved
MOST_UPDATES = 20  # of a block, for each of its examples


class BlockLoop:
    """The rounds, as `solvers.drive` runs them.

    Parameters
    ----------
    source : callable
        ``source(dtype)``: where kernel columns come from, in that precision.
    diagonal : ndarray of shape (n,)
        K(x_i, x_i), the shift included.
    shift : float
        Added to every kernel value.
    y : int ndarray of shape (n,)
    reduced : ReducedProblem
        Solves the problem of one example.
    C, margin : float
    boxes : bool
        Whether each coefficient has its bound (WW98), or the one of the own class has it (CS01).
    tol : float
        The largest violation allowed at the end, in margin units.
    cache_size : float
        Megabytes for kernel columns.
    size : int
        Examples of a block.
    """

    def __init__(
        self,
        source: Callable[[Any], Columns],
        diagonal: np.ndarray,
        shift: float,
        y: np.ndarray,
        k: int,
        reduced: ReducedProblem,
        *,
        C: float,
        margin: float,
        boxes: bool,
        tol: float,
        cache_size: float,
        size: int,
        dtype: Any,
    ) -> None:
        n = len(y)
        self.source, self.shift, self.y = source, shift, y
        self.C, self.margin, self.boxes, self.tol = C, margin, boxes, tol
        self.cache_size = cache_size
        self.coefficients = np.zeros((n, k))
        self.support = np.zeros(n, dtype=np.uint8)
        self.g = np.zeros((k, n))
        self.g[y, np.arange(n)] = -margin
        self.psi = np.full(n, margin)
        self.weight = 1.0 / np.sqrt(np.maximum(diagonal, 1e-300))
        self.weight /= self.weight.min()
        self.diagonal = diagonal
        self.descent = BlockDescent(reduced, k, C, boxes)
        self.size = size
        self.block = np.empty(0, dtype=np.intp)
        self.status, self.last, self.n_inner, self.kernel_seconds = "running", -1, 0, 0.0
        self.n_rounds = self.n_refreshed = 0
        self.before = (0, 0)
        self.use(dtype)

    def use(self, dtype: Any) -> None:
        """Take kernel columns in this precision from now on."""
        self.cache = ColumnCache(self.source(dtype), self.cache_size)
        self.size = min(self.size, self.cache.capacity)

    def run(self, until: int, seconds: float) -> str:
        """Go on to iteration ``until``, to the end, or for about ``seconds``."""
        stop = time.perf_counter() + seconds
        with workers() as team:
            while self.status == "running" and self.n_iter < until:
                self.round(until - self.n_iter, team)
                if time.perf_counter() >= stop:
                    break
        return self.status

    def round(self, limit: int, team: Workers) -> None:
        """One block."""
        worst = float(self.psi.max())
        self.level = worst
        if worst < self.tol:
            self.status = "converged"
            return
        B = self.choose()
        started = time.perf_counter()
        columns = self.cache.get(B, team)
        self.kernel_seconds += time.perf_counter() - started
        K = np.empty((len(B), len(B)), self.cache.source.dtype)
        gather(columns, B, K)
        if self.shift:
            K += self.shift
        g = np.ascontiguousarray(self.g[:, B], dtype=K.dtype)
        before = self.coefficients[B]
        a = before.copy()
        tol = max(INNER * worst, 0.5 * self.tol)
        self.descent.descend(K, g, a, self.y[B], tol, min(limit, MOST_UPDATES * len(B)))
        self.coefficients[B] = a
        self.support[B] = np.any(a != 0.0, axis=1)
        self.move(columns, a - before, team)
        self.block = B
        self.n_rounds += 1
        self.last = int(B[0])

    def choose(self) -> np.ndarray:
        """The next block: the worst of the last one, and the worst of the others."""
        measure = self.psi * self.weight
        kept = self.block
        half = self.size // 2
        if len(kept) > half:
            kept = kept[np.argpartition(measure[kept], len(kept) - half)[len(kept) - half :]]
        measure[kept] = -1.0
        m = min(self.size - len(kept), int(np.count_nonzero(measure > 0.0)))
        new = np.argpartition(measure, len(measure) - m)[len(measure) - m :] if m else kept[:0]
        return np.sort(np.concatenate([kept, new]))

    def move(self, columns: np.ndarray, step: np.ndarray, team: Workers) -> None:
        """Bring all scores and violations up to date with a step on the block."""
        classes, j = np.nonzero(step.T)
        addresses = columns[j]
        weights = step[j, classes].astype(self.cache.source.dtype)
        first = np.searchsorted(classes, np.arange(step.shape[1] + 1))
        drift = self.shift * step.sum(axis=0)

        def work(low: int, high: int) -> None:
            if len(j):
                add_step(self.g, addresses, weights, first, low, high)
            if self.shift:
                self.g[:, low:high] += drift[:, np.newaxis]
            self.look(low, high)

        team.split(work, len(self.y))

    def look(self, low: int, high: int) -> None:
        """Violations of a range of examples."""
        violations(
            self.g, self.coefficients, self.support, self.y, self.C, self.boxes, self.psi, low, high
        )

    def resume(self, f: np.ndarray) -> None:
        """Go on from scores computed from scratch."""
        self.g[:] = f.T
        self.g[self.y, np.arange(len(self.y))] -= self.margin
        self.look(0, len(self.y))
        self.status = "running"
        self.n_refreshed += 1
        if self.n_refreshed > 1 and self.cache.source.dtype == np.float32:
            self.use(np.float64)

    def tighten(self, tightest: float) -> bool:
        """Ask for a tenth of the tolerance, unless that is below ``tightest``; go on then."""
        if self.tol * 0.1 < tightest:
            return False
        self.tol *= 0.1
        self.status = "running"
        return True

    @property
    def n_iter(self) -> int:
        """Examples optimized."""
        return self.descent.n_updates

    @property
    def n_active(self) -> int:
        """The number of examples with a non-zero coefficient."""
        return int(np.count_nonzero(self.support))

    @property
    def n_rows(self) -> int:
        """Kernel columns computed."""
        return self.before[0] + self.cache.n_computed

    @property
    def n_hits(self) -> int:
        """Kernel columns found in the cache."""
        return self.before[1] + self.cache.n_hits
