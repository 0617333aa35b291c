"""The linear-programming machine of Weston & Watkins (1998)."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import numpy as np

from .drive import NEVER
from .kernel_machine import KernelMachine
from .linear_program_growth import Growth, Valued
from .problems import LinearProgram
from .progress import Callback, Progress, read_only, show
from .validation import check_margin


class LinearProgramSVC(KernelMachine):
    """k-class linear-programming machine of Weston & Watkins.

    Each class is scored by its own training examples alone, f_r(x) = sum_{j: y_j = r} alpha_j
    K(x, x_j) + b_r, with few of them:

        min  sum_i alpha_i + C sum_i sum_{m != y_i} xi_i^m
        s.t. f_{y_i}(x_i) - f_m(x_i) >= margin - xi_i^m,   alpha_i >= 0,   xi_i^m >= 0

    (WW98 section 6), a linear program; the class of x is that of the largest score. It is solved
    exactly, by programs that grow (`solvers.linear_program_growth`), with HiGHS.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the slacks, greater than 0; inf for none (a hard margin). Coefficients that sum
        to more than 10^8 margins in units of the mean kernel value count as no separation.
    kernel : {"linear", "poly", "rbf", "precomputed"} or callable, default="rbf"
        <x, z>; (gamma <x, z> + coef0)^degree; exp(-gamma ||x - z||^2); the kernel matrix in place
        of X; or a function that gives the block K(A, B) for two blocks of examples. It may be any
        function of two examples: neither positive semidefinite nor symmetric.
    gamma : {"scale", "auto"} or float, default="scale"
        "scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features.
    degree : float, default=3
    coef0 : float, default=0.0
    margin : {2, 1}, default=2
        What the score of the own class shall exceed the others by; 2 is the paper's.
    tol : float, default=1e-6
        The fit ends when the violation is not above it: margins in their own units, prices of
        coefficients relative to their cost (see `solvers.problems.LinearProgram`).
    gap_tol : float or None, default=None
        If given, the fit ends only when the relative duality gap is not above it either.
    max_iter : int, default=-1
        Rounds, that is, restricted programs solved; -1 for no limit.
    time_limit : float or None, default=None
        Seconds after which the fit ends with the best solution that it has.
    random_state : int, RandomState instance or None, default=None
        Not used: nothing is drawn.
    callback : callable or None, default=None
        callback(progress) is called at the start, after rounds and at the end, with the clock
        stopped; a true result ends the fit. See `solvers.progress`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    support_ : ndarray of shape (n_support,)
        Indices of the examples with alpha_i > 0. The solution is a vertex of the program, with
        true zeros; below 10^-12 of the largest alpha a value is rounding and set to 0.
    support_vectors_ : ndarray or CSR array of shape (n_support, n_features)
        Empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (n_support, n_classes)
        alpha_i in the column of the example's own class, 0 in the others.
    intercept_ : ndarray of shape (n_classes,)
        The biases b_r. The program determines them up to a constant; their mean is 0.
    coef_ : ndarray of shape (n_classes, n_features)
        The weights of the classes; linear kernel only.
    multipliers_ : ndarray of shape (n_samples, n_classes)
        The dual variables u_i^m of the margins, 0 for the own class; they prove the dual objective.
    primal_objective_, dual_objective_, duality_gap_, kkt_violation_ : float
        Recomputed from alpha, b and u in float64; the gap is (P - D) / P, 1 where P is infinite.
    n_iter_ : int
        Rounds.
    n_inner_iter_ : int
        Iterations of HiGHS in them.
    n_kernel_rows_ : int
        Kernel values computed, in rows of n_samples.
    fit_time_, kernel_time_ : float
        Seconds of the fit without callbacks, and those of its kernel values.
    gamma_ : float
        The number used for `gamma`.
    status_ : {"converged", "max_iter", "time_limit", "stalled", "callback"}
        Why the fit ended. "stalled": the program is solved as far as double precision goes, and
        that is not as far as `tol` and `gap_tol` ask for; "callback": it said so.

    Warns
    -----
    ConvergenceWarning
        If the fit ended before `tol` (and `gap_tol`) was reached; it names the gap reached.

    Raises
    ------
    ValueError
        For parameters or data that make no sense; for C=inf, if this machine cannot separate the
        examples.

    Notes
    -----
    The kernel matrix is not held. A restricted program holds the kernel values of its margins and
    coefficients, two classes' for each margin.

    References
    ----------
    WW98: J. Weston and C. Watkins, "Multi-class Support Vector Machines", Technical Report
    CSD-TR-98-04, Royal Holloway, University of London, 1998.

    Examples
    --------
    >>> from mcbench import LinearProgramSVC
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = LinearProgramSVC(C=10, gamma=0.5).fit(X, y)
    >>> machine.status_, bool(machine.duality_gap_ < 1e-6), len(machine.support_) < 20
    ('converged', True, True)
    """

    symmetric_kernel: ClassVar[bool] = False

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: Any = "rbf",
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        margin: float = 2,
        tol: float = 1e-6,
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
        self.margin = margin
        self.tol = tol
        self.gap_tol = gap_tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.random_state = random_state
        self.callback = callback

    def problem(self) -> LinearProgram:
        """The problem that the parameters stand for."""
        return LinearProgram(float(self.C), float(self.margin))

    def check_parameters(self) -> None:
        """Refuse parameters that make no sense, before any work.

        Raises
        ------
        ValueError
            With the allowed values, or the reason.
        """
        self._check_common()
        check_margin(self.margin)

    def fit(self, X: Any, y: Any) -> LinearProgramSVC:
        """Train the machine.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            The examples; for kernel="precomputed" the kernel matrix, (n_samples, n_samples), with
            K(x_i, x_j) in row i.
        y : array of shape (n_samples,)
            Labels of any kind, at least two different ones.
        """
        self.check_parameters()
        training = self._read(X, y)
        started = time.perf_counter()
        growth = Growth(training, self.problem())
        self.status_, found, seconds = self._run(growth, time.perf_counter() - started)
        self._keep_certificate(found.certificate)
        self.multipliers_ = found.solution.multipliers
        self.n_iter_ = growth.rounds
        self.n_inner_iter_ = growth.iterations
        self.n_kernel_rows_ = growth.blocks.n_rows
        self.kernel_time_ = growth.blocks.seconds
        self.fit_time_ = seconds
        self._keep_model(training, found.solution.dual_coef, found.solution.intercept)
        self._warn()
        return self

    def _run(self, growth: Growth, seconds: float) -> tuple[str, Valued, float]:
        """Solve and grow to the end or a limit; why it ended, with what, after what time."""
        limit = np.inf if self.time_limit is None else float(self.time_limit)
        checkpoint = self._look(growth, growth.latest, seconds)
        while checkpoint is not None:
            started = time.perf_counter()
            status = self._round(growth, limit - seconds)
            seconds += time.perf_counter() - started
            found = growth.latest if status == "converged" else growth.best()
            if status != "running":
                self._look(growth, found, seconds)
                return status, found, seconds
            if growth.rounds >= checkpoint:
                checkpoint = self._look(growth, found, seconds)
        return "callback", growth.best(), seconds

    def _round(self, growth: Growth, seconds: float) -> str:
        """One round within the seconds that are left; why it was the last, or "running"."""
        step = growth.step(seconds) if seconds > 0.0 else "time_limit"
        if step != "solved":
            return step
        value = growth.latest.certificate
        if value.violation <= self.tol and (self.gap_tol is None or value.gap <= self.gap_tol):
            return "converged"
        if not growth.grow():
            return "stalled"
        return "max_iter" if growth.rounds == self.max_iter else "running"

    def _look(self, growth: Growth, found: Valued, seconds: float) -> int | None:
        """Show a solution to the callback; the round of its next call, or None to stop."""
        if self.callback is None:
            return NEVER
        solution = found.solution
        progress = Progress(
            iteration=growth.rounds,
            seconds=seconds,
            kernel_rows=growth.blocks.n_rows,
            cache_hits=0,
            active_set=int(np.count_nonzero(solution.dual_coef)),
            level=0.0,
            last=-1,
            dual_coef=read_only(solution.dual_coef),
            intercept=read_only(solution.intercept),
            multipliers=read_only(solution.multipliers),
        )
        return show(self.callback, progress)
