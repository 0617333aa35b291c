"""The quadratic machine of Weston & Watkins (1998)."""

from __future__ import annotations

import time
from functools import partial
from typing import Any, ClassVar

import numpy as np

from . import hard_margin, pattern
from .block import block_loop
from .core.cooling import Logarithmic
from .core.kkt_loop import KKTLoop
from .core.row_cache import LRUCache, rows_within
from .core.weston_watkins import BoxProblem, BoxState, BoxViolation
from .core.working_set import ActiveSet
from .exact_bias import ExactBias
from .free_set import FreeSetLoop
from .loop_machine import LoopMachine
from .problems import WestonWatkins
from .progress import Callback
from .training import Training
from .validation import check_bool, check_choice, check_margin, check_number

BIASES = ("none", "penalized", "exact")
SOLVERS = ("block", "pattern")


class WestonWatkinsSVC(LoopMachine):
    """Multiclass kernel support vector machine of Weston & Watkins.

    One weight vector w_m for each class, all trained together, with a slack for each example and
    each wrong class:

        min  1/2 sum_m ||w_m||^2 + C sum_i sum_{m != y_i} xi_i^m
        s.t. f_{y_i}(x_i) - f_m(x_i) >= margin - xi_i^m,   xi_i^m >= 0   for all i and m != y_i

    with f_m(x) = <w_m, x> + b_m (WW98 eqs. 6 and 7). Its dual, which is what is solved, is

        max  margin sum_i a_{i,y_i} - 1/2 sum_ij K(x_i, x_j) <a_i, a_j>
        s.t. -C <= a_im <= 0 for m != y_i,   sum_m a_im = 0,   and for an exact bias sum_i a_im = 0

    (WW98 eq. 12, with a_im = -alpha_i^m and a_{i,y_i} = sum_m alpha_i^m).

    Parameters
    ----------
    C : float, default=1.0
        Weight of the slacks, greater than 0; np.inf for a hard margin (no slacks). For two
        classes, margin 2 and an exact bias this is the binary machine with the same C.
    kernel : {"linear", "poly", "rbf", "precomputed"} or callable, default="rbf"
        <x, z>; (gamma <x, z> + coef0)^degree; exp(-gamma ||x - z||^2); the kernel matrix in place
        of X; or a function that gives the block K(A, B) for two blocks of examples.
    gamma : {"scale", "auto"} or float, default="scale"
        "scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features.
    degree : float, default=3
    coef0 : float, default=0.0
    bias : {"penalized", "none", "exact"}, default="penalized"
        "penalized" adds 1/2 sum_m b_m^2 to the objective, which is the kernel K + 1 (the bounded
        form of Hsu & Lin 2002) and leaves only bounds on each coefficient. "exact" is the paper's
        bias outside the norm, by the method of multipliers around the same solver, which takes as
        long on data of some thousand examples; it is not meant for tens of thousands.
    margin : {2, 1}, default=2
        The margin wanted; 2 in the paper. C with margin 1 is the machine 1/2 f of 2 C with
        margin 2.
    solver : {"block", "pattern"}, default="block"
        "block": some hundred examples at a time, by matrix products (`solvers.block`). "pattern":
        one example at a time, as in Crammer & Singer's figure 4; an exact bias always takes this
        one.
    cache_size : float, default=200.0
        Megabytes (2^20 bytes) for kernel values: for "block" (32 columns at least are held), or for
        kernel rows (one at least).
    storage : {"auto", "dense", "sparse"}, default="auto"
        How the examples are held for kernel rows; "auto" is as they are given.
    tol : float, default=1e-3
        The fit ends when no optimality condition is violated by more, in margin units.
    gap_tol : float or None, default=None
        If given, the fit ends only when the relative duality gap is not above it either: `tol`
        is tightened by tens until it is so.
    max_iter : int, default=-1
        Iterations (examples optimized); -1 for no limit.
    time_limit : float or None, default=None
        Seconds after which the fit ends with the solution that it has.
    warm_start : bool, default=False
        Start "block" from the coefficients of the last fit, as far as the bounds allow, if that was
        for as many examples and the same classes; those at the bound of a smaller C are taken
        toward the new one. Fits of several C are quickest in ascending order.
    random_state : int, RandomState instance or None, default=None
        Not used: the solver draws nothing.
    callback : callable or None, default=None
        callback(progress) is called at the start, at checkpoints and at the end, with the clock
        stopped; a true result ends the fit. See `solvers.progress`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    support_ : ndarray of shape (n_support,)
        Indices of the support vectors: the examples with a non-zero coefficient.
    support_vectors_ : ndarray or CSR array of shape (n_support, n_features)
        Empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (n_support, n_classes)
        The coefficients a_im.
    coef_ : ndarray of shape (n_classes, n_features)
        The weights w_m; linear kernel only.
    intercept_ : ndarray of shape (n_classes,)
        The biases b_m; an exact bias, which is determined up to a constant, has mean 0.
    primal_objective_, dual_objective_, duality_gap_, kkt_violation_ : float
        Recomputed from the coefficients in float64 after the fit; the gap is (P - D) / P. For a
        hard margin the primal is that of the shortest multiple of the machine that keeps it.
    n_samples_fit_ : int
        Examples of the training set.
    n_iter_ : int
        Examples optimized.
    n_inner_iter_ : int
        Pieces that the reduced problems of one example went through.
    n_kernel_rows_, n_cache_hits_ : int
        Kernel rows computed, and rows found in the cache.
    fit_time_, kernel_time_ : float
        Seconds of the solver without callbacks and certificate, and those of its kernel values.
    gamma_ : float
        The number used for `gamma`.
    status_ : {"converged", "max_iter", "time_limit", "stalled", "callback"}
        Why the fit ended.

    Warns
    -----
    ConvergenceWarning
        If the fit ended before `tol` (and `gap_tol`) was reached; it names the gap reached.

    Raises
    ------
    ValueError
        For parameters or data that make no sense: an unknown name, a C that is not positive, NaN
        or infinity, one class only, a precomputed kernel that is not square or not symmetric, a
        kernel that turns out to be indefinite, C=inf with examples that cannot be separated.

    References
    ----------
    WW98: J. Weston and C. Watkins, "Multi-class Support Vector Machines", Technical Report
    CSD-TR-98-04, Royal Holloway, University of London, 1998.

    C.-W. Hsu and C.-J. Lin, "A Comparison of Methods for Multiclass Support Vector Machines", IEEE
    Transactions on Neural Networks 13(2), 2002.

    Examples
    --------
    >>> from mcbench import WestonWatkinsSVC
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = WestonWatkinsSVC(C=10, gamma=0.5).fit(X, y)
    >>> machine.status_, bool(machine.duality_gap_ < 1e-2)
    ('converged', True)
    """

    solver_version: ClassVar[str] = "2"

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: Any = "rbf",
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        bias: str = "penalized",
        margin: float = 2,
        solver: str = "block",
        cache_size: float = 200.0,
        storage: str = "auto",
        tol: float = 1e-3,
        gap_tol: float | None = None,
        max_iter: int = -1,
        time_limit: float | None = None,
        warm_start: bool = False,
        random_state: Any = None,
        callback: Callback | None = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.bias = bias
        self.margin = margin
        self.solver = solver
        self.cache_size = cache_size
        self.storage = storage
        self.tol = tol
        self.gap_tol = gap_tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.warm_start = warm_start
        self.random_state = random_state
        self.callback = callback

    def problem(self) -> WestonWatkins:
        """The problem that the parameters stand for."""
        return WestonWatkins(float(self.C), float(self.margin), self.bias)

    def check_parameters(self) -> None:
        """Refuse parameters that make no sense, before any work.

        Raises
        ------
        ValueError
            With the allowed values, or the reason.
        """
        self._check_common()
        check_choice("bias", self.bias, BIASES)
        check_margin(self.margin)
        check_choice("solver", self.solver, SOLVERS)
        check_bool("warm_start", self.warm_start)
        if self.warm_start and (self.solver != "block" or self.bias == "exact"):
            raise ValueError("warm_start=True needs solver='block' and no exact bias")
        check_number("cache_size", self.cache_size, above=0)
        check_choice("storage", self.storage, pattern.STORAGES)

    def fit(self, X: Any, y: Any) -> WestonWatkinsSVC:
        """Train the machine.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            The examples; for kernel="precomputed" the kernel matrix, (n_samples, n_samples).
        y : array of shape (n_samples,)
            Labels of any kind, at least two different ones.
        """
        self.check_parameters()
        training = self._read(X, y)
        started = time.perf_counter()
        hard = np.inf == self.C
        if self.bias == "exact":
            loop: Any = self._with_exact_bias(training)
            stretch = loop.stretch
        else:
            if hard:
                hard_margin.check_diagonal(training.diagonal)
            if self.solver == "block":
                loop = block_loop(
                    self, training, BoxProblem(training.k), margin=float(self.margin), boxes=True
                )
            else:
                loop = self._free_set_loop(training, 0.0, float(self.tol))
            largest = float(training.diagonal.max())
            stretch = partial(hard_margin.stretch, loop, training.y, float(self.margin), largest)
        self._fit_loop(training, loop, started, between=stretch if hard else None)
        self._warn()
        return self

    def _with_exact_bias(self, training: Training) -> ExactBias:
        """The loop that moves the bias, around one for the kernel K + rho."""
        rho = float(training.diagonal.mean()) or 1.0
        return ExactBias(
            lambda tol: self._free_set_loop(training, rho, tol),
            training.y,
            C=float(self.C),
            margin=float(self.margin),
            tol=float(self.tol),
            rho=rho,
            largest=float(training.diagonal.max()),
            score=training.score,
        )

    def _free_set_loop(self, training: Training, rho: float, tol: float) -> FreeSetLoop:
        """One example after the other, and Newton's method now and then, for the kernel K + rho."""

        def gram(S: np.ndarray) -> np.ndarray:
            return training.block(S, S) + rho

        def score(a: np.ndarray) -> np.ndarray:
            return training.score(a) + rho * a.sum(axis=0)

        inner = self._loop(training, rho, tol)
        C, margin = float(self.C), float(self.margin)
        return FreeSetLoop(inner, training.y, C=C, margin=margin, gram=gram, score=score)

    def _loop(self, training: Training, rho: float, tol: float) -> KKTLoop:
        """The algorithm of Crammer & Singer's figure 4 with the parts of this machine."""
        rows = training.kernel.rows(training.gram, self.storage, rho)
        state = BoxState(training.y, training.k, float(self.C), float(self.margin))
        selection = BoxViolation(tol, rows.diagonal, training.k)
        return KKTLoop(
            state,
            LRUCache(rows, rows_within(self.cache_size, rows.n)),
            BoxProblem(training.k),
            ActiveSet(state, selection),
            Logarithmic(selection),
            tol,
            tol / 2,
        )
