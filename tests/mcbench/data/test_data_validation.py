"""A part of the training part in the place of the test part."""

from __future__ import annotations

import numpy as np
import pytest

from mcbench.data import datasets, load
from mcbench.data.load import check_request
from mcbench.data.read import read_canonical
from mcbench.data.scaling import scale
from mcbench.data.splits import keep_back


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("satimage", {"scaling": "range"}),
        ("satimage", {"train_size": 400, "draw": "seeded"}),
        ("wine", {"fold": 3}),
        ("wine", {"split": "90/10", "scaling": "unit_variance"}),
    ],
)
def test_it_is_made_of_the_training_part_alone(name: str, options: dict) -> None:
    whole = load(name, seed=4, **options)
    data = load(name, seed=4, validation=0.3, **options)
    assert np.array_equal(
        np.sort(np.concatenate([data.train_index, data.test_index])), whole.train_index
    )
    assert data.n_test == np.ceil(0.3 * whole.n_train)
    for index in (data.train_index, data.test_index):
        assert np.all(np.diff(index) > 0)
    rows = read_canonical(datasets()[name])
    assert np.array_equal(rows.y[data.train_index], data.y_train)
    assert np.array_equal(rows.y[data.test_index], data.y_test)
    X = rows.X.astype(np.float64)
    scaled = scale(data.scaling, X[data.train_index], X[data.test_index])
    assert np.array_equal(scaled[0], data.X_train)
    assert np.array_equal(scaled[1], data.X_test)
    assert (data.validation, whole.validation) == (0.3, None)
    assert data.content_hash == whole.content_hash
    assert data.split_hash != whole.split_hash


def test_it_is_stratified_and_drawn_by_the_seed() -> None:
    first, again, other = (load("satimage", validation=0.3, seed=seed) for seed in (1, 1, 2))
    assert first.split_hash == again.split_hash != other.split_hash
    classes, counts = np.unique(load("satimage").y_train, return_counts=True)
    kept = np.array([(first.y_test == label).sum() for label in classes])
    assert np.all(abs(kept - 0.3 * counts) < 1)


def test_the_draw_is_the_same_for_ever() -> None:
    """A change here changes published runs."""
    assert load("wine", fold=0, validation=0.3).test_index[:8].tolist() == [
        0,
        1,
        3,
        7,
        11,
        14,
        21,
        23,
    ]


def test_a_summary_says_it() -> None:
    data = load("letter", split="5000/4000", validation=0.25)
    assert data.summary == "Letter, 3750/1250 (5000/4000, validation 0.25), scaling none"


def test_a_class_with_one_example_stays_in_training() -> None:
    y = np.array([0] * 6 + [1] * 4 + [2])
    for seed in range(5):
        kept, validation = keep_back(y, 0.3, seed, "some")
        assert sorted([*kept, *validation]) == list(range(11))
        assert 10 in kept
        assert set(y[validation]) == {0, 1}


@pytest.mark.parametrize(
    ("y", "share", "message"),
    [
        ([0] * 9 + [1] * 9, 0.05, "into 17 and 1, and the stratified parts need 2 each"),
        ([0] * 9 + [1] * 9, 0.99, "into 0 and 18"),
        ([0, 1, 2], 0.5, "divides 0 training rows of some"),
        ([0] * 100 + [1] * 2, 0.9, "no training example of class 1 of some"),
    ],
)
def test_rows_that_cannot_be_divided(y: list[int], share: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        keep_back(np.array(y), share, 0, "some")


@pytest.mark.parametrize("wrong", [0, 1, 0.0, 1.0, -0.1, 1.5, float("nan"), True, "0.3"])
@pytest.mark.parametrize("function", [load, check_request])
def test_what_is_no_share(function: object, wrong: object) -> None:
    with pytest.raises(ValueError, match="validation must be a number between 0 and 1"):
        function("wine", validation=wrong)  # type: ignore[operator]


def test_a_file_without_a_test_part_can_be_divided(tmp_path) -> None:
    path = tmp_path / "mine.libsvm"
    path.write_text("".join(f"{n % 2} 1:{n + 1}\n" for n in range(20)))
    data = load("file", path=str(path), split="all", validation=0.5)
    assert (data.n_train, data.n_test) == (10, 10)
    assert (data.X_train.shape[1], set(data.y_test)) == (1, {0, 1})
