"""What runs may measure in place of a fit (`measure` in their configuration), for any paper."""

from collections.abc import Mapping
from typing import Any


def sizes(*, data: Any, **other: Any) -> Mapping[str, Any]:
    """Measure a data set as it was loaded; the two parts of a fold are counted as one.

    Parameters
    ----------
    data : Data
        The data set.

    Returns
    -------
    mapping
        ``name``, ``train`` and ``test`` (examples; None where there are folds), ``classes`` and
        ``attributes``.
    """
    del other
    folded = data.fold is not None
    return {
        "name": data.name,
        "train": data.n_train + (data.n_test if folded else 0),
        "test": None if folded else data.n_test,
        "classes": data.n_classes,
        "attributes": data.n_features,
    }
