"""Descent for the multi-prototype machine with given assignments: by weights, or by kernel rows.

Both know the assignments, visit the examples in random order, solve the reduced problem of each
with the others fixed (AS05's OptimizeOnPattern), and tell the scores of the training set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from .certificate import support_of
from .core.prototype_rows import Allowed, PrototypeRows, PrototypeViolation
from .core.reduced_problem import ReducedProblem
from .core.row_cache import LRUCache, rows_within
from .core.state import State
from .dual_cd import FIRST_STEP, DualCD
from .snapshot import Snapshot, joined, part_of, put, told
from .training import Training

LEAST = 0.1  # of tol: violations that are worth a step
ROWS_STATE = ("tol", "full", "paused")


class Passes(Protocol):
    """What a search needs.

    Attributes
    ----------
    own : intp ndarray of shape (n,)
        The assignments; whoever changes one drops the example's coefficients.
    coefficients : ndarray of shape (n, R)
        The coefficients a.
    tol : float
        Accuracy of the problem for given assignments: violation psi, in margin units.
    n_visits : int
        Examples visited.
    paused : bool
        Whether ``solve`` has come to the end of a pass.
    """

    own: np.ndarray
    coefficients: np.ndarray
    tol: float
    n_iter: int
    n_visits: int
    paused: bool
    last: int
    n_rows: int
    n_hits: int
    n_inner: int
    kernel_seconds: float

    def start_pass(self) -> None:
        """Begin a pass over all examples."""

    def finish_pass(self, until: int, seconds: float) -> bool:
        """Go on with it, to iteration ``until`` or for about ``seconds``; whether it has ended."""

    def start_solving(self, changed: np.ndarray) -> None:
        """Begin to solve the problem for the assignments, some of which have just changed."""

    def solve(self, until: int, seconds: float) -> str:
        """Go on with it to the end of a pass, which ``paused`` tells.

        Returns "converged"; "stalled" where rounding lets nothing move; or "running".
        """

    def tighten(self, tightest: float) -> bool:
        """Ask for a tenth of the tolerance, unless that is below ``tightest``."""

    def drop(self, examples: np.ndarray) -> None:
        """Put the coefficients of some examples to 0."""

    def put(self, a: sp.csr_array, *, rough: bool) -> None:
        """Go on from these coefficients, in single precision if that may be ``rough``."""

    def scores(self, examples: np.ndarray) -> np.ndarray:
        """The scores of some examples by all prototypes, (len(examples), R)."""

    def squared_norm(self) -> float:
        """||M||^2."""

    def snapshot(self) -> Snapshot:
        """The state but for the assignments."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state, with its assignments."""


class WeightPasses(DualCD):
    """Descent for a linear kernel: the prototypes themselves are kept.

    Parameters
    ----------
    X : ndarray or CSR of shape (n, d)
    own : intp ndarray of shape (n,)
        The assignments; not copied.
    first, end : intp ndarray of shape (R,)
        For each prototype, the range of the prototypes of its class.
    C, tol, shift, seed
        See `DualCD`.
    """

    def __init__(
        self, X: Any, own: np.ndarray, first: np.ndarray, end: np.ndarray, **parameters: Any
    ) -> None:
        super().__init__(X, own, len(first), first=first, end=end, **parameters)
        self.own = own

    @property
    def n_visits(self) -> int:
        """Examples visited."""
        return self.descent.n_visits

    def start_pass(self) -> None:
        """See `Passes`."""
        self.descent.again()
        self.last_pass = self.descent.n_passes

    def finish_pass(self, until: int, seconds: float) -> bool:
        """See `Passes`."""
        self.descent.run(until, seconds, self.last_pass)
        return self.paused

    def start_solving(self, changed: np.ndarray) -> None:
        """See `Passes`."""
        self.descent.wake(changed)
        self.descent.again(full=False)
        self.begin(FIRST_STEP)
        self.last_pass = self.descent.n_passes

    def solve(self, until: int, seconds: float) -> str:
        """See `Passes`."""
        if self.paused:
            self.last_pass = self.descent.n_passes
        return self.run(until, seconds)

    def drop(self, examples: np.ndarray) -> None:
        """See `Passes`."""
        self.descent.drop(examples[self.descent.a[examples].any(axis=1)])

    def put(self, a: sp.csr_array, *, rough: bool) -> None:
        """See `Passes`; the weights are made afresh."""
        self.coefficients[:] = a.toarray()
        if rough:
            self.descent.refresh()
        else:
            self.descent.to_double()

    def scores(self, examples: np.ndarray) -> np.ndarray:
        """See `Passes`."""
        weights = self.descent.weights
        return np.asarray(self.X[examples].astype(weights.dtype, copy=False) @ weights)

    def squared_norm(self) -> float:
        """See `Passes`."""
        weights = self.descent.weights
        return float(np.einsum("ij,ij->", weights, weights, dtype=np.float64))


class RowPasses:
    """Descent for any kernel and any optimizer of the reduced problem, by kernel rows.

    Parameters
    ----------
    training : Training
    own, first, end
        As for `WeightPasses`.
    C, tol, inner_tol : float
        See `MultiPrototypeSVC`.
    reduced : ReducedProblem
        Solves the reduced problem of an example.
    cache_size : float
        Megabytes for kernel rows.
    seed : int
        Of the random order.
    """

    def __init__(
        self,
        training: Training,
        own: np.ndarray,
        first: np.ndarray,
        end: np.ndarray,
        *,
        C: float,
        tol: float,
        inner_tol: float,
        reduced: ReducedProblem,
        cache_size: float,
        seed: int,
    ) -> None:
        rows = training.kernel.rows(training.gram)
        cache = LRUCache(rows, rows_within(cache_size, rows.n))
        selection = PrototypeViolation(tol, rows.diagonal, first, end)
        state, allowed = State(own, len(first), C), Allowed(reduced, first, end)
        self.loop = PrototypeRows(state, cache, allowed, selection, tol, inner_tol, seed)
        self.training, self.own, self.tol = training, own, tol
        self.full, self.paused = True, False

    def __getattr__(self, name: str) -> Any:
        """Counters are the loop's."""
        return getattr(self.loop, name)

    def start_pass(self) -> None:
        """See `Passes`."""
        self.loop.begin(True)

    def finish_pass(self, until: int, seconds: float) -> bool:
        """See `Passes`."""
        return self.loop.run(until, seconds, LEAST * self.tol)

    def start_solving(self, changed: np.ndarray) -> None:
        """See `Passes`."""
        self.loop.wake(changed)
        self.full = self.loop.begin(False)

    def solve(self, until: int, seconds: float) -> str:
        """See `Passes`."""
        self.paused = self.finish_pass(until, seconds)
        if self.paused:
            calm = self.loop.worst <= self.tol or self.loop.stepped == 0.0
            if calm and self.full:
                return "converged" if self.loop.worst <= self.tol else "stalled"
            self.full = self.loop.begin(calm)
        return "running"

    def tighten(self, tightest: float) -> bool:
        """See `Passes`."""
        if not self.loop.tighten(tightest):
            return False
        self.tol /= 10.0
        return True

    def drop(self, examples: np.ndarray) -> None:
        """See `Passes`."""
        self.loop.drop(examples[self.coefficients[examples].any(axis=1)])

    def put(self, a: sp.csr_array, *, rough: bool) -> None:  # noqa: ARG002
        """See `Passes`; the scores are made afresh."""
        dense = a.toarray()
        self.loop.state.put(dense, self.training.score(dense))

    def scores(self, examples: np.ndarray) -> np.ndarray:
        """See `Passes`."""
        return self.loop.scores[examples]

    def squared_norm(self) -> float:
        """See `Passes`."""
        return float(np.sum(self.coefficients * self.loop.scores))

    def snapshot(self) -> Snapshot:
        """See `Passes`."""
        return {**told(self, ROWS_STATE), **joined(rows=self.loop.snapshot())}

    def restore(self, state: Mapping[str, Any]) -> None:
        """See `Passes`."""
        put(self, ROWS_STATE, state)
        self.loop.restore(part_of(state, "rows"))


def kept(coefficients: np.ndarray) -> sp.csr_array:
    """Coefficients (n x R), without the zeros that nearly all of them are."""
    n, R = coefficients.shape
    support = support_of(coefficients)
    part = sp.csr_array(coefficients[support])
    start = np.zeros(n + 1, dtype=part.indptr.dtype)
    start[support + 1] = np.diff(part.indptr)
    return sp.csr_array((part.data, part.indices, np.cumsum(start)), (n, R))
