"""LIBSVM's sparse text: ``label index:value index:value ...``, indices from 1 and rising."""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np
from scipy import sparse

from .table import Table
from .text import open_text

_LARGEST_INDEX = 2**31 - 1


def read_libsvm(path: Path) -> Table:
    """Read a LIBSVM file into a CSR matrix; a mistake is reported with its line."""
    labels: list[str] = []
    values, indices, starts = array("d"), array("q"), array("q", [0])
    with open_text(path) as stream:
        for number, line in enumerate(stream, start=1):
            fields = line.split("#", 1)[0].split()
            if not fields:
                continue
            labels.append(fields[0])
            if ":" in fields[0]:
                raise ValueError(f"{path}, line {number}: the label is missing")
            last = 0
            for field in fields[1:]:
                index, value = _pair(field, f"{path}, line {number}")
                if index <= last:
                    raise ValueError(
                        f"{path}, line {number}: index {index} after {last}; "
                        "indices start from 1 and rise"
                    )
                last = index
                indices.append(index - 1)
                values.append(value)
            starts.append(len(values))
    width = max(indices, default=-1) + 1
    X = sparse.csr_matrix(
        (
            np.array(values, dtype=np.float64),
            np.array(indices, dtype=np.int64),
            np.array(starts, dtype=np.int64),
        ),
        shape=(len(labels), width),
    )
    X.eliminate_zeros()
    return Table(X, labels)


def _pair(field: str, where: str) -> tuple[int, float]:
    """Read ``index:value``."""
    index, colon, value = field.partition(":")
    try:
        pair = int(index), float(value)
    except ValueError:
        pair = None
    if not colon or pair is None:
        raise ValueError(
            f"{where}: {field!r} is not index:value; files other than LIBSVM's must end in "
            ".csv, .tsv, .npz or .parquet"
        )
    if not np.isfinite(pair[1]):
        raise ValueError(f"{where}: {field!r} is not a finite number")
    if not -1 < pair[0] <= _LARGEST_INDEX:
        raise ValueError(f"{where}: the index of {field!r} is out of range")
    return pair
