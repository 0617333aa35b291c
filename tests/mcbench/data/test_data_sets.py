"""Readers of the fetched sets, on small files of the same form, and what the registry promises."""

from __future__ import annotations

import io
import struct
from functools import partial
from urllib.parse import urlsplit

import numpy as np
import pytest
from scipy.io import savemat

from mcbench.data import datasets
from mcbench.data.parse import idx, number_table
from mcbench.data.sets import ida, isolet, nist, usps, vowel
from mcbench.data.suggest import unknown


def test_every_mirror_is_https() -> None:
    for info in datasets().values():
        for recipe in info.recipes:
            for file in recipe.files:
                assert file.sha256 or file.check, file.path
                assert not file.path.startswith("/")
                assert ".." not in file.path
                for mirror in file.mirrors:
                    assert urlsplit(mirror.url).scheme == "https"


def test_every_set_can_be_had_from_two_places() -> None:
    for info in datasets().values():
        if not info.embedded:
            mirrors = [[len(f.mirrors) for f in recipe.files] for recipe in info.recipes]
            assert max(min(counts) for counts in mirrors) >= 2, info.name


def test_every_set_is_described() -> None:
    for name, info in datasets().items():
        assert name == info.name
        for text in (info.title, info.labels, info.licence, info.source):
            assert text
        assert len(set(info.split_names)) == len(info.splits) >= 1
        if name != "isolet":
            assert info.content_hash is not None
    hashes = [info.content_hash for info in datasets().values()]
    assert len(set(hashes)) == len(hashes)


def test_names_of_splits_are_those_of_the_papers() -> None:
    known = datasets()
    for name, splits in {
        "satimage": "4435/2000",
        "letter": "15000/5000 16000/4000 5000/4000",
        "shuttle": "43500/14500 5000/9000",
        "mnist": "60000/10000 5000/10000",
        "usps": "7291/2007",
        "isolet": "6238/1559",
        "vowel": "528/462",
        "glass": "5-fold",
        "nist": "5000/5705",
        "dna": "2000/1186",
        "soybean": "307/376 10-fold",
        "ida_titanic": "realisations",
    }.items():
        assert set(splits.split()) <= set(known[name].split_names)


def make_idx(array: np.ndarray, kind: int) -> bytes:
    header = struct.pack(">BBBB", 0, 0, kind, array.ndim) + struct.pack(
        f">{array.ndim}i", *array.shape
    )
    return header + array.astype({8: ">u1", 12: ">i4"}[kind]).tobytes()


def test_idx() -> None:
    array = np.arange(24).reshape(2, 3, 4)
    for kind in (8, 12):
        assert np.array_equal(idx(make_idx(array, kind)), array)
    with pytest.raises(ValueError, match="not an idx file"):
        idx(b"\0\0\x0d\1")
    with pytest.raises(ValueError):  # noqa: PT011
        idx(make_idx(array, 8)[:-1])


def test_tables() -> None:
    assert number_table(b"1 2\n\n 3 4 \n").tolist() == [[1, 2], [3, 4]]
    assert usps.read([b"6 -1 0.5\n", b"3 1 1\n"]).y.tolist() == [6, 3]
    rows = b"1 0 0" + b" 0.5" * 10 + b" 7\n" + b"0 0 0" + b" 0.25" * 10 + b" 4\n"
    data = vowel.read([rows])
    assert data.y.tolist() == [4, 7]  # column 0 marks the test row
    assert data.X.shape == (2, 10)


def test_nist_refuses_labels_of_other_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nist, "TRAIN_ROWS", 3)
    monkeypatch.setattr(nist, "TEST_ROWS", 2)
    images = [make_idx(np.zeros((n, 28, 28)), 8) for n in (3, 2)]
    labels = [make_idx(np.array(y), 8) for y in ([1, 2, 3], [4, 5])]
    more = [make_idx(np.array(t), 12) for t in ([[1, 0], [2, 4], [3, 0]], [[4, 4], [5, 1], [0, 0]])]
    contents = [images[0], labels[0], images[1], labels[1], *more]
    data = nist.read(contents)
    assert data.extra["hsf"].tolist() == [0, 4, 0, 4, 1]
    with pytest.raises(ValueError, match="do not belong"):
        nist.read([*contents[:4], make_idx(np.zeros((3, 2)), 12), more[1]])


def isolet_text(X: np.ndarray, y: np.ndarray) -> bytes:
    lines = (
        ", ".join(f"{v:.4f}" for v in row) + f", {letter}.\n"
        for row, letter in zip(X, y, strict=True)
    )
    return "".join(lines).encode()


def test_isolet_checks_what_can_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    from mcbench.data.hashing import array_hash

    rng = np.random.default_rng(0)
    X = rng.integers(-10000, 10001, (60, 5)) / 10000
    y = np.tile(np.arange(1, 27), 3)[:60]
    for name, value in {
        "_TRAIN_ROWS": 60,
        "_FEATURES": 5,
        "_HEAD": 20,
        "_HEAD_X": array_hash(X[:20], "<f8"),
        "_HEAD_Y": array_hash(y[:20], "<i8"),
        "_TEST_X": array_hash(X[20:], "<f8"),
        "_TEST_Y": array_hash(y[20:], "<i8"),
    }.items():
        monkeypatch.setattr(isolet, name, value)
    isolet._check_train(isolet_text(X, y))
    isolet._check_test(isolet_text(X[20:], y[20:]))
    data = isolet.read([isolet_text(X, y), isolet_text(X[20:], y[20:])])
    assert np.array_equal(data.X, np.concatenate([X, X[20:]]))

    with pytest.raises(ValueError, match="part of the training file is missing"):
        isolet._check_train(isolet_text(X[:20], y[:20]))
    with pytest.raises(ValueError, match="not those of isolet1"):
        isolet._check_train(isolet_text(X[::-1], y))
    with pytest.raises(ValueError, match="outside"):
        isolet._check_train(isolet_text(np.where(np.arange(60)[:, None] > 40, 2.0, X), y))
    with pytest.raises(ValueError, match="not those of isolet5"):
        isolet._check_test(isolet_text(X, y))


def test_ida_from_matlab_and_from_npz_agree() -> None:
    """The same realisations, whatever the order of the rows in the MATLAB file."""
    rng = np.random.default_rng(3)
    x = rng.integers(0, 3, (30, 2)).astype(float)  # many equal rows
    t = rng.choice([-1, 1], 30)
    orders = [rng.permutation(30) for _ in range(12)]
    record = {
        "x": x,
        "t": t[:, None].astype(float),
        "train": np.array([order[:20] for order in orders]) + 1,
        "test": np.array([order[20:] for order in orders]) + 1,
    }
    stream = io.BytesIO()
    savemat(stream, {"breast_cancer": record})
    data = partial(ida.read_matlab, name="breast-cancer")([stream.getvalue()])

    assert data.extra["train"].shape == (10, 20)
    for i in range(10):
        rows = np.concatenate([data.extra["train"][i], data.extra["test"][i]])
        assert sorted(rows) == list(range(30))
        assert np.array_equal(data.X[rows], x[orders[i]])
        assert np.array_equal(data.y[rows], t[orders[i]])
    assert np.array_equal(data.extra["train"][0], np.arange(20))

    shuffle = rng.permutation(30)
    place = np.argsort(shuffle)
    record |= {"x": x[shuffle], "t": t[shuffle]}
    record["train"] = place[record["train"] - 1] + 1
    record["test"] = place[record["test"] - 1] + 1
    stream = io.BytesIO()
    savemat(stream, {"breast_cancer": record}, do_compression=True)
    again = ida.read_matlab([stream.getvalue()], "breast-cancer")
    assert np.array_equal(again.X, data.X)
    for key in ("train", "test"):
        assert np.array_equal(again.extra[key], data.extra[key])

    stream = io.BytesIO()
    np.savez(stream, X=data.X, y=data.y.astype(np.int8), **data.extra)
    assert np.array_equal(ida.read_npz([stream.getvalue()]).X, data.X)


def test_pickles_are_refused() -> None:
    stream = io.BytesIO()
    np.savez(stream, X=np.array([{}], dtype=object), y=np.zeros(1))
    with pytest.raises(ValueError, match="allow_pickle"):
        ida.read_npz([stream.getvalue()])


def test_unknown_names_get_a_hint() -> None:
    assert "Did you mean 'letter'?" in str(unknown("data set", "leter", ["letter", "dna"]))
    assert "Did you mean" not in str(unknown("data set", "xyz", ["letter", "dna"]))
