import numpy as np
import pytest
from scipy.stats import binom

from mcbench.statistics import binomial_interval, mean_interval


@pytest.mark.parametrize(("wrong", "n"), [(163, 2007), (1, 50), (59, 5000)])
def test_the_interval_ends_where_a_tail_has_half_a_per_cent(wrong, n):
    low, high = binomial_interval(wrong / n, n)
    assert low < wrong / n < high
    assert binom.sf(wrong - 1, n, low) == pytest.approx(0.005, rel=1e-6)
    assert binom.cdf(wrong, n, high) == pytest.approx(0.005, rel=1e-6)


def test_the_interval_stays_between_0_and_1():
    assert binomial_interval(0.0, 100)[0] == 0.0
    assert binomial_interval(1.0, 100)[1] == 1.0
    assert binomial_interval(0.5, 10, 0.5)[1] < binomial_interval(0.5, 10)[1]


def test_the_interval_of_a_mean_contains_it_as_often_as_it_says():
    rng = np.random.default_rng(0)
    inside = 0
    for sample in rng.normal(3.0, 2.0, size=(4000, 5)):
        low, high = mean_interval(sample.mean(), sample.std(ddof=1), 5, level=0.9)
        inside += low <= 3.0 <= high
    assert inside / 4000 == pytest.approx(0.9, abs=0.015)
