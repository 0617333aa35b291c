"""The relevance vector machine of Tipping (2001), by the package fastrvm."""

from __future__ import annotations

import time
import warnings
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .kernel_machine import KernelMachine
from .training import Training
from .validation import check_bool, check_number

MOST_CHANGES = 10_000_000  # the package reserves memory for as many as are allowed


class RelevanceVectorClassifier(KernelMachine):
    """Sparse Bayesian kernel classifier, one machine for each class.

    The machine of a class has the scores f(x) = sum_j a_j K(x_j, x) + b and the probabilities
    1 / (1 + exp(-f(x))). Each weight has a Gaussian prior, a_j ~ N(0, 1 / alpha_j), of its own
    precision; the precisions maximize the marginal likelihood, by adding, estimating again and
    deleting one basis function at a time, and the weights are the mode of their posterior. Most
    precisions become infinite: the examples that remain are the relevance vectors.

    The package's machine tells two classes apart. For k > 2 classes there are k of them, each
    class against the rest, and the largest score decides; for two classes there is one, and the
    scores are -f and f.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "precomputed"} or callable, default="rbf"
        <x, z>; (gamma <x, z> + coef0)^degree; exp(-gamma ||x - z||^2); the kernel matrix in place
        of X; or a function that gives the block K(A, B) for two blocks of examples. It need not
        be symmetric or positive definite. The matrix of the training set is held: 8 n^2 bytes.
    gamma : {"scale", "auto"} or float, default="scale"
        "scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features.
    degree : float, default=3
    coef0 : float, default=0.0
    fit_intercept : bool, default=True
        Whether the constant 1 is a basis function too.
    max_iter : int, default=10000
        Changes of one basis function, for each machine.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    support_ : ndarray of shape (n_support,)
        Indices of the relevance vectors of all machines together.
    support_vectors_ : ndarray or CSR array of shape (n_support, n_features)
        Empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (n_support, n_classes)
        The weights a_jr, 0 where x_j is no relevance vector of class r.
    intercept_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_classes, n_features)
        The weights of the features; linear kernel only.
    n_iter_ : int
        Changes of one basis function, in all machines together.
    fit_time_ : float
        Seconds of the fit.
    gamma_ : float
        The number used for `gamma`.
    status_ : {"converged", "max_iter"}
        "max_iter" if a machine ended so.

    Warns
    -----
    ConvergenceWarning
        If a machine ended by `max_iter`.

    Raises
    ------
    ModuleNotFoundError
        If fastrvm is not installed: ``pip install "mcbench[rvm]"``.
    ValueError
        For parameters or data that make no sense, or on which the package gives up.

    References
    ----------
    M. E. Tipping, "Sparse Bayesian Learning and the Relevance Vector Machine", Journal of Machine
    Learning Research 1, 2001.
    M. E. Tipping and A. C. Faul, "Fast Marginal Likelihood Maximisation for Sparse Bayesian
    Models", AISTATS 2003.

    Examples
    --------
    >>> from mcbench import RelevanceVectorClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = RelevanceVectorClassifier(gamma=0.5).fit(X, y)  # doctest: +SKIP
    >>> len(machine.support_)  # doctest: +SKIP
    7
    """

    symmetric_kernel: ClassVar[bool] = False

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        fit_intercept: bool = True,
        max_iter: int = 10000,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter

    def check_parameters(self) -> None:
        """Refuse parameters that make no sense, and a missing package, before any work.

        Raises
        ------
        ValueError
            With the allowed values.
        ModuleNotFoundError
            If fastrvm is not installed.
        """
        self._check_kernel()
        check_bool("fit_intercept", self.fit_intercept)
        check_number("max_iter", self.max_iter, at_least=1, integer=True)
        binary_machine()

    def fit(self, X: Any, y: Any) -> RelevanceVectorClassifier:
        """Train the machines.

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
        # The kernel matrix of the training set: one basis function in each column.
        K = np.ascontiguousarray(training.with_matrix().gram)
        n, k = len(training.y), training.k
        weights, intercept = np.zeros((n, k)), np.zeros(k)
        self.n_iter_, self.status_ = 0, "converged"
        for r in range(k) if k > 2 else [1]:
            machine = self._machine(K, training, r)
            weights[machine.relevance_, r] = machine.dual_coef_.ravel()
            intercept[r] = machine.intercept_[0]
            self.n_iter_ += int(machine.n_iter_[0])
            if machine.fit_status_ != 0:
                self.status_ = "max_iter"
        if k == 2:
            weights[:, 0], intercept[0] = -weights[:, 1], -intercept[1]
        self.fit_time_ = time.perf_counter() - started
        self._keep_model(training, weights, intercept)
        if self.status_ != "converged":
            warnings.warn(
                f"a relevance vector machine ended after max_iter={self.max_iter} changes without "
                "having converged",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _machine(self, K: np.ndarray, training: Training, r: int) -> Any:
        """The machine that tells class r from the rest."""
        machine = binary_machine()(
            kernel="precomputed",
            fit_intercept=bool(self.fit_intercept),
            max_iter=min(int(self.max_iter), MOST_CHANGES),
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            machine.fit(K, (training.y == r).astype(int))
        if not hasattr(machine, "dual_coef_"):  # it only warns when it gives up
            why = "; ".join(str(item.message) for item in caught)
            raise ValueError(
                f"fastrvm gives up on class {str(training.classes[r])!r} ({why}): scale the data "
                "or choose other kernel parameters"
            )
        return machine


def binary_machine() -> Any:
    """The class fastrvm.RVC.

    Raises
    ------
    ModuleNotFoundError
        If the package is not installed; the message says how to install it.
    """
    try:
        from fastrvm import RVC
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'RelevanceVectorClassifier needs the package fastrvm: pip install "mcbench[rvm]"',
            name=error.name,
        ) from error
    return RVC
