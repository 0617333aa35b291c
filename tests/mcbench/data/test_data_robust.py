"""Files and requests that cannot be meant are refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mcbench.data import load
from mcbench.data.load import check_request


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_a_label_that_is_missing_does_not_become_a_class(tmp_path: Path, wrong: float) -> None:
    y = np.array([0.0, 1.0] * 10)
    y[3] = wrong
    np.savez(tmp_path / "mine.npz", X=np.ones((20, 2)), y=y)
    with pytest.raises(ValueError, match="example 4 is missing or not finite"):
        load("file", path=str(tmp_path / "mine.npz"))


def test_a_parquet_label_that_is_nan_is_refused(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"a": [1.0, 2.0, 3.0], "y": [0.0, float("nan"), 1.0]})
    pq.write_table(table, tmp_path / "mine.parquet")
    with pytest.raises(ValueError, match="example 2 is missing"):
        load("file", path=str(tmp_path / "mine.parquet"), label="y")


def test_files_without_attributes(tmp_path: Path) -> None:
    (tmp_path / "mine.libsvm").write_text("1\n2\n" * 10)
    np.savez(tmp_path / "mine.npz", X=np.ones((40, 0)), y=np.arange(40) % 2)
    for name in ("mine.libsvm", "mine.npz"):
        with pytest.raises(ValueError, match=f"{name} holds no attributes"):
            load("file", path=str(tmp_path / name))


def test_a_file_with_one_class(tmp_path: Path) -> None:
    (tmp_path / "mine.libsvm").write_text("1 1:2\n" * 10)
    with pytest.raises(ValueError, match="single class"):
        load("file", path=str(tmp_path / "mine.libsvm"))


@pytest.mark.parametrize("label", [None, "y", 0])
def test_an_empty_csv(tmp_path: Path, label: str | int | None) -> None:
    (tmp_path / "mine.csv").write_text("")
    with pytest.raises(ValueError, match=r"mine\.csv is empty"):
        load("file", path=str(tmp_path / "mine.csv"), label=label)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("iris", {"fold": 99}, "has the folds 0 to"),
        ("iris", {"fold": "a"}, "fold must be an integer"),
        ("iris", {"draw": "foo"}, "draw"),
        ("iris", {"train_size": 0}, "train_size must be"),
        ("iris", {"train_size": -5}, "train_size must be"),
        ("iris", {"train_size": 136}, "more than the 135 training rows"),
        ("letter", {"split": "5000/4000", "train_size": 5001}, "more than the 5000"),
        ("letter", {"split": "5000/4000", "fold": 0}, "no folds"),
        ("nist", {"draw": "first"}, "draw by nature"),
        ("nist", {"train_size": 5001}, "more than the 5000"),
        ("iris", {"seed": 2**32}, "below 2"),
        ("iris", {"path": "x.csv"}, "for name='file' only"),
        ("iris", {"scaling": "foo"}, "scaling"),
    ],
)
def test_what_is_known_without_the_data(name: str, options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_request(name, **options)


def test_every_size_that_fits_is_let_through() -> None:
    check_request("iris", train_size=135)
    assert load("iris", train_size=135).n_train == 135
    check_request("file", path="not.read", train_size=10)
