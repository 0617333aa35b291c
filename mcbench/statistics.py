"""How far an error counted on a test part can be trusted."""


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
