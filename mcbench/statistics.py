"""How far errors can be trusted, and whether methods differ: every test says its n and an effect.

A p value never comes alone: each result holds what was counted, how large the difference is, and
a sentence that says all of it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


#: A spread below this share of the mean is rounding.
ROUNDING = 1e-12


def binomial_interval(error: float, n: int, level: float = 0.99) -> tuple[float, float]:
    """Return the exact confidence interval of an error rate counted on n examples.

    Clopper and Pearson's: the rates p for which neither tail of the binomial distribution (n, p)
    from the counted number of errors on has a probability below (1 - level) / 2.

    Parameters
    ----------
    error : float
        The rate, between 0 and 1; n times it, rounded, is the number of errors.
    n : int
        Test examples.
    level : float
        Confidence.

    Returns
    -------
    lower, upper : float
        Rates between 0 and 1.

    References
    ----------
    C. Clopper and E. Pearson, "The use of confidence or fiducial limits illustrated in the case of
    the binomial", Biometrika 26, 1934.
    """
    from scipy.stats import binomtest

    found = binomtest(round(error * n), n).proportion_ci(level, method="exact")
    return float(found.low), float(found.high)


def percent_interval(error: float, n: int, level: float = 0.99) -> tuple[float, float]:
    """Return `binomial_interval` of an error in per cent, in per cent."""
    low, high = binomial_interval(error / 100, n, level)
    return 100 * low, 100 * high


def mean_interval(mean: float, sd: float, n: int, level: float = 0.99) -> tuple[float, float]:
    """Return the confidence interval of a mean of n values, by Student's distribution.

    Parameters
    ----------
    mean, sd : float
        Mean and standard deviation (divisor n - 1) of the values.
    n : int
        How many values; at least 2.
    level : float
        Confidence.
    """
    from scipy.stats import t

    half = float(t.ppf((1 + level) / 2, n - 1)) * sd / n**0.5
    return mean - half, mean + half


@dataclass(frozen=True)
class McNemar:
    """Two classifiers on the same test examples.

    Attributes
    ----------
    n : int
        Test examples.
    only_a, only_b : int
        Examples that only the first, only the second classifier has wrong.
    p : float
        Probability of a split of these at least as uneven, were both wrong equally often.
    """

    n: int
    only_a: int
    only_b: int
    p: float

    @property
    def difference(self) -> float:
        """Error rate of the first less that of the second."""
        return (self.only_a - self.only_b) / self.n

    def sentence(self) -> str:
        """Return effect, counts and p."""
        return (
            f"{100 * self.difference:+.2f} points (only one wrong: {self.only_a} against "
            f"{self.only_b} of n = {self.n}; exact McNemar p = {self.p:.2g})"
        )


def mcnemar(wrong_a: Sequence[bool], wrong_b: Sequence[bool]) -> McNemar:
    """Test whether two classifiers have the same error rate: McNemar's test, exact.

    Of the examples that exactly one of them has wrong, each has either half of the time if the
    rates are equal; p is two-sided, from the binomial distribution.

    Parameters
    ----------
    wrong_a, wrong_b : sequences of bool, the same length
        Which test examples each one has wrong, in the same order.

    Raises
    ------
    ValueError
        When the lengths differ, or there is no example.

    References
    ----------
    Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
    percentages", Psychometrika 12, 1947.
    """
    a, b = np.asarray(wrong_a), np.asarray(wrong_b)
    if {a.dtype.kind, b.dtype.kind} - set("biu") and a.size:
        raise ValueError("which examples are wrong has to be told by true and false, or 1 and 0")
    a, b = a.astype(bool), b.astype(bool)
    if a.shape != b.shape or not a.size:
        raise ValueError(f"the test examples of two classifiers differ: {a.size} and {b.size}")
    only_a, only_b = int(np.sum(a & ~b)), int(np.sum(b & ~a))
    return McNemar(a.size, only_a, only_b, _even(only_a, only_b))


@dataclass(frozen=True)
class SignTest:
    """Signs of paired differences.

    Attributes
    ----------
    n, positive, negative, ties : int
        Pairs, and how many of them have which sign; ties have none and do not count.
    p : float
        Probability of signs at least as uneven, were both equally likely.
    """

    n: int
    positive: int
    negative: int
    ties: int
    p: float

    def sentence(self) -> str:
        """Return counts and p."""
        return (
            f"{self.positive} above, {self.negative} below, {self.ties} equal of n = {self.n}; "
            f"exact sign test p = {self.p:.2g}"
        )


def sign_test(differences: Sequence[float]) -> SignTest:
    """Test whether paired differences are above 0 as often as below: the exact sign test."""
    d = _numbers(differences)
    positive, negative = int(np.sum(d > 0)), int(np.sum(d < 0))
    return SignTest(d.size, positive, negative, int(np.sum(d == 0)), _even(positive, negative))


@dataclass(frozen=True)
class Friedman:
    """Several methods on the same data sets.

    Attributes
    ----------
    n, k : int
        Data sets and methods.
    statistic : float
        Friedman's chi-squared with k - 1 degrees of freedom, corrected for ties.
    p : float
        Probability of a statistic at least as large, were all methods alike.
    ranks : Series
        Mean rank of each method; 1 is the least error.
    critical_difference : float
        Mean ranks that are further apart differ significantly at 5 % by Nemenyi's test.
    pairs : DataFrame
        p of each pair of methods, by Nemenyi's test.
    """

    n: int
    k: int
    statistic: float
    p: float
    ranks: "pd.Series[float]"
    critical_difference: float
    pairs: "pd.DataFrame"

    @property
    def concordance(self) -> float:
        """Kendall's W, the effect size: 0 when ranks are as good as drawn, 1 when all agree."""
        return self.statistic / (self.n * (self.k - 1))

    def sentence(self) -> str:
        """Return ranks, effect, n and p."""
        ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in self.ranks.sort_values().items())
        return (
            f"mean ranks {ranks} (critical difference {self.critical_difference:.2f}); "
            f"{self.k} methods on n = {self.n} data sets, Friedman p = {self.p:.2g}, "
            f"Kendall's W = {self.concordance:.2f}"
        )


def friedman(errors: "pd.DataFrame") -> Friedman:
    """Test whether methods differ over data sets, and which pairs do.

    Each data set ranks the methods by their error, equal ones share the mean of their ranks.
    Friedman's test is of all mean ranks being equal, Nemenyi's of each pair.

    Parameters
    ----------
    errors : DataFrame
        One row a data set, one column a method; at least 3 methods and 2 data sets, no gaps.

    Raises
    ------
    ValueError
        When there are fewer, or an error is missing.

    References
    ----------
    J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
    Learning Research 7, 2006.
    """
    import scikit_posthocs
    from scipy.stats import friedmanchisquare, studentized_range

    n, k = errors.shape
    errors = errors.astype(float)
    if n < 2 or k < 3 or errors.isna().any(axis=None):
        raise ValueError(f"{n} data sets and {k} methods: 2 and 3 are needed, without gaps")
    ranks = errors.rank(axis=1).mean()
    if (errors.nunique(axis=1) == 1).all():  # all ranks are tied and the statistic is 0 / 0
        statistic, p = 0.0, 1.0
    else:
        statistic, p = map(float, friedmanchisquare(*(errors[name] for name in errors)))
    quantile = float(studentized_range.ppf(0.95, k, np.inf)) / 2**0.5
    pairs = scikit_posthocs.posthoc_nemenyi_friedman(errors.to_numpy())
    pairs.index = pairs.columns = errors.columns
    return Friedman(n, k, statistic, p, ranks, quantile * (k * (k + 1) / (6 * n)) ** 0.5, pairs)


@dataclass(frozen=True)
class PairedT:
    """Paired differences over splits of one data set.

    Attributes
    ----------
    n : int
        Splits.
    mean, sd : float
        Of the differences.
    statistic : float
        Student's t with n - 1 degrees of freedom, corrected.
    p : float
        Probability of a statistic at least as far from 0, were the mean 0.
    """

    n: int
    mean: float
    sd: float
    statistic: float
    p: float

    @property
    def effect(self) -> float:
        """The mean in standard deviations."""
        return _in_units_of(self.sd, self.mean)

    def sentence(self) -> str:
        """Return mean, effect, n and p."""
        return (
            f"mean difference {self.mean:+.3g} (sd {self.sd:.2g}, effect {self.effect:+.2f}, "
            f"n = {self.n} splits; corrected resampled t-test p = {self.p:.2g})"
        )


def corrected_resampled_t(differences: Sequence[float], n_train: int, n_test: int) -> PairedT:
    """Test whether the mean of paired differences over random splits is 0.

    The training parts of random splits overlap, so the differences are not independent: Nadeau and
    Bengio replace the variance of the mean, s^2 / n, by (1 / n + n_test / n_train) s^2.

    Parameters
    ----------
    differences : sequence of float
        One for each split; at least 2.
    n_train, n_test : int
        Sizes of the parts of a split.

    References
    ----------
    C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
    """
    from scipy.stats import t

    d = _numbers(differences)
    if d.size < 2:
        raise ValueError(f"{d.size} differences: at least 2 are needed")
    mean, sd = float(d.mean()), float(d.std(ddof=1))
    if sd <= ROUNDING * abs(mean):
        sd = 0.0
    statistic = _in_units_of(sd * (1 / d.size + n_test / n_train) ** 0.5, mean)
    return PairedT(d.size, mean, sd, statistic, float(2 * t.sf(abs(statistic), d.size - 1)))


def _numbers(differences: Sequence[float]) -> np.ndarray:
    """Return differences as an array; a ValueError where one is not a number."""
    d = np.asarray(differences, dtype=float)
    if np.isnan(d).any():
        raise ValueError(f"{int(np.isnan(d).sum())} of {d.size} differences are not numbers")
    return d


def _in_units_of(spread: float, mean: float) -> float:
    """Return mean / spread; 0 when both are 0, infinite when only the spread is."""
    if spread:
        return mean / spread
    return math.copysign(math.inf, mean) if mean else 0.0


def _even(one: int, other: int) -> float:
    """Return the two-sided p of so uneven a split, were either side equally likely."""
    from scipy.stats import binomtest

    return float(binomtest(one, one + other).pvalue) if one + other else 1.0
