"""The machines that a loop trains, one example after the other."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from .certificate import Certificate, Solution
from .drive import Drive, Loop, certified
from .kernel_machine import KernelMachine
from .training import Training


class LoopMachine(KernelMachine):
    """Base: drives a loop until its solution is certified, and keeps what came of it."""

    def _fit_loop(
        self,
        training: Training,
        loop: Loop,
        started: float,
        *,
        between: Callable[[], None] | None = None,
        tests: bool = True,
    ) -> None:
        """Run a loop and set the attributes of the fitted machine.

        Parameters
        ----------
        training : Training
        loop : Loop
            At its start; a bias outside the norm is its ``intercept``.
        started : float
            When the fit began, by `time.perf_counter`.
        between, tests
            As for `solvers.drive.Drive` and `solvers.drive.certified`.
        """
        problem = self.problem()
        drive = Drive(
            loop,
            max_iter=self.max_iter,
            time_limit=self.time_limit,
            callback=self.callback,
            seconds=time.perf_counter() - started,
            between=between,
        )

        def certify(a: np.ndarray, f: np.ndarray) -> Certificate:
            return problem.certify(Solution(a, bias_of(loop)), training.y, lambda _: f)

        self.status_, certificate = certified(
            drive,
            training.score,
            certify,
            tol=self.tol,
            gap_tol=self.gap_tol,
            largest=float(training.diagonal.max()),
            tests=tests,
        )
        self._keep_certificate(certificate)
        self.n_iter_ = loop.n_iter
        self.n_inner_iter_ = loop.n_inner
        self.n_kernel_rows_ = loop.n_rows
        self.n_cache_hits_ = loop.n_hits
        self.kernel_time_ = loop.kernel_seconds
        self.fit_time_ = drive.seconds
        self.n_samples_fit_ = len(training.y)
        bias = bias_of(loop)
        # Last: from here on it is fitted.
        self._keep_model(training, loop.coefficients, bias - np.mean(bias))


def bias_of(loop: Loop) -> np.ndarray:
    """The bias outside the norm that a loop moves; 0 where it moves none."""
    return np.asarray(getattr(loop, "intercept", 0.0))
