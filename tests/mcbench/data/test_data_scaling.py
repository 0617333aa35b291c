"""Scaling learns from the training part only, copes with constants, and treats CSR sensibly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from mcbench.data import load
from mcbench.data.scaling import SCALINGS, scale

VALUES = st.one_of(
    st.floats(-1e12, 1e12, allow_nan=False), st.sampled_from([0.0, -0.0, 1.0, 0.1, 1e-300, -7.5])
)
MATRIX = arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=VALUES)


@settings(max_examples=150, deadline=None)
@given(MATRIX)
def test_range(X: np.ndarray) -> None:
    train, test = scale("range", X, X)
    assert np.array_equal(train, test)
    assert np.all(np.abs(train) <= 1)
    varies = X.max(axis=0) > X.min(axis=0)
    assert np.all(train[:, varies].min(axis=0) == -1)
    assert np.all(train[:, varies].max(axis=0) == 1)
    assert np.all(train[:, ~varies] == 0)


@settings(max_examples=150, deadline=None)
@given(MATRIX)
def test_unit_variance(X: np.ndarray) -> None:
    train, _ = scale("unit_variance", X, X)
    assert np.isfinite(train).all()
    deviation = train.std(axis=0)
    assert np.all((train == 0).all(axis=0) | (np.abs(deviation - 1) < 1e-3) | (deviation > 0))
    typical = (X.std(axis=0) > 1e-3 * np.abs(X).max(axis=0)) & (np.abs(X).max(axis=0) > 1e-200)
    assert np.allclose(deviation[typical], 1)
    constant = X.max(axis=0) == X.min(axis=0)
    assert np.all(train[:, constant] == 0)


@settings(max_examples=100, deadline=None)
@given(MATRIX, st.sampled_from(["none", "unit_variance", "div255"]))
def test_sparse_and_dense_agree(X: np.ndarray, how: str) -> None:
    dense = scale(how, X, X[:1])
    thin = scale(how, sparse.csr_matrix(X), sparse.csr_matrix(X[:1]))
    for a, b in zip(dense, thin, strict=True):
        assert sparse.issparse(b)
        np.testing.assert_allclose(b.toarray(), a, rtol=1e-6, atol=1e-300)


def test_the_test_part_teaches_nothing() -> None:
    train, test = np.array([[0.0, 5.0], [10.0, 5.0]]), np.array([[20.0, 6.0], [-10.0, 5.0]])
    assert scale("range", train, test)[1].tolist() == [[3.0, 0.0], [-3.0, 0.0]]
    assert scale("unit_variance", train, test)[1].tolist() == [[4.0, 0.0], [-2.0, 0.0]]
    assert scale("div255", train, test)[1][0, 0] == 20 / 255
    assert scale("none", train, test)[0] is train


def test_range_refuses_sparse_and_huge() -> None:
    thin = sparse.csr_matrix(np.eye(3))
    with pytest.raises(ValueError, match="would fill a sparse matrix"):
        scale("range", thin, thin)
    huge = np.array([[1.7e308], [-1.7e308]])
    for how in ("range", "unit_variance"):
        with pytest.raises(ValueError, match="too large"):
            scale(how, huge, huge)


def test_unknown() -> None:
    with pytest.raises(ValueError, match="none, range, unit_variance, div255"):
        scale("minmax", np.eye(2), np.eye(2))


def test_of_data_sets() -> None:
    data = load("satimage", scaling="range")
    assert data.X_train.min() == -1
    assert data.X_train.max() == 1
    assert not np.array_equal(data.X_test.min(axis=0), np.full(36, -1.0))
    assert np.allclose(load("letter", scaling="unit_variance").X_train.std(axis=0), 1)
    assert load("satimage", scaling="range").content_hash == load("satimage").content_hash
    assert set(SCALINGS) == {"none", "range", "unit_variance", "div255"}
