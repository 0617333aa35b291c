"""Parquet tables, one column an attribute."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..suggest import unknown
from .table import Table


def read_parquet(path: Path, label: str | int | None) -> Table:
    """Read a Parquet file into a dense matrix.

    Parameters
    ----------
    path : Path
        The file.
    label : str
        Name of the column that holds the label.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except pa.ArrowException as error:
        raise ValueError(f"{path} cannot be read as Parquet ({error})") from error
    names = table.column_names
    if label is None:
        raise ValueError(
            f"{path}: say which column holds the label; the columns are {', '.join(names)}"
        )
    if label not in names:
        raise unknown(f"column of {path}", label, names)
    for name in names:
        if table[name].null_count:
            row = table[name].is_null().index(True).as_py() + 1
            raise ValueError(f"{path}, row {row}, column {name}: the value is missing")
    attributes = [name for name in names if name != label]
    X = np.empty((table.num_rows, len(attributes)))
    for place, name in enumerate(attributes):
        kind = table[name].type
        if not (
            pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
        ):
            raise ValueError(f"{path}, column {name}: {kind} is not a number")
        X[:, place] = pc.cast(table[name], pa.float64(), safe=False).to_numpy()
    return Table(X, table[label].to_pylist(), tuple(attributes))
