"""The harness's own judgement of a model, from scratch and in float64.

Nothing here believes what a solver says about itself: objectives, gap, violation and errors are
computed from the data, the kernel and the coefficients.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mcbench.errors import UserError
from mcbench.gram import KeptRows
from mcbench.identity import digest
from mcbench.kernel import kernel_of

if TYPE_CHECKING:
    from mcbench.data import Data
    from solvers.certificate import Problem, Solution

#: Kept rows of the last data and kernel, which the next run of a sweep often shares.
_kept: dict[str, KeptRows] = {}


def certifiable(estimator: Any) -> bool:
    """Return whether an estimator states the problem that it solves."""
    from solvers.certificate import Problem

    return hasattr(estimator, "problem") and isinstance(estimator.problem(), Problem)


class Judge:
    """Evaluates solutions of an optimization problem on one data set.

    Parameters
    ----------
    data : Data
        The data set.
    kernel : mapping
        The kernel's configuration.
    problem : Problem
        Says what primal, dual and violation are, and what scores decide (`solvers.problems`).
    bias : {"none", "penalized", "exact"}
        "penalized" stands for the kernel K + 1.
    memory_mb : float
        Kernel rows are kept between evaluations up to this size.
    """

    def __init__(
        self,
        data: "Data",
        kernel: Mapping[str, Any],
        problem: "Problem",
        bias: str = "none",
        memory_mb: float = 0.0,
    ) -> None:
        from solvers.kernels import kernel_function, numeric_gamma

        self._data = data
        self._problem = problem
        self.classes, self._y = np.unique(data.y_train, return_inverse=True)
        chosen = kernel_of(kernel)
        gamma = "scale" if callable(chosen) else kernel.get("gamma") or "scale"
        self.gamma = float(numeric_gamma(gamma, data.X_train))
        self.n_train = len(self._y)
        self._linear = chosen == "linear"
        self._shift = 1.0 if bias == "penalized" else 0.0
        self._kernel = kernel_function(
            chosen,
            gamma=self.gamma,
            degree=_given(kernel.get("degree"), 3),
            coef0=_given(kernel.get("coef0"), 0.0),
            bias=bias,
        )
        self._key = digest([dict(kernel), bias, data.content_hash, _split_hash(data)])
        self._memory_mb = memory_mb

    def certificate(self, solution: "Solution", *, keep: bool = True) -> dict[str, float]:
        """Return primal, dual, gap and violation of a solution in the order of `classes`.

        Parameters
        ----------
        solution : Solution
            Its coefficients have one row for each training example.
        keep : bool
            Use kept kernel rows; otherwise every kernel value is computed anew.
        """
        from solvers.certificate import training_scores

        def anew(coefficients: np.ndarray) -> np.ndarray:
            return training_scores(self._data.X_train, coefficients, self._kernel)

        def kept(coefficients: np.ndarray) -> np.ndarray:
            return self._scores("train", coefficients)

        found = self._problem.certify(solution, self._y, kept if keep else anew)
        return {
            "primal": found.primal,
            "dual": found.dual,
            "gap": found.gap,
            "violation": found.violation,
            "infeasibility": found.infeasibility,
        }

    def test_error(self, solution: "Solution") -> float:
        """Return the share of test examples for which another class is decided."""
        if not self._data.X_test.shape[0]:
            return float("nan")
        f = self._scores("test", solution.dual_coef) + solution.intercept
        return float(np.mean(self.classes[self._problem.decide(f)] != self._data.y_test))

    def _scores(self, part: str, dual_coef: np.ndarray) -> np.ndarray:
        """Scores of one part of the data, by the cheapest way that memory allows."""
        from solvers.certificate import scores

        X = self._data.X_train
        Z = X if part == "train" else self._data.X_test
        if self._linear:
            return np.asarray(Z @ (X.T @ dual_coef)) + self._shift * dual_coef.sum(axis=0)
        # The rows against the training and against the test part may take half of the memory each.
        share = self._memory_mb / 2
        if KeptRows.needed_mb(X.shape[0], Z.shape[0]) > share:
            support = np.flatnonzero(np.any(dual_coef != 0.0, axis=1))
            return scores(Z, X[support], dual_coef[support], self._kernel)
        key = f"{self._key}/{part}"
        if key not in _kept:
            self._keep(key, KeptRows(self._kernel, X, Z))
        return _kept[key].scores(dual_coef)

    def _keep(self, key: str, rows: KeptRows) -> None:
        """Keep kernel rows in place of those of other data and kernels."""
        for other in [name for name in _kept if not name.startswith(self._key)]:
            del _kept[other]
        _kept[key] = rows

    def snapshot(self) -> dict[str, list[list[int]]]:
        """Return which kernel rows are kept, by the groups in which they were computed."""
        parts = {part: _kept.get(f"{self._key}/{part}") for part in ("train", "test")}
        return {
            part: [rows.tolist() for rows in kept.groups]
            for part, kept in parts.items()
            if kept is not None
        }

    def restore(self, groups: Mapping[str, Sequence[Sequence[int]]]) -> None:
        """Compute kernel rows in the groups of `snapshot`, which gives them the same bits."""
        X = self._data.X_train
        for part, rows in groups.items():
            kept = KeptRows(self._kernel, X, X if part == "train" else self._data.X_test)
            for group in rows:
                kept.compute(np.array(group, dtype=np.intp))
            self._keep(f"{self._key}/{part}", kept)


def forget() -> None:
    """Free the kernel rows kept between runs."""
    _kept.clear()


def full_solution(estimator: Any, n: int) -> "Solution":
    """Return an estimator's solution with a row for every training example."""
    from solvers.certificate import Solution

    dual_coef = np.zeros((n, estimator.dual_coef_.shape[1]))
    dual_coef[estimator.support_] = estimator.dual_coef_
    outside = getattr(estimator, "bias", "exact") == "exact"  # else it is part of the kernel
    return Solution(
        dual_coef,
        estimator.intercept_ if outside else 0.0,
        getattr(estimator, "multipliers_", None),
    )


def weights_primal(estimator: Any, X: Any, y: np.ndarray) -> float:
    """Return the primal value of a machine that keeps `weights_`, one row for each class.

    Raises
    ------
    UserError
        When it states another problem than Crammer & Singer's.
    """
    from solvers.problems import CrammerSinger

    problem = estimator.problem() if hasattr(estimator, "problem") else None
    if not isinstance(problem, CrammerSinger):
        name = type(estimator).__name__
        raise UserError(f"{name} has weights_, and its problem() is not Crammer & Singer's.")
    return primal_of_weights(estimator.weights_, X, np.unique(y, return_inverse=True)[1], problem.C)


def primal_of_weights(W: np.ndarray, X: Any, y: np.ndarray, C: float) -> float:
    """Return 1/2 sum_r ||w_r||^2 + C sum_i xi_i of Crammer & Singer's linear machine.

    Parameters
    ----------
    W : ndarray of shape (k, d)
        The weights, classes in order.
    X : ndarray or CSR of shape (n, d)
    y : int ndarray of shape (n,)
        Labels 0 .. k-1.
    C : float
    """
    f = np.asarray(X @ W.T)
    rows = np.arange(len(y))
    own = f[rows, y].copy()
    f += 1.0
    f[rows, y] -= 1.0
    return 0.5 * float(np.sum(W * W)) + C * float(np.sum(f.max(axis=1) - own))


def _given(value: Any, default: float) -> Any:
    """Return a value, or scikit-learn's default for one that is not given."""
    return default if value is None else value


def _split_hash(data: "Data") -> str:
    """Tell one split and scaling of a data set from another."""
    known = getattr(data, "split_hash", None) or digest(
        [np.asarray(data.train_index).tolist(), np.asarray(data.test_index).tolist()]
    )
    return f"{known}/{data.scaling}"
