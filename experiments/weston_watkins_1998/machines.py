"""The four machines of the paper's table, with a hard margin where there is one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mcbench import LinearProgramSVC, OneVsOneSVC, OneVsRestSVC, WestonWatkinsSVC
from solvers.hard_margin import InseparableError

#: C where a machine cannot separate the examples and has no hard margin.
LARGE = 1e6

MACHINES: dict[str, tuple[Any, dict[str, Any]]] = {
    "1-a-a": (OneVsRestSVC, {}),
    "1-a-1": (OneVsOneSVC, {}),
    "qp-mc-sv": (WestonWatkinsSVC, {"bias": "exact"}),
    "lp-mc-sv": (LinearProgramSVC, {}),
}


@dataclass(frozen=True)
class Trained:
    """A trained machine.

    Attributes
    ----------
    model : estimator
        The fitted machine.
    C : float
        inf, or `LARGE` where no machine of its kind separates the examples.
    """

    model: Any
    C: float


def train(name: str, X: np.ndarray, y: np.ndarray, **parameters: Any) -> Trained:
    """Train a machine with C = inf, or with `LARGE` where it cannot separate the examples.

    Parameters
    ----------
    name : str
        As in the paper: "1-a-a", "1-a-1", "qp-mc-sv" or "lp-mc-sv".
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
    **parameters
        The kernel's, and others of the estimator.
    """
    cls, own = MACHINES[name]
    try:
        return Trained(cls(np.inf, **own, **parameters).fit(X, y), np.inf)
    except InseparableError:
        return Trained(cls(LARGE, **own, **parameters).fit(X, y), LARGE)


def coefficients(name: str, model: Any, y: np.ndarray) -> int:
    """How many coefficients of a machine are not zero, as the paper counts them.

    Those of all binary machines together; the alpha_i^m of the quadratic machine (its sums A_i over
    m are no coefficients of their own); the alpha_i of the linear program.

    Parameters
    ----------
    name : str
        The machine.
    model : estimator
        The fitted machine.
    y : ndarray of shape (n,)
        The labels that it was trained on.
    """
    nonzero = model.dual_coef_ != 0
    if name == "qp-mc-sv":
        nonzero &= y[model.support_][:, None] != model.classes_
    return int(nonzero.sum())


def squared_norm(K: np.ndarray, model: Any) -> float:
    """sum_m ||w_m||^2 of a machine with one vector for each class.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        The kernel matrix of the training set.
    model : estimator
        The fitted machine.
    """
    a = model.dual_coef_
    return float(np.sum(a * (K[np.ix_(model.support_, model.support_)] @ a)))
