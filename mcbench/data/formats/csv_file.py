"""Comma separated values (also semicolons or tabs), one example a line."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np

from ..suggest import unknown
from .table import Table
from .text import open_text


def read_csv(path: Path, label: str | int | None) -> Table:
    """Read a CSV file into a dense matrix; a mistake is reported with its line and column.

    Parameters
    ----------
    path : Path
        The file.
    label : str or int
        Column of the label: its name in the header line, or its position from 0 (from the end when
        negative) in a file without a header line.
    """
    with open_text(path) as stream:
        first = stream.readline()
        if not first:
            raise ValueError(f"{path} is empty")
        stream.seek(0)
        delimiter = max(",;\t", key=first.count)
        reader = csv.reader(stream, delimiter=delimiter, skipinitialspace=True)
        header: list[str] | None = None
        if not isinstance(label, int):
            header = [name.strip() for name in next(reader, [])]
            if label is None:
                raise ValueError(
                    f"{path}: say which column holds the label; the columns are {', '.join(header)}"
                )
            if label not in header:
                raise unknown(f"column of {path}", label, header)
            if len(set(header)) != len(header):
                raise ValueError(f"{path}: two columns have the same name")
        rows: list[list[float]] = []
        labels: list[str] = []
        width = len(header) if header is not None else None
        for fields in reader:
            if not any(field.strip() for field in fields):
                continue
            where = f"{path}, line {reader.line_num}"
            width = width or len(fields)
            if len(fields) != width:
                raise ValueError(f"{where}: {len(fields)} fields, not {width}")
            target = _position(label, header, width, path)
            text = fields.pop(target).strip()
            if not text:
                raise ValueError(f"{where}: the label is missing")
            labels.append(text)
            names = _names(header, width)
            names.pop(target)
            rows.append([_float(f, n, where) for f, n in zip(fields, names, strict=True)])
    columns = tuple(name for name in header or () if name != label)
    X = np.array(rows, dtype=np.float64).reshape(len(rows), max(0, (width or 1) - 1))
    return Table(X, labels, columns)


def _position(label: str | int | None, header: list[str] | None, width: int, path: Path) -> int:
    """Position of the label column."""
    if isinstance(label, int):
        if not -width <= label < width:
            raise ValueError(f"{path}: there is no column {label}; the file has {width} columns")
        return label % width
    return (header or []).index(str(label))


def _names(header: list[str] | None, width: int) -> list[str]:
    """Names of the columns for messages."""
    return list(header) if header is not None else [str(i) for i in range(width)]


def _float(field: str, column: str, where: str) -> float:
    """Read one number."""
    try:
        value = float(field)
    except ValueError:
        what = repr(field) if field.strip() else "an empty field"
        raise ValueError(
            f"{where}, column {column}: {what} is not a number; attributes must be numbers and "
            "none may be missing (a file with a header line needs the label's name, not a number)"
        ) from None
    if not math.isfinite(value):
        raise ValueError(f"{where}, column {column}: {field!r} is not a finite number")
    return value
