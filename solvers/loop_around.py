"""A loop around a loop: what it tells of itself is what the inner one tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from .snapshot import Snapshot, joined, part_of, put, told


class LoopAround:
    """Base of the loops that do something now and then beside an inner one (`solvers.drive.Loop`).

    Attributes
    ----------
    inner : Loop
        One example after the other.
    STATE : tuple of str
        What the outer loop remembers, as attributes.
    """

    inner: Any
    STATE: ClassVar[tuple[str, ...]] = ()

    @property
    def coefficients(self) -> np.ndarray:
        """The n x k coefficients."""
        return self.inner.coefficients

    def snapshot(self) -> Snapshot:
        """The state of both loops."""
        return {**told(self, self.STATE), **joined(inner=self.inner.snapshot())}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        put(self, self.STATE, state)
        self.inner.restore(part_of(state, "inner"))

    @property
    def n_iter(self) -> int:
        """Examples optimized."""
        return self.inner.n_iter

    @property
    def last(self) -> int:
        """The example of the last iteration, -1 before the first."""
        return self.inner.last

    @property
    def level(self) -> float:
        """The threshold in force."""
        return self.inner.level

    @property
    def n_active(self) -> int:
        """The number of examples with a non-zero coefficient."""
        return self.inner.n_active

    @property
    def n_rows(self) -> int:
        """Kernel rows computed."""
        return self.inner.n_rows

    @property
    def n_hits(self) -> int:
        """Kernel rows found in the cache."""
        return self.inner.n_hits

    @property
    def n_inner(self) -> int:
        """Iterations of the optimizer of the reduced problem."""
        return self.inner.n_inner

    @property
    def kernel_seconds(self) -> float:
        """Seconds spent on kernel values."""
        return self.inner.kernel_seconds
