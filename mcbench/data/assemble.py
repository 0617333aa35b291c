"""From tables of the user's, a training and perhaps a test part, to a data set with its split."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from scipy import sparse

from .canonical import Canonical
from .definition import DatasetInfo, Part
from .formats.table import Table, encode
from .splits import Block, BlockSplit, CrossValidation, Holdout, Split

#: What a data set is, its rows, and the names of its classes where labels were text.
Assembled = tuple[DatasetInfo, Canonical, tuple[str, ...]]


def from_arrays(name: str, arrays: Sequence[object], split: str | None) -> Assembled:
    """Make a data set of arrays.

    Parameters
    ----------
    name : str
        What it is called.
    arrays : sequence
        ``X, y`` or ``X_train, y_train, X_test, y_test``: matrices (arrays, CSR) and labels of
        integers or text.
    split : str or None
        As for a file.
    """
    if not isinstance(arrays, tuple | list) or len(arrays) not in (2, 4):
        raise ValueError(f"{name} must give X, y or X_train, y_train, X_test, y_test")
    tables = [_table(name, *arrays[i : i + 2]) for i in range(0, len(arrays), 2)]
    return assemble(name, name, tables, split, name)


def assemble(name: str, title: str, tables: list[Table], split: str | None, what: str) -> Assembled:
    """Make a data set of tables.

    Parameters
    ----------
    name, title : str
        What it is called.
    tables : list of Table
        The rows, and a test part where there is one.
    split : str or None
        ``"given"``, ``"all"`` (no test part), ``"80/20"`` or ``"10-fold"``; None takes the test
        part that is given, else ``"80/20"``.
    what : str
        How errors call it.
    """
    _check(tables, what)
    tables = _align(tables)
    codes, label_names = encode(tables)
    if (codes[0] == codes[0][0]).all():
        raise ValueError(f"{what} holds a single class; training needs two")
    sizes = [len(code) for code in codes]
    X = [table.X for table in tables]
    data = Canonical(
        sparse.csr_matrix(sparse.vstack(X)) if sparse.issparse(X[0]) else np.concatenate(X),
        np.concatenate(codes),
    )
    parts = (Part("train", sizes[0], None, None), *(Part("test", n, None, None) for n in sizes[1:]))
    info = DatasetInfo(
        name=name,
        title=title,
        n_features=int(data.X.shape[1]),
        n_classes=len(np.unique(data.y)),
        labels=", ".join(label_names) or "as given",
        parts=parts,
        splits=(_split(split, sizes),),
        licence="not stated",
        source=title,
    )
    return info, data, label_names


def _table(name: str, X: object, y: object) -> Table:
    """Return one part as a table."""
    try:
        if sparse.issparse(X):
            matrix = sparse.csr_matrix(X, dtype=np.float64)
        else:
            matrix = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"X of {name} must be a matrix of numbers: {error}") from error
    labels = np.asarray(y)
    if matrix.ndim != 2 or labels.shape != (matrix.shape[0],):
        raise ValueError(
            f"{name} must give X of shape (n, d) with a label for each row, not "
            f"{matrix.shape} and {labels.shape}"
        )
    return Table(matrix, labels.tolist())


def _check(tables: list[Table], what: str) -> None:
    """Raise ValueError for tables that nothing can be trained on."""
    if not len(tables[0].labels):
        raise ValueError(f"{what} holds no examples")
    if not tables[0].X.shape[1]:
        raise ValueError(f"{what} holds no attributes")
    for table in tables:
        values = table.X.data if sparse.issparse(table.X) else table.X
        if not np.isfinite(values).all():
            raise ValueError(f"{what}: the attributes hold NaN or infinity")
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
