"""The canonical rows of a data set: what everything else is cut from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ._types import Matrix


@dataclass(frozen=True, eq=False)
class Canonical:
    """All rows of a data set in their published order.

    Attributes
    ----------
    X : ndarray or csr_matrix, shape (n, n_features)
        Attributes in any data type that holds them exactly; `load` makes float64 of them.
    y : ndarray of int64, shape (n,)
        Class labels as published.
    extra : mapping of str to ndarray
        Integer arrays that belong to the data, such as published splits.
    """

    X: Matrix
    y: np.ndarray
    extra: Mapping[str, np.ndarray] = field(default_factory=dict)
