"""Content hashes depend on the values and on nothing else."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from mcbench.data import hashing
from mcbench.data.hashing import array_hash, combined_hash, matrix_hash

MATRIX = arrays(
    np.int16, st.tuples(st.integers(0, 9), st.integers(1, 5)), elements=st.integers(-3, 3)
)


@settings(max_examples=60, deadline=None)
@given(MATRIX, st.integers(1, 7))
def test_block_by_block(X: np.ndarray, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "_BLOCK", block)
        expected = hashlib.sha256(X.astype("<f8").tobytes()).hexdigest()
        assert array_hash(X, "<f8") == expected
        assert array_hash(np.asfortranarray(X.astype(float)), "<f8") == expected
        assert matrix_hash(X.astype(np.float32)) == expected
        assert matrix_hash(sparse.csr_matrix(X)) == expected
        assert (
            array_hash(X[:, 0], "<i8")
            == hashlib.sha256(X[:, 0].astype("<i8").tobytes()).hexdigest()
        )


def test_a_huge_sparse_matrix_is_hashed_by_its_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    X = sparse.csr_matrix(np.eye(4))
    dense = matrix_hash(X)
    monkeypatch.setattr(hashing, "_DENSE_LIMIT", 10)
    stored = X.copy()
    stored.data = np.append(stored.data, 0.0)  # an explicit zero
    stored.indices = np.append(stored.indices, 0).astype(np.int32)
    stored.indptr = np.array([0, 1, 2, 3, 5], dtype=np.int32)
    assert matrix_hash(X) == matrix_hash(stored) != dense
    assert stored.nnz == 5  # the caller's matrix is left alone


def test_combined() -> None:
    lines = [("train", "X", "a"), ("train", "y", "b")]
    assert combined_hash(lines) == hashlib.sha256(b"train X a\ntrain y b\n").hexdigest()
    assert combined_hash(lines) != combined_hash(lines[::-1])
