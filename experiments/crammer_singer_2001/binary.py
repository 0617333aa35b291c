"""Two classes: the multiclass machine is the binary one without bias (section 3)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import lsq_linear
from sklearn.metrics.pairwise import rbf_kernel

from mcbench import CrammerSingerSVC
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.verdict import conclude

TITLE = "Two classes: the binary support vector machine without bias"


def binary_dual(K: np.ndarray, sign: np.ndarray, C: float) -> np.ndarray:
    """The coefficients of the binary machine without bias, by an active-set method.

    max sum_i alpha_i - 1/2 alpha' Q alpha  s.t.  0 <= alpha_i <= C,  Q_ij = sign_i sign_j K_ij.

    With Q = L L' this is the bounded least-squares problem |L' alpha - L^-1 1|^2, which has
    nothing in common with the solver it is compared with.
    """
    L = cholesky(np.outer(sign, sign) * K, lower=True)
    target = solve_triangular(L, np.ones(len(sign)), lower=True)
    return lsq_linear(L.T, target, bounds=(0.0, C), method="bvls", tol=1e-15).x


def agreement(*, data: Any, C: float, gamma: float, n: int, **other: Any) -> Mapping[str, float]:
    """Train both machines on two classes and compare their decision functions.

    Parameters
    ----------
    data : Data
        Its two most frequent classes are used.
    C : float
        Of the multiclass machine; the binary one has 2 C.
    gamma : float
        Of the RBF kernel.
    n : int
        Training examples, distinct ones, the first n / 2 of each class.

    Returns
    -------
    mapping
        ``difference``: max |(f_2 - f_1)(x) - f(x)| over the test part; ``same_c``: the same
        against the binary machine with C, as the paper's text has it.
    """
    del other  # configuration and seed: nothing is drawn
    labels, counts = np.unique(data.y_train, return_counts=True)
    pair = np.sort(labels[np.argsort(-counts, kind="stable")[:2]])
    _, first = np.unique(data.X_train, axis=0, return_index=True)
    distinct = np.sort(first)
    halves = [distinct[data.y_train[distinct] == label][: n // 2] for label in pair]
    chosen = np.sort(np.concatenate(halves))
    X, y = data.X_train[chosen], data.y_train[chosen]
    test = data.X_test[np.isin(data.y_test, pair)]

    multi = CrammerSingerSVC(C, gamma=gamma, tol=1e-10).fit(X, y)
    ours = multi.decision_function(test) @ [-1.0, 1.0]
    sign = np.where(y == pair[1], 1.0, -1.0)
    K, K_test = rbf_kernel(X, gamma=gamma), rbf_kernel(test, X, gamma=gamma)

    def distance(C_binary: float) -> float:
        return float(np.abs(ours - K_test @ (binary_dual(K, sign, C_binary) * sign)).max())

    return {"n": len(y), "difference": distance(2 * C), "same_c": distance(C)}


def claims(results: Results) -> list[Claim]:
    """The relation, with the factor that the paper's text drops."""
    frame = results.frame
    found = len(frame) > 0
    worst = float(frame["measured.difference"].max()) if found else float("nan")
    failed = [] if worst <= 1e-6 else [f"the decision functions are {worst:.1e} apart"]
    verdict, reason = conclude(results, found, failed)
    return [
        Claim(
            id="cs01-binary",
            item="binary",
            statement="For k = 2 the machine is the binary SVM without bias: w = M_1 - M_2.",
            paper_value="equal (C' = C in its text; C' = 2 C is right)",
            trust="derived in the paper, the factor corrected",
            check="decision functions within 1e-6 of an independent QP solution with C' = 2 C",
            ours=f"max difference {worst:.1e} (with C' = C: "
            f"{float(frame['measured.same_c'].max()):.1g})"
            if found
            else "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(frame["id"]),
        )
    ]
