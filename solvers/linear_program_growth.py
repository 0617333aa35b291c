"""The whole program of the linear-programming machine, by restricted ones that grow.

Solves: WW98 section 6 (`solvers.problems.LinearProgram`), n (k - 1) margins, n coefficients. Most
margins are kept with room to spare and most coefficients are zero. So the first program has the
margins and coefficients of a few examples; after each one

    margins that its solution does not keep    are added, the worst first (rows),
    coefficients whose price exceeds the cost  are added, the dearest first (columns),
    margins kept with room to spare            are dropped, each of them once only,

until nothing is to be added: then the solution is optimal for the whole program. What a round's
solution is worth for the whole program is known all the time: alpha and b with all slacks are
feasible for the primal, a multiple of u is feasible for the dual. Small problems are whole from
the start.

A hard margin is a large C: where its optimum has no slacks, it is the optimum for any larger C. If
slacks remain, the multipliers bound the coefficients of any separating machine from below.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from .certificate import Certificate, Solution, support_of
from .hard_margin import InseparableError
from .kernels import NO_VALUE, TINIEST
from .linear_program_restricted import ACCURACY, RestrictedProgram
from .problems.linear_program import LinearProgram, multipliers, signed
from .training import Training

FIRST = 300  # examples of the first program
ROWS, COLUMNS = 1000, 300  # most that a round adds
ROOM = 0.25  # of the margin: from there on a margin is kept with room to spare
LARGEST = 1e8  # sum of separating coefficients, in units of margin / kernel value


class KernelBlocks:
    """Blocks and products of a training set's kernel, computed anew each time and counted.

    Attributes
    ----------
    values : int
        Kernel values computed so far.
    seconds : float
        The time that they and the products took.
    """

    def __init__(self, training: Training) -> None:
        self._training = training
        self.values, self.seconds = 0, 0.0

    @property
    def n_rows(self) -> int:
        """The number of whole kernel rows that have as many values."""
        return -(-self.values // len(self._training.y))

    def block(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """K(x_i, x_j) for i in rows and j in columns."""
        started = time.perf_counter()
        K = self._training.block(rows, columns)
        return self._counted(K, started, K.size)

    def scores(self, a: np.ndarray) -> np.ndarray:
        """K a, of shape (n, k)."""
        started = time.perf_counter()
        return self._counted(self._training.score(a), started, values_for(a))

    def prices(self, A: np.ndarray) -> np.ndarray:
        """K^T A, of shape (n, k); kernels that are known by name are symmetric."""
        if not self._training.kernel.given:
            return self.scores(A)
        started = time.perf_counter()
        used = support_of(A)
        return self._counted(self._training.gram[used].T @ A[used], started, values_for(A))

    def _counted(self, result: np.ndarray, started: float, values: int) -> np.ndarray:
        """A result after its cost is booked, unless it is no result."""
        self.seconds += time.perf_counter() - started
        self.values += values
        if not np.isfinite(result).all():
            raise ValueError(NO_VALUE)
        return result


def values_for(a: np.ndarray) -> int:
    """The number of kernel values in a product with coefficients a of shape (n, k)."""
    return len(a) * len(support_of(a))


@dataclass(frozen=True)
class Valued:
    """A solution of the whole program with its scores, its prices and what it is worth."""

    solution: Solution
    f: np.ndarray
    prices: np.ndarray
    certificate: Certificate


class Growth:
    """Solves one program after the other.

    Parameters
    ----------
    training : Training
    problem : LinearProgram

    Attributes
    ----------
    latest : Valued
        The solution of the last round; at first that without coefficients.
    rounds : int
        Programs solved.
    iterations : int
        Iterations of HiGHS in them.
    blocks : KernelBlocks
    """

    def __init__(self, training: Training, problem: LinearProgram) -> None:
        self.blocks = KernelBlocks(training)
        self.rounds = self.iterations = 0
        self._y, self._problem = training.y, problem
        shape = len(training.y), training.k
        first = spread(training.y, training.k, FIRST)
        scale = float(np.abs(self.blocks.block(first, first)).mean())
        if scale < TINIEST:  # zero, or its inverse is no number
            scale = 1.0
        self._bound = problem.margin * LARGEST / scale
        self._program = RestrictedProgram(
            y=training.y,
            k=training.k,
            C=2.0 * LARGEST / scale if np.inf == problem.C else problem.C,
            margin=problem.margin,
            scale=scale,
            block=self.blocks.block,
        )
        self._columns = np.zeros(shape[0], dtype=bool)
        self._columns[first] = True
        self._margins = np.zeros(shape, dtype=bool)
        self._margins[first] = True
        self._margins[np.arange(shape[0]), training.y] = False
        self._dropped = np.zeros(shape, dtype=bool)
        nothing = np.zeros(shape)
        self.latest = self._valued(Solution(nothing, np.zeros(shape[1]), nothing), nothing, nothing)
        self._lowest = self._highest = self.latest

    def step(self, seconds: float) -> str:
        """Solve the present program; return "solved", or why it was not.

        Raises
        ------
        InseparableError
            For C = inf, if a separating machine would need larger coefficients than `LARGEST`.
        """
        vertex, iterations = self._program.solve(self._margins, self._columns, seconds)
        self.iterations += iterations
        if isinstance(vertex, str):
            return vertex
        self.rounds += 1
        a = np.zeros_like(vertex.multipliers)
        a[np.arange(len(a)), self._y] = vertex.alpha
        self.latest = self._valued(
            Solution(a, vertex.intercept, vertex.multipliers),
            self.blocks.scores(a) + vertex.intercept,
            self.blocks.prices(signed(vertex.multipliers, self._y)),
        )
        value = self.latest.certificate
        if value.primal <= self._lowest.certificate.primal:
            self._lowest = self.latest
        if value.dual >= self._highest.certificate.dual:
            self._highest = self.latest
        if np.inf == self._problem.C and value.dual >= self._bound:
            raise InseparableError(
                "C=inf: this machine cannot separate these examples with this kernel (its "
                f"coefficients would have to sum to more than {self._bound:.3g}): give a finite C"
            )
        return "solved"

    def best(self) -> Valued:
        """The best primal and the best dual solution so far, together."""
        low, high = self._lowest, self._highest
        solution = Solution(
            low.solution.dual_coef, low.solution.intercept, multipliers(high.solution)
        )
        return self._valued(solution, low.f, high.prices)

    def grow(self) -> bool:
        """Make the next program from the last solution; return whether anything was added."""
        lack = self._problem.lack(self.latest.f, self._y)
        spare = (lack < -ROOM * self._problem.margin) & self._margins & ~self._dropped
        spare &= multipliers(self.latest.solution) == 0.0
        missing = np.where(self._margins, 0.0, lack / self._problem.margin)
        dear = self.latest.prices[np.arange(len(lack)), self._y] - 1.0
        rows = largest(missing.ravel(), ROWS)
        columns = largest(np.where(self._columns, 0.0, dear), COLUMNS)
        self._margins[spare] = False
        self._dropped |= spare
        self._margins.ravel()[rows] = True
        self._columns[columns] = True
        return len(rows) + len(columns) > 0

    def _valued(self, solution: Solution, f: np.ndarray, prices: np.ndarray) -> Valued:
        """A solution with its worth for the whole program."""
        value = self._problem.value(solution, self._y, f, prices)
        return Valued(solution, f, prices, value)


def spread(y: np.ndarray, k: int, count: int) -> np.ndarray:
    """About ``count`` examples, as many of each class as there are, evenly over the set."""
    if len(y) <= count:
        return np.arange(len(y))
    chosen = []
    for r in range(k):
        members = np.flatnonzero(y == r)
        share = min(len(members), max(1, count // k))
        chosen.append(members[np.linspace(0, len(members) - 1, share).astype(np.intp)])
    return np.sort(np.concatenate(chosen))


def largest(values: np.ndarray, count: int) -> np.ndarray:
    """Where the largest values are that exceed what HiGHS tells from zero."""
    order = np.argsort(-values, kind="stable")[:count]
    return order[values[order] > ACCURACY]
