"""Block decomposition: the worst examples together, everything else at rest.

A round takes a block B of some hundred examples that violate the optimality conditions most, solves
the problem of their coefficients against the small matrix K_BB, and brings all scores up to date by
the kernel columns of those that moved,

    f_r(x_i) += sum_{j in B} d_jr K(x_j, x_i)    for all i.

The columns come from matrix products and stay in a cache. Half of a block are examples of the
last one, with which the new ones compete. Kernel columns are in single precision, scores and
coefficients in double; what the difference adds up to is taken away when scores are computed from
scratch, which happens before any solution is called one. If that does not suffice, columns in
double precision take over.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from .certificate import relative_gap
from .column_cache import ColumnCache
from .columns import columns_of
from .core.block_descent import BlockDescent
from .core.block_scores import ROWS, add_step, violations
from .core.reduced_problem import ReducedProblem
from .drive import NEVER
from .kernels import squared_lengths
from .polytope import crammer_singer_bounds, weston_watkins_bounds
from .polytope import violations as block_violations
from .second_order import has_low_rank, second_order
from .snapshot import Snapshot, joined, part_of, put, told
from .training import Training
from .warm_start import start_of
from .workers import Workers, workers

BLOCK, LARGE_BLOCK = 512, 1024  # examples of a block
LARGE = 10_000  # examples of a training set that has large blocks
SMALL = 1000  # examples of one whose kernel is cheap
INNER = 0.2  # of the largest violation: how well a block is solved
MOST_UPDATES = 20  # of a block, for each of its examples, one at a time
SETTLED = 1e-3  # of the tolerance: Newton's method gets there at once, or not at all
#: Nanoseconds, roughly: of a second-order step for each example and for the cube of the number of
#: free coefficients; of an update in the descent, by itself and for each score of the block.
SETTLING, FREE, UPDATE, SCORE = 6e4, 0.5, 2e3, 0.7
SETTLED_TOGETHER = 4000  # coefficients: a second's work or so
MOST_REFRESHED = 1  # times that scores are computed from scratch for columns in single precision
REMOTE = 0.25  # what a violation counts whose column has to be computed in place of another
PATIENCE = 100  # rounds in which violations may stay above what they were together at their least
PATIENCE_WITH_ALL = 5  # the same where a block is the whole training set
NOTHING = 1e-14  # of the dual: a gain that rounding makes as well
SMALLEST = 1e-6  # of the largest ||x||: what counts as a length
HUGE32 = 1e18  # single precision holds its square, and that of its inverse
EMPTY = np.empty(0, dtype=np.intp)
EPS32 = float(np.finfo(np.float32).eps)

#: What the rounds remember beside the columns; violations and supports follow from it.
STATE = (
    *("coefficients", "g", "block", "last", "level", "tol", "seconds_left", "kernel_seconds"),
    *("lowest", "n_since", "highest", "n_refreshed", "n_before", "n_hits_before"),
)


class BlockLoop:
    """The rounds, as `solvers.drive` runs them.

    Parameters
    ----------
    training : Training
    reduced : ReducedProblem
        Solves the problem of one example.
    C, margin : float
    boxes : bool
        Whether each coefficient has its bound (WW98), or the one of the own class has it (CS01).
    tol : float
        The largest violation allowed at the end, in margin units.
    gap_tol : float or None
        The largest relative duality gap, if it matters.
    cache_size : float
        Megabytes for kernel columns.
    storage : {"auto", "dense", "sparse"}
        How the examples are held.
    start : (ndarray, ndarray) or None
        Coefficients within their bounds to start from, and their scores, both n x k.
    max_iter : int
        Iterations; -1 for no limit.
    time_limit : float or None
        Seconds of all rounds, after which a block is left as it is.
    """

    def __init__(
        self,
        training: Training,
        reduced: ReducedProblem,
        *,
        C: float,
        margin: float,
        boxes: bool,
        tol: float,
        gap_tol: float | None,
        cache_size: float,
        storage: str = "auto",
        start: tuple[np.ndarray, np.ndarray] | None = None,
        max_iter: int = -1,
        time_limit: float | None = None,
    ) -> None:
        self.training, self.y, self.shift = training, training.y, training.kernel.shift
        self.C, self.margin, self.boxes, self.tol = C, margin, boxes, tol
        # Running scores are not the last word: a little less than what is asked for.
        self.gap_tol = np.inf if gap_tol is None or np.inf == C else 0.99 * gap_tol
        self.cache_size, self.storage = cache_size, storage
        self.max_iter = max_iter if max_iter > 0 else NEVER
        self.seconds_left = np.inf if time_limit is None else time_limit
        n, k = len(self.y), training.k
        self.rows = np.arange(n)
        self.descent = BlockDescent(reduced, k, C, boxes)
        f: np.ndarray
        self.coefficients: np.ndarray
        self.coefficients, f = start or (np.zeros((n, k)), np.zeros((n, k)))
        self.support = np.any(self.coefficients != 0.0, axis=1).astype(np.uint8)
        self.g, self.psi = np.empty((k, n)), np.empty(n)
        # A violation gains the square of itself over K_ii at most.
        roots = np.sqrt(np.maximum(training.diagonal, 0.0))
        longest = roots.max()
        self.weight = np.ones(n)
        if longest > 0.0:
            self.weight = longest / np.maximum(roots, SMALLEST * longest)
        self.block = EMPTY
        self.last, self.level, self.kernel_seconds = -1, np.inf, 0.0
        self.n_before = self.n_hits_before = 0
        self.lowest, self.n_since, self.highest = np.inf, 0, -np.inf
        self.use(self.precision())
        self.put(f)
        self.n_refreshed = 0

    def precision(self) -> type:
        """Single precision, unless it is a risk or saves nothing."""
        kernel = self.training.kernel
        if kernel.given or len(self.y) < SMALL:
            return np.float64
        largest = float(self.training.diagonal.max())
        if 10 * EPS32 * self.C * largest >= self.tol:
            return np.float64
        squares = squared_lengths(self.training.X)
        sizes = [squares.max(), squares[squares > 0.0].min(initial=1.0), largest, kernel.gamma]
        return np.float32 if all(1 / HUGE32 < size < HUGE32 for size in sizes) else np.float64

    def use(self, dtype: Any) -> None:
        """Take kernel columns in this precision from now on."""
        self.cache = ColumnCache(columns_of(self.training, self.storage, dtype), self.cache_size)
        n = len(self.y)
        # Half of a small cache is for the columns of other blocks.
        room = n if self.cache.capacity == n else max(1, self.cache.capacity // 2)
        self.size = min(room, LARGE_BLOCK if n >= LARGE else BLOCK)
        self.block = self.block[: self.size]

    def widen(self) -> bool:
        """Go over to double precision; False if that is what it is."""
        if self.cache.source.dtype == np.float64:
            return False
        self.n_before, self.n_hits_before = self.n_rows, self.n_hits
        self.use(np.float64)
        return True

    def run(self, until: int, seconds: float) -> str:
        """Go on to iteration ``until``, to the end, or for about ``seconds``.

        A block is not cut short for ``until``: who looks on changes nothing.
        """
        started = time.perf_counter()
        stop, self.deadline = started + seconds, started + self.seconds_left
        with workers() as team:
            while self.status == "running" and self.n_iter < until:
                self.round(self.max_iter - self.n_iter, team)
                if time.perf_counter() >= stop:
                    break
        self.seconds_left -= time.perf_counter() - started
        return self.status

    def round(self, limit: int, team: Workers) -> None:
        """One block."""
        worst = self.level = float(self.psi.max())
        if worst < self.tol and self.gap() <= self.gap_tol:
            self.status = "converged"
            return
        total = float(self.psi.sum())
        self.n_since = 0 if total < self.lowest else self.n_since + 1
        self.lowest = min(self.lowest, total)
        if self.n_since == (PATIENCE if self.size < len(self.y) else PATIENCE_WITH_ALL):
            self.look_back()
            return
        B = self.choose()
        started = time.perf_counter()
        columns = self.cache.get(B, team, ahead=self.next_worst)
        self.kernel_seconds += time.perf_counter() - started
        K = self.cache.source.square(B, columns, team)
        if self.shift:
            K += self.shift
        a = self.coefficients[B]
        most = min(limit, MOST_UPDATES * len(B))
        done = self.n_iter
        tol = INNER * float(self.psi[B].max())
        if worst >= self.tol:
            tol = max(tol, 0.5 * self.tol)
        g = np.ascontiguousarray(self.g[:, B], dtype=K.dtype)
        left = self.descent.descend(K, g, a, self.y[B], tol, most)
        if left > tol and limit > most < self.worth(a) and not has_low_rank(K, a.shape[1]):
            left = self.descend_on(K, g, a, B, tol, limit)
        if left > tol and (limit > most or self.n_iter == done):
            if self.widen():  # nothing has happened yet: the block comes again
                return
            a = self.settle(K, B, a)
        step = a - self.coefficients[B]
        if not step.any():  # rounding is all that is left
            self.status = "stalled"
            return
        self.coefficients[B] = a
        self.support[B] = np.any(a != 0.0, axis=1)
        self.move(columns, step, team)
        self.block, self.last = B, int(B[0])

    def descend_on(
        self, K: np.ndarray, g: np.ndarray, a: np.ndarray, B: np.ndarray, tol: float, limit: int
    ) -> float:
        """Go on with the descent, until it has cost what a second-order step would.

        So neither is taken where the other costs less than half. The cost is by counts and not by
        the clock, which is looked at for a limit of time only: a problem takes the same steps.
        """
        left, chunk, moved = np.inf, MOST_UPDATES * len(B), True
        done = chunk  # so far
        while left > tol and moved and time.perf_counter() < self.deadline:
            if done >= min(self.worth(a), limit):
                break
            before = self.n_iter
            left = self.descent.descend(K, g, a, self.y[B], tol, min(chunk, limit - done))
            moved = self.n_iter > before
            done += self.n_iter - before
        return left

    def worth(self, a: np.ndarray) -> float:
        """How many updates of a block cost as much as a second-order step, by its coefficients."""
        lowest = -self.C if self.boxes else -np.inf
        free = int(np.count_nonzero((a < 0.0) & (a > lowest)))
        return (SETTLING * len(a) + FREE * free**3) / (UPDATE + SCORE * a.size)

    def look_back(self) -> None:
        """Compute scores from scratch; give up if the dual has not risen since the last time.

        Rounding may turn in circles for good, and running scores may call that a gain.
        """
        self.n_since = 0
        self.put(self.training.score(self.coefficients))
        dual, before = self.dual, self.highest
        self.highest = max(dual, before)
        if dual - before <= NOTHING * abs(dual) and not self.widen():
            self.status = "stalled"

    @property
    def dual(self) -> float:
        """The dual objective by the running scores."""
        own, product = self.sums()
        return 0.5 * (own - product)

    def sums(self) -> tuple[float, float]:
        """Give margin sum_i a_{i,y_i}, and <a, g>; g is f less the margin of the own class."""
        a, g = self.coefficients, self.g
        return self.margin * float(a[self.rows, self.y].sum()), float(np.einsum("ir,ri->", a, g))

    def gap(self) -> float:
        """The relative duality gap by the running scores; 0 where it does not matter."""
        if self.gap_tol == np.inf:
            return 0.0
        own, product = self.sums()
        g_own = self.g[self.y, self.rows]
        if self.boxes:
            slack = float(np.maximum(self.g - g_own, 0.0).sum())
        else:
            slack = float((self.g.max(axis=0) - g_own).sum())
        primal = 0.5 * (own + product) + self.C * slack
        return relative_gap(primal, 0.5 * (own - product))

    def settle(self, K: np.ndarray, B: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Solve a block by second-order steps, where one example at a time no longer pays."""
        g = self.g[:, B].T + K @ (a - self.coefficients[B])
        k = a.shape[1]
        bounds = weston_watkins_bounds if self.boxes else crammer_singer_bounds
        lower, upper = bounds(self.y[B], k, self.C)
        some = np.arange(len(B))
        if len(B) * k > SETTLED_TOGETHER:  # those that have the farthest to go
            psi = block_violations(g, a, lower, upper)
            some = np.sort(np.argsort(-psi, kind="stable")[: max(1, SETTLED_TOGETHER // k)])
        settled = a.copy()
        settled[some] = second_order(
            K[np.ix_(some, some)],
            g[some],
            a[some],
            lower[some],
            upper[some],
            tol=SETTLED * self.tol,
            deadline=self.deadline,
        )
        return settled

    def choose(self) -> np.ndarray:
        """The next block: the worst of the last one, and the worst of the others."""
        measure = self.measure = self.psi * self.weight
        measure[self.psi < self.tol] *= SMALLEST  # behind all that have to move
        if self.cache.full:
            measure[~self.cache.holds_column] *= REMOTE
        kept = self.block
        if len(kept) > self.size // 2:
            kept = kept[largest(measure[kept], self.size // 2)]
        measure[kept] = -1.0
        m = min(self.size - len(kept), int(np.count_nonzero(measure > 0.0)))
        return np.sort(np.concatenate([kept, largest(measure, m)]))

    def next_worst(self, m: int, without: np.ndarray) -> np.ndarray:
        """Up to m examples that violate the conditions and may be in the next blocks."""
        measure = np.where(without, -1.0, self.measure)
        measure[self.psi < min(self.tol, INNER * self.level)] = -1.0
        return largest(measure, min(m, int(np.count_nonzero(measure > 0.0))))

    def move(self, columns: np.ndarray, step: np.ndarray, team: Workers) -> None:
        """Bring all scores and violations up to date with a step on the block."""
        drift = self.shift * step.sum(axis=0)
        moved = np.flatnonzero(step.any(axis=1))
        step, columns = step[moved], columns[moved]
        classes, j = np.nonzero(step.T)
        addresses = columns[j]
        weights = step[j, classes].astype(self.cache.source.dtype)
        q, k = step.shape
        edges = np.minimum(np.arange(0, q + ROWS, ROWS), q)  # ROWS columns at a time
        first = np.searchsorted(classes * q + j, np.arange(k)[:, np.newaxis] * q + edges)

        def work(low: int, high: int) -> None:
            if len(j):
                add_step(self.g, columns, addresses, weights, first, low, high)
            if self.shift:
                self.g[:, low:high] += drift[:, np.newaxis]
            self.look(low, high)

        team.split(work, len(self.y))

    def look(self, low: int, high: int) -> None:
        """Violations of a range of examples."""
        violations(
            self.g, self.coefficients, self.support, self.y, self.C, self.boxes, self.psi, low, high
        )

    def put(self, f: np.ndarray) -> None:
        """Take these scores (n x k) for those of the coefficients."""
        self.g[:] = f.T
        self.g[self.y, self.rows] -= self.margin
        self.look(0, len(self.y))
        self.status = "running"

    def resume(self, f: np.ndarray) -> None:
        """Go on from scores computed from scratch."""
        self.put(f)
        self.n_refreshed += 1
        if self.n_refreshed > MOST_REFRESHED:
            self.widen()

    def scale(self, t: float) -> None:
        """Multiply the solution by t > 0 (`solvers.hard_margin`)."""
        self.coefficients *= t
        self.put(self.scores * t)

    @property
    def scores(self) -> np.ndarray:
        """The n x k running scores."""
        f = self.g.T.copy()
        f[self.rows, self.y] += self.margin
        return f

    def tighten(self, tightest: float) -> bool:
        """Ask for a tenth of the tolerance, unless that is below ``tightest``; go on then."""
        if self.tol * 0.1 < tightest:
            return False
        self.tol *= 0.1
        if self.precision() is np.float64:
            self.widen()
        # Running scores may hide how far off the present solution is.
        self.put(self.training.score(self.coefficients))
        return True

    def snapshot(self) -> Snapshot:
        """The state between two rounds.

        Which columns are held is a part of it, since blocks are chosen by that; their values are
        not, but how to compute them to the same bits is (`ColumnCache`).
        """
        precision = {"precision": self.cache.source.dtype.name}
        parts = joined(cache=self.cache.snapshot(), descent=self.descent.snapshot())
        return {**told(self, STATE), **precision, **parts}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        if self.cache.source.dtype != state["precision"]:
            self.use(np.dtype(state["precision"]))
        put(self, STATE, state)
        self.cache.restore(part_of(state, "cache"))
        self.descent.restore(part_of(state, "descent"))
        self.support[:] = np.any(self.coefficients != 0.0, axis=1)
        self.look(0, len(self.y))
        self.status = "running"

    @property
    def n_iter(self) -> int:
        """Examples optimized."""
        return self.descent.n_updates

    @property
    def n_inner(self) -> int:
        """Iterations of the optimizer of the reduced problem."""
        return int(self.descent.reduced.n_inner)

    @property
    def n_active(self) -> int:
        """The number of examples with a non-zero coefficient."""
        return int(np.count_nonzero(self.support))

    @property
    def n_rows(self) -> int:
        """Kernel columns computed."""
        return self.n_before + self.cache.n_computed

    @property
    def n_hits(self) -> int:
        """Kernel columns found in the cache."""
        return self.n_hits_before + self.cache.n_hits


def largest(values: np.ndarray, m: int) -> np.ndarray:
    """Where the m largest values are, in no order."""
    return np.argpartition(values, len(values) - m)[len(values) - m :] if m else EMPTY


def block_loop(
    machine: Any, training: Training, reduced: ReducedProblem, *, margin: float, boxes: bool
) -> BlockLoop:
    """The rounds at their start for a machine with the parameters of an estimator.

    Parameters
    ----------
    machine : estimator
        Has C, tol, gap_tol, cache_size, storage, max_iter, time_limit and warm_start.
    training, reduced, margin, boxes
        As for `BlockLoop`.
    """
    return BlockLoop(
        training,
        reduced,
        C=float(machine.C),
        margin=margin,
        boxes=boxes,
        tol=float(machine.tol),
        gap_tol=machine.gap_tol,
        cache_size=machine.cache_size,
        storage=machine.storage,
        start=(
            start_of(machine, training, margin=margin, boxes=boxes) if machine.warm_start else None
        ),
        max_iter=machine.max_iter,
        time_limit=machine.time_limit,
    )
