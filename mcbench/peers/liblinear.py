"""LIBLINEAR's program with `-s 4`: the linear machine of Crammer & Singer by dual descent."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mcbench.errors import SolverUnavailable
from mcbench.external import run
from mcbench.external_files import write_examples
from solvers.problems import CrammerSinger

PROGRAMS = ("liblinear-train", "train")


def program() -> str | None:
    """Return LIBLINEAR's training program, None where there is none."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


def weights(model: str, k: int, d: int) -> np.ndarray:
    """Return the weights of shape (k, d) that a model file holds, classes in order.

    A file names the attributes up to the last one that occurs; the weights of others are 0.
    """
    head, _, body = model.partition("\nw\n")
    fields = dict(line.split(" ", 1) for line in head.splitlines())
    labels = [int(word) for word in fields["label"].split()]
    read = np.array(body.split(), dtype=np.float64).reshape(-1, len(labels))
    W = np.zeros((k, d))
    W[labels, : len(read)] = read.T
    return W


class Liblinear(ClassifierMixin, BaseEstimator):
    """Crammer & Singer's linear machine, trained by LIBLINEAR's program.

    It keeps weights and no dual coefficients, so that its primal value is recomputed, and no gap.
    Its time is that of the whole process, which also reads the examples as text.

    Parameters
    ----------
    C : float
    tol : float
        LIBLINEAR's -e.
    time_limit : float, optional
        Seconds after which the program is killed.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    weights_ : ndarray of shape (k, d)
    process_ : Ran
        What the program used.
    """

    solver_version = "1"

    def __init__(self, C: float = 1.0, tol: float = 0.001, time_limit: float | None = None) -> None:
        self.C = C
        self.tol = tol
        self.time_limit = time_limit

    def check_parameters(self) -> None:
        """Refuse values that make no sense; say that the program is not installed."""
        for name in ("C", "tol"):
            if not (np.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise ValueError(f"{name}={getattr(self, name)!r} must be a positive number")
        if program() is None:
            raise SolverUnavailable(f"The program {' or '.join(PROGRAMS)} is not installed.")

    def problem(self) -> CrammerSinger:
        """Return the problem that it solves."""
        return CrammerSinger(self.C)

    def fit(self, X: Any, y: Any) -> "Liblinear":
        """Train on X of shape (n, d), dense or sparse, with labels y."""
        self.check_parameters()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        self.classes_, codes = np.unique(y, return_inverse=True)
        k, d = len(self.classes_), X.shape[1]
        with tempfile.TemporaryDirectory(prefix="mcbench-") as name:
            folder = Path(name)
            write_examples(folder / "train", X, codes, "libsvm")
            ask = [
                program() or "",
                "-s",
                "4",
                "-c",
                repr(float(self.C)),
                "-e",
                repr(self.tol),
                "-q",
            ]
            self.process_ = run([*ask, "train", "model"], folder, time_limit=self.time_limit)
            self.weights_ = weights((folder / "model").read_text(), k, d)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the scores of shape (n, k)."""
        check_is_fitted(self, "weights_")
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return np.asarray(X @ self.weights_.T)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of the largest score."""
        return np.asarray(self.classes_[self.decision_function(X).argmax(axis=1)])

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of this estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
