"""One against one, the multiclass machine made of one binary machine for each pair of classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .binary_schemes import BinarySchemeSVC
from .problems import OneVsOne
from .problems.one_vs_one import pairs, votes
from .training import Training


class OneVsOneSVC(BinarySchemeSVC):
    """One against one with votes: a binary machine for each pair of classes (HL02 section II).

    The machine of classes s < t is trained on their examples alone, with y_i = 1 for class s and
    y_i = -1 for class t:

        min  1/2 ||w||^2 + C sum_i xi_i
        s.t. y_i (<w, x_i> + b) >= 1 - xi_i,  xi_i >= 0    for all i of the two classes

    It votes for s where <w, x> + b > 0, else for t. The class of x has the most votes, the smaller
    of equals.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the slacks, greater than 0; np.inf for a hard margin (no slacks).
    kernel : {"linear", "poly", "rbf", "precomputed"} or callable, default="rbf"
        <x, z>; (gamma <x, z> + coef0)^degree; exp(-gamma ||x - z||^2); the kernel matrix in place
        of X; or a function that gives the block K(A, B) for two blocks of examples.
    gamma : {"scale", "auto"} or float, default="scale"
        "scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features; X is the whole training
        set, for all machines.
    degree : float, default=3
    coef0 : float, default=0.0
    bias : {"exact", "none", "penalized"}, default="exact"
        The bias b above, outside the norm; none; or one inside the norm, which is the kernel
        K + 1.
    solver : {"libsvm", "pattern"}, default="libsvm"
        LIBSVM for bias="exact"; the one-example solver of `CrammerSingerSVC` for the others, so
        that this machine can be compared with that one at the same regularization.
    cache_size : float, default=200.0
        Megabytes (2^20 bytes) for the kernel rows of each machine in training.
    n_jobs : int or None, default=None
        Machines trained at the same time, in threads; -1 for all processors. The model is the
        same.
    tol : float, default=1e-3
        Violation of the optimality conditions at which each machine is done, in margin units.
    gap_tol : float or None, default=None
        If given, the relative duality gap of each machine has to be not above it either: `tol` is
        tightened by tens until it is so. LIBSVM then starts again each time, and with kernel
        values in single precision not every gap is in its reach (status "stalled").
    max_iter : int, default=-1
        Iterations of each binary machine; -1 for no limit (LIBSVM: its own, 10^7 or 100 times the
        number of examples).
    time_limit : float or None, default=None
        Seconds after which the fit ends. LIBSVM, which cannot be interrupted, is then timed over a
        few iterations and called anew with a bound on them; machines not begun have no
        coefficients.
    random_state : int, RandomState instance or None, default=None
        Not used: nothing is drawn.
    callback : callable or None, default=None
        callback(progress) is called at the start, at checkpoints between machines and at the end,
        with the clock stopped; iterations are machines. A true result ends the fit. See
        `solvers.progress`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    pairs_ : ndarray of shape (n_pairs, 2)
        The pairs (s, t), s < t, as indices of `classes_`: (0, 1), (0, 2), .., (1, 2), ..
    support_ : ndarray of shape (n_support,)
        Indices of the support vectors: the examples with a non-zero coefficient in any machine.
    support_vectors_ : ndarray or CSR array of shape (n_support, n_features)
        Empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (n_support, n_pairs)
        The coefficients y_i alpha_i, one column for each pair.
    coef_ : ndarray of shape (n_pairs, n_features)
        The weights w; linear kernel only.
    intercept_ : ndarray of shape (n_pairs,)
        The biases b, penalized ones also; 0 without one.
    primal_objective_, dual_objective_ : float
        Sums over the machines, recomputed from the coefficients in float64 after the fit.
    duality_gap_ : float
        (P - D) / P of these sums.
    kkt_violation_ : float
        The largest of any machine, in margin units.
    n_binary_machines_ : int
        Machines trained: fewer than all only where a limit or the callback ended the fit.
    n_iter_ : int
        Iterations of all machines.
    n_kernel_rows_ : int or None
        Kernel rows asked for and not found in a cache; None for LIBSVM, which does not tell.
    fit_time_ : float
        Seconds by the clock until all machines were trained, without callbacks.
    kernel_time_ : float or None
        Seconds of kernel values, over all threads; None where LIBSVM computes them itself.
    gamma_ : float
        The number used for `gamma`.
    status_ : {"converged", "max_iter", "time_limit", "stalled", "callback"}
        Why the fit ended: the worst of the machines.

    Warns
    -----
    ConvergenceWarning
        If the fit ended before `tol` (and `gap_tol`) was reached; it names the gap reached.

    Raises
    ------
    ValueError
        For parameters or data that make no sense, as in `CrammerSingerSVC`; with C=inf, if a
        machine cannot separate its examples: it is named.

    References
    ----------
    HL02: C.-W. Hsu and C.-J. Lin, "A Comparison of Methods for Multiclass Support Vector
    Machines", IEEE Transactions on Neural Networks 13(2), 2002.

    Examples
    --------
    >>> from mcbench import OneVsOneSVC
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = OneVsOneSVC(C=10, gamma=0.5).fit(X, y)
    >>> machine.status_, machine.pairs_.tolist()
    ('converged', [[0, 1], [0, 2], [1, 2]])
    """

    def problem(self) -> OneVsOne:
        """The optimization problems that the parameters stand for."""
        return OneVsOne(float(self.C), self.bias)

    def _keep_model(
        self,
        training: Training,
        coefficients: np.ndarray,
        intercept: np.ndarray | float = 0.0,
    ) -> None:
        """Set the attributes of the fitted model."""
        super()._keep_model(training, coefficients, intercept)
        self.pairs_ = pairs(training.k)

    def pairwise_decision_function(self, X: Any) -> np.ndarray:
        """The scores of all binary machines.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            For kernel="precomputed": the kernel between these examples and the training set.

        Returns
        -------
        ndarray of shape (n_samples, n_pairs)
            Columns in the order of `pairs_`; above 0 for the first class of the pair.
        """
        return self._model_scores(X)

    def decision_function(self, X: Any) -> np.ndarray:
        """The votes for each class.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            For kernel="precomputed": the kernel between these examples and the training set.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            How many of its n_classes - 1 pairs each class wins; `predict` gives the class with
            the most, the first of equals.
        """
        return votes(self._model_scores(X))
