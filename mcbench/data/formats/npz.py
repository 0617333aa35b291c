"""NumPy archives with the arrays X and y, and X_test and y_test where there is a test part."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from .table import Table


def read_npz(path: Path, label: str | int | None) -> list[Table]:
    """Read the training table, and the test table where the archive has one.

    Parameters
    ----------
    path : Path
        The archive. Arrays of Python objects are refused: reading them could run code.
    label : str or None
        Name of the array with the labels; ``y`` when None.
    """
    key = "y" if label is None else str(label)
    try:
        with np.load(path, allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile, AttributeError) as error:
        raise ValueError(
            f"{path} cannot be read as a NumPy archive of numbers and text ({error}); write it "
            "with numpy.savez(path, X=X, y=y)"
        ) from error
    tables = []
    for suffix in ("", "_test"):
        names = "X" + suffix, key + suffix
        if suffix and not any(name in found for name in names):
            continue
        for name in names:
            if name not in found:
                raise ValueError(f"{path} has no array {name!r}; it has {', '.join(found)}")
        X, y = (found[name] for name in names)
        if X.ndim != 2 or y.ndim != 1 or len(X) != len(y):
            raise ValueError(
                f"{path}: {names[0]} has the shape {X.shape} and {names[1]} the shape {y.shape}; "
                "(n, features) and (n,) are wanted"
            )
        if X.dtype.kind not in "biuf":
            raise ValueError(f"{path}: {names[0]} holds {X.dtype}, not numbers")
        tables.append(Table(X.astype(np.float64), y.tolist()))
    return tables
