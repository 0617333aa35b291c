"""The multiclass support vector machine of Crammer & Singer (2001)."""

from __future__ import annotations

import time
import warnings
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from . import pattern
from .certificate import Certificate, certify_scores, scores
from .kernels import KERNELS, KernelChoice, kernel_function, numeric_gamma
from .progress import Callback, Progress, next_checkpoint
from .validation import check_bool, check_choice, check_number

SLICE = 0.1  # seconds between two looks at the clock and at Ctrl-C
TIGHTEST = 1e-13


class CrammerSingerSVC(ClassifierMixin, BaseEstimator):
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
        Weight of the slacks, greater than 0. For two classes this is the binary machine without
        bias with C' = 2 C.
    kernel : {"linear", "poly", "rbf", "precomputed"} or callable, default="rbf"
        <x, z>; (gamma <x, z> + coef0)^degree; exp(-gamma ||x - z||^2); the kernel matrix in place
        of X; or a function that gives the block K(A, B) for two blocks of examples.
    gamma : {"scale", "auto"} or float, default="scale"
        "scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features.
    degree : float, default=3
    coef0 : float, default=0.0
    bias : {"none", "penalized"}, default="none"
        "penalized" is the kernel K + 1: a bias for each class, inside the norm.
    solver : {"pattern"}, default="pattern"
        "pattern" is the papers' family: one example at a time. The parameters from `selection`
        to `passes` are its parts, and their defaults its quickest combination.
    selection : {"kkt"}, default="kkt"
        What makes an example worth choosing: its violation psi of the optimality conditions.
    pick : {"argmax", "cyclic"}, default="argmax"
        The example of the largest value (CS01 figure 4), or all in turn (figure 2).
    threshold : {"fixed", "exponential", "linear", "logarithmic"}, default="logarithmic"
        The violation from which on an example is chosen: `tol`, or cooled down to it with the
        iterations (CS01 section 7). Cooling needs an active set.
    optimizer : {"exact", "fixed_point"}, default="exact"
        How the reduced problem of one example is solved (CS01 section 6 and figure 3).
    active_set : bool, default=True
        Look among the examples with non-zero coefficients first.
    cache : {"lru", "full", "none"}, default="lru"
        Whether kernel rows are remembered: the last used ones within `cache_size`, all, none.
    cache_size : float, default=200.0
        Megabytes (2^20 bytes) for `cache="lru"`; at least one row is held.
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
    random_state : int, RandomState instance or None, default=None
        Not used: the solvers that are here draw nothing.
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
        The penalized bias; linear kernel only.
    primal_objective_, dual_objective_, duality_gap_, kkt_violation_ : float
        Recomputed from the coefficients in float64 after the fit; the gap is (P - D) / P.
    n_iter_ : int
        Examples optimized (visited, for `pick="cyclic"`).
    n_inner_iter_ : int
        Iterations of the optimizer of the reduced problem.
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
        kernel that turns out to be indefinite.

    References
    ----------
    CS01: K. Crammer and Y. Singer, "On the Algorithmic Implementation of Multiclass Kernel-based
    Vector Machines", Journal of Machine Learning Research 2, 2001.

    Examples
    --------
    >>> from mcbench import CrammerSingerSVC
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = CrammerSingerSVC(C=10, gamma=0.5).fit(X, y)
    >>> machine.status_, bool(machine.duality_gap_ < 1e-3)
    ('converged', True)
    """

    solver_version: ClassVar[str] = "1"

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: Any = "rbf",
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        bias: str = "none",
        solver: str = "pattern",
        selection: str = "kkt",
        pick: str = "argmax",
        threshold: str = "logarithmic",
        optimizer: str = "exact",
        active_set: bool = True,
        cache: str = "lru",
        cache_size: float = 200.0,
        storage: str = "auto",
        core: str = "cython",
        passes: int = 50,
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
        self.selection = selection
        self.pick = pick
        self.threshold = threshold
        self.optimizer = optimizer
        self.active_set = active_set
        self.cache = cache
        self.cache_size = cache_size
        self.storage = storage
        self.core = core
        self.passes = passes
        self.tol = tol
        self.gap_tol = gap_tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.random_state = random_state
        self.callback = callback

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of this estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _accepts(self) -> str | bool:
        """The sparse format that the kernel takes."""
        return False if self.kernel == "precomputed" else "csr"

    def check_parameters(self) -> pattern.Pattern:
        """Refuse parameters that make no sense, before any work; return the chosen algorithm.

        Raises
        ------
        ValueError
            With the allowed values, or the reason.
        """
        check_number("C", self.C, above=0)
        if not callable(self.kernel):
            check_choice("kernel", self.kernel, KERNELS)
        if isinstance(self.gamma, str):
            check_choice("gamma", self.gamma, ("scale", "auto"))
        else:
            check_number("gamma", self.gamma, above=0)
        check_number("degree", self.degree, at_least=0)
        check_number("coef0", self.coef0)
        check_choice("bias", self.bias, ("none", "penalized"))
        check_choice("solver", self.solver, ("pattern",))
        check_choice("selection", self.selection, pattern.SELECTIONS)
        check_choice("pick", self.pick, pattern.PICKS)
        check_choice("threshold", self.threshold, pattern.THRESHOLDS)
        check_choice("optimizer", self.optimizer, pattern.OPTIMIZERS)
        check_bool("active_set", self.active_set)
        check_choice("cache", self.cache, pattern.CACHES)
        check_number("cache_size", self.cache_size, above=0)
        check_choice("storage", self.storage, pattern.STORAGES)
        check_choice("core", self.core, pattern.CORES)
        check_number("passes", self.passes, at_least=1, integer=True)
        check_number("tol", self.tol, above=0)
        check_number("gap_tol", self.gap_tol, above=0, also=(None,))
        check_number("max_iter", self.max_iter, at_least=1, integer=True, also=(-1,))
        if self.callback is not None and not callable(self.callback):
            raise ValueError(f"callback={self.callback!r} cannot be called")
        check_number("time_limit", self.time_limit, above=0, also=(None,))
        if self.gap_tol is not None and self.pick == "cyclic":
            raise ValueError(
                "gap_tol needs a solver that tests: pick='cyclic' only makes its passes"
            )
        return pattern.Pattern(
            selection=self.selection,
            pick=self.pick,
            threshold=self.threshold,
            optimizer=self.optimizer,
            active_set=bool(self.active_set),
            cache=self.cache,
            cache_size=self.cache_size,
            storage=self.storage,
            core=self.core,
            passes=self.passes,
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
        X, y = validate_data(self, X, y, accept_sparse=self._accepts(), dtype=np.float64, order="C")
        X = without_duplicates(X)
        check_classification_targets(y)
        classes, indices = np.unique(y, return_inverse=True)
        k = len(classes)
        if k < 2:
            raise ValueError(f"y has one class only, {str(classes[0])!r}; it needs two or more")
        if self.kernel == "precomputed":
            check_kernel_matrix(X)
        gamma = numeric_gamma(self.gamma, X)
        kernel = KernelChoice(self.kernel, gamma, self.degree, self.coef0, self.bias)

        started = time.perf_counter()
        gram = X
        if callable(self.kernel):
            gram = np.ascontiguousarray(kernel_function(self.kernel)(X, X))
            check_kernel_matrix(gram)
        loop = algorithm.loop(
            gram, indices.astype(np.intp), k, C=float(self.C), tol=float(self.tol), kernel=kernel
        )
        self._time = time.perf_counter() - started
        certificate = self._solve(loop, X, indices, kernel)
        self._keep(loop, X, certificate)
        self.gamma_, self.classes_ = gamma, classes  # last: from here on it is fitted
        if self.status_ not in ("converged", "callback"):
            warnings.warn(
                f"the fit ended ({self.status_}) after {self.n_iter_} iterations with violation "
                f"{self.kkt_violation_:.3g} (tol={self.tol:g}) and duality gap "
                f"{self.duality_gap_:.3g}",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _solve(
        self, loop: pattern.Loop, X: Any, y: np.ndarray, kernel: KernelChoice
    ) -> Certificate:
        """Run the loop until the certificate, not the loop, says that the criteria are met."""
        while True:
            n_before = loop.n_iter
            self.status_ = self._drive(loop)
            f = self._scores(loop, X, kernel)
            certificate = certify_scores(f, y, loop.coefficients, float(self.C))
            if not np.isfinite([certificate.primal, certificate.dual, certificate.violation]).all():
                raise ValueError(
                    "the kernel gave NaN or infinity (an overflow, or a negative number to a "
                    "fractional degree): scale the data or choose other kernel parameters"
                )
            # Rounding leaves about n eps of the sum of |a_i| K_ij |a_j|; below it K is indefinite.
            if certificate.squared_norm < -1e-8 * np.abs(loop.coefficients).sum():
                raise ValueError(
                    "the kernel is indefinite: the squared norm of the solution is "
                    f"{certificate.squared_norm:.3g}; a support vector machine needs a kernel "
                    "that is positive semidefinite"
                )
            if self.pick == "cyclic" and self.status_ == "max_iter":
                if certificate.violation <= self.tol:
                    self.status_ = "converged"
                return certificate
            if self.status_ != "converged":
                return certificate
            if certificate.violation > self.tol * (1 + 1e-6):
                if loop.n_iter == n_before:  # fresh scores did not help: rounding is the limit
                    self.status_ = "stalled"
                    return certificate
                loop.resume(f)
            elif self.gap_tol is not None and certificate.gap > self.gap_tol:
                if not loop.tighten(TIGHTEST):
                    self.status_ = "stalled"
                    return certificate
            else:
                return certificate

    def _drive(self, loop: pattern.Loop) -> str:
        """Run the loop in slices, with the clock stopped at checkpoints; return why it ended."""
        last_iteration = self.max_iter if self.max_iter > 0 else 2**62
        seconds_left = np.inf if self.time_limit is None else self.time_limit - self._time
        checkpoint = self._look(loop)
        while checkpoint is not None:
            until = min(checkpoint, last_iteration)
            started = time.perf_counter()
            status = loop.run(until, min(SLICE, seconds_left))
            elapsed = time.perf_counter() - started
            self._time += elapsed
            seconds_left -= elapsed
            if status == "running":
                if loop.n_iter >= last_iteration:
                    status = "max_iter"
                elif seconds_left <= 0:
                    status = "time_limit"
            if status != "running":
                self._look(loop)
                return "max_iter" if status == "passes" else status
            if loop.n_iter >= checkpoint:
                checkpoint = self._look(loop)
        return "callback"

    def _look(self, loop: pattern.Loop) -> int | None:
        """Show the solver to the callback; the iteration of its next call, or None to stop."""
        if self.callback is None:
            return 2**62
        coefficients = loop.coefficients.view()
        coefficients.flags.writeable = False
        progress = Progress(
            iteration=loop.n_iter,
            seconds=self._time,
            kernel_rows=loop.n_rows,
            cache_hits=loop.n_hits,
            active_set=loop.n_active,
            level=loop.level,
            last=loop.last,
            dual_coef=coefficients,
        )
        return None if self.callback(progress) else next_checkpoint(self.callback, progress)

    def _scores(self, loop: pattern.Loop, X: Any, kernel: KernelChoice) -> np.ndarray:
        """The scores of the training set by the present coefficients, from scratch."""
        a = loop.coefficients
        support = np.flatnonzero(np.any(a != 0.0, axis=1))
        if self.kernel == "precomputed":
            return X[:, support] @ a[support] + kernel.shift * a[support].sum(axis=0)
        return scores(X, X[support], a[support], kernel.function())

    def _keep(self, loop: pattern.Loop, X: Any, certificate: Certificate) -> None:
        """Set the attributes of the fitted machine."""
        a = loop.coefficients
        self.support_ = np.flatnonzero(np.any(a != 0.0, axis=1))
        self.dual_coef_ = np.ascontiguousarray(a[self.support_])
        self.support_vectors_ = (
            np.empty((0, 0)) if self.kernel == "precomputed" else X[self.support_]
        )
        for name in ("coef_", "intercept_"):  # an earlier fit may have left them
            self.__dict__.pop(name, None)
        if self.kernel == "linear":
            self.coef_ = np.asarray((self.support_vectors_.T @ self.dual_coef_).T)
            shift = 1.0 if self.bias == "penalized" else 0.0
            self.intercept_ = shift * self.dual_coef_.sum(axis=0)
        self.primal_objective_ = certificate.primal
        self.dual_objective_ = certificate.dual
        self.duality_gap_ = certificate.gap
        self.kkt_violation_ = certificate.violation
        self.n_iter_ = loop.n_iter
        self.n_inner_iter_ = loop.n_inner
        self.n_kernel_rows_ = loop.n_rows
        self.n_cache_hits_ = loop.n_hits
        self.kernel_time_ = loop.kernel_seconds
        self.fit_time_ = self.__dict__.pop("_time")

    def decision_function(self, X: Any) -> np.ndarray:
        """The scores f_r(x) of all classes.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            For kernel="precomputed": the kernel between these examples and the training set.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`, for two classes also; the largest one names the
            class that `predict` gives.
        """
        check_is_fitted(self, "classes_")
        X = validate_data(
            self, X, accept_sparse=self._accepts(), dtype=np.float64, order="C", reset=False
        )
        X = without_duplicates(X)
        if self.kernel == "precomputed":
            shift = 1.0 if self.bias == "penalized" else 0.0
            return X[:, self.support_] @ self.dual_coef_ + shift * self.dual_coef_.sum(axis=0)
        if self.kernel == "linear":
            return np.asarray(X @ self.coef_.T) + self.intercept_
        kernel = KernelChoice(self.kernel, self.gamma_, self.degree, self.coef0, self.bias)
        return scores(X, self.support_vectors_, self.dual_coef_, kernel.function())

    def predict(self, X: Any) -> np.ndarray:
        """The class of the largest score for each example, the first of equals.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            For kernel="precomputed": the kernel between these examples and the training set.
        """
        scores_of_classes = self.decision_function(X)
        return self.classes_[np.argmax(scores_of_classes, axis=1)]


def without_duplicates(X: Any) -> Any:
    """X, or a copy that sums up the entries of a sparse matrix that stand for one place."""
    if sp.issparse(X) and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def check_kernel_matrix(K: np.ndarray) -> None:
    """Refuse a kernel matrix of the training set that cannot be one.

    Raises
    ------
    ValueError
        If K is not finite, not square, not symmetric, or has a minor of two rows that is negative.
    """
    if not np.isfinite(K).all():
        raise ValueError("the kernel gave NaN or infinity")
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"a precomputed kernel must be square, not of shape {K.shape}")
    scale = np.abs(K).max(initial=0.0)
    if np.abs(K - K.T).max(initial=0.0) > 1e-8 * scale:
        raise ValueError("a kernel must be symmetric, K(x, z) = K(z, x)")
    diagonal = K.diagonal()
    if diagonal.min(initial=0.0) < 0.0:
        raise ValueError("the kernel is indefinite: its diagonal has a negative value")
    norms = np.sqrt(diagonal)
    if np.any(np.abs(K) > np.outer(norms, norms) + 1e-8 * scale):
        raise ValueError("the kernel is indefinite: |K(x, z)| exceeds (K(x, x) K(z, z))^(1/2)")
