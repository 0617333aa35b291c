"""Kernel columns from tiles are those that scikit-learn computes, whatever the widths."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import pairwise_kernels

from solvers.columns import SHORT, columns_of
from solvers.kernels import KernelChoice
from solvers.training import Training
from solvers.workers import Workers

ACCURACY = {np.float64: 1e-12, np.float32: 2e-5}
CHOICES = {
    "linear": KernelChoice("linear", 0.3, 3, 0.0, "none"),
    "poly": KernelChoice("poly", 0.3, 3, 1.0, "none"),
    "poly, fractional": KernelChoice("poly", 0.3, 1.5, 20.0, "none"),
    "rbf": KernelChoice("rbf", 0.3, 3, 0.0, "none"),
}


def columns(X, choice, examples, dtype, storage="auto", team=None):
    """The columns of some examples and the matrix of those, as arrays."""
    y = np.arange(len(examples if X is None else range(X.shape[0]))) % 2
    source = columns_of(Training(X, y, np.arange(2), choice, X), storage, dtype)
    team = team or Workers(1)
    found = np.full((len(examples), source.n), np.nan, dtype)
    addresses = found.ctypes.data + found.strides[0] * np.arange(len(examples), dtype=np.int64)
    source.compute(examples, addresses, team)
    return found, source.square(examples, addresses, team)


def check(X, choice, examples, dtype, storage="auto", team=None):
    found, square = columns(X, choice, examples, dtype, storage, team)
    expected = pairwise_kernels(
        X[examples],
        X,
        metric=choice.name,
        filter_params=True,
        gamma=choice.gamma,
        degree=choice.degree,
        coef0=choice.coef0,
    )
    size = np.abs(expected).max()
    np.testing.assert_allclose(found, expected, rtol=0, atol=ACCURACY[dtype] * size)
    np.testing.assert_allclose(square, expected[:, examples], rtol=0, atol=ACCURACY[dtype] * size)
    np.testing.assert_array_equal(square, square.T)


@pytest.mark.parametrize("dtype", ACCURACY)
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("n", [2, 63, 64, 65, 511, 512, 513, 2047, 2049])
def test_widths_around_the_edges_of_tiles(n, choice, dtype):
    rng = np.random.default_rng(n)
    examples = np.unique(rng.integers(0, n, 9))
    for d in (3, SHORT + 3):
        X = rng.normal(size=(n, d)) / np.sqrt(d)
        check(X, CHOICES[choice], examples, dtype)
        X[np.abs(X) * np.sqrt(d) < 1.0] = 0.0
        check(sp.csr_array(X), CHOICES[choice], examples, dtype)


@pytest.mark.parametrize("dtype", ACCURACY)
@pytest.mark.parametrize("d", range(1, 61))
def test_numbers_of_features(d, dtype):
    rng = np.random.default_rng(d)
    X = rng.normal(size=(130, d)) / np.sqrt(d)
    for choice in CHOICES.values():
        check(X, choice, np.arange(1 + d % 7), dtype)


@given(
    n=st.integers(2, 700),
    d=st.integers(1, 70),
    q=st.integers(1, 70),
    choice=st.sampled_from(sorted(CHOICES)),
    dtype=st.sampled_from([np.float32, np.float64]),
    storage=st.sampled_from(["dense", "sparse"]),
    zeros=st.sampled_from([0.0, 0.5, 1.0]),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=60, deadline=None)
def test_any_shape(n, d, q, choice, dtype, storage, zeros, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) / np.sqrt(d)
    X[rng.uniform(size=X.shape) < zeros] = 0.0
    examples = rng.permutation(n)[: min(q, n)]
    check(sp.csr_array(X), CHOICES[choice], examples, dtype, storage)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("d", [5, SHORT + 5])
def test_threads_change_no_bit(d, storage):
    X = np.random.default_rng(0).normal(size=(5000, d))
    examples = np.arange(0, 5000, 71)
    for dtype in ACCURACY:
        one = columns(X, CHOICES["rbf"], examples, dtype, storage)
        team = Workers(3)
        for expected, found in zip(
            one, columns(X, CHOICES["rbf"], examples, dtype, storage, team), strict=True
        ):
            np.testing.assert_array_equal(found, expected)
        team.pool.shutdown()


@pytest.mark.parametrize("offset", [1e3, 1e6])
def test_distances_do_not_mind_where_the_origin_is(offset):
    # ||x||^2 + ||z||^2 - 2 <x, z> loses all digits here, in single precision at least.
    X = np.random.default_rng(0).normal(size=(300, 4))
    near, _ = columns(X, CHOICES["rbf"], np.arange(20), np.float64)
    for dtype in ACCURACY:
        far, _ = columns(X + offset, CHOICES["rbf"], np.arange(20), dtype)
        np.testing.assert_allclose(far, near, atol=1e-5)


def test_features_that_never_change_and_no_example_that_differs():
    X = np.ones((70, 3))
    for choice in CHOICES.values():
        check(X, choice, np.arange(5), np.float64)
        check(0.0 * X, choice, np.arange(5), np.float64)


@pytest.mark.parametrize("dtype", ACCURACY)
def test_a_kernel_matrix_is_read_as_it_is(dtype):
    A = np.random.default_rng(0).normal(size=(90, 90))
    K = A @ A.T
    choice = KernelChoice("precomputed", 1.0, 3, 0.0, "none")
    found, square = columns(K, choice, np.array([7, 3, 80]), dtype)
    np.testing.assert_array_equal(found, K[[7, 3, 80]].astype(dtype))
    np.testing.assert_array_equal(square, K[np.ix_([7, 3, 80], [7, 3, 80])].astype(dtype))
