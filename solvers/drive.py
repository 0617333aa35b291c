"""Running a compiled loop in slices, until a certificate says that it is done.

Between two slices there is time for Ctrl-C, for limits and for a callback; the clock stands still
while a callback looks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from .certificate import Certificate
from .kernels import NO_VALUE
from .progress import Callback, Progress, Resuming, read_only, show
from .snapshot import Snapshot, joined, part_of

SLICE = 0.1  # seconds between two looks at the clock and at Ctrl-C
TIGHTEST = 1e-13
ROUNDING = 1e-12  # of (sum |a|)^2 max K: a squared norm that is less below 0 is no sign of anything
NEVER = 2**62


class Loop(Protocol):
    """An outer loop between its slices."""

    status: str
    n_iter: int
    last: int
    level: float
    coefficients: np.ndarray
    n_rows: int
    n_hits: int
    n_inner: int
    kernel_seconds: float

    @property
    def n_active(self) -> int:
        """The number of examples with a non-zero coefficient."""

    def run(self, until: int, seconds: float) -> str:
        """Go on to iteration ``until``, to the end, or for about ``seconds``."""

    def resume(self, f: np.ndarray) -> None:
        """Go on from scores computed from scratch."""

    def tighten(self, tightest: float) -> bool:
        """Ask for a tenth of the tolerance, unless that is below ``tightest``; go on then."""

    def snapshot(self) -> Snapshot:
        """The state of a loop that is running (`solvers.snapshot`)."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""


class Drive:
    """Runs one loop within its limits and shows it to the callback.

    Parameters
    ----------
    loop : Loop
        What is run.
    max_iter : int
        Iterations; -1 for no limit.
    time_limit : float or None
        Seconds, those given as ``seconds`` included.
    callback : callable or None
        See `solvers.progress`.
    seconds : float
        What the fit has taken already.
    between : callable or None
        Called between slices, which are then at most five passes over the training set long.

    Attributes
    ----------
    seconds : float
        Seconds of the fit so far, callbacks excluded.
    began : int
        The iteration at which the last call of ``run`` began.

    Raises
    ------
    ValueError
        If the callback has a state to go on from that is of another fit.
    """

    def __init__(
        self,
        loop: Loop,
        *,
        max_iter: int = -1,
        time_limit: float | None = None,
        callback: Callback | None = None,
        seconds: float = 0.0,
        between: Callable[[], None] | None = None,
    ) -> None:
        self.loop, self.callback, self.seconds, self.between = loop, callback, seconds, between
        self.last_iteration = max_iter if max_iter > 0 else NEVER
        self.time_limit = np.inf if time_limit is None else time_limit
        self.shape = tuple(loop.coefficients.shape)
        self.stretch = max(1000, 5 * self.shape[0]) if between else NEVER
        self.began, self.resumed = 0, False
        earlier = callback.earlier() if isinstance(callback, Resuming) else None
        if earlier is not None:
            self.restore(earlier)

    def run(self) -> str:
        """Run the loop to its end or to a limit; return why it ended."""
        if not self.resumed:
            self.began = self.loop.n_iter
        self.resumed = False
        checkpoint = self.look()
        while checkpoint is not None:
            status = self.slice(min(checkpoint, self.loop.n_iter + self.stretch))
            if status != "running":
                self.look(ended=True)
                return status
            if self.loop.n_iter >= checkpoint:
                checkpoint = self.look()
        return "callback"

    def slice(self, until: int) -> str:
        """Run for a short while, at most to iteration ``until``."""
        started = time.perf_counter()
        left = self.time_limit - self.seconds
        status = self.loop.run(min(until, self.last_iteration), min(SLICE, left))
        if self.between is not None:
            self.between()
        self.seconds += time.perf_counter() - started
        if status == "running":
            if self.loop.n_iter >= self.last_iteration:
                return "max_iter"
            if self.seconds >= self.time_limit:
                return "time_limit"
        return "max_iter" if status == "passes" else status

    def look(self, *, ended: bool = False) -> int | None:
        """Show the solver to the callback; the iteration of its next call, or None to stop."""
        if self.callback is None:
            return NEVER
        loop = self.loop
        progress = Progress(
            iteration=loop.n_iter,
            seconds=self.seconds,
            kernel_rows=loop.n_rows,
            cache_hits=loop.n_hits,
            active_set=loop.n_active,
            level=loop.level,
            last=loop.last,
            dual_coef=read_only(loop.coefficients),
            intercept=getattr(loop, "intercept", None),
            snapshot=None if ended else self.snapshot,
        )
        return show(self.callback, progress)

    def snapshot(self) -> Snapshot:
        """The state of the fit."""
        of_drive = {"seconds": self.seconds, "began": self.began}
        return {**self.what(), **of_drive, **joined(loop=self.loop.snapshot())}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state; the next call of ``run`` is a part of the one it was taken in."""
        mine = self.what()
        if any(state.get(name) != value for name, value in mine.items()):
            raise ValueError(
                "the state to go on from is of another fit: it is of "
                + ", ".join(f"{name} {state.get(name)}" for name in mine)
                + ", this one of "
                + ", ".join(str(value) for value in mine.values())
            )
        self.loop.restore(part_of(state, "loop"))
        self.seconds += float(state["seconds"])
        self.began, self.resumed = int(state["began"]), True

    def what(self) -> Snapshot:
        """What a state has to have in common with the fit that goes on from it."""
        n, k = self.shape
        return {"algorithm": type(self.loop).__name__, "n_samples": n, "n_columns": k}


def certified(
    drive: Drive,
    score: Callable[[np.ndarray], np.ndarray],
    certify: Callable[[np.ndarray, np.ndarray], Certificate],
    *,
    tol: float,
    gap_tol: float | None = None,
    largest: float = 1.0,
    tests: bool = True,
) -> tuple[str, Certificate]:
    """Run a loop until the certificate, not the loop, says that the criteria are met.

    Parameters
    ----------
    drive : Drive
        The loop with its limits.
    score : callable
        The scores (n x k) by coefficients, from scratch.
    certify : callable
        The certificate of coefficients and their scores.
    tol : float
        Violation, in margin units.
    gap_tol : float or None
        Relative duality gap, as a second criterion.
    largest : float
        max_i K(x_i, x_i).
    tests : bool
        Whether the loop tests optimality itself. One that does not makes its passes and ends.

    Returns
    -------
    status : str
    certificate : Certificate
    """
    loop: Any = drive.loop
    while True:
        status = drive.run()
        a = loop.coefficients
        started = time.perf_counter()
        f = score(a)
        certificate = certify(a, f)
        check_value(certificate, a, largest)
        if not tests and status == "max_iter" and certificate.violation <= tol:
            return "converged", certificate
        # What counts are the criteria: not running scores, nor a tolerance that was tightened.
        enough = gap_tol is None or certificate.gap <= gap_tol
        if status == "stalled" and enough and certificate.violation <= tol:
            return "converged", certificate
        if status != "converged":
            return status, certificate
        met = certificate.violation <= tol * (1 + 1e-6)
        if met and enough:
            return status, certificate
        if drive.seconds >= drive.time_limit:
            return "time_limit", certificate
        if met:
            if not loop.tighten(TIGHTEST):
                return "stalled", certificate
        elif loop.n_iter == drive.began:  # fresh scores did not help: rounding is the limit
            return "stalled", certificate
        else:
            loop.resume(f)
        drive.seconds += time.perf_counter() - started  # a look that the solver needed


def check_value(certificate: Certificate, coefficients: np.ndarray, largest: float) -> None:
    """Refuse a solution without a value, and a kernel that turns out to be indefinite.

    Raises
    ------
    ValueError
        Saying which.
    """
    finite = [certificate.squared_norm, certificate.dual, certificate.violation]
    if not np.isfinite(finite).all() or np.isnan(certificate.primal):
        raise ValueError(NO_VALUE)
    # Rounding leaves some n eps of the sum of |a_i| K_ij |a_j|; below it K is indefinite.
    size = float(np.abs(coefficients).sum())
    if certificate.squared_norm < -ROUNDING * size * size * largest:
        raise ValueError(
            "the kernel is indefinite: the squared norm of the solution is "
            f"{certificate.squared_norm:.3g}; a support vector machine needs a kernel "
            "that is positive semidefinite"
        )
