"""What a solver shows to a callback, and when."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

GROWTH = 1.25


@dataclass(frozen=True)
class Progress:
    """A solver between two iterations; its clock stands still while a callback looks.

    Attributes
    ----------
    iteration : int
        Iterations done.
    seconds : float
        Seconds since the start of the fit, callbacks excluded.
    kernel_rows, cache_hits : int
        Kernel rows computed, and found in the cache.
    active_set : int
        Examples with a non-zero coefficient.
    level : float
        The threshold in force (0 where there is none).
    last : int
        The example of the last iteration, -1 before the first.
    dual_coef : ndarray of shape (n_samples, n_classes)
        The coefficients, one row for each training example; a read-only view, to be copied if kept.
    intercept : ndarray or None
        The bias outside the norm, where the machine has one.
    multipliers : ndarray of shape (n_samples, n_classes) or None
        Dual variables, where the coefficients are not (the linear program).
    snapshot : callable or None
        Gives the state of the fit, from which another one goes on (see `Resuming`): a new mapping
        from names to arrays and plain values (`solvers.snapshot`). None where the solver has no
        such state, and at the end, where nothing is left but the certificate.
    """

    iteration: int
    seconds: float
    kernel_rows: int
    cache_hits: int
    active_set: int
    level: float
    last: int
    dual_coef: np.ndarray
    intercept: np.ndarray | None = None
    multipliers: np.ndarray | None = None
    snapshot: Callable[[], dict[str, Any]] | None = None


class Callback(Protocol):
    """Called at iteration 0, at checkpoints and at the end; a true result stops the fit."""

    def __call__(self, progress: Progress, /) -> bool | None:
        """Look at the solver."""


@runtime_checkable
class Schedule(Protocol):
    """A callback that says itself when it wants to be called next."""

    def next_checkpoint(self, iteration: int, seconds: float) -> int:
        """The iteration of the next call, greater than this one."""


@runtime_checkable
class Resuming(Protocol):
    """A callback that has a state for the fit to go on from, in place of the start.

    The data, the parameters and the number of threads have to be those of the fit that the state is
    of; the model is then the same to the last bit. The first call is where the state was taken. A
    hard margin (C = inf) and a `time_limit` heed the clock, in a fit without interruption also.
    """

    def earlier(self) -> Mapping[str, Any] | None:
        """What ``progress.snapshot()`` gave; None to begin at the start."""


def show(callback: Callback, progress: Progress) -> int | None:
    """Show a solver to a callback; the iteration of its next call, or None to stop."""
    return None if callback(progress) else next_checkpoint(callback, progress)


def read_only(values: Any) -> np.ndarray:
    """A view that refuses to be written to."""
    view = np.asarray(values).view()
    view.flags.writeable = False
    return view


def next_checkpoint(callback: Callback, progress: Progress) -> int:
    """The iteration of the next call: the callback's own word, else 1.25 times as many."""
    if isinstance(callback, Schedule):
        wanted = callback.next_checkpoint(progress.iteration, progress.seconds)
    else:
        wanted = math.ceil(progress.iteration * GROWTH)
    return max(wanted, progress.iteration + 1)
