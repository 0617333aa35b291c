import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, chi2, rankdata, ttest_1samp

from mcbench.diagrams import critical_difference
from mcbench.statistics import (
    binomial_interval,
    corrected_resampled_t,
    friedman,
    mcnemar,
    mean_interval,
    sign_test,
)


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


def test_mcnemar_counts_the_examples_that_only_one_has_wrong():
    found = mcnemar([True, True, True, False, True], [True, False, False, False, False])
    assert (found.n, found.only_a, found.only_b) == (5, 3, 0)
    assert found.p == pytest.approx(2 * 0.5**3)
    assert found.difference == pytest.approx(0.6)
    assert found.sentence() == (
        "+60.00 points (only one wrong: 3 against 0 of n = 5; exact McNemar p = 0.25)"
    )
    assert mcnemar([True], [True]).p == 1.0


def test_mcnemar_needs_the_same_examples():
    with pytest.raises(ValueError, match="differ: 2 and 1"):
        mcnemar([True, False], [True])
    with pytest.raises(ValueError, match="differ: 0 and 0"):
        mcnemar([], [])


def test_mcnemar_rejects_as_rarely_as_it_says():
    rng = np.random.default_rng(1)
    pairs = rng.random((400, 2, 200)) < 0.2
    assert np.mean([mcnemar(a, b).p < 0.05 for a, b in pairs]) < 0.06


def test_the_sign_test_leaves_ties_out():
    found = sign_test([0.1, 0.2, -0.3, 0.0, 0.4, 0.1])
    assert (found.n, found.positive, found.negative, found.ties) == (6, 4, 1, 1)
    assert found.p == pytest.approx(2 * 6 / 2**5)
    assert "n = 6" in found.sentence()


def errors_of_four(n=14):
    rng = np.random.default_rng(5)
    values = rng.normal([0.12, 0.1, 0.12, 0.09], 0.02, size=(n, 4)).round(2)
    return pd.DataFrame(values, columns=["a", "b", "c", "d"])


def test_friedman_ranks_methods_on_each_data_set():
    errors = errors_of_four()
    found = friedman(errors)
    ranks = np.array([rankdata(row) for row in errors.to_numpy()])
    assert found.ranks.to_numpy() == pytest.approx(ranks.mean(axis=0))
    # The variance of the ranks as they are, k (k + 1) / 12 without ties.
    spread = ((ranks - 2.5) ** 2).sum() / (14 * 3)
    assert found.statistic == pytest.approx(14 * ((ranks.mean(axis=0) - 2.5) ** 2).sum() / spread)
    assert found.p == pytest.approx(chi2.sf(found.statistic, 3))
    assert found.concordance == pytest.approx(found.statistic / 42)
    assert "n = 14 data sets" in found.sentence()


def test_nemenyi_agrees_with_its_critical_difference():
    found = friedman(errors_of_four())
    assert found.critical_difference == pytest.approx(2.569 * (4 * 5 / (6 * 14)) ** 0.5, rel=1e-3)
    apart = np.abs(np.subtract.outer(found.ranks.to_numpy(), found.ranks.to_numpy()))
    significant = found.pairs.to_numpy() < 0.05
    assert significant.any()
    assert (significant == (apart > found.critical_difference)).all()


def test_methods_that_are_all_the_same_do_not_differ():
    found = friedman(pd.DataFrame(np.full((4, 3), 0.1), columns=list("abc")))
    assert (found.statistic, found.p) == (0.0, 1.0)
    assert (found.ranks == 2.0).all()


@pytest.mark.parametrize(
    "errors", [np.ones((1, 3)), np.ones((4, 2)), np.array([[1, 2, np.nan]] * 3)]
)
def test_friedman_refuses_gaps_and_too_few(errors):
    with pytest.raises(ValueError, match="are needed, without gaps"):
        friedman(pd.DataFrame(errors))


def test_the_corrected_t_test_is_more_careful_than_the_plain_one():
    d = [0.02, 0.01, 0.03, -0.01, 0.02]
    found = corrected_resampled_t(d, n_train=90, n_test=10)
    t, p = ttest_1samp(d, 0.0)
    assert abs(found.statistic) < t
    assert found.p > p
    assert corrected_resampled_t(d, n_train=10**12, n_test=1).p == pytest.approx(p)
    assert found.statistic == pytest.approx(
        np.mean(d) / (np.std(d, ddof=1) * (1 / 5 + 1 / 9) ** 0.5)
    )
    assert "n = 5 splits" in found.sentence()


@pytest.mark.parametrize(("value", "p", "effect"), [(0.0, 1.0, 0.0), (-0.5, 0.0, -np.inf)])
def test_differences_without_spread(value, p, effect):
    found = corrected_resampled_t([value] * 3, 9, 1)
    assert (found.p, found.effect) == (p, effect)


def test_the_diagram_joins_what_does_not_differ():
    found = friedman(errors_of_four())
    figure = critical_difference(found, "14 sets")
    bars = [line for line in figure.axes[0].lines if line.get_color() == "black"]
    assert bars
    # From left to right: the same figure twice gives the same file.
    assert all((np.diff(bar.get_xdata()) >= 0).all() for bar in bars)
    texts = " ".join(text.get_text() for text in figure.axes[0].texts)
    assert all(name in texts for name in found.ranks.index)
    assert "critical difference 1.25" in figure.axes[0].get_xlabel()


def test_what_is_no_number_is_refused():
    with pytest.raises(ValueError, match="true and false"):
        mcnemar([0.0, float("nan")], [True, False])
    with pytest.raises(ValueError, match="true and false"):
        mcnemar(["False"], ["True"])
    for test in (sign_test, lambda d: corrected_resampled_t(d, 9, 1)):
        with pytest.raises(ValueError, match="1 of 3 differences are not numbers"):
            test([0.1, float("nan"), 0.2])
    assert corrected_resampled_t([0.1] * 3, 9, 1).p == 0.0
    assert friedman(errors_of_four().astype(object)).k == 4
