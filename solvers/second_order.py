"""The second-order step of a block: its dual to high accuracy, whatever C and the kernel.

Where one example after the other no longer pays, because the kernel matrix of the block is
ill-conditioned or has a low rank (a large C, a linear or polynomial kernel, attributes on a large
scale), the block is solved as a whole:

- kernel matrices of low rank by an interior-point method, whose rounds cost little there;
- others by proximal points, which start from the present solution and cost what its free part
  costs; where rounding ends them early, by the interior-point method class by class;
- either is finished on the last face.
"""

from __future__ import annotations

import numpy as np

from .faces import face_steps
from .interior_point import interior_point
from .interior_system import factor
from .polytope import violations
from .proximal_newton import proximal_newton

LOW_RANK = 0.5  # of the examples: the rank times the classes of what is a low rank
EPS = float(np.finfo(float).eps)
LAST_ROUNDS = 20  # on the last faces


def second_order(
    K: np.ndarray,
    g: np.ndarray,
    a: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    *,
    tol: float,
    deadline: float = np.inf,
) -> np.ndarray:
    """The maximum of -<g, d> - 1/2 <d, K d> over lower <= a + d <= upper, sum_r d_ir = 0.

    Parameters
    ----------
    K : ndarray of shape (m, m)
        Kernel matrix of the block's examples, positive semidefinite, possibly singular.
    g : ndarray of shape (m, k)
        Scores less the margin of the own class, at a.
    a : ndarray of shape (m, k)
        Coefficients, within their bounds.
    lower, upper : ndarray of shape (m, k)
        Bounds of the machine (`solvers.polytope`).
    tol : float
        The violation to reach, in margin units.
    deadline : float
        When to end with what there is, by `time.perf_counter`.

    Returns
    -------
    ndarray of shape (m, k)
        The coefficients a + d: a itself where nothing is better. The violation can stay above
        ``tol`` where double precision ends.
    """
    k = a.shape[1]
    best = Best(K, g, a, lower, upper)
    if best.violation < tol:
        return a
    V = factor(K)
    if not is_low(V, k):
        best.offer(proximal_newton(K, g, a, lower, upper, tol=tol, deadline=deadline))
        if best.violation >= tol:
            best.finish(tol, deadline)
    if best.violation >= tol:
        best.offer(interior_point(K, g, a, lower, upper, tol=tol, V=V, deadline=deadline))
        best.finish(tol, deadline)
    return best.a


def has_low_rank(K: np.ndarray, k: int) -> bool:
    """Whether the interior-point method makes short work of a block, and descent long work."""
    return is_low(factor(K), k)


def is_low(V: np.ndarray, k: int) -> bool:
    """The same for a factor of the kernel matrix."""
    return bool(V.shape[1] * k <= LOW_RANK * len(V))


class Best:
    """The best of the coefficients offered, by the dual; among equal ones by the violation."""

    def __init__(
        self, K: np.ndarray, g: np.ndarray, a: np.ndarray, lower: np.ndarray, upper: np.ndarray
    ) -> None:
        self.K, self.g, self.start, self.lower, self.upper = K, g, a, lower, upper
        self.a, self.gain = a, 0.0
        self.last, self.last_gradient = a, g
        self.violation = float(violations(g, a, lower, upper).max(initial=0.0))

    def offer(self, a: np.ndarray) -> None:
        """Keep a if it is better."""
        d = a - self.start
        Kd = self.K @ d
        gradient, gain = self.g + Kd, -float(np.sum(d * (self.g + 0.5 * Kd)))
        self.last, self.last_gradient = a, gradient
        rounding = EPS * float(np.sum(np.abs(d) * (np.abs(self.g) + np.abs(self.K) @ np.abs(d))))
        violation = float(violations(gradient, a, self.lower, self.upper).max())
        as_good = gain >= self.gain - rounding and violation < self.violation
        if gain > self.gain + rounding or as_good:
            self.a, self.gain, self.violation = a, gain, violation

    def finish(self, tol: float, deadline: float) -> None:
        """Offer what Newton steps on the faces make of the last offer."""
        self.offer(
            face_steps(
                self.K,
                self.last_gradient,
                self.last,
                self.lower,
                self.upper,
                tol=tol,
                rounds=LAST_ROUNDS,
                deadline=deadline,
            )
        )
