"""The papers' family of one-example solvers: from names of parts to a loop that runs.

An algorithm is a choice on each of these axes (CS01 sections 5-7):

    pick        which example is next: "argmax" of the selection value, or "cyclic"
    selection   the value: "kkt", the violation psi
    threshold   how large it must be: "fixed", or cooled "exponential", "linear", "logarithmic"
    active_set  whether to look among the examples with non-zero coefficients first
    optimizer   of the reduced problem: "fixed_point" or "exact"
    cache       of kernel rows: "none", "lru" (bounded by cache_size), "full"
    storage     of the examples: "dense" or "sparse"
    core        "cython", or "numpy", the readable statement
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .core.cooling import Exponential, Linear, Logarithmic, Threshold
from .core.cyclic_loop import CyclicLoop
from .core.kernel_rows import KernelRows
from .core.kkt_loop import KKTLoop
from .core.reduced_problem import Exact, FixedPoint
from .core.reference import ReferenceLoop
from .core.row_cache import LRUCache, RowCache
from .core.selection import SelectionValue
from .core.state import State
from .core.working_set import ActiveSet, WorkingSet
from .drive import Loop
from .kernels import KernelChoice

SELECTIONS = {"kkt": SelectionValue}
PICKS = ("argmax", "cyclic")
THRESHOLDS = {
    "fixed": Threshold,
    "exponential": Exponential,
    "linear": Linear,
    "logarithmic": Logarithmic,
}
OPTIMIZERS = {"fixed_point": FixedPoint, "exact": Exact}
CACHES = ("none", "lru", "full")
STORAGES = ("auto", "dense", "sparse")
CORES = ("cython", "numpy")


@dataclass(frozen=True)
class Pattern:
    """One algorithm of the family.

    Raises
    ------
    ValueError
        For a combination that makes no sense, with the reason.
    """

    selection: str
    pick: str
    threshold: str
    optimizer: str
    active_set: bool
    cache: str
    cache_size: float
    storage: str
    core: str
    passes: int

    def __post_init__(self) -> None:
        """Refuse combinations that would not do what they say."""
        if self.pick == "cyclic" and (self.active_set or self.threshold != "fixed"):
            raise ValueError(
                "pick='cyclic' visits every example in turn, without a test: "
                "it takes active_set=False and threshold='fixed'"
            )
        if self.threshold != "fixed" and not self.active_set:
            raise ValueError(
                f"threshold={self.threshold!r} needs active_set=True: without an active set the "
                "worst of all examples is taken whatever the threshold, so cooling changes nothing"
            )

    def loop(
        self, X: Any, y: np.ndarray, k: int, *, C: float, tol: float, kernel: KernelChoice
    ) -> Loop:
        """The loop at its start, all coefficients zero.

        X holds the examples; for a precomputed kernel or a function, the kernel matrix.
        """
        if self.core == "numpy":
            return self._reference(X, y, k, C, tol, kernel)
        rows = kernel.rows(X, self.storage)
        cache = self._cache(rows)
        reduced = OPTIMIZERS[self.optimizer](k)
        solution = State(y, k, C)
        if self.pick == "cyclic":
            return CyclicLoop(solution, cache, reduced, tol, self.passes)
        examples = ActiveSet if self.active_set else WorkingSet
        return KKTLoop(
            solution,
            cache,
            examples(solution, cache, SELECTIONS[self.selection]()),
            reduced,
            THRESHOLDS[self.threshold](tol),
            tol,
        )

    def _cache(self, rows: KernelRows) -> RowCache:
        if self.cache == "none":
            return RowCache(rows)
        fitting = rows.n if self.cache == "full" else self.cache_size * 2**20 / (8 * rows.n)
        return LRUCache(rows, int(max(1, min(fitting, rows.n))))

    def _reference(
        self, X: Any, y: np.ndarray, k: int, C: float, tol: float, kernel: KernelChoice
    ) -> ReferenceLoop:
        given = kernel.name == "precomputed" or callable(kernel.name)
        block = kernel.function()

        def row(p: int) -> np.ndarray:
            return X[p] + kernel.shift if given else block(X[[p]], X)[0]

        diagonal = X.diagonal() + kernel.shift if given else kernel.rows(X, self.storage).diagonal

        return ReferenceLoop(
            row,
            np.asarray(diagonal),
            y,
            k,
            C=C,
            tol=tol,
            pick=self.pick,
            threshold=self.threshold,
            optimizer=self.optimizer,
            active_set=self.active_set,
            passes=self.passes,
        )
