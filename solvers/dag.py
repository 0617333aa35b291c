"""The pairs of one against one, decided along a directed acyclic graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from .one_vs_one import OneVsOneSVC
from .problems import DAG
from .problems.one_vs_one import column, eliminated


class DAGSVC(OneVsOneSVC):
    """Directed acyclic graph of binary machines (HL02 section II, the method DAGSVM).

    Training, parameters and attributes are those of `OneVsOneSVC`. The class of x is found by
    elimination: all classes stand in a list; the machine of the first and the last one is asked,
    and the class that loses leaves the list, until one is left. So each example needs n_classes - 1
    machines instead of n_classes (n_classes - 1) / 2, and kernel values with their support
    vectors only.

    See Also
    --------
    OneVsOneSVC : The same binary machines, decided by votes.

    References
    ----------
    HL02: C.-W. Hsu and C.-J. Lin, "A Comparison of Methods for Multiclass Support Vector
    Machines", IEEE Transactions on Neural Networks 13(2), 2002. The method is that of J. Platt,
    N. Cristianini and J. Shawe-Taylor, "Large Margin DAGs for Multiclass Classification", NIPS
    12, 2000.

    Examples
    --------
    >>> from mcbench import DAGSVC
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> machine = DAGSVC(C=10, gamma=0.5).fit(X, y)
    >>> machine.decision_function(X[:1])  # class 2 leaves the list first, then class 1
    array([[2., 1., 0.]])
    """

    def problem(self) -> DAG:
        """The optimization problems that the parameters stand for."""
        return DAG(float(self.C), self.bias)

    def decision_function(self, X: Any) -> np.ndarray:
        """When each class leaves the list of candidates.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            For kernel="precomputed": the kernel between these examples and the training set.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            0 for the class that leaves first, and so on up to n_classes - 1 for the one that is
            left, which `predict` gives.
        """
        X = self._new_examples(X)
        k = len(self.classes_)

        def duel(s: int, t: int, rows: np.ndarray) -> np.ndarray:
            c = column(s, t, k)
            own = np.flatnonzero(self.dual_coef_[:, c])  # this machine's own support vectors
            return self._columns(X[rows], own, slice(c, c + 1))[:, 0] > 0.0

        return eliminated(duel, X.shape[0], k)
