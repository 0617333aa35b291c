"""Splits, draws, folds and the errors of `load`, on embedded data."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcbench.data import datasets, load
from mcbench.data.draws import permutation, sample
from mcbench.data.read import read_canonical


@pytest.mark.parametrize(
    ("name", "split", "shapes"),
    [
        ("letter", None, (15000, 5000, 16, 26)),
        ("letter", "15000/5000", (15000, 5000, 16, 26)),
        ("letter", "16000/4000", (16000, 4000, 16, 26)),
        ("letter", "5000/4000", (5000, 4000, 16, 26)),
        ("satimage", "4435/2000", (4435, 2000, 36, 6)),
        ("shuttle", "43500/14500", (43500, 14500, 9, 7)),
        ("shuttle", "5000/9000", (5000, 9000, 9, 7)),
        ("dna", "2000/1186", (2000, 1186, 180, 3)),
        ("soybean", "307/376", (307, 376, 35, 19)),
        ("glass", "5-fold", (171, 43, 9, 6)),
        ("iris", "90/10", (135, 15, 4, 3)),
    ],
)
def test_sizes(name: str, split: str | None, shapes: tuple[int, int, int, int]) -> None:
    data = load(name, split=split)
    assert (data.n_train, data.n_test, data.n_features, data.n_classes) == shapes
    assert data.X_train.dtype == np.float64
    assert data.X_train.flags.c_contiguous
    assert data.y_train.dtype == np.int64
    assert data.content_hash == datasets()[name].content_hash
    rows = read_canonical(datasets()[name])
    assert np.array_equal(rows.X[data.train_index], data.X_train)
    assert np.array_equal(rows.y[data.test_index], data.y_test)
    assert not np.intersect1d(data.train_index, data.test_index).size


def test_rows_of_the_fixed_splits() -> None:
    hsu_lin = load("letter", split="15000/5000", draw="seeded", seed=4)  # nothing to draw
    assert np.array_equal(hsu_lin.train_index, np.arange(15000))
    assert np.array_equal(hsu_lin.test_index, np.arange(15000, 20000))
    crammer_singer = load("letter", split="5000/4000")
    assert np.array_equal(crammer_singer.train_index, np.arange(5000))
    assert np.array_equal(crammer_singer.test_index, np.arange(16000, 20000))
    shuttle = load("shuttle", split="5000/9000")
    assert np.array_equal(shuttle.test_index, np.arange(43500, 52500))


def test_seeded_draws() -> None:
    first, again, other = (
        load("shuttle", split="5000/9000", draw="seeded", seed=seed) for seed in (1, 1, 2)
    )
    assert first.split_hash == again.split_hash != other.split_hash
    assert first.content_hash == other.content_hash
    assert (first.n_train, first.n_test) == (5000, 9000)
    assert first.train_index.max() < 43500 <= first.test_index.min()
    assert np.all(np.diff(first.train_index) > 0)
    letter = load("letter", split="5000/4000", draw="seeded", seed=1)
    assert letter.train_index.max() < 16000
    assert np.array_equal(letter.test_index, np.arange(16000, 20000))


def test_draws_are_the_same_for_ever() -> None:
    """A change here changes published runs."""
    assert permutation(10, 0, 0).tolist() == [3, 2, 1, 8, 6, 0, 7, 4, 5, 9]
    assert permutation(10, 7, 2).tolist() == [8, 6, 4, 0, 5, 7, 1, 3, 9, 2]
    assert load("letter", split="5000/4000", draw="seeded").train_index[:8].tolist() == [
        1,
        2,
        3,
        11,
        13,
        15,
        18,
        20,
    ]
    assert load("glass", fold=2, seed=5).test_index[:8].tolist() == [0, 2, 6, 7, 8, 9, 20, 24]
    assert load("iris", split="90/10", seed=12).test_index[:8].tolist() == [
        5,
        22,
        27,
        31,
        41,
        57,
        64,
        76,
    ]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 200), st.integers(0, 2**40), st.integers(0, 250))
def test_samples(n: int, seed: int, size: int) -> None:
    rows = np.arange(1000, 1000 + n)
    assert sorted(permutation(n, seed)) == list(range(n))
    first, seeded = (sample(rows, size, draw, seed, 2) for draw in ("first", "seeded"))
    assert np.array_equal(first, rows[:size])
    assert len(seeded) == min(n, size)
    assert np.all(np.diff(seeded) > 0)
    assert set(sample(rows, size // 2, "seeded", seed, 2)) <= set(seeded)


def test_train_size() -> None:
    small = load("satimage", train_size=300)
    assert np.array_equal(small.train_index, np.arange(300))
    assert small.n_test == 2000
    drawn = load("satimage", train_size=300, draw="seeded", seed=3)
    larger = load("satimage", train_size=600, draw="seeded", seed=3)
    assert set(drawn.train_index) < set(larger.train_index)
    assert load("satimage", train_size=4435).n_train == 4435
    with pytest.raises(ValueError, match="more than the 4435 training rows of satimage"):
        load("satimage", train_size=4436)
    for wrong in (0, -1, 1.5, True, "10"):
        with pytest.raises(ValueError, match="train_size must be an integer"):
            load("satimage", train_size=wrong)  # type: ignore[arg-type]


def test_first_rows_of_sorted_data() -> None:
    with pytest.raises(ValueError, match="single class"):
        load("iris", train_size=40)
    assert len(np.unique(load("iris", train_size=40, draw="seeded").y_train)) == 3


@pytest.mark.parametrize(("name", "folds"), [("glass", 5), ("wine", 10), ("soybean", 10)])
def test_folds_cover_the_data_and_are_stratified(name: str, folds: int) -> None:
    parts = [load(name, fold=fold, seed=7) for fold in range(folds)]
    tests = np.concatenate([part.test_index for part in parts])
    assert sorted(tests) == list(range(datasets()[name].rows))
    largest = np.bincount(parts[0].y_train).argmax()
    counts = [int((part.y_test == largest).sum()) for part in parts]
    assert max(counts) - min(counts) <= 1


def test_without_a_fold_the_seeds_walk_through_them() -> None:
    walk = [load("glass", seed=seed) for seed in range(10)]
    assert [data.fold for data in walk] == [0, 1, 2, 3, 4] * 2
    assert sorted(np.concatenate([data.test_index for data in walk[:5]])) == list(range(214))
    assert walk[0].split_hash != walk[5].split_hash
    assert walk[3].split_hash == load("glass", fold=3, seed=0).split_hash
    assert walk[8].split_hash == load("glass", fold=3, seed=1).split_hash


def test_random_splits_of_ninety_to_ten() -> None:
    splits = [load("wine", split="90/10", seed=seed) for seed in range(10)]
    assert len({data.split_hash for data in splits}) == 10
    assert all((data.n_train, data.n_test) == (160, 18) for data in splits)


def test_errors_name_what_is_allowed() -> None:
    with pytest.raises(ValueError, match=r"unknown data set 'leter'.*Did you mean 'letter'"):
        load("leter")
    with pytest.raises(ValueError, match="allowed: letter, satimage"):
        load(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"split of letter '15000'.*15000/5000, 16000/4000"):
        load("letter", split="15000")
    with pytest.raises(ValueError, match=r"unknown scaling 'rnage'.*Did you mean 'range'"):
        load("letter", scaling="rnage")
    with pytest.raises(ValueError, match=r"unknown draw 'random'.*first, seeded"):
        load("letter", draw="random")
    with pytest.raises(ValueError, match="no folds"):
        load("letter", fold=0)
    with pytest.raises(ValueError, match="folds 0 to 4, not 5"):
        load("glass", fold=5)
    with pytest.raises(ValueError, match="fold must be"):
        load("glass", fold=-1)
    with pytest.raises(ValueError, match="seed must be"):
        load("glass", seed=-1)
    with pytest.raises(ValueError, match="seed must be below"):
        load("glass", seed=2**32)
    with pytest.raises(ValueError, match="path is for name='file' only"):
        load("glass", path="x.csv")


def test_data_is_frozen_and_sums_itself_up() -> None:
    data = load("letter", split="5000/4000", scaling="range")
    assert data.summary == "Letter, 5000/4000 (5000/4000), scaling range"
    assert load("glass", seed=6).summary == "Glass, 171/43 (5-fold 1), scaling none"
    assert data.stand_in is None
    assert len(data.content_hash) == len(data.split_hash) == 64
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.seed = 3  # type: ignore[misc]
    assert load("dna").density == pytest.approx(0.2527, abs=1e-3)
