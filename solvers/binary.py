"""One binary machine, by either of two cores.

    min  1/2 ||w||^2 + C sum_i xi_i   s.t.  y_i f(x_i) >= 1 - xi_i,  xi_i >= 0

with y_i = 1 or -1. ``LibSVM`` has f(x) = <w, x> + b with a bias outside the norm; ``PatternCore``
has none, or one inside the norm, which is the kernel K + 1. Both take a training set whose class
1 is the positive side.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp
from sklearn.svm import SVC

from . import hard_margin
from .certificate import Certificate
from .drive import TIGHTEST, Drive, certified
from .kernels import KernelChoice
from .pattern import Pattern
from .problems.binary import certify_machine
from .training import Training

FIRST = 1000  # iterations of LIBSVM before the first look at the time
SHARE = 0.5  # of the time left, for one more training
ROUGH = 0.1  # violation at which the hard margin that bounds libsvm's C is known well enough


@dataclass(frozen=True)
class BinaryMachine:
    """A trained machine.

    Attributes
    ----------
    a : ndarray of shape (m,)
        The coefficients y_i alpha_i.
    intercept : float
        The bias outside the norm; 0 where there is none.
    status : {"converged", "max_iter", "time_limit", "stalled"}
    n_iter : int
    n_rows : int
        Kernel rows computed, as far as the core tells.
    kernel_seconds : float
        Seconds of its kernel values, as far as the core tells.
    """

    a: np.ndarray
    intercept: float
    status: str
    n_iter: int
    n_rows: int = 0
    kernel_seconds: float = 0.0


class BinaryCore(Protocol):
    """Trains binary machines."""

    counts_rows: bool

    def needs_matrix(self, kernel: KernelChoice) -> bool:
        """Whether this kernel has to be given as its matrix."""

    def fit(self, training: Training, time_limit: float) -> BinaryMachine:
        """Train the machine that has class 1 on its positive side, in about so many seconds."""


@dataclass(frozen=True)
class PatternCore:
    """Without a bias outside the norm: the machine of Crammer & Singer for two classes.

    With two classes, w_0 = -w_1 and coefficients a_i1 = -a_i0, so w = w_1 - w_0 has the
    coefficients a_i1 - a_i0; the problem with C / 2 is half the binary one with C, and the
    violation is the same number.
    """

    C: float
    tol: float
    gap_tol: float | None
    max_iter: int
    cache_size: float
    counts_rows = True

    def needs_matrix(self, kernel: KernelChoice) -> bool:  # noqa: ARG002 (one signature)
        """No: all kernels with a name are compiled."""
        return False

    def fit(self, training: Training, time_limit: float) -> BinaryMachine:
        """Train the machine; it ends within its time."""
        started = time.perf_counter()
        sign = signs(training)
        loop = self._loop(training)
        stretch, largest = None, float(training.diagonal.max())
        if np.inf == self.C:
            stretch = partial(hard_margin.stretch, loop, training.y, 1.0, largest)

        def certify(a: np.ndarray, f: np.ndarray) -> Certificate:
            return certify_machine(difference(a), difference(f), 0.0, sign, self.C, exact=False)

        drive = Drive(
            loop,
            max_iter=self.max_iter,
            time_limit=time_limit,
            seconds=time.perf_counter() - started,
            between=stretch,
        )
        status, _ = certified(
            drive, training.score, certify, tol=self.tol, gap_tol=self.gap_tol, largest=largest
        )
        return BinaryMachine(
            difference(loop.coefficients),
            0.0,
            status,
            loop.n_iter,
            loop.n_rows,
            loop.kernel_seconds,
        )

    def _loop(self, training: Training) -> Any:
        """The quickest of the pattern family, at its start."""
        algorithm = Pattern(cache_size=self.cache_size)
        return algorithm.loop(
            training.gram, training.y, 2, C=self.C / 2, tol=self.tol, kernel=training.kernel
        )


@dataclass(frozen=True)
class LibSVM:
    """With a bias outside the norm: LIBSVM, as scikit-learn's SVC has it.

    It holds kernel values in single precision, and its iterations cannot be interrupted. So where
    time is limited a few of them are timed first, and it is trained anew with as many as half of
    the time left has room for. A wanted duality gap is reached by training again with a tenth of
    the tolerance.

    A hard margin has no bound on the multipliers, but it has a solution whose multipliers are
    small enough: they add up to ||w*||^2, half of it on either side, so none is above
    1/2 ||w*||^2. That is not above 1/2 ||(w, b)||^2 of any other machine that keeps the margin,
    such as the one with K + 1, which the pattern core finds or proves impossible. Its primal is
    therefore a C that changes nothing; twice as much leaves room for rounding.
    """

    C: float
    tol: float
    gap_tol: float | None
    max_iter: int
    cache_size: float
    counts_rows = False

    def needs_matrix(self, kernel: KernelChoice) -> bool:
        """Whether LIBSVM lacks the kernel: it knows whole degrees only."""
        return kernel.name == "poly" and not float(kernel.degree).is_integer()

    def fit(self, training: Training, time_limit: float) -> BinaryMachine:
        """Train the machine; the time is looked at before each new beginning."""
        stop = time.perf_counter() + time_limit
        C, before = self.C, 0
        if np.inf == C:
            bounding, status, before = self._bound(training, time_limit)
            if status != "converged":
                return BinaryMachine(np.zeros(len(training.y)), 0.0, status, before)
            C = 2.0 * bounding
        sign, tol = signs(training), self.tol
        while True:
            machine = self._in_time(training, C, tol, stop)
            before += machine.n_iter
            machine = replace(machine, n_iter=before)
            if self.gap_tol is None or machine.status != "converged":
                return machine
            wx = training.score(machine.a[:, np.newaxis])[:, 0]
            certificate = certify_machine(
                machine.a, wx, machine.intercept, sign, self.C, exact=True
            )
            if certificate.gap <= self.gap_tol:
                return machine
            tol /= 10.0
            if tol < TIGHTEST:
                return replace(machine, status="stalled")
            if time.perf_counter() >= stop:
                return replace(machine, status="time_limit")

    def _in_time(self, training: Training, C: float, tol: float, stop: float) -> BinaryMachine:
        """Train, with bounds on the iterations that the time has room for."""
        # LIBSVM's own bound, which scikit-learn leaves out: it might go on for ever.
        most = self.max_iter if self.max_iter > 0 else max(10_000_000, 100 * len(training.y))
        allowed = most if stop == np.inf else min(most, FIRST)
        done = 0
        while True:
            began = time.perf_counter()
            machine = self._train(training, C, tol, allowed)
            now = time.perf_counter()
            done += machine.n_iter
            machine = replace(machine, n_iter=done)
            if machine.status == "converged" or allowed == most:
                return machine
            # The first iterations are the slowest: few of their kernel rows are in the cache.
            more = SHARE * allowed * (stop - now) / (now - began)
            if more < allowed:
                return replace(machine, status="time_limit")
            allowed = min(most, int(more))

    def _train(self, training: Training, C: float, tol: float, allowed: int) -> BinaryMachine:
        """Call LIBSVM once."""
        kernel, m = training.kernel, len(training.y)
        svc = SVC(
            C=C,
            kernel=kernel.name,
            gamma=kernel.gamma,
            degree=int(kernel.degree),
            coef0=kernel.coef0,
            tol=tol,
            cache_size=self.cache_size,
            max_iter=allowed,
        )
        try:
            svc.fit(narrow(training.X), training.y)
        except ValueError as error:  # all else has been checked
            raise ValueError(
                f"LIBSVM, which holds kernel values in single precision, gave up ({error}): scale "
                "the data, or give solver='pattern'"
            ) from error
        a = np.zeros(m)
        a[svc.support_] = sp.csr_array(svc.dual_coef_).toarray()[0]
        return BinaryMachine(
            a,
            float(svc.intercept_[0]),
            "max_iter" if svc.fit_status_ else "converged",
            int(svc.n_iter_[0]),
        )

    def _bound(self, training: Training, time_limit: float) -> tuple[float, str, int]:
        """A bound for the multipliers of the hard margin, how it ended, and its iterations."""
        penalized = replace(training, kernel=replace(training.kernel, bias="penalized"))
        core = PatternCore(np.inf, ROUGH, None, self.max_iter, self.cache_size)
        machine = core.fit(penalized, time_limit)
        wx = penalized.score(machine.a[:, np.newaxis])[:, 0]
        primal = certify_machine(machine.a, wx, 0.0, signs(training), np.inf, exact=False).primal
        return primal, machine.status, machine.n_iter


def signs(training: Training) -> np.ndarray:
    """y_i as 1 and -1."""
    return np.where(training.y == 1, 1.0, -1.0)


def difference(columns: np.ndarray) -> np.ndarray:
    """The column of class 1 less that of class 0."""
    return np.asarray(columns[:, 1] - columns[:, 0])


def narrow(X: Any) -> Any:
    """X with the 32-bit indices that LIBSVM's sparse matrices have."""
    if not sp.issparse(X):
        return X
    indices, indptr = (part.astype(np.int32, copy=False) for part in (X.indices, X.indptr))
    return sp.csr_matrix((X.data, indices, indptr), shape=X.shape)


def two_sides(training: Training, code: np.ndarray) -> Training:
    """The training set of one binary machine.

    Parameters
    ----------
    training : Training
    code : ndarray of shape (n,)
        1 and -1 for the examples of the positive and the negative side, 0 for the others.
    """
    seen = np.flatnonzero(code)
    X = training.X
    if len(seen) < len(code):
        X = X[np.ix_(seen, seen)] if training.kernel.name == "precomputed" else X[seen]
    y = (code[seen] > 0).astype(np.intp)
    return Training(X, y, np.array([0, 1]), training.kernel, X)
