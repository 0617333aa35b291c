"""Artificial examples in the plane."""

import numpy as np


def discs(k: int, n: int, radius: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw examples of k classes, each uniform in a disc.

    Parameters
    ----------
    k : int
        Classes; the centres of their discs are evenly spaced on a circle of radius 1.5, so that
        neighbours do not touch below a radius of 1.29 for three classes and 1.06 for four.
    n : int
        Examples of each class.
    radius : float
        Of the discs.
    seed : int
        Of the draw.

    Returns
    -------
    X : ndarray of shape (k n, 2)
    y : ndarray of int, shape (k n,)
        0, .., k - 1.
    """
    rng = np.random.default_rng([seed, k])
    y = np.repeat(np.arange(k), n)
    place = np.pi / 2 + 2 * np.pi * y / k
    angle = rng.uniform(0, 2 * np.pi, k * n)
    distance = radius * np.sqrt(rng.uniform(size=k * n))
    X = 1.5 * np.stack([np.cos(place), np.sin(place)]) + distance * np.stack(
        [np.cos(angle), np.sin(angle)]
    )
    return X.T, y
