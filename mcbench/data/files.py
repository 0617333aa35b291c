"""A user's own file as a data set."""

from __future__ import annotations

from pathlib import Path

from .assemble import assemble
from .canonical import Canonical
from .definition import DatasetInfo
from .formats.csv_file import read_csv
from .formats.libsvm import read_libsvm
from .formats.npz import read_npz
from .formats.parquet import read_parquet
from .formats.table import Table
from .formats.text import inner_suffix


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
    return assemble("file", file.name, tables, split, str(path))


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
