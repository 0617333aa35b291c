"""The cache of kernel columns: the right ones, no more often than they have to be computed."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.column_cache import BATCH, ColumnCache
from solvers.columns import GivenColumns
from solvers.workers import Workers


class Numbers:
    """Columns whose values are the number of the example, and how often each was computed."""

    def __init__(self, n):
        self.n, self.dtype, self.times = n, np.dtype(np.float64), np.zeros(n, dtype=int)
        K = np.repeat(np.arange(n, dtype=float)[:, np.newaxis], n, axis=1)
        self.inner = GivenColumns(K, np.float64)

    def compute(self, examples, out, team):
        self.times[examples] += 1
        self.inner.compute(examples, out, team)

    def square(self, examples, columns, team):
        return self.inner.square(examples, columns, team)


@given(st.integers(0, 10_000), st.sampled_from([1e-6, 0.05, 0.1, 10.0]), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_cache_hands_out_the_columns_asked_for(seed, megabytes, eager):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 200))
    source, team = Numbers(n), Workers(1)
    cache = ColumnCache(source, megabytes)
    assert min(n, 32) <= cache.capacity <= n
    asked = early = 0

    def ahead(m, held):
        nonlocal early
        free = np.flatnonzero(~held)
        wanted = rng.permutation(free)[: rng.integers(0, m + 1)] if eager else free[:0]
        early += len(wanted)
        return wanted

    for _ in range(20):
        examples = rng.permutation(n)[: rng.integers(1, cache.capacity + 1)]
        asked += len(examples)
        before = cache.n_computed
        K = source.square(examples, cache.get(examples, team, ahead), team)
        assert cache.n_computed - before <= max(len(examples), BATCH)
        np.testing.assert_array_equal(np.diagonal(K), examples)
    assert cache.n_computed == source.times.sum()
    assert cache.n_computed + cache.n_hits == asked + early
    if cache.capacity == n:
        assert source.times.max() == 1


def test_the_cache_forgets_what_was_used_least_recently():
    source, team = Numbers(100), Workers(1)
    cache = ColumnCache(source, 1e-6)

    def nothing(m, held):
        return np.empty(0, dtype=np.intp)

    cache.get(np.arange(32), team, nothing)
    cache.get(np.arange(16), team, nothing)
    cache.get(np.arange(40, 50), team, nothing)
    cache.get(np.arange(16), team, nothing)
    assert source.times[:16].max() == 1
    assert cache.n_hits == 32
