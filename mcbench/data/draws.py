"""Seeded draws whose result never changes.

NumPy guarantees the raw bits of PCG64 and of SeedSequence for ever, but not what
`Generator.permutation` makes of them; so the permutation is made here.
"""

from __future__ import annotations

import numpy as np


def permutation(n: int, *key: int) -> np.ndarray:
    """Return a permutation of ``0 .. n - 1`` that depends on nothing but `n` and `key`."""
    bits = np.random.PCG64(np.random.SeedSequence(key)).random_raw(n)
    return np.argsort(bits, kind="stable")


def sample(rows: np.ndarray, size: int, draw: str, *key: int) -> np.ndarray:
    """Take `size` of `rows`: the first ones, or a seeded draw without replacement.

    A draw keeps the order of the rows. Draws of growing size with the same key are nested.

    Parameters
    ----------
    rows : ndarray of int
        Row numbers to choose from.
    size : int
        How many, at most ``len(rows)``.
    draw : {"first", "seeded"}
        Rule.
    *key : int
        Seed, and a number that keeps one draw independent of another.
    """
    if size >= len(rows):
        return rows
    if draw == "first":
        return rows[:size]
    return rows[np.sort(permutation(len(rows), *key)[:size])]
