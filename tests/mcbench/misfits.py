"""Solvers that are wrong in one respect each, as the gate has to find."""

import os
import signal
import time

import numpy as np

from mcbench import CrammerSingerSVC
from mcbench.peers.linear_svc import CrammerSingerLinearSVC
from solvers.certificate import Certificate
from solvers.problems import CrammerSinger

_fits = [0]


class Labels(CrammerSingerSVC):
    """Predicts positions in place of classes."""

    def predict(self, X):
        return self.decision_function(X).argmax(axis=1)


class Shape(CrammerSingerSVC):
    def predict(self, X):
        return super().predict(X)[:, np.newaxis]


class Alone(CrammerSingerSVC):
    """Needs to see all examples at once."""

    def predict(self, X):
        return super().predict(X) if X.shape[0] > 1 else self.classes_[-1:]


class Columns(CrammerSingerSVC):
    """Decision values in the order of first occurrence, as LIBLINEAR's program has them."""

    def decision_function(self, X):
        return super().decision_function(X)[:, ::-1]

    def predict(self, X):
        return self.classes_[super().decision_function(X).argmax(axis=1)]


class Random(CrammerSingerSVC):
    def decision_function(self, X):
        return super().decision_function(X) + 1e-9 * _count()


class SparseZero(CrammerSingerSVC):
    """Reads sparse examples as if all were nought."""

    def fit(self, X, y):
        return super().fit(X * (0.0 if hasattr(X, "nnz") else 1.0), y)


class Early(CrammerSingerSVC):
    """Stops long before its tolerance, and says that it converged."""

    def fit(self, X, y):
        self.max_iter = 1
        super().fit(X, y)
        self.status_ = "converged"
        return self

    def _warn(self):
        pass


class Flattering(CrammerSinger):
    """Values whatever it is shown as an optimum."""

    def certify(self, solution, y, score):
        return Certificate(primal=1.0, dual=1.0, violation=0.0, squared_norm=1.0, infeasibility=0.0)


class Flattered(CrammerSingerSVC):
    """States a problem that it has made up."""

    def problem(self):
        return Flattering(self.C)


class Weights(CrammerSingerLinearSVC):
    """Keeps weights that are twice as long as they should be."""

    @property
    def weights_(self):
        return 2.0 * super().weights_


class Infeasible(CrammerSingerSVC):
    def fit(self, X, y):
        super().fit(X, y)
        self.dual_coef_ = self.dual_coef_ * 1.5
        return self


class Mixed(CrammerSingerSVC):
    """The wrong classes for all but two, as a peer once had them."""

    def predict(self, X):
        found = np.searchsorted(self.classes_, super().predict(X))
        return self.classes_[(found + (len(self.classes_) > 2)) % len(self.classes_)]


class Slow(CrammerSingerSVC):
    def fit(self, X, y):
        if X.shape[0] > 1000:
            time.sleep(4.0)
        return super().fit(X, y)


class Deaf(CrammerSingerSVC):
    """Goes on when its callback says stop."""

    def fit(self, X, y):
        look, self.callback = self.callback, None
        super().fit(X, y)
        for iteration in range(5 * (look is not None)):
            look(_Progress(iteration, np.zeros((X.shape[0], len(self.classes_)))))
        return self


class Raises(CrammerSingerSVC):
    def fit(self, X, y):
        raise KeyError("no such thing")


class Crashes(CrammerSingerSVC):
    """Crashes on labels that are text, and hangs on two classes."""

    def fit(self, X, y):
        if np.asarray(y).dtype.kind == "U":
            os.kill(os.getpid(), signal.SIGSEGV)
        if len(np.unique(y)) == 2:
            time.sleep(3600)
        return super().fit(X, y)


class _Progress:
    def __init__(self, iteration, dual_coef):
        self.iteration, self.dual_coef = iteration, dual_coef


def _count():
    _fits[0] += 1
    return _fits[0]
