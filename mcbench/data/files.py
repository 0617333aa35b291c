"""A user's own file as a data set."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from scipy import sparse

from .canonical import Canonical
from .definition import DatasetInfo, Part
from .formats.csv_file import read_csv
from .formats.libsvm import read_libsvm
from .formats.npz import read_npz
from .formats.parquet import read_parquet
from .formats.table import Table, encode
from .formats.text import inner_suffix
from .splits import Block, BlockSplit, CrossValidation, Holdout, Split


def load_file(
    path: str | None, test_path: str | None, label: str | int | None, split: str | None
) -> tuple[DatasetInfo, Canonical, tuple[str, ...]]:
    """Read a file, and a separate test file where given.

    The format follows from the name: ``.csv`` and ``.tsv`` (a header line, and `label` names a
    column), ``.parquet``, ``.npz``; anything else is LIBSVM's sparse text. Text may be compressed
    (``.gz``, ``.bz2``, ``.xz``).

    Parameters
    ----------
    path, test_path : str
        Files. `test_path` may be None.
    label : str, int or None
        Column of the label.
    split : str or None
        ``"given"``, ``"all"`` (no test part), ``"80/20"`` or ``"10-fold"``; None takes the test
        part that is given, else ``"80/20"``.

    Returns
    -------
    info : DatasetInfo
        Description whose only split is the one asked for.
    data : Canonical
        The rows, training file first.
    label_names : tuple of str
        Names of the classes where the labels were text.
    """
    if path is None:
        raise ValueError("name='file' needs path=, the file to load")
    file = Path(path).expanduser()
    tables = _read(file, label)
    if test_path is not None:
        if len(tables) > 1:
            raise ValueError(f"{path} has a test part of its own; leave test_path out")
        tables.append(_read(Path(test_path).expanduser(), label)[0])
    _check(tables, file)
    tables = _align(tables)
    codes, label_names = encode(tables)
    if (codes[0] == codes[0][0]).all():
        raise ValueError(f"{path} holds a single class; training needs two")
    sizes = [len(code) for code in codes]
    X = [table.X for table in tables]
    data = Canonical(
        sparse.csr_matrix(sparse.vstack(X)) if sparse.issparse(X[0]) else np.concatenate(X),
        np.concatenate(codes),
    )
    parts = (Part("train", sizes[0], None, None), *(Part("test", n, None, None) for n in sizes[1:]))
    info = DatasetInfo(
        name="file",
        title=file.name,
        n_features=int(data.X.shape[1]),
        n_classes=len(np.unique(data.y)),
        labels=", ".join(label_names) or "as in the file",
        parts=parts,
        splits=(_split(split, sizes),),
        licence="not stated",
        source=file.name,
    )
    return info, data, label_names


def _read(path: Path, label: str | int | None) -> list[Table]:
    """Read by the suffix of the name."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    suffix = inner_suffix(path)
    if suffix == ".npz":
        return read_npz(path, label)
    if suffix in (".parquet", ".pq"):
        return [read_parquet(path, label)]
    try:
        if suffix in (".csv", ".tsv"):
            return [read_csv(path, label)]
        if label is not None:
            raise ValueError(
                f"{path} is read as LIBSVM's sparse text, whose label is the first field; "
                "leave label out"
            )
        return [read_libsvm(path)]
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text in UTF-8") from error


def _check(tables: list[Table], path: Path) -> None:
    """Raise ValueError for tables that nothing can be trained on."""
    if not len(tables[0].labels):
        raise ValueError(f"{path} holds no examples")
    if not tables[0].X.shape[1]:
        raise ValueError(f"{path} holds no attributes")
    for table in tables:
        values = table.X.data if sparse.issparse(table.X) else table.X
        if not np.isfinite(values).all():
            raise ValueError(f"{path}: the attributes hold NaN or infinity")
    if sparse.issparse(tables[0].X) != sparse.issparse(tables[-1].X):
        raise ValueError("the training and the test file must both be LIBSVM text, or neither")


def _align(tables: list[Table]) -> list[Table]:
    """Give a test table the columns of the training table."""
    first = tables[0]
    width = max(table.X.shape[1] for table in tables)
    aligned = []
    for table in tables:
        X = table.X
        if sparse.issparse(X):  # a sparse file does not say how many attributes there are
            X = sparse.csr_matrix((X.data, X.indices, X.indptr), shape=(X.shape[0], width))
        elif table.columns and first.columns and table.columns != first.columns:
            if set(table.columns) != set(first.columns):
                different = sorted(set(table.columns) ^ set(first.columns))
                raise ValueError(
                    f"the training and the test file differ in columns: {', '.join(different)}"
                )
            X = X[:, [table.columns.index(name) for name in first.columns]]
        elif X.shape[1] != first.X.shape[1]:
            raise ValueError(
                f"the test file has {X.shape[1]} attributes, the training file {first.X.shape[1]}"
            )
        aligned.append(Table(X, table.labels, first.columns))
    return aligned


def _split(name: str | None, sizes: list[int]) -> Split:
    """Return the split of that name for a file."""
    given = len(sizes) > 1
    if name is None:
        name = "given" if given else "80/20"
    total = sum(sizes)
    if name == "given" and given:
        return BlockSplit(name, Block(0, sizes[0]), Block(sizes[0], total), note="two files")
    if name == "all":
        return BlockSplit(name, Block(0, total), Block(total, total), note="no test part")
    if match := re.fullmatch(r"(\d{1,2})/(\d{1,2})", name):
        train, test = map(int, match.groups())
        if train and test and train + test == 100:
            return Holdout(name, test / 100)
    elif (match := re.fullmatch(r"(\d+)-fold", name)) and int(match[1]) > 1:
        return CrossValidation(int(match[1]), note="stratified, shuffled by the seed")
    options = ["'given'"] if given else []
    options += ["'all'", "percentages such as '80/20'", "folds such as '10-fold'"]
    raise ValueError(f"unknown split {name!r} of a file; allowed: {', '.join(options)}")
