import numpy as np
import pytest

from mcbench.bench.synthetic import clusters, generate, scaled_points, text_like


@pytest.fixture(scope="module")
def text():
    return text_like(4000, 20_000, density=0.005, k=10, test=500, seed=3)


def test_text_has_the_density_asked_for(text):
    X = text.X_train
    assert X.shape == (4000, 20_000)
    assert X.nnz / np.prod(X.shape) == pytest.approx(0.005, rel=0.02)
    lengths = np.diff(X.indptr)
    assert lengths.min() >= 1
    assert lengths.std() == pytest.approx(np.sqrt(100), rel=0.15)


def test_text_is_csr_of_unit_rows_with_small_indices(text):
    X = text.X_train
    assert X.has_canonical_format
    assert X.indices.dtype == np.int32
    np.testing.assert_allclose(X.multiply(X).sum(axis=1), 1.0)


def test_words_are_as_uneven_as_zipf_has_them(text):
    occurrences = np.sort(np.bincount(text.X_train.indices, minlength=20_000))[::-1]
    assert occurrences[0] > 50 * np.median(occurrences)


def test_classes_are_planted_in_the_text_and_some_labels_are_wrong(text):
    X, y = text.X_train, text.y_train
    assert np.bincount(y).min() > 300
    centres = np.array([X[y == c].mean(axis=0) for c in range(10)])
    error = np.mean((text.X_test @ centres.T).argmax(axis=1) != text.y_test)
    assert 0.02 < error < 0.15  # of 5 % labels drawn anew, one in ten is the right one


def test_the_seed_decides(text):
    again = text_like(4000, 20_000, density=0.005, k=10, test=500, seed=3)
    other = text_like(4000, 20_000, density=0.005, k=10, test=500, seed=4)
    assert (again.X_train != text.X_train).nnz == 0
    assert (other.X_train != text.X_train).nnz > 0


@pytest.mark.parametrize("k", [2, 60])
def test_every_class_of_the_clusters_occurs(k):
    data = clusters(80, 5, k, test=20)
    assert data.X_train.shape == (80, 5)
    assert len(np.unique(data.y_train)) == k


def test_scaled_points_are_scaled():
    data = scaled_points(36, 3)
    assert data.X_train.std() == pytest.approx(100, rel=0.2)
    assert set(data.y_train) == {0, 1, 2}


def test_a_generator_is_named_in_the_configuration():
    data = generate({"_target_": "scaled_points", "n": 9, "d": 2, "scale": 10.0})
    assert data.X_train.shape == (9, 2)
