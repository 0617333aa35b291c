"""The problem of Aiolli & Sperduti (2005): several prototypes for each class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..certificate import Certificate, Score, Solution

BLOCK = 2_000_000  # scores looked at together


@dataclass(frozen=True)
class Layout:
    """Which prototypes belong to which class: those of a class stand side by side.

    Attributes
    ----------
    counts : intp ndarray of shape (k,)
        Prototypes of each class.
    """

    counts: np.ndarray

    @property
    def starts(self) -> np.ndarray:
        """The first prototype of each class, and the number of all; (k + 1,)."""
        return np.concatenate([[0], np.cumsum(self.counts)]).astype(np.intp)

    @property
    def classes(self) -> np.ndarray:
        """The class of each prototype, 0 .. k-1; (R,)."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @property
    def first(self) -> np.ndarray:
        """For each prototype, the first one of its class; (R,)."""
        return self.starts[self.classes]

    @property
    def end(self) -> np.ndarray:
        """For each prototype, the first one after its class; (R,)."""
        return self.starts[self.classes + 1]


@dataclass(frozen=True)
class MultiPrototype:
    """One slack for each example: that of the prototype it is assigned to.

        P = 1/2 sum_r ||M_r||^2 + C sum_i [max_{s not of class y_i} f_s(x_i) + 1 - f_{pi_i}(x_i)]_+
        D = sum_i a_{i,pi_i} - 1/2 sum_ij K_ij <a_i, a_j>,   0 <= a_{i,pi_i} <= C,
            a_ir = 0 for the other prototypes of class y_i, a_ir <= 0 else,   sum_r a_ir = 0

    (AS05 eq. 8 and 11 in our scaling). The assignment pi_i of an example to a prototype of its
    class is part of the problem: it is the one with a positive coefficient where there is such a
    one, else the one of the largest score, which has the least slack. D is a lower bound of P for
    these assignments, not for others. The violation is max_i psi_i, as in `CrammerSinger`, without
    the prototypes that are barred to the example. With one prototype for each class it is that
    problem.

    Attributes
    ----------
    C : float
        Weight of the slacks.
    n_prototypes : int or tuple of int
        Prototypes of each class.
    """

    C: float
    n_prototypes: int | tuple[int, ...]

    def layout(self, k: int) -> Layout:
        """The prototypes of k classes.

        Raises
        ------
        ValueError
            If there is not one number of prototypes for each class.
        """
        if isinstance(self.n_prototypes, int):
            return Layout(np.full(k, self.n_prototypes, dtype=np.intp))
        if len(self.n_prototypes) != k:
            raise ValueError(
                f"n_prototypes has {len(self.n_prototypes)} numbers, and there are {k} classes"
            )
        return Layout(np.array(self.n_prototypes, dtype=np.intp))

    def decide(self, f: np.ndarray) -> np.ndarray:
        """The class of the prototype of the largest score (AS05 eq. 2), the first of equals."""
        q = self.n_prototypes
        chosen = f.argmax(axis=1)
        return chosen // q if isinstance(q, int) else np.repeat(np.arange(len(q)), q)[chosen]

    def certify(self, solution: Solution, y: np.ndarray, score: Score) -> Certificate:
        """Value coefficients of shape (n, R)."""
        a = solution.dual_coef
        f = score(a)
        layout = self.layout(int(y.max()) + 1)
        step = max(1, BLOCK // a.shape[1])
        parts = [
            self._part(a[low : low + step], f[low : low + step], y[low : low + step], layout)
            for low in range(0, len(y), step)
        ]
        squared_norm = float(sum(part[0] for part in parts))
        slack, own = (float(sum(part[j] for part in parts)) for j in (1, 2))
        violation, infeasibility = (float(max(part[j] for part in parts)) for j in (3, 4))
        return Certificate(
            primal=0.5 * squared_norm + self.C * slack,
            dual=own - 0.5 * squared_norm,
            violation=violation,
            squared_norm=squared_norm,
            infeasibility=infeasibility,
        )

    def _part(
        self, a: np.ndarray, f: np.ndarray, y: np.ndarray, layout: Layout
    ) -> tuple[float, ...]:
        """What examples add to ||M||^2, slacks and sum of a_{i,pi_i}; their worst psi and miss."""
        rows = np.arange(len(y))
        same = layout.classes == y[:, np.newaxis]
        positive = np.where(same, a, 0.0)
        own = assigned(positive, np.where(same, f, -np.inf))
        f_own, a_own = f[rows, own], a[rows, own]
        theta = np.where(same, -np.inf, f).max(axis=1)
        slack = np.maximum(theta + 1.0 - f_own, 0.0)
        lowest = np.where(~same & (a < 0.0), f, np.inf).min(axis=1)
        lowest = np.where(a_own < self.C, np.minimum(lowest, f_own - 1.0), lowest)
        psi = np.maximum(theta, f_own - 1.0) - lowest
        positive[rows, own] = 0.0
        missed = (
            np.abs(positive).max(),
            np.where(same, 0.0, a).max(),
            (a_own - self.C).max(),
            (-a_own).max(),
            np.abs(a.sum(axis=1)).max(),
        )
        own_sum = float(a_own.sum())
        return float(np.sum(a * f)), float(slack.sum()), own_sum, psi.max(), max(0.0, *missed)


def assigned(a: np.ndarray, f: np.ndarray) -> np.ndarray:
    """The prototype of the largest coefficient where one is positive, else that of largest score.

    Parameters
    ----------
    a, f : ndarray of shape (n, R)
        Coefficients and scores; those of other classes 0 and -inf.
    """
    return np.where(a.max(axis=1) > 0.0, a.argmax(axis=1), f.argmax(axis=1))
