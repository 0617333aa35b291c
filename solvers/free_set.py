"""Newton steps on the coefficients between their bounds.

One example after the other is quick to find which coefficients of Weston & Watkins' machine lie at
a bound, and slow to settle the others where the kernel matrix of the support vectors is
ill-conditioned (a large C, a wide kernel). Those can be settled together. Of a set W of pairs
(i, m), those with 0 < alpha_i^m < C and the worst of those at a bound, with
G_im = margin - f_{y_i}(x_i) + f_m(x_i), the part of the dual is the quadratic program

    max_d  <G, d> - 1/2 <d, Q d>   subject to   0 <= alpha + d <= C,
    Q_{(i,m),(j,l)} = K_ij <e_{y_i} - e_m, e_{y_j} - e_l>,

which is solved face by face: the maximum over the coefficients that are free is a linear system;
where it lies outside the box, those that leave it stop at their bounds; where it lies inside, those
that want to leave their bounds are set free. No step lowers the dual.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from .loop_around import LoopAround

LARGEST = 2500  # coefficients of one program: a linear system of 50 MB, some tenths of a second
MORE = 0.5  # of the coefficients between their bounds: how many others come with them
LEAST = 100  # of these others
FEWEST, MOST = 20, 100  # rounds of one step: the most where they cost no more than this,
ROUNDS_WORK = 2e10  # rounds times the third power of the number of coefficients
RIDGE = 1e-13  # of the mean of Q's diagonal: it may be singular
#: Arithmetic of the linear algebra that takes as long as one operation of the loop.
QUICKER = 10


def box_maximum(Q: np.ndarray, G: np.ndarray, alpha: np.ndarray, C: float) -> np.ndarray:
    """The maximum of <G, d> - 1/2 <d, Q d> over the box 0 <= alpha + d <= C, or the way to it.

    Parameters
    ----------
    Q : ndarray of shape (m, m)
        Positive semidefinite.
    G : ndarray of shape (m,)
    alpha : ndarray of shape (m,)
        Inside the box.
    C : float
        May be infinite.

    Returns
    -------
    ndarray of shape (m,)
        alpha + d, with a value that is not below that of d = 0.
    """
    ridge = RIDGE * Q.diagonal().mean()
    here, gradient = alpha.copy(), G.copy()
    free = ((here > 0.0) & (here < C)) | inward(here, gradient, C)
    rounds = min(max(FEWEST, ROUNDS_WORK / max(len(G), 1) ** 3), MOST)
    for _ in range(int(rounds)):
        if not free.any():  # all have stopped at their bounds
            free = inward(here, gradient, C)
            if not free.any():
                break
        F = np.flatnonzero(free)
        part = Q[np.ix_(F, F)]
        part[np.diag_indices_from(part)] += ridge
        try:
            step = cho_solve(cho_factor(part, overwrite_a=True), gradient[F])
        except np.linalg.LinAlgError:  # indefinite, in its last digits at least
            break
        bound = np.where(step > 0.0, C, 0.0)
        room = np.divide(bound - here[F], step, out=np.full(len(F), np.inf), where=step != 0.0)
        if room.min() <= 0.0:  # a bound that was left in vain
            free[F[room <= 0.0]] = False
            continue
        straight, bent = here.copy(), here.copy()
        longest = min(1.0, room.min())
        for new, length in ((straight, longest), (bent, 1.0)):
            new[F] = np.where(room <= length, bound, np.clip(here[F] + length * step, 0.0, C))
        if value(Q, gradient, bent - here) < value(Q, gradient, straight - here):
            here = straight
        else:
            here = bent
        gradient = G - Q @ (here - alpha)
        free = (here > 0.0) & (here < C)
        if longest == 1.0:
            released = inward(here, gradient, C)
            if not released.any():
                break
            free |= released
    return here


def inward(alpha: np.ndarray, gradient: np.ndarray, C: float) -> np.ndarray:
    """Which coefficients are at a bound that the gradient leads away from."""
    return ((alpha <= 0.0) & (gradient > 0.0)) | ((alpha >= C) & (gradient < 0.0))


def value(Q: np.ndarray, G: np.ndarray, d: np.ndarray) -> float:
    """<G, d> - 1/2 <d, Q d>."""
    return float(d @ (G - 0.5 * (Q @ d)))


class FreeSetLoop(LoopAround):
    """A loop that makes such a step now and then (see `solvers.drive.Loop`).

    Parameters
    ----------
    inner : Loop
        One example after the other, over the box.
    y : int ndarray of shape (n,)
        Labels 0 .. k-1.
    C, margin : float
        Of the machine.
    gram : callable
        ``gram(S)``: the kernel matrix of the examples S.
    score : callable
        The scores K a (n x k) of coefficients, from scratch.
    """

    STATE = ("next_step",)

    def __init__(
        self,
        inner: Any,
        y: np.ndarray,
        *,
        C: float,
        margin: float,
        gram: Callable[[np.ndarray], np.ndarray],
        score: Callable[[np.ndarray], np.ndarray],
    ) -> None:
        self.inner, self.y, self.C, self.margin = inner, y, C, margin
        self.gram, self.score = gram, score
        self.next_step = 2 * len(y)

    def run(self, until: int, seconds: float) -> str:
        """Go on to iteration ``until``, to the end, or for about ``seconds``."""
        stop = time.perf_counter() + seconds
        while True:
            left = stop - time.perf_counter()
            status = self.inner.run(min(until, self.next_step), left)
            if status != "running" or self.inner.n_iter < self.next_step:
                return status
            self.newton()

    def newton(self) -> None:
        """Settle the coefficients between their bounds; say when to do so next.

        Counted in arithmetic, not in seconds: the same input takes the same way.
        """
        a, f = self.inner.coefficients, self.inner.scores
        n, k = a.shape
        rows = np.arange(n)
        alpha = -a
        alpha[rows, self.y] = 0.0
        G = self.margin - f[rows, self.y][:, np.newaxis] + f
        chosen = (alpha > 0.0) & (alpha < self.C)
        outside = np.where(inward(alpha, G, self.C), np.abs(G), 0.0)
        outside[rows, self.y] = 0.0
        n_free = int(np.count_nonzero(chosen))
        n_more = max(LEAST, int(MORE * n_free))
        n_more = min(n_more, int(np.count_nonzero(outside)), LARGEST - n_free)
        if n_more > 0:
            chosen.flat[np.argpartition(outside, -n_more, axis=None)[-n_more:]] = True
        i, m = np.nonzero(chosen)
        S, place = np.unique(i, return_inverse=True)
        work = 50 * n * len(S)
        if 0 < len(i) <= LARGEST:
            work += len(i) ** 3
            edges = np.eye(k)[self.y[i]] - np.eye(k)[m]
            Q = self.gram(S)[np.ix_(place, place)] * (edges @ edges.T)
            alpha[i, m] = box_maximum(Q, G[i, m], alpha[i, m], self.C)
            moved = -alpha
            moved[rows, self.y] = alpha.sum(axis=1)
            self.inner.state.put(moved, f + self.score(moved - a))
        self.next_step = self.inner.n_iter + max(2 * n, work // (QUICKER * n * k))

    def scale(self, t: float) -> None:
        """Multiply the solution by t > 0 (`solvers.hard_margin`)."""
        self.inner.scale(t)

    def resume(self, f: np.ndarray) -> None:
        """Go on from scores computed from scratch."""
        self.inner.resume(f)

    def tighten(self, tightest: float) -> bool:
        """Ask for a tenth of the tolerance, unless that is below ``tightest``; go on then."""
        return self.inner.tighten(tightest)

    @property
    def status(self) -> str:
        """Why the loop ended, or "running"."""
        return self.inner.status

    @property
    def scores(self) -> np.ndarray:
        """The n x k running scores."""
        return self.inner.scores
