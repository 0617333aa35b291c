"""scikit-learn's `LinearSVC` as Crammer & Singer's linear machine, judged by its weights."""

from typing import Any

import numpy as np
import sklearn
from sklearn.svm import LinearSVC

from solvers.problems import CrammerSinger


class CrammerSingerLinearSVC(LinearSVC):
    """`LinearSVC` with `multi_class="crammer_singer"` and no bias: our linear machine's problem.

    It keeps weights and no dual coefficients, so that its primal value is recomputed, and no gap.

    Parameters
    ----------
    C, tol, max_iter, random_state
        As for `LinearSVC`.
    """

    solver_version = f"1, scikit-learn {sklearn.__version__}"

    def __init__(
        self,
        C: float = 1.0,
        tol: float = 1e-4,
        max_iter: int = 100_000,
        random_state: int | None = None,
    ) -> None:
        super().__init__(
            C=C,
            tol=tol,
            max_iter=max_iter,
            random_state=random_state,
            multi_class="crammer_singer",
            fit_intercept=False,
        )

    def problem(self) -> CrammerSinger:
        """Return the problem that it solves."""
        return CrammerSinger(self.C)

    @property
    def weights_(self) -> np.ndarray:
        """The weights of shape (k, d). Of two classes it keeps the difference; they sum to zero."""
        coef: Any = self.coef_
        return np.vstack([-0.5 * coef, 0.5 * coef]) if len(coef) == 1 else np.asarray(coef)
