"""Coefficients whose sums are not yet zero for each class, moved to where they are.

A free bias asks of the coefficients of Weston & Watkins' machine that sum_i a_ir = 0 for every
class r (WW98 eq. 10). Raising alpha_i^m by d moves d of these sums from class m to class y_i,
lowering it moves d back: the classes are the nodes of a graph, the coefficients its edges, and the
sums what is left over at the nodes. Balancing it is a flow problem with k nodes, which is solved
along shortest paths; what flows between two classes is shared out among the examples.
"""

from __future__ import annotations

import numpy as np

# Of the largest coefficient. Sums are brought down to the first; what is left of them and below the
# second comes of rounding, and no coefficient leaves its bound for it.
FINEST = 1e-13
ROUNDING = 1e-11


def balanced(a: np.ndarray, y: np.ndarray, C: float) -> np.ndarray:
    """Coefficients near ``a`` that satisfy sum_i a_ir = 0 as well.

    First those strictly between their bounds move, each in proportion to its room, so that they
    stay there. They suffice for small sums: where they do not connect two parts of the graph,
    the sums over each part are made of multiples of C and cannot be small unless they are zero.
    What is left then is taken back by lowering: since a = 0 is balanced, that always succeeds.

    Parameters
    ----------
    a : ndarray of shape (n, k)
        With -C <= a_im <= 0 for m != y_i and sum_r a_ir = 0.
    y : int ndarray of shape (n,)
        Labels 0 .. k-1.
    C : float
        May be infinite.

    Returns
    -------
    ndarray of shape (n, k)
    """
    k = a.shape[1]
    rows = np.arange(len(y))
    alpha = -a
    alpha[rows, y] = 0.0
    groups = np.eye(k)[y].T
    for inside in (True, True, False, False):  # twice, for what rounding left
        room = np.minimum(alpha, C - alpha) if inside else alpha
        down = groups @ room
        up = down if inside else np.zeros((k, k))
        least = (FINEST if inside else ROUNDING) * alpha.max()
        change = flow(surplus(alpha, y), up, down, least)
        share = np.divide(change, down, out=np.zeros_like(down), where=down > 0.0)
        alpha = np.clip(alpha + share[y] * room, 0.0, C)
    result = -alpha
    result[rows, y] = alpha.sum(axis=1)
    return result


def surplus(alpha: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The sums sum_i a_ir of all classes."""
    return np.bincount(y, alpha.sum(axis=1), alpha.shape[1]) - alpha.sum(axis=0)


def flow(left: np.ndarray, up: np.ndarray, down: np.ndarray, least: float) -> np.ndarray:
    """Changes between -down and up of the coefficients of (c, m) that take away what is left.

    Parameters
    ----------
    left : ndarray of shape (k,)
        Sums to zero.
    up, down : ndarray of shape (k, k)
        How far the coefficients alpha^m of the examples of class c may rise and fall.
    least : float
        Less than this does not count.

    Returns
    -------
    ndarray of shape (k, k)
        As much as can be done is done.
    """
    left, change = left.copy(), np.zeros_like(up)
    while np.abs(left).max() > least:
        # From u to v: lower the coefficients of (u, v), or raise those of (v, u).
        lower, raise_ = down + change, (up - change).T
        path = shortest_path(left, lower + raise_, least)
        if not path:
            break
        amount = min(left[path[0][0]], -left[path[-1][1]], *((lower + raise_)[e] for e in path))
        for u, v in path:
            part = amount * lower[u, v] / (lower[u, v] + raise_[u, v])
            change[u, v] -= part
            change[v, u] += amount - part
            left[u] -= amount
            left[v] += amount
    return change


def shortest_path(left: np.ndarray, capacity: np.ndarray, least: float) -> list[tuple[int, int]]:
    """Edges of room from a class with more than ``least`` left to one that lacks as much.

    Empty where there is no such path.
    """
    came_from = {int(u): -1 for u in np.flatnonzero(left > least)}
    queue = list(came_from)
    for u in queue:
        if left[u] < -least:
            path = []
            while came_from[u] >= 0:
                path.append((came_from[u], u))
                u = came_from[u]
            return path[::-1]
        for v in np.flatnonzero(capacity[u] > least):
            if int(v) not in came_from:
                came_from[int(v)] = u
                queue.append(int(v))
    return []
