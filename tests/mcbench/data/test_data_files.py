"""A user's own LIBSVM, CSV, NPZ and Parquet files, and what is said about wrong ones."""

from __future__ import annotations

import bz2
import gzip
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

from mcbench.data import load

X = np.array([[0.0, 1.5], [2.0, 0.0], [-3.25, 4.0], [0.0, 0.0], [1e-7, 1e9], [5.0, 6.0]] * 5)
y = np.array([1, 2, 7, 1, 2, 7] * 5)
NAMES = {1: "cat", 2: "dog", 7: "emu"}


def write(path: Path, X: np.ndarray = X, y: Any = y) -> Path:
    """Write in the format of the suffix."""
    frame = pd.DataFrame(X, columns=[f"a{i}" for i in range(X.shape[1])])
    frame.insert(1, "kind", y)
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path, index=False)
    elif path.suffix == ".npz":
        np.savez(path, X=X, kind=np.asarray(y))
    else:
        dump_svmlight_file(X, y, str(path), zero_based=False)
    return path


def whole(path: Path, **options: Any) -> Any:
    if path.suffix in (".csv", ".parquet", ".npz"):
        options.setdefault("label", "kind")
    return load("file", path=str(path), split="all", **options)


def dense(matrix: Any) -> np.ndarray:
    return matrix.toarray() if sparse.issparse(matrix) else matrix


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npz", ".libsvm", ".scale"])
def test_every_format(tmp_path: Path, suffix: str) -> None:
    data = whole(write(tmp_path / f"mine{suffix}"))
    assert sparse.issparse(data.X_train) == (suffix in (".libsvm", ".scale"))
    assert np.array_equal(dense(data.X_train), X)
    assert np.array_equal(data.y_train, y)
    assert data.X_train.dtype == np.float64
    assert (data.n_train, data.n_test, data.n_features, data.n_classes) == (30, 0, 2, 3)
    assert data.name == "file"
    assert data.title == f"mine{suffix}"
    reference = whole(write(tmp_path / "other.csv"))
    assert data.content_hash == reference.content_hash


@settings(max_examples=30, deadline=None)
@given(
    arrays(
        np.float64,
        st.tuples(st.integers(2, 8), st.integers(1, 4)),
        elements=st.floats(-1e300, 1e300, allow_nan=False),
    ),
    st.data(),
    st.sampled_from([".csv", ".parquet", ".npz", ".txt"]),
)
def test_round_trip(X: np.ndarray, draw: st.DataObject, suffix: str) -> None:
    codes = st.lists(st.integers(-5, 5), min_size=len(X), max_size=len(X))
    labels = draw.draw(codes.filter(lambda found: len(set(found)) > 1))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"mine{suffix}"
        if suffix == ".txt":
            path.write_text(
                "".join(
                    f"{label} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(row)) + "\n"
                    for label, row in zip(labels, X.tolist(), strict=True)
                )
            )
        else:
            write(path, X, labels)
        data = whole(path)
    assert np.array_equal(dense(data.X_train), X)
    assert data.y_train.tolist() == labels


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npz"])
def test_text_labels_become_codes(tmp_path: Path, suffix: str) -> None:
    data = whole(write(tmp_path / f"mine{suffix}", y=[NAMES[int(label)] for label in y]))
    assert data.label_names == ("cat", "dog", "emu")
    assert data.y_train[:3].tolist() == [0, 1, 2]


def test_integers_as_text_stay_integers(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text('kind,a\n"3",1\n1.0,2\n-2,3\n')
    data = whole(path)
    assert data.y_train.tolist() == [3, 1, -2]
    assert data.label_names == ()
    path.write_text("kind,a\n3,1\n0.5,2\n")
    with pytest.raises(ValueError, match=r"label 0\.5 of example 2 is not a class"):
        whole(path)


def test_compressed_text(tmp_path: Path) -> None:
    plain = write(tmp_path / "mine.csv")
    zipped = tmp_path / "mine.csv.gz"
    zipped.write_bytes(gzip.compress(plain.read_bytes()))
    data = load("file", path=str(zipped), split="all", label="kind")
    assert np.array_equal(data.X_train, X)
    thin = write(tmp_path / "letter.scale")
    small = tmp_path / "letter.scale.bz2"
    small.write_bytes(bz2.compress(thin.read_bytes()))
    assert np.array_equal(whole(small).X_train.toarray(), X)


def test_delimiters_and_files_without_header(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("\ufeffa; kind ;b\n1;x;2\n\n3;z;4\n", encoding="utf-8")
    assert whole(path).X_train.tolist() == [[1, 2], [3, 4]]
    path.write_text("5,1,2\n6,3,4\n")
    for label, expected in ((0, [5, 6]), (-1, [2, 4])):
        assert whole(path, label=label).y_train.tolist() == expected
    with pytest.raises(ValueError, match="no column 3; the file has 3 columns"):
        whole(path, label=3)


def test_splits(tmp_path: Path) -> None:
    path = str(write(tmp_path / "mine.csv"))
    data = load("file", path=path, label="kind")
    assert (data.split, data.n_train, data.n_test) == ("80/20", 24, 6)
    assert np.bincount(data.y_test).tolist() == [0, 2, 2, 0, 0, 0, 0, 2]
    assert load("file", path=path, label="kind", seed=1).split_hash != data.split_hash
    assert load("file", path=path, label="kind", split="50/50").n_test == 15
    folds = [load("file", path=path, label="kind", split="5-fold", seed=s) for s in range(5)]
    assert sorted(np.concatenate([f.test_index for f in folds])) == list(range(30))
    assert load("file", path=path, label="kind", scaling="range").X_train.max() == 1
    assert load("file", path=path, label="kind", train_size=10, draw="seeded").n_train == 10
    for wrong in ("80/30", "given", "1-fold", "half", "0/100"):
        with pytest.raises(ValueError, match=r"allowed: 'all', percentages"):
            load("file", path=path, label="kind", split=wrong)


def test_a_class_with_one_example_cannot_be_stratified(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.csv", y=[9, *y[1:]])
    with pytest.raises(ValueError, match="class 9 has a single example"):
        load("file", path=str(path), label="kind")


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npz", ".t"])
def test_a_separate_test_file(tmp_path: Path, suffix: str) -> None:
    train = write(tmp_path / f"train{suffix}")
    test = write(tmp_path / f"test{suffix}", X[:4], y[:4])
    label = None if suffix == ".t" else "kind"
    data = load("file", path=str(train), test_path=str(test), label=label)
    assert (data.split, data.n_train, data.n_test) == ("given", 30, 4)
    assert np.array_equal(dense(data.X_test), X[:4])


def test_text_labels_of_two_files_share_their_codes(tmp_path: Path) -> None:
    train = write(tmp_path / "a.csv", X[:2], ["b", "c"])
    test = write(tmp_path / "b.csv", X[:2], ["c", "a"])
    data = load("file", path=str(train), test_path=str(test), label="kind")
    assert (data.y_train.tolist(), data.y_test.tolist()) == ([1, 2], [2, 0])


def test_columns_of_a_test_file(tmp_path: Path) -> None:
    train, test = tmp_path / "a.csv", tmp_path / "b.csv"
    train.write_text("kind,u,v\n1,1,2\n2,3,4\n")
    test.write_text("v,kind,u\n20,1,10\n")
    data = load("file", path=str(train), test_path=str(test), label="kind")
    assert data.X_test.tolist() == [[10, 20]]
    test.write_text("w,kind,u\n20,1,10\n")
    with pytest.raises(ValueError, match="differ in columns: v, w"):
        load("file", path=str(train), test_path=str(test), label="kind")
    thin = write(tmp_path / "c.libsvm")
    with pytest.raises(ValueError, match="leave label out"):
        load("file", path=str(train), test_path=str(thin), label="kind")


def test_sparse_files_of_different_width(tmp_path: Path) -> None:
    train, test = tmp_path / "a.txt", tmp_path / "b.txt"
    train.write_text("1 1:5 # remark\n\n2 2:6\n")
    test.write_text("2 4:1\n")
    data = load("file", path=str(train), test_path=str(test))
    assert data.X_train.toarray().tolist() == [[5, 0, 0, 0], [0, 6, 0, 0]]
    assert data.X_test.toarray().tolist() == [[0, 0, 0, 1]]


def test_an_archive_with_a_test_part(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    np.savez(path, X=X, y=y, X_test=X[:3], y_test=y[:3])
    data = load("file", path=str(path))
    assert (data.split, data.n_test) == ("given", 3)
    with pytest.raises(ValueError, match="test part of its own"):
        load("file", path=str(path), test_path=str(path))
    np.savez(path, X=X, y=y, X_test=X[:3])
    with pytest.raises(ValueError, match="no array 'y_test'"):
        load("file", path=str(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind,a\n1,2\n2,x\n", r"line 3, column a: 'x' is not a number"),
        ("kind,a\n1,2\n2,\n", r"line 3, column a: an empty field is not a number"),
        ("kind,a\n1,2\n2,nan\n", r"line 3, column a: 'nan' is not a finite"),
        ("kind,a\n1,2\n2,3,4\n", r"line 3: 3 fields, not 2"),
        ("kind,a\n,2\n", r"line 2: the label is missing"),
        ("class,a\n1,2\n", r"unknown column of .*'kind'; allowed: class, a"),
        ("kind,kind\n1,2\n", r"same name"),
        ("kind,a\n", r"no examples"),
        ("", r"mine.csv is empty"),
    ],
)
def test_wrong_csv(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        whole(path)


def test_csv_without_label(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.csv")
    with pytest.raises(ValueError, match=r"say which column holds the label; .* a0, kind, a1"):
        load("file", path=str(path))
    with pytest.raises(ValueError, match="line 1, column 0: 'a0' is not a number"):
        load("file", path=str(path), label=1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1:2\n2 x\n", r"line 2: 'x' is not index:value.*\.csv"),
        ("1 1:2\n2 1:a\n", r"line 2: '1:a' is not index:value"),
        ("1 0:2\n", r"line 1: index 0 after 0; indices start from 1"),
        ("1 2:2 2:3\n", r"line 1: index 2 after 2"),
        ("1 -1:2\n", r"line 1: the index of '-1:2' is out of range"),
        ("1 99999999999:2\n", r"line 1: .* out of range"),
        ("1 1:inf\n", r"line 1: '1:inf' is not a finite number"),
        ("1:2 2:3\n", r"line 1: the label is missing"),
        ("# nothing\n", r"no examples"),
        ("1 qid:3 1:2\n", r"'qid:3' is not index:value"),
    ],
)
def test_wrong_libsvm(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        whole(path)


def test_wrong_archives(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    np.savez(path, X=np.array([{}], dtype=object), y=np.zeros(1))
    with pytest.raises(ValueError, match="cannot be read as a NumPy archive"):
        load("file", path=str(path))
    path.write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(ValueError, match="cannot be read as a NumPy archive"):
        load("file", path=str(path))
    np.savez(path, X=X[:, 0], y=y)
    with pytest.raises(ValueError, match=r"\(n, features\) and \(n,\) are wanted"):
        load("file", path=str(path))
    np.savez(path, X=np.where(X == 6, np.nan, X), y=y)
    with pytest.raises(ValueError, match="NaN or infinity"):
        load("file", path=str(path))
    np.savez(path, Z=X, y=y)
    with pytest.raises(ValueError, match="no array 'X'; it has Z, y"):
        load("file", path=str(path))
    np.savez(path, X=X.astype(str), y=y)
    with pytest.raises(ValueError, match="not numbers"):
        load("file", path=str(path))


def test_wrong_parquet(tmp_path: Path) -> None:
    path = tmp_path / "mine.parquet"
    frame = pd.DataFrame({"kind": [1, 2], "a": [1.0, None], "b": ["x", "y"]})
    frame.to_parquet(path)
    with pytest.raises(ValueError, match="row 2, column a: the value is missing"):
        whole(path)
    frame.drop(columns="a").to_parquet(path)
    with pytest.raises(ValueError, match=r"column b: .* is not a number"):
        whole(path)
    with pytest.raises(ValueError, match="say which column"):
        load("file", path=str(path))
    with pytest.raises(ValueError, match="unknown column"):
        whole(path, label="class")
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="cannot be read as Parquet"):
        whole(path)


def test_parquet_of_categories_integers_and_truth(tmp_path: Path) -> None:
    path = tmp_path / "mine.parquet"
    frame = pd.DataFrame({"kind": pd.Categorical(["u", "v"]), "a": [1, 2], "b": [True, False]})
    frame.to_parquet(path)
    data = whole(path)
    assert data.X_train.tolist() == [[1, 1], [2, 0]]
    assert data.label_names == ("u", "v")


def test_paths(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="needs path="):
        load("file")
    with pytest.raises(FileNotFoundError, match=r"no file .*absent\.csv"):
        load("file", path=str(tmp_path / "absent.csv"), label="kind")
    binary = tmp_path / "mine.txt"
    binary.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(ValueError, match="not text in UTF-8"):
        load("file", path=str(binary))


def test_sparse_scaling(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.libsvm")
    with pytest.raises(ValueError, match="would fill a sparse matrix"):
        whole(path, scaling="range")
    assert sparse.issparse(whole(path, scaling="unit_variance").X_train)
