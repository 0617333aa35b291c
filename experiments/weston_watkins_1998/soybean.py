"""The 289 soybeans of 17 classes that the paper's "soy" very likely is."""

import numpy as np

TWO_FOUR_D, HERBICIDE, PHYTOPHTHORA = 0, 13, 15  # places in the sorted list of names

NOTE = (
    "soybean: the 289 rows and 17 classes of UCI's soybean-large.data that are left without "
    "2-4-d-injury, herbicide-injury and the rows of phytophthora-rot with 19 missing values; one "
    "attribute for each value of each of the 35, a missing one being a value: 127, where the "
    "paper's encoding, which is not known, has 208"
)


def papers_rows(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of soybean-large.data that the paper has, one attribute for each value.

    Parameters
    ----------
    X : ndarray of shape (307, 35)
        Codes of values; -1 for a missing one.
    y : ndarray of shape (307,)

    Returns
    -------
    X : ndarray of shape (289, 127)
        Zeros and ones.
    y : ndarray of shape (289,)
    """
    emptied = (y == PHYTOPHTHORA) & ((X < 0).sum(axis=1) == 19)
    kept = ~np.isin(y, [TWO_FOUR_D, HERBICIDE]) & ~emptied
    X, y = X[kept], y[kept]
    columns = [column[:, None] == np.unique(column) for column in X.T]
    return np.concatenate(columns, axis=1).astype(float), y
