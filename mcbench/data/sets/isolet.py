"""Isolet: the names of the 26 letters, spoken by 150 people."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..canonical import Canonical
from ..definition import DatasetInfo, Part, Recipe
from ..hashing import array_hash
from ..parse import number_table
from ..remote import Mirror, RemoteFile
from ..splits import Block, BlockSplit

_UCI = "https://archive.ics.uci.edu/"
_OLD = _UCI + "ml/machine-learning-databases/isolet/"
_ZIP = _UCI + "static/public/54/isolet.zip"

_TRAIN_ROWS, _TEST_ROWS, _FEATURES = 6238, 1559, 617
_HEAD = 1560
_HEAD_X = "badd7b12023a8a1ebcb9476d282dc836ba563891fdb70bbc7415d30c0517d9e9"
_HEAD_Y = "7c6b30852d5e49ecd5fbad90c2d0a0f3725e38a4538ffff9959460bb95a99d6a"
_TEST_X = "d8ecbbd5e03686a3334873dfcd34dfa36f784a882a791aab7fffaec6b0ffdff4"
_TEST_Y = "29a56a7ff58dedb76aa9a805bcb8dbe7f69c00bbb3fb688de1c6755725cfa8aa"


def _table(content: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Read one of UCI's files: 617 attributes, then the letter, separated by commas."""
    table = number_table(content, ",")
    return table[:, :_FEATURES], table[:, _FEATURES:].ravel().astype(np.int64)


def _check_train(content: bytes) -> None:
    """Check what can be checked: nobody has published a hash of the training file.

    Its first 1560 rows (isolet1) are known from independent copies; of the others the number, the
    range and the letters are.
    """
    X, y = _table(content)
    if X.shape != (_TRAIN_ROWS, _FEATURES) or y.shape != (_TRAIN_ROWS,):
        raise ValueError(f"{len(X)} rows, not {_TRAIN_ROWS}: part of the training file is missing")
    if array_hash(X[:_HEAD], "<f8") != _HEAD_X or array_hash(y[:_HEAD], "<i8") != _HEAD_Y:
        raise ValueError("the first 1560 rows are not those of isolet1")
    if np.abs(X).max() > 1.0 or not np.array_equal(np.unique(y), np.arange(1, 27)):
        raise ValueError("values outside [-1, 1], or letters outside 1 to 26")


def _check_test(content: bytes) -> None:
    """Check the test file by the hash of its canonical arrays."""
    X, y = _table(content)
    if array_hash(X, "<f8") != _TEST_X or array_hash(y, "<i8") != _TEST_Y:
        raise ValueError("the rows are not those of isolet5")


def _file(name: str, limit: int, check: Callable[[bytes], None]) -> RemoteFile:
    return RemoteFile(
        f"isolet/{name}.gz",
        None,
        limit,
        (Mirror(f"{_OLD}{name}.Z"), Mirror(_ZIP, member=f"{name}.Z")),
        check,
        hint="isolet1 and isolet5 alone do not do: isolet2, isolet3 and isolet4, 4678 of the 6238 "
        "training rows, would be missing",
    )


FILES = (
    _file("isolet1+2+3+4.data", 1 << 26, _check_train),
    _file("isolet5.data", 1 << 24, _check_test),
)


def read(contents: Sequence[bytes]) -> Canonical:
    """Make the canonical rows of the training and the test file."""
    parts = [_table(content) for content in contents]
    return Canonical(np.concatenate([X for X, _ in parts]), np.concatenate([y for _, y in parts]))


DATASET = DatasetInfo(
    name="isolet",
    title="Isolet",
    n_features=_FEATURES,
    n_classes=26,
    labels="A to Z as 1 to 26",
    parts=(
        Part("train", _TRAIN_ROWS, X=None, y=None),
        Part("test", _TEST_ROWS, X=_TEST_X, y=_TEST_Y),
    ),
    splits=(
        BlockSplit(
            "6238/1559",
            Block(0, _TRAIN_ROWS),
            Block(_TRAIN_ROWS, _TRAIN_ROWS + _TEST_ROWS),
            note="UCI's isolet1+2+3+4.data and isolet5.data: the test speakers are new",
        ),
    ),
    licence="CC BY 4.0 for all of UCI (not stated for this set)",
    source="UCI isolet (Cole and Fanty 1994), https://doi.org/10.24432/C51G69",
    papers=("crammer_singer_2001",),
    recipes=(Recipe(FILES, read, exact=False),),
)
