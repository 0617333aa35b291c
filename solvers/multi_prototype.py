"""The multi-prototype support vector machine of Aiolli & Sperduti (2005)."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from .generalization import growth_bound, margin_bound
from .loop_machine import LoopMachine
from .pattern import OPTIMIZERS
from .problems import MultiPrototype
from .problems.multi_prototype import Layout
from .progress import Callback
from .prototype_passes import RowPasses, WeightPasses
from .prototype_search import PrototypeSearch, Schedule
from .training import Training
from .validation import check_choice, check_number

SEARCHES = ("annealed", "greedy", "static")
DELTA = 0.05  # the bounds hold with probability 1 - DELTA


class MultiPrototypeSVC(LoopMachine):
    """Support vector machine with several linear prototypes for each class.

    An example belongs to the class of the prototype of the largest score <M_r, x> (AS05 eq. 2).
    Each training example i is assigned to one prototype pi_i of its own class, and

        min  1/2 sum_r ||M_r||^2 + C sum_i xi_i
        with xi_i = [max_{s not of class y_i} <M_s, x_i> + 1 - <M_{pi_i}, x_i>]_+

    over prototypes and assignments (AS05 eq. 8). For given assignments this is a convex problem of
    the form of Crammer & Singer's, solved in its dual (eq. 11); the assignments are searched for.
    With one prototype for each class it is `CrammerSingerSVC` with the same C and bias.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the slacks, greater than 0 and finite. AS05 chooses it among 10^-2 .. 10^2 on a
        part of the training set.
    n_prototypes : int or sequence of int, default=5
        Prototypes of each class: one number, or one for each class in the order of `classes_`.
    kernel : {"linear", "poly", "rbf", "precomputed"} or callable, default="linear"
        As for `CrammerSingerSVC`. With "linear" and optimizer="exact" the prototypes themselves are
        kept and no kernel value is ever computed: that is what makes many of them fast.
    gamma : {"scale", "auto"} or float, default="scale"
    degree : float, default=3
    coef0 : float, default=0.0
    bias : {"penalized", "none"}, default="penalized"
        "penalized" is the kernel K + 1, the paper's.
    search : {"annealed", "greedy", "static"}, default="annealed"
        "static" solves the problem for the given assignments. "greedy" (AS05 section 6.1) assigns
        each example to the prototype of least slack whenever the primal has fallen, to a stationary
        point. "annealed" (section 6.2, figure 11) draws the assignments with probability
        p_i(s) ~ exp(-C (xi_i^s - min_r xi_i^r) / T), T falling from `temperature` to C `tol`, and
        ends with the greedy search from the best model seen.
    temperature : float, default=10.0
        T0, in units of the primal.
    tau : float, default=0.05
        T(t) = T0 (1 - tau)^t, in (0, 1). Smaller is slower and finds lower primals.
    n_init : int, default=1
        Starts of an annealed search; the model of the lowest primal is kept.
    max_passes : int, default=5
        At each temperature the training set is passed over until the primal is below that of the
        drawn assignments, but no oftener than this.
    optimizer : {"exact", "fixed_point", "basic", "all_pairs", "opt_kkt"}, default="exact"
        How the reduced problem of one example is solved; see `CrammerSingerSVC`. Others than
        "exact" work on kernel rows.
    inner_tol : float or None, default=None
        As for `CrammerSingerSVC`.
    cache_size : float, default=200.0
        Megabytes (2^20 bytes) for kernel rows, where there are such.
    tol : float, default=1e-3
        The violation psi_i of the optimality conditions, in margin units, at which the problem for
        given assignments is solved; and the difference of slacks that is worth another assignment.
    gap_tol : float or None, default=None
        If given, the relative duality gap for the final assignments is not above it either.
    max_iter : int, default=-1
        Iterations (examples optimized); -1 for no limit.
    time_limit : float or None, default=None
        Seconds after which the fit ends with the best model so far.
    random_state : int, RandomState instance or None, default=None
        Draws the assignments and the order of visits: the same int gives the same bits.
    callback : callable or None, default=None
        As for `CrammerSingerSVC`; it is shown the best model so far, with the temperature as
        `level`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    prototype_class_ : ndarray of shape (n_prototypes,)
        The class of each prototype, as an index into `classes_`; those of a class stand together.
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        The prototypes M_r without their bias, which is `intercept_`; linear kernel only. `coef_` is
        the same array.
    assignments_ : ndarray of shape (n_samples,)
        The prototype that each training example is assigned to.
    compression_ : float
        beta, prototypes in all over training examples.
    n_assignment_changes_ : int
        Assignments changed by the search.
    temperatures_, energies_, slacks_ : ndarray
        The trace of an annealed search, one value for each temperature: T, the primal E(pi) when it
        was left, and the sum of slacks.
    generalization_bounds_ : dict
        "theorem4" and "theorem5", upper bounds of the error on new examples with probability
        1 - "delta" (AS05 section 7), with "training_error" and "radius", what they follow from.
        Theorem 4 holds for training sets without slacks, theorem 5 for linear kernels; where one
        does not hold it is infinite. Both are loose: far above 1 as a rule, where they say nothing.
    support_, support_vectors_, dual_coef_, intercept_ :
        As for `CrammerSingerSVC`, with a column for each prototype.
    primal_objective_, dual_objective_, duality_gap_, kkt_violation_ : float
        Of the problem for the final assignments (examples without coefficients are assigned to
        the prototype of the largest score), recomputed in float64 from the coefficients. The gap
        says nothing of other assignments. A `tol` in margin units bounds it by C n tol: with a
        large C give `gap_tol` too.
    n_samples_fit_, n_iter_, n_inner_iter_, n_kernel_rows_, n_cache_hits_, fit_time_, kernel_time_ :
        As for `CrammerSingerSVC`.
    status_ : {"converged", "max_iter", "time_limit", "stalled", "callback"}
        "converged": the final assignments are a stationary point, solved to `tol`.

    Warns
    -----
    ConvergenceWarning
        If the fit ended before that; it names the gap reached.

    Raises
    ------
    ValueError
        For parameters or data that make no sense.

    References
    ----------
    AS05: F. Aiolli and A. Sperduti, "Multiclass Classification with Multi-Prototype Support Vector
    Machines", Journal of Machine Learning Research 6, 2005.

    Examples
    --------
    >>> from mcbench import MultiPrototypeSVC
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = MultiPrototypeSVC(C=1, n_prototypes=3, random_state=0).fit(X, y)
    >>> machine.prototypes_.shape, machine.status_
    ((9, 4), 'converged')
    """

    solver_version: ClassVar[str] = "1"

    def __init__(
        self,
        C: float = 1.0,
        *,
        n_prototypes: int | Sequence[int] = 5,
        kernel: Any = "linear",
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        bias: str = "penalized",
        search: str = "annealed",
        temperature: float = 10.0,
        tau: float = 0.05,
        n_init: int = 1,
        max_passes: int = 5,
        optimizer: str = "exact",
        inner_tol: float | None = None,
        cache_size: float = 200.0,
        tol: float = 1e-3,
        gap_tol: float | None = None,
        max_iter: int = -1,
        time_limit: float | None = None,
        random_state: Any = None,
        callback: Callback | None = None,
    ) -> None:
        self.C = C
        self.n_prototypes = n_prototypes
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.bias = bias
        self.search = search
        self.temperature = temperature
        self.tau = tau
        self.n_init = n_init
        self.max_passes = max_passes
        self.optimizer = optimizer
        self.inner_tol = inner_tol
        self.cache_size = cache_size
        self.tol = tol
        self.gap_tol = gap_tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.random_state = random_state
        self.callback = callback

    def problem(self) -> MultiPrototype:
        """The problem that the parameters stand for."""
        q = self.n_prototypes
        counts = tuple(map(int, q)) if isinstance(q, Sequence | np.ndarray) else int(q)
        return MultiPrototype(float(self.C), counts)

    def check_parameters(self) -> None:
        """Refuse parameters that make no sense, before any work.

        Raises
        ------
        ValueError
            With the allowed values, or the reason.
        """
        self._check_common()
        if np.inf == self.C:
            raise ValueError(
                "C=inf: assignments are drawn, and few of those drawn can be separated; give a "
                "large C in its place"
            )
        check_counts(self.n_prototypes)
        check_choice("bias", self.bias, ("none", "penalized"))
        check_choice("search", self.search, SEARCHES)
        check_number("temperature", self.temperature, above=0)
        check_number("tau", self.tau, above=0)
        if self.tau >= 1:
            raise ValueError(f"tau={self.tau!r} is not less than 1")
        check_number("n_init", self.n_init, at_least=1, integer=True)
        check_number("max_passes", self.max_passes, at_least=1, integer=True)
        check_choice("optimizer", self.optimizer, OPTIMIZERS)
        check_number("inner_tol", self.inner_tol, above=0, also=(None,))
        check_number("cache_size", self.cache_size, above=0)
        check_random_state(self.random_state)

    def fit(self, X: Any, y: Any, assignments: Any = None) -> MultiPrototypeSVC:
        """Train the machine.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            The examples; for kernel="precomputed" the kernel matrix, (n_samples, n_samples).
        y : array of shape (n_samples,)
            Labels of any kind, at least two different ones.
        assignments : int array of shape (n_samples,), optional
            The prototypes that the examples are assigned to at first, as `assignments_` numbers
            them: with 5 prototypes for each class, 0 .. 4 are those of the first class, 5 .. 9
            those of the second. Drawn if not given.
        """
        self.check_parameters()
        training = self._read(X, y)
        layout = self.problem().layout(training.k)
        given = check_assignments(assignments, training.y, layout)
        random = check_random_state(self.random_state)
        started = time.perf_counter()
        search: Any = PrototypeSearch(
            self._passes(training, layout, random),
            layout,
            training.y,
            C=float(self.C),
            tol=float(self.tol),
            schedule=Schedule(
                self.search,
                float(self.temperature),
                float(self.tau),
                int(self.n_init),
                int(self.max_passes),
                given,
            ),
            random=random,
        )
        self._fit_loop(training, search, started)
        self.prototype_class_ = layout.classes
        f = self._columns(training.X, slice(None), slice(None))
        self.assignments_ = self._assignments(f, training.y, search.best.own)
        self.compression_ = len(layout.classes) / len(training.y)
        self.n_assignment_changes_ = search.n_changes
        self.temperatures_ = np.array(search.temperatures)
        self.energies_ = np.array(search.energies)
        self.slacks_ = np.array(search.slacks)
        self.__dict__.pop("prototypes_", None)  # an earlier fit may have left it
        if self.kernel == "linear":
            self.prototypes_ = self.coef_
        self.generalization_bounds_ = self._bounds(f, training, layout)
        self._warn()
        return self

    def _passes(self, training: Training, layout: Layout, random: np.random.RandomState) -> Any:
        """The descent for given assignments."""
        own = np.zeros(len(training.y), dtype=np.intp)
        seed = int(random.randint(2**31 - 1))
        C, first, end = float(self.C), layout.first, layout.end
        if self.kernel == "linear" and self.optimizer == "exact":
            shift = training.kernel.shift
            tol = float(self.tol)
            return WeightPasses(training.X, own, first, end, C=C, tol=tol, shift=shift, seed=seed)
        return RowPasses(
            training,
            own,
            first,
            end,
            C=C,
            tol=float(self.tol),
            inner_tol=float(self.tol / 2 if self.inner_tol is None else self.inner_tol),
            reduced=OPTIMIZERS[self.optimizer](len(first)),
            cache_size=float(self.cache_size),
            seed=seed,
        )

    def _assignments(self, f: np.ndarray, y: np.ndarray, own: np.ndarray) -> np.ndarray:
        """The assignments that the certificate is for, by the scores f of the training set.

        A search leaves examples without coefficients to the prototype of the largest score.
        """
        if self.search == "static":
            return own
        nearest = np.where(self.prototype_class_ == y[:, np.newaxis], f, -np.inf).argmax(axis=1)
        nearest[self.support_] = own[self.support_]
        return nearest

    def _bounds(self, f: np.ndarray, training: Training, layout: Layout) -> dict[str, float]:
        """Theorems 4 and 5 for the trained machine, by the scores f of the training set."""
        n, k, q = len(training.y), training.k, int(layout.counts.max())
        error = float(np.mean(self.problem().decide(f) != training.y))
        radius = math.sqrt(float(training.diagonal.max()))
        own = float(self.dual_coef_.clip(min=0.0).sum())  # sum of a_{i,pi_i}
        squared_norm = 2.0 * (own - self.dual_objective_)
        slack = self.primal_objective_ - 0.5 * squared_norm
        found = {"theorem4": math.inf, "theorem5": math.inf}
        if slack <= self.C * self.tol:
            found["theorem4"] = margin_bound(
                n=n, k=k, q=q, squared_norm=squared_norm, radius=radius, delta=DELTA
            )
        if self.kernel == "linear":
            d = training.X.shape[1] + (training.kernel.shift > 0.0)
            found["theorem5"] = growth_bound(n=n, k=k, q=q, d=d, training_error=error, delta=DELTA)
        return {**found, "training_error": error, "radius": radius, "delta": DELTA}

    def decision_function(self, X: Any) -> np.ndarray:
        """The largest score of each class's prototypes.

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
        f = self.prototype_scores(X)
        starts = np.searchsorted(self.prototype_class_, np.arange(len(self.classes_)))
        return np.maximum.reduceat(f, starts, axis=1)

    def prototype_scores(self, X: Any) -> np.ndarray:
        """The scores <M_r, x> of all prototypes: one product of matrices.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            For kernel="precomputed": the kernel between these examples and the training set.

        Returns
        -------
        ndarray of shape (n_samples, n_prototypes)
        """
        return self._model_scores(X)


def check_counts(n_prototypes: Any) -> None:
    """Refuse what is neither a number of prototypes nor a sequence of such."""
    if isinstance(n_prototypes, np.ndarray) and n_prototypes.ndim != 1:
        raise ValueError(
            f"n_prototypes has the shape {n_prototypes.shape}: give one number, or one for each "
            "class"
        )
    several = isinstance(n_prototypes, Sequence | np.ndarray) and not isinstance(n_prototypes, str)
    for q in n_prototypes if several else [n_prototypes]:
        check_number("n_prototypes", q, at_least=1, integer=True)
    if several and not len(n_prototypes):
        raise ValueError("n_prototypes is empty: give one number, or one for each class")


def check_assignments(given: Any, y: np.ndarray, layout: Layout) -> np.ndarray | None:
    """Refuse assignments that are not one prototype of its own class for each example."""
    if given is None:
        return None
    own = np.asarray(given)
    if own.shape != y.shape or own.dtype.kind not in "iu":
        raise ValueError(
            f"assignments must be whole numbers of shape {y.shape}, not of shape {own.shape} and "
            f"type {own.dtype}"
        )
    low, high = layout.starts[y], layout.starts[y + 1]
    wrong = np.flatnonzero((own < low) | (own >= high))
    if len(wrong):
        i = wrong[0]
        raise ValueError(
            f"assignments[{i}]={own[i]} is no prototype of the class of example {i}: these are "
            f"{low[i]} .. {high[i] - 1}"
        )
    return own.astype(np.intp)
