"""Bounds of the error of a multi-prototype machine on new examples (AS05 section 7)."""

from __future__ import annotations

import math


def margin_bound(
    *, n: int, k: int, q: int, squared_norm: float, radius: float, delta: float
) -> float:
    """AS05 theorem 4, for a machine that separates its training set with slacks of 0.

        1/n (130 R^2 q (k - 1 + q) ||M||^2 log(4 e n) log(4 n) + log(2 (2 n)^K / delta))

    with K = q^2 k (k - 1) / 2; logarithms to base 2, as in the theorem of Platt, Cristianini and
    Shawe-Taylor (2000) that it rests on.

    Parameters
    ----------
    n, k, q : int
        Training examples, classes, prototypes of each class.
    squared_norm : float
        ||M||^2.
    radius : float
        Radius R of a ball around 0 that holds all examples.
    delta : float
        The bound holds with probability 1 - delta.
    """
    K = q * q * k * (k - 1) // 2
    margins = 130.0 * radius**2 * q * (k - 1 + q) * squared_norm
    margins *= math.log2(4.0 * math.e * n) * math.log2(4.0 * n)
    return (margins + 1.0 + K * math.log2(2.0 * n) - math.log2(delta)) / n


def growth_bound(*, n: int, k: int, q: int, d: int, training_error: float, delta: float) -> float:
    """AS05 theorem 5, for any training set.

        err + sqrt(4 (1 + (q k + 1/2) ln(q k) + d q^2 k (k - 1) / 2 ln(2 e n / d)
                      - ln(delta / 4)) / n) + 1/n

    Parameters
    ----------
    n, k, q : int
        Training examples, classes, prototypes of each class.
    d : int
        Features, at most 2 n; that of a penalized bias counts.
    training_error : float
        The share err of training examples with a wrong class.
    delta : float
        The bound holds with probability 1 - delta.
    """
    if d > 2 * n:  # then there are points in general position that the lemma says nothing of
        return math.inf
    grown = 1.0 + (q * k + 0.5) * math.log(q * k)
    grown += 0.5 * d * q * q * k * (k - 1) * math.log(2.0 * math.e * n / d)
    return training_error + math.sqrt(4.0 * (grown - math.log(delta / 4.0)) / n) + 1.0 / n
