"""The multiclass support vector machine of Crammer & Singer (2001)."""

from __future__ import annotations

import time
from dataclasses import fields
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from . import hard_margin, pattern
from .block import block_loop
from .core.reduced_problem import Exact
from .dual_cd import DualCD
from .loop_machine import LoopMachine
from .problems import CrammerSinger
from .progress import Callback
from .training import Training
from .validation import check_bool, check_choice, check_number

SOLVERS = ("block", "pattern", "dual_cd")

#: The parameters of solver="pattern" alone, with their defaults.
PARTS = {
    part.name: part.default
    for part in fields(pattern.Pattern)
    if part.name not in ("cache_size", "storage")
}


class CrammerSingerSVC(LoopMachine):
    """Multiclass kernel support vector machine of Crammer & Singer.

    One weight vector w_r for each class, all trained together:

        min  1/2 sum_r ||w_r||^2 + C sum_i xi_i
        s.t. <w_{y_i}, x_i> + [r = y_i] - <w_r, x_i> >= 1 - xi_i   for all i and r

    (CS01 eq. 7, with C = 1 / beta). Its dual, which is what is solved, is

        max  sum_i a_{i,y_i} - 1/2 sum_ij K(x_i, x_j) <a_i, a_j>
        s.t. a_ir <= C [r = y_i],   sum_r a_ir = 0

    (CS01 eq. 15, with a = C tau), and the class of x is argmax_r sum_i a_ir K(x_i, x).

    Parameters
    ----------
    C : float, default=1.0
        Weight of the slacks, greater than 0; np.inf for a hard margin (no slacks). For two
        classes this is the binary machine without bias with C' = 2 C.
    kernel : {"linear", "poly", "rbf", "precomputed"} or callable, default="rbf"
        <x, z>; (gamma <x, z> + coef0)^degree; exp(-gamma ||x - z||^2); the kernel matrix in place
        of X; or a function that gives the block K(A, B) for two blocks of examples.
    gamma : {"scale", "auto"} or float, default="scale"
        "scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features.
    degree : float, default=3
    coef0 : float, default=0.0
    bias : {"none", "penalized"}, default="none"
        "penalized" is the kernel K + 1: a bias for each class, inside the norm.
    solver : {"block", "pattern", "dual_cd"}, default="block"
        "block" is the fast one: some hundred examples at a time, by matrix products
        (`solvers.block`). "dual_cd" keeps the weights of a linear kernel, and no kernel value is
        ever computed: the quickest for kernel="linear", which it needs, with a finite C; examples
        are visited in random order. "pattern" is the papers' family: one example at a time. The
        parameters from `selection` to `passes`, `cache_size` and `storage` excepted, are its parts
        and nobody else's; their defaults are its quickest combination.
    selection : {"kkt", "amg", "bmg"}, default="kkt"
        What makes an example worth choosing (AS05 section 5.3): its violation psi of the
        optimality conditions; the gain of its best two-variable step; or the gain of solving its
        reduced problem. Gains are of the papers' L = 2 D, and 0 where psi < `tol`.
    pick : {"argmax", "threshold", "cyclic"}, default="argmax"
        The example of the largest value (CS01 figure 4); in passes over the training set, every
        one whose value reaches the threshold (AS05 section 5.3; without an active set); or every
        one in turn (CS01 figure 2; with threshold "fixed" and without an active set).
    threshold : {"fixed", "exponential", "linear", "logarithmic", "max", "mean"}
        Default "logarithmic".
        The value from which on an example is chosen. "fixed": the smallest one that matters, which
        is `tol` for "kkt". Cooled down to it with the iterations (CS01 section 7) or passes;
        `pick="argmax"` needs an active set for that. For `pick="threshold"` also `mu` times the
        largest value at the start of each pass, or their mean.
    mu : float, default=0.5
        The share of the largest value for `threshold="max"`, in (0, 1]. AS05 gives none; of 0.01
        to 1 this was the quickest, or close to it, on parts of letter, satimage and mnist. More
        saves kernel rows and costs passes.
    optimizer : {"exact", "fixed_point", "basic", "all_pairs", "opt_kkt"}, default="exact"
        How the reduced problem of one example is solved: by projection (CS01 section 6), by the
        fixed point of CS01 figure 3, or from the present coefficients by one two-variable step,
        sweeps over all pairs, or the best of three steps again and again (AS05 figures 4-6).
    inner_tol : float or None, default=None
        Accuracy of the reduced problem; None is `tol` / 2, as in CS01. For "fixed_point" the
        relative change of theta. For "all_pairs" and "opt_kkt" a difference of scores, which
        stands for phi_V = inner_tol^2 / (2 K_pp) in AS05: what a step gains on two classes that
        differ by it. "exact" and "basic" have none. It is tightened where it is too coarse for any
        progress.
    sweep_rule : {"gain", "relative"}, default="gain"
        When "all_pairs" ends: when a sweep gains V(t) <= phi_V (AS05 figure 5), or when
        (V(t) - V(t - 1)) / V(t) <= phi_V = inner_tol (AS02 figure 2). As the gains fall, the
        latter is after two sweeps as a rule.
    active_set : bool, default=True
        Look among the examples with non-zero coefficients first.
    cache : {"lru", "full", "none"}, default="lru"
        Whether kernel rows are remembered: the last used ones within `cache_size`, all, none.
    cache_size : float, default=200.0
        Megabytes (2^20 bytes) for kernel values: for "block" (32 columns at least are held) and
        for `cache="lru"` (one row at least). More than 500 is worth while from some ten thousand
        examples on.
    cache_rows : int or None, default=None
        If given, the number of rows for `cache="lru"`, in place of `cache_size`.
    storage : {"auto", "dense", "sparse"}, default="auto"
        How the examples are held for kernel rows; "auto" is as they are given.
    core : {"cython", "numpy"}, default="cython"
        The compiled loops, or their readable statement in NumPy (slow, no cache).
    passes : int, default=50
        How often `pick="cyclic"` goes over the training set.
    tol : float, default=1e-3
        The fit ends when every violation psi_i is below it, in margin units.
    gap_tol : float or None, default=None
        If given, the fit ends only when the relative duality gap is not above it either: `tol`
        is tightened by tens until it is so. Not with `pick="cyclic"`, which tests nothing.
    max_iter : int, default=-1
        Iterations (examples optimized); -1 for no limit.
    time_limit : float or None, default=None
        Seconds after which the fit ends with the solution that it has.
    warm_start : bool, default=False
        Start "block" from the coefficients of the last fit, as far as the bounds allow, if that was
        for as many examples and the same classes; those at the bound of a smaller C are taken
        toward the new one. Fits of several C are quickest in ascending order.
    random_state : int, RandomState instance or None, default=None
        The order of visits for `solver="dual_cd"`: the same int gives the same bits. The others
        draw nothing.
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
        The coefficients a_ir.
    coef_ : ndarray of shape (n_classes, n_features)
        The weights w_r; linear kernel only.
    intercept_ : ndarray of shape (n_classes,)
        The penalized bias; 0 without one.
    primal_objective_, dual_objective_, duality_gap_, kkt_violation_ : float
        Recomputed from the coefficients in float64 after the fit; the gap is (P - D) / P. For a
        hard margin the primal is that of the shortest multiple of the solution that keeps it.
    n_samples_fit_ : int
        Examples of the training set.
    n_iter_ : int
        Examples optimized (visited, for `pick="cyclic"`).
    n_inner_iter_ : int
        Iterations of the optimizer of the reduced problem: of the fixed point, rounds of the exact
        projection, sweeps over all pairs, steps of "opt_kkt" and "basic".
    n_pair_steps_ : int
        Two-variable steps that changed coefficients; `solver="pattern"` only.
    n_kernel_rows_, n_cache_hits_ : int
        Kernel rows computed, and rows found in the cache.
    fit_time_, kernel_time_ : float
        Seconds of the solver without callbacks and certificate, and those of its kernel values.
    gamma_ : float
        The number used for `gamma`.
    status_ : {"converged", "max_iter", "time_limit", "stalled", "callback"}
        Why the fit ended. "max_iter" is also the end of the passes of `pick="cyclic"` if they
        did not reach `tol`; "callback": it said so.

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
    CS01: K. Crammer and Y. Singer, "On the Algorithmic Implementation of Multiclass Kernel-based
    Vector Machines", Journal of Machine Learning Research 2, 2001.

    AS02: F. Aiolli and A. Sperduti, "An Efficient SMO-like Algorithm for Multiclass SVM", Neural
    Networks for Signal Processing, 2002.

    AS05: F. Aiolli and A. Sperduti, "Multiclass Classification with Multi-Prototype Support Vector
    Machines", Journal of Machine Learning Research 6, 2005.

    Examples
    --------
    >>> from mcbench import CrammerSingerSVC
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = CrammerSingerSVC(C=10, gamma=0.5).fit(X, y)
    >>> machine.status_, bool(machine.duality_gap_ < 1e-3)
    ('converged', True)
    """

    solver_version: ClassVar[str] = "3"

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: Any = "rbf",
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        bias: str = "none",
        solver: str = "block",
        selection: str = "kkt",
        pick: str = "argmax",
        threshold: str = "logarithmic",
        mu: float = 0.5,
        optimizer: str = "exact",
        inner_tol: float | None = None,
        sweep_rule: str = "gain",
        active_set: bool = True,
        cache: str = "lru",
        cache_size: float = 200.0,
        cache_rows: int | None = None,
        storage: str = "auto",
        core: str = "cython",
        passes: int = 50,
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
        self.solver = solver
        self.selection = selection
        self.pick = pick
        self.threshold = threshold
        self.mu = mu
        self.optimizer = optimizer
        self.inner_tol = inner_tol
        self.sweep_rule = sweep_rule
        self.active_set = active_set
        self.cache = cache
        self.cache_size = cache_size
        self.cache_rows = cache_rows
        self.storage = storage
        self.core = core
        self.passes = passes
        self.tol = tol
        self.gap_tol = gap_tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.warm_start = warm_start
        self.random_state = random_state
        self.callback = callback

    def problem(self) -> CrammerSinger:
        """The problem that the parameters stand for."""
        return CrammerSinger(float(self.C))

    def check_parameters(self) -> pattern.Pattern | None:
        """Refuse parameters that make no sense, before any work; return the papers' algorithm.

        Raises
        ------
        ValueError
            With the allowed values, or the reason.
        """
        self._check_common()
        check_choice("bias", self.bias, ("none", "penalized"))
        check_choice("solver", self.solver, SOLVERS)
        check_number("cache_size", self.cache_size, above=0)
        check_choice("storage", self.storage, pattern.STORAGES)
        check_bool("warm_start", self.warm_start)
        if self.warm_start and self.solver != "block":
            raise ValueError("warm_start=True needs solver='block'")
        if self.solver == "dual_cd":
            self._check_linear()
        if self.solver != "pattern":
            self._check_no_pattern()
            return None
        check_choice("selection", self.selection, pattern.SELECTIONS)
        check_choice("pick", self.pick, pattern.PICKS)
        check_choice("threshold", self.threshold, pattern.THRESHOLDS)
        check_number("mu", self.mu, above=0)
        if self.mu > 1:
            raise ValueError(f"mu={self.mu!r} is above 1, and no value above the largest one")
        check_choice("optimizer", self.optimizer, pattern.OPTIMIZERS)
        check_number("inner_tol", self.inner_tol, above=0, also=(None,))
        check_choice("sweep_rule", self.sweep_rule, pattern.SWEEP_RULES)
        check_bool("active_set", self.active_set)
        check_choice("cache", self.cache, pattern.CACHES)
        check_number("cache_rows", self.cache_rows, at_least=1, integer=True, also=(None,))
        check_choice("core", self.core, pattern.CORES)
        check_number("passes", self.passes, at_least=1, integer=True)
        if self.gap_tol is not None and self.pick == "cyclic":
            raise ValueError(
                "gap_tol needs a solver that tests: pick='cyclic' only makes its passes"
            )
        chosen = {name: getattr(self, name) for name in PARTS}
        chosen["active_set"] = bool(self.active_set)
        return pattern.Pattern(**chosen, cache_size=self.cache_size, storage=self.storage)

    def _check_no_pattern(self) -> None:
        """Refuse parts of the papers' family that the chosen solver would not heed."""
        for name, default in PARTS.items():
            value = getattr(self, name)
            if value != default:
                raise ValueError(
                    f"{name}={value!r} is a part of solver='pattern'; solver={self.solver!r} has "
                    "no such part"
                )

    def _check_linear(self) -> None:
        """Refuse what the descent on the weights cannot solve."""
        if callable(self.kernel) or self.kernel != "linear":
            raise ValueError(
                f"solver='dual_cd' keeps weights: it takes kernel='linear', not {self.kernel!r}"
            )
        if np.inf == self.C:
            raise ValueError("solver='dual_cd' takes a finite C; solver='block' has hard margins")

    def _descent(self, training: Training) -> DualCD:
        """The descent on the weights, at its start."""
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        return DualCD(
            training.X,
            training.y,
            training.k,
            C=float(self.C),
            tol=float(self.tol),
            shift=training.kernel.shift,
            seed=int(seed),
        )

    def fit(self, X: Any, y: Any) -> CrammerSingerSVC:
        """Train the machine.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            The examples; for kernel="precomputed" the kernel matrix, (n_samples, n_samples).
        y : array of shape (n_samples,)
            Labels of any kind, at least two different ones.
        """
        algorithm = self.check_parameters()
        training = self._read(X, y)
        started = time.perf_counter()
        C = float(self.C)
        loop = self._loop(training, algorithm)
        stretch = None
        if np.inf == C:
            hard_margin.check_diagonal(training.diagonal)
            largest = float(training.diagonal.max())
            stretch = partial(hard_margin.stretch, loop, training.y, 1.0, largest)
        self._fit_loop(training, loop, started, between=stretch, tests=self.pick != "cyclic")
        self.n_pair_steps_ = getattr(loop, "n_pair_steps", 0)
        self._warn()
        return self

    def _loop(self, training: Training, algorithm: pattern.Pattern | None) -> Any:
        """The chosen algorithm at its start."""
        if algorithm is not None:
            return algorithm.loop(
                training.gram,
                training.y,
                training.k,
                C=float(self.C),
                tol=float(self.tol),
                kernel=training.kernel,
            )
        if self.solver == "dual_cd":
            return self._descent(training)
        return block_loop(self, training, Exact(training.k), margin=1.0, boxes=False)
