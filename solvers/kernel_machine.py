"""What all kernel machines share: reading data, the fitted model, scores and predictions."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .certificate import Certificate, Problem, scores, support_of
from .kernels import KERNELS, KernelChoice, kernel_function, numeric_gamma
from .training import Training, without_duplicates
from .validation import check_choice, check_number

EVERY = slice(None)

ADVICE = {
    "stalled": "; rounding lets no step gain any more: scale the data, give a larger tol, or a "
    "smaller C"
}


class KernelMachine(ClassifierMixin, BaseEstimator):
    """Base of the machines f_r(x) = sum_j a_jr K(x_j, x) + b_r, r = 1 .. c.

    A subclass states its problem (``problem``), has a ``fit``, and may have columns that are not
    the classes (pairs of them); then it overrides ``decision_function``.
    """

    solver_version: ClassVar[str] = "1"
    symmetric_kernel: ClassVar[bool] = True

    C: float
    kernel: Any
    gamma: str | float
    degree: float
    coef0: float
    tol: float
    gap_tol: float | None
    max_iter: int
    time_limit: float | None
    callback: Any

    @abstractmethod
    def problem(self) -> Problem:
        """The optimization problem that the parameters stand for; it can value any solution."""

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of this estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _check_common(self) -> None:
        """Refuse values of the parameters that all machines have, before any work."""
        check_number("C", self.C, above=0, also=(np.inf,))
        self._check_kernel()
        check_number("tol", self.tol, above=0)
        check_number("gap_tol", self.gap_tol, above=0, also=(None,))
        check_number("max_iter", self.max_iter, at_least=1, integer=True, also=(-1,))
        check_number("time_limit", self.time_limit, above=0, also=(None,))
        if self.callback is not None and not callable(self.callback):
            raise ValueError(f"callback={self.callback!r} cannot be called")

    def _check_kernel(self) -> None:
        """Refuse a kernel, or values of its parameters, that make no sense."""
        if not callable(self.kernel):
            check_choice("kernel", self.kernel, KERNELS)
        if isinstance(self.gamma, str):
            check_choice("gamma", self.gamma, ("scale", "auto"))
        else:
            check_number("gamma", self.gamma, above=0)
        check_number("degree", self.degree, at_least=0)
        check_number("coef0", self.coef0)

    def _accepts(self) -> str | bool:
        """The sparse format that the kernel takes."""
        return False if self.kernel == "precomputed" else "csr"

    def _read(self, X: Any, y: Any) -> Training:
        """Check a training set and settle its kernel."""
        X, y = validate_data(self, X, y, accept_sparse=self._accepts(), dtype=np.float64, order="C")
        X = without_duplicates(X)
        check_classification_targets(y)
        kernel = KernelChoice(
            self.kernel,
            numeric_gamma(self.gamma, X),
            self.degree,
            self.coef0,
            getattr(self, "bias", "none"),
        )
        return Training.of(X, y, kernel, symmetric=self.symmetric_kernel)

    def _keep_model(
        self,
        training: Training,
        coefficients: np.ndarray,
        intercept: np.ndarray | float = 0.0,
    ) -> None:
        """Set the attributes of the fitted model.

        Parameters
        ----------
        training : Training
        coefficients : ndarray of shape (n, c)
            One row for each training example.
        intercept : ndarray of shape (c,) or 0.0
            The bias outside the norm; a penalized one follows from the coefficients.
        """
        self.support_ = support_of(coefficients)
        self.dual_coef_ = np.ascontiguousarray(coefficients[self.support_])
        self.support_vectors_ = (
            np.empty((0, 0)) if self.kernel == "precomputed" else training.X[self.support_]
        )
        self.intercept_ = training.kernel.shift * self.dual_coef_.sum(axis=0) + intercept
        self.__dict__.pop("coef_", None)  # an earlier fit may have left it
        if self.kernel == "linear":
            self.coef_ = np.asarray((self.support_vectors_.T @ self.dual_coef_).T)
        self.gamma_ = training.kernel.gamma
        self.classes_ = training.classes

    def _keep_certificate(self, certificate: Certificate) -> None:
        """Set the attributes that say how good the model is."""
        self.primal_objective_ = certificate.primal
        self.dual_objective_ = certificate.dual
        self.duality_gap_ = certificate.gap
        self.kkt_violation_ = certificate.violation

    def _warn(self) -> None:
        """Warn of a fit that ended before its criteria were met."""
        if self.status_ not in ("converged", "callback"):
            warnings.warn(
                f"the fit ended ({self.status_}) after {self.n_iter_} iterations with violation "
                f"{self.kkt_violation_:.3g} (tol={self.tol:g}) and duality gap "
                f"{self.duality_gap_:.3g}{ADVICE.get(self.status_, '')}",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _new_examples(self, X: Any) -> Any:
        """Check new examples for a fitted model."""
        check_is_fitted(self, "classes_")
        X = validate_data(
            self, X, accept_sparse=self._accepts(), dtype=np.float64, order="C", reset=False
        )
        return without_duplicates(X)

    def _model_scores(self, X: Any) -> np.ndarray:
        """The scores f of shape (m, c) for new examples."""
        return self._columns(self._new_examples(X), EVERY, EVERY)

    def _columns(self, X: Any, vectors: Any, columns: Any) -> np.ndarray:
        """Some columns of the scores, for checked examples.

        Parameters
        ----------
        X : array or CSR of shape (m, n_features)
        vectors : index
            The support vectors that have a coefficient in these columns.
        columns : index
            The columns, as a slice.
        """
        if self.kernel == "linear":
            return np.asarray(X @ self.coef_[columns].T) + self.intercept_[columns]
        a = self.dual_coef_[vectors, columns]
        if self.kernel == "precomputed":
            return X[:, self.support_[vectors]] @ a + self.intercept_[columns]
        kernel = kernel_function(
            self.kernel, gamma=self.gamma_, degree=self.degree, coef0=self.coef0
        )
        return scores(X, self.support_vectors_[vectors], a, kernel) + self.intercept_[columns]

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
        return self._model_scores(X)

    def predict(self, X: Any) -> np.ndarray:
        """The class of the largest score for each example, the first of equals.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            For kernel="precomputed": the kernel between these examples and the training set.
        """
        chosen = np.argmax(self.decision_function(X), axis=1)
        return self.classes_[chosen]
