"""What the multiclass machines made of binary ones share: parameters, and training them all."""

from __future__ import annotations

import time
import warnings
from abc import abstractmethod
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import joblib
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import hard_margin
from .binary import BinaryCore, BinaryMachine, LibSVM, PatternCore, two_sides
from .certificate import BLOCK_VALUES, Solution
from .drive import NEVER, check_value
from .hard_margin import InseparableError
from .kernel_machine import KernelMachine
from .problems.binary import BinaryMachines, total
from .progress import Callback, Progress, read_only, show
from .training import Training
from .validation import check_choice, check_number

CORES: dict[str, Any] = {"libsvm": LibSVM, "pattern": PatternCore}
BIASES = ("exact", "none", "penalized")
ENDS = ("time_limit", "max_iter", "stalled", "converged")  # the worst one first
REASONS = {
    "libsvm": "it has a bias outside the norm and no other; the others are of solver='pattern'",
    "pattern": "it changes one example at a time, and the equality constraint of a bias outside "
    "the norm forbids that; give solver='libsvm', or another bias",
}


class BinarySchemeSVC(KernelMachine):
    """Base of the machines that train one binary machine for each column of a code matrix.

    A subclass states its problem, which has the code matrix, and turns the scores of the binary
    machines into those of the classes.
    """

    #: Whether so many machines see each example that the kernel matrix is computed beforehand,
    #: where `cache_size` allows.
    shares_kernel: ClassVar[bool] = False

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: Any = "rbf",
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        bias: str = "exact",
        solver: str = "libsvm",
        cache_size: float = 200.0,
        n_jobs: int | None = None,
        tol: float = 1e-3,
        gap_tol: float | None = None,
        max_iter: int = -1,
        time_limit: float | None = None,
        random_state: Any = None,
        callback: Callback | None = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.bias = bias
        self.solver = solver
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.tol = tol
        self.gap_tol = gap_tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.random_state = random_state
        self.callback = callback

    @abstractmethod
    def problem(self) -> BinaryMachines:
        """The optimization problems that the parameters stand for."""

    def check_parameters(self) -> BinaryCore:
        """Refuse parameters that make no sense, before any work; return the chosen core.

        Raises
        ------
        ValueError
            With the allowed values, or the reason.
        """
        self._check_common()
        check_choice("solver", self.solver, CORES)
        check_choice("bias", self.bias, BIASES)
        if (self.solver == "libsvm") != (self.bias == "exact"):
            raise ValueError(
                f"solver={self.solver!r} cannot have bias={self.bias!r}: {REASONS[self.solver]}"
            )
        check_number("cache_size", self.cache_size, above=0)
        check_number("n_jobs", self.n_jobs, integer=True, also=(None,))
        if self.n_jobs == 0:
            raise ValueError("n_jobs=0 trains nothing: give 1 or more, -1 for all processors")
        core: BinaryCore = CORES[self.solver](
            C=float(self.C),
            tol=float(self.tol),
            gap_tol=self.gap_tol,
            max_iter=self.max_iter,
            cache_size=self.cache_size,
        )
        return core

    def fit(self, X: Any, y: Any) -> Self:
        """Train the binary machines.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            The examples; for kernel="precomputed" the kernel matrix, (n_samples, n_samples).
        y : array of shape (n_samples,)
            Labels of any kind, at least two different ones.
        """
        core = self.check_parameters()
        given = self._read(X, y)
        problem = self.problem()
        codes = problem.codes(given.k)[given.y]
        if np.inf == self.C and self.bias == "none":
            hard_margin.check_diagonal(given.diagonal)
        watch = Watch()
        training = self._with_shared_kernel(given, core)
        kernel_seconds = watch.seconds
        work = Work(*codes.shape)
        with warnings.catch_warnings():  # libsvm's: the status says it, and `_warn` at the end
            warnings.simplefilter("ignore", ConvergenceWarning)
            stopped = self._train(training, codes, core, watch, work)
        self.fit_time_ = watch.seconds
        self.status_ = "callback" if stopped else work.status

        intercept = work.intercept if self.bias == "exact" else 0.0
        solution = Solution(work.a, intercept)
        certificates = problem.machines(
            solution, training.y, lambda a: machine_scores(training, codes, a)
        )
        largest = float(given.diagonal.max())
        for certificate, a in zip(certificates, work.a.T, strict=True):
            check_value(certificate, a, largest)
        self._keep_certificate(total(certificates))
        if self.status_ == "converged" and self.kkt_violation_ > self.tol * (1 + 1e-6):
            self.status_ = "stalled"  # libsvm's single precision is the limit
        self.n_iter_ = sum(machine.n_iter for machine in work.machines)
        self.n_binary_machines_ = len(work.machines)
        self.n_kernel_rows_ = work.n_rows if core.counts_rows else None
        tells = core.counts_rows or training.kernel.name == "precomputed"
        self.kernel_time_ = kernel_seconds + work.kernel_seconds if tells else None
        self._keep_model(given, work.a, intercept)  # last: from here on it is fitted
        self._warn()
        return self

    def _with_shared_kernel(self, training: Training, core: BinaryCore) -> Training:
        """The training set as the binary machines take it: with its kernel matrix if that pays."""
        fits = 8 * len(training.y) ** 2 <= self.cache_size * 2**20
        if (
            callable(training.kernel.name)
            or core.needs_matrix(training.kernel)
            or (self.shares_kernel and fits)
        ):
            return training.with_matrix()
        return training

    def _train(
        self, training: Training, codes: np.ndarray, core: BinaryCore, watch: Watch, work: Work
    ) -> bool:
        """Train the machines in order; whether the callback ended it."""
        limit = np.inf if self.time_limit is None else self.time_limit

        def train(c: int) -> BinaryMachine | None:
            left = limit - watch.seconds
            if left <= 0.0:
                return None
            try:
                return core.fit(two_sides(training, codes[:, c]), left)
            except InseparableError as error:
                raise InseparableError(f"{sides(training, codes[:, c])}: {error}") from None

        checkpoint = self._look(watch, work)
        if checkpoint is None:
            return True
        # Threads do: both cores let go of the interpreter while they work.
        machines: Generator[BinaryMachine | None] = joblib.Parallel(
            n_jobs=self.n_jobs, backend="threading", return_as="generator"
        )(joblib.delayed(train)(c) for c in range(codes.shape[1]))
        for c, machine in enumerate(machines):
            work.keep(c, codes[:, c] != 0, machine)
            if checkpoint <= work.n_done < codes.shape[1]:
                checkpoint = self._look(watch, work)
                if checkpoint is None:
                    machines.close()
                    return True
        self._look(watch, work)
        return False

    def _look(self, watch: Watch, work: Work) -> int | None:
        """Show the machines to the callback; how many are there at its next call, None to stop."""
        if self.callback is None:
            return NEVER
        with watch.paused():
            progress = work.progress(watch.seconds, outside=self.bias == "exact")
            return show(self.callback, progress)


class Watch:
    """Seconds since it was made, without those for which it was paused."""

    def __init__(self) -> None:
        self._started = time.perf_counter()

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        return time.perf_counter() - self._started

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let the clock stand still meanwhile."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._started += time.perf_counter() - began


class Work:
    """What has been trained so far.

    Parameters
    ----------
    n : int
        Training examples.
    n_machines : int
        Binary machines to be trained.

    Attributes
    ----------
    a : ndarray of shape (n, n_machines)
        The coefficients; 0 for machines that are not trained.
    intercept : ndarray of shape (n_machines,)
    machines : list of BinaryMachine
        Those trained, in their order.
    """

    def __init__(self, n: int, n_machines: int) -> None:
        self.a = np.zeros((n, n_machines))
        self.intercept = np.zeros(n_machines)
        self.machines: list[BinaryMachine] = []

    def keep(self, c: int, seen: np.ndarray, machine: BinaryMachine | None) -> None:
        """Take in machine c, which saw these examples; None where its time had run out."""
        if machine is not None:
            self.a[seen, c] = machine.a
            self.intercept[c] = machine.intercept
            self.machines.append(machine)

    @property
    def n_done(self) -> int:
        """Machines trained."""
        return len(self.machines)

    @property
    def n_rows(self) -> int:
        """Kernel rows computed, as far as the core tells."""
        return sum(machine.n_rows for machine in self.machines)

    @property
    def kernel_seconds(self) -> float:
        """Seconds of kernel values, as far as the core tells."""
        return sum(machine.kernel_seconds for machine in self.machines)

    @property
    def status(self) -> str:
        """The worst end of any machine; "time_limit" where some were not begun."""
        ends = {machine.status for machine in self.machines}
        if self.n_done < len(self.intercept):
            ends.add("time_limit")
        return next(end for end in ENDS if end in ends)

    def progress(self, seconds: float, *, outside: bool) -> Progress:
        """What a callback is shown; ``outside``: there is a bias outside the norm."""
        return Progress(
            iteration=self.n_done,
            seconds=seconds,
            kernel_rows=self.n_rows,
            cache_hits=0,
            active_set=int(np.count_nonzero(np.any(self.a != 0.0, axis=1))),
            level=0.0,
            last=self.n_done - 1,
            dual_coef=read_only(self.a),
            intercept=self.intercept.copy() if outside else None,
        )


def sides(training: Training, code: np.ndarray) -> str:
    """What a binary machine is about, in words."""
    positive, negative = (training.classes[np.unique(training.y[code == s])] for s in (1, -1))
    others = f"class {negative[0]}" if len(negative) == 1 else "the others"
    return f"class {positive[0]} against {others}"


def machine_scores(training: Training, codes: np.ndarray, a: np.ndarray) -> np.ndarray:
    """The scores of each machine, without its bias outside the norm, for the examples it saw.

    Parameters
    ----------
    training : Training
    codes : ndarray of shape (n, c)
        The code of each example for each machine, 0 where the machine did not see it.
    a : ndarray of shape (n, c)

    Returns
    -------
    ndarray of shape (n, c)
        Where a machine did not see an example, anything.
    """
    if codes.all() or len(codes) ** 2 <= BLOCK_VALUES:  # at once is quicker than one by one
        return training.score(a)
    f = np.zeros(a.shape)
    for c in range(a.shape[1]):
        seen = codes[:, c] != 0
        f[seen, c] = two_sides(training, codes[:, c]).score(a[seen, c : c + 1])[:, 0]
    return f
