"""One against one: a binary machine for each pair of classes (HL02 section II).

Two ways to a decision from the same machines: votes, and the elimination from a list (DAG).
Machine c is about the pair (s, t), s < t, in the order (0, 1), (0, 2), .., (1, 2), ..; class s is
its positive side.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .binary import BinaryMachines

#: Whether class s wins against t for the examples of some rows: duel(s, t, rows).
Duel = Callable[[int, int, np.ndarray], np.ndarray]


def pairs(k: int) -> np.ndarray:
    """All pairs s < t of k classes, of shape (k (k - 1) / 2, 2)."""
    return np.column_stack(np.triu_indices(k, 1))


def column(s: int, t: int, k: int) -> int:
    """The column of the pair (s, t), s < t."""
    return s * (2 * k - s - 1) // 2 + t - s - 1


def n_classes(n_pairs: int) -> int:
    """The number of classes that have so many pairs."""
    return round((1 + (1 + 8 * n_pairs) ** 0.5) / 2)


def votes(f: np.ndarray) -> np.ndarray:
    """How many pairs each class wins, of shape (m, k); (s, t) goes to s where f > 0, else to t."""
    k = n_classes(f.shape[1])
    won = f > 0.0
    result = np.zeros((len(f), k))
    for c, (s, t) in enumerate(pairs(k)):
        result[:, s] += won[:, c]
        result[:, t] += ~won[:, c]
    return result


def eliminated(duel: Duel, m: int, k: int) -> np.ndarray:
    """When each class leaves the list of candidates, of shape (m, k).

    The first class of the list is matched against the last one and the loser leaves, until one
    is left: k - 1 matches for each of the m examples. The class that leaves first has 0, the one
    that is never beaten k - 1. Examples that have the same match before them are asked for
    together.
    """
    result = np.full((m, k), float(k - 1))
    first = np.zeros(m, dtype=np.intp)
    for n_gone in range(k - 1):
        # With n_gone classes out, the list is first .. first + k - 1 - n_gone.
        for s in range(n_gone + 1):
            rows = np.flatnonzero(first == s)
            if len(rows) == 0:
                continue
            t = s + k - 1 - n_gone
            wins = duel(s, t, rows)
            result[rows, np.where(wins, t, s)] = n_gone
            first[rows[~wins]] += 1
    return result


class OneVsOne(BinaryMachines):
    """A machine for each pair, decided by votes."""

    def codes(self, k: int) -> np.ndarray:
        """The code matrix of shape (k, k (k - 1) / 2)."""
        s, t = np.triu_indices(k, 1)
        result = np.zeros((k, len(s)), dtype=np.int8)
        result[s, np.arange(len(s))] = 1
        result[t, np.arange(len(s))] = -1
        return result

    def decide(self, f: np.ndarray) -> np.ndarray:
        """The class with the most votes, the smaller of equals (HL02: max wins)."""
        return votes(f).argmax(axis=1)


class DAG(OneVsOne):
    """The same machines, decided by elimination from a list."""

    def decide(self, f: np.ndarray) -> np.ndarray:
        """The class that is left at the end of the list."""
        k = n_classes(f.shape[1])

        def duel(s: int, t: int, rows: np.ndarray) -> np.ndarray:
            return f[rows, column(s, t, k)] > 0.0

        return eliminated(duel, len(f), k).argmax(axis=1)
