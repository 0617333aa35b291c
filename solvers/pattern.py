"""The papers' family of one-example solvers: from names of parts to a loop that runs.

An algorithm is a choice on each of these axes (CS01 sections 5-7, AS05 section 5):

    pick        which example is next: "argmax" of the selection value; "threshold", every one in
                turn whose value is large enough; "cyclic", every one in turn
    selection   the value: "kkt", the violation psi; "amg" and "bmg", gains
    threshold   how large it must be: "fixed"; cooled "exponential", "linear", "logarithmic"; by the
                values, "max", "mean"
    active_set  whether to look among the examples with non-zero coefficients first
    optimizer   of the reduced problem: "fixed_point", "exact", "basic", "all_pairs", "opt_kkt"
    cache       of kernel rows: "none", "lru" (bounded by cache_size or cache_rows), "full"
    storage     of the examples: "dense" or "sparse"
    core        "cython", or "numpy", the readable statement

The curves of AS02 and AS05 are named SELECTION-OPTIMIZER, and their figures THRESHOLD: KKT-CS is
"kkt" with "fixed_point", BMG-ALL is "bmg" with "all_pairs", BAS is "basic"; LOG is "logarithmic".
All are with pick="threshold".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from .core import reference
from .core.cooling import Exponential, Linear, Logarithmic, Mean, ShareOfLargest, Threshold
from .core.cyclic_loop import CyclicLoop
from .core.kernel_rows import KernelRows
from .core.kkt_loop import KKTLoop
from .core.reduced_problem import Exact, FixedPoint, ReducedProblem
from .core.row_cache import LRUCache, RowCache, rows_within
from .core.selection import PairGain, SelectionValue, TrueGain, Violation
from .core.state import State
from .core.threshold_loop import ThresholdLoop
from .core.two_variable import AllPairs, AllPairsRelative, Basic, OptKKT
from .core.working_set import ActiveSet, WorkingSet
from .drive import Loop
from .kernels import KernelChoice

SELECTIONS = {"kkt": Violation, "amg": PairGain, "bmg": TrueGain}
PICKS: dict[str, Callable[..., reference.ReferenceLoop]] = {
    "argmax": reference.ArgmaxLoop,
    "cyclic": reference.CyclicLoop,
    "threshold": reference.ThresholdLoop,
}
THRESHOLDS = {
    "fixed": Threshold,
    "exponential": Exponential,
    "linear": Linear,
    "logarithmic": Logarithmic,
    "max": ShareOfLargest,
    "mean": Mean,
}
OPTIMIZERS = {
    "fixed_point": FixedPoint,
    "exact": Exact,
    "basic": Basic,
    "all_pairs": AllPairs,
    "opt_kkt": OptKKT,
}
SWEEP_RULES = ("gain", "relative")
CACHES = ("none", "lru", "full")
STORAGES = ("auto", "dense", "sparse")
CORES = ("cython", "numpy")


class PatternLoop(Loop, Protocol):
    """A loop whose optimizer may take two-variable steps."""

    n_pair_steps: int


@dataclass(frozen=True)
class Pattern:
    """One algorithm of the family; the fields are those of `CrammerSingerSVC`, and their defaults.

    Raises
    ------
    ValueError
        For a combination that makes no sense, with the reason.
    """

    selection: str = "kkt"
    pick: str = "argmax"
    threshold: str = "logarithmic"
    mu: float = 0.5
    optimizer: str = "exact"
    inner_tol: float | None = None
    sweep_rule: str = "gain"
    active_set: bool = True
    cache: str = "lru"
    cache_size: float = 200.0
    cache_rows: int | None = None
    storage: str = "auto"
    core: str = "cython"
    passes: int = 50

    def __post_init__(self) -> None:
        """Refuse combinations that would not do what they say."""
        if self.pick == "cyclic" and (
            self.active_set or self.threshold != "fixed" or self.selection != "kkt"
        ):
            raise ValueError(
                "pick='cyclic' visits every example in turn, without a test: it takes "
                "active_set=False, threshold='fixed' and selection='kkt'"
            )
        if self.pick == "threshold" and self.active_set:
            raise ValueError(
                "pick='threshold' needs active_set=False: its passes go over the whole training set"
            )
        if self.pick == "argmax" and self.threshold in ("max", "mean"):
            raise ValueError(
                f"threshold={self.threshold!r} needs pick='threshold': it is taken from the values "
                "at the start of a pass, and the largest value always reaches it"
            )
        if self.pick == "argmax" and self.threshold != "fixed" and not self.active_set:
            raise ValueError(
                f"threshold={self.threshold!r} needs active_set=True: without an active set the "
                "worst of all examples is taken whatever the threshold, so cooling changes nothing"
            )

    def loop(
        self, X: Any, y: np.ndarray, k: int, *, C: float, tol: float, kernel: KernelChoice
    ) -> PatternLoop:
        """The loop at its start, all coefficients zero.

        X holds the examples; for a precomputed kernel or a function, the kernel matrix.
        """
        inner_tol = tol / 2 if self.inner_tol is None else self.inner_tol
        if self.core == "numpy":
            return self._reference(X, y, k, C, tol, inner_tol, kernel)
        rows = kernel.rows(X, self.storage)
        cache, reduced, solution = self._cache(rows), self._reduced(k), State(y, k, C)
        if self.pick == "cyclic":
            return CyclicLoop(solution, cache, reduced, inner_tol, self.passes)
        selection = SELECTIONS[self.selection](tol, rows.diagonal, k)
        threshold = self._threshold(selection)
        if self.pick == "threshold":
            return ThresholdLoop(solution, cache, reduced, selection, threshold, tol, inner_tol)
        examples = (ActiveSet if self.active_set else WorkingSet)(solution, selection)
        return KKTLoop(solution, cache, reduced, examples, threshold, tol, inner_tol)

    def _reduced(self, k: int) -> ReducedProblem:
        if self.optimizer == "all_pairs" and self.sweep_rule == "relative":
            return AllPairsRelative(k)
        return OPTIMIZERS[self.optimizer](k)

    def _threshold(self, selection: SelectionValue) -> Threshold:
        if self.threshold == "max":
            return ShareOfLargest(selection, self.mu)
        return THRESHOLDS[self.threshold](selection)

    def _cache(self, rows: KernelRows) -> RowCache:
        if self.cache == "none":
            return RowCache(rows)
        if self.cache == "full":
            return LRUCache(rows, rows.n)
        if self.cache_rows is not None:
            return LRUCache(rows, self.cache_rows)
        return LRUCache(rows, rows_within(self.cache_size, rows.n))

    def _reference(
        self,
        X: Any,
        y: np.ndarray,
        k: int,
        C: float,
        tol: float,
        inner_tol: float,
        kernel: KernelChoice,
    ) -> reference.ReferenceLoop:
        block = kernel.function()

        def row(p: int) -> np.ndarray:
            return X[p] + kernel.shift if kernel.given else block(X[[p]], X)[0]

        relative = self.optimizer == "all_pairs" and self.sweep_rule == "relative"
        return PICKS[self.pick](
            row,
            kernel.diagonal(X),
            y,
            k,
            C=C,
            tol=tol,
            inner_tol=inner_tol,
            selection=self.selection,
            threshold=self.threshold,
            mu=self.mu,
            optimizer="all_pairs_relative" if relative else self.optimizer,
            active_set=self.active_set,
            passes=self.passes,
        )
