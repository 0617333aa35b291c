"""The files through which a program that is not ours gets data and gives predictions."""

from pathlib import Path
from typing import Any

import numpy as np

from mcbench.errors import UserError, suggest

FORMATS = ("libsvm", "csv")


def write_examples(path: Path, X: Any, y: np.ndarray, form: str) -> None:
    """Write examples with their labels, which are numbers 0 .. k-1.

    Parameters
    ----------
    path : Path
    X : array or CSR of shape (n, d)
    y : int ndarray of shape (n,)
    form : {"libsvm", "csv"}
        LIBSVM's sparse text, attributes counted from 1; or comma-separated values under a line
        of names, the label first.
    """
    if form not in FORMATS:
        raise UserError(f"format has no value '{form}'; {suggest(str(form), FORMATS)}")
    if form == "libsvm":
        from sklearn.datasets import dump_svmlight_file

        dump_svmlight_file(X, y, str(path), zero_based=False)
        return
    dense = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    names = ",".join(["label", *(f"x{j + 1}" for j in range(dense.shape[1]))])
    table = np.column_stack([y, dense])
    form_of = ["%d", *["%.17g"] * dense.shape[1]]
    np.savetxt(path, table, fmt=form_of, delimiter=",", header=names, comments="")


def read_predictions(path: Path, n: int, k: int, program: str) -> np.ndarray:
    """Return the labels 0 .. k-1 that a program predicted, one a line; the rest of a line is free.

    Raises
    ------
    UserError
        When there are not n of them, or one is no label.
    """
    try:
        lines = path.read_text(errors="replace").split("\n")
    except OSError as error:
        raise UserError(f"{program} wrote no file of predictions.") from error
    words = [line.replace(",", " ").split()[0] for line in lines if line.strip(" ,\r\t")]
    if len(words) != n:
        raise UserError(f"{program} wrote {len(words)} predictions for {n} examples.")
    labels = np.empty(n, dtype=np.int64)
    for row, word in enumerate(words):
        try:
            value = float(word)
        except ValueError:
            value = -1.0
        if not (value.is_integer() and 0 <= value < k):
            raise UserError(
                f"{program} predicted '{word[:40]}' for example {row + 1}: labels are the numbers "
                f"0 to {k - 1} of the training file."
            )
        labels[row] = int(value)
    return labels
