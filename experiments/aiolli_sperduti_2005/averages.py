"""Machines that differ in their seed only, as one row: mean and spread of their errors."""

from typing import Any

import pandas as pd


def averaged(runs: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """Mean errors over the seeds.

    Parameters
    ----------
    runs : DataFrame
        Runs of one or several data sets; those without a test error do not count.
    *keys : str
        Columns that tell the machines of a data set apart, besides its sizes.

    Returns
    -------
    DataFrame
        One row for each machine, in the order of data set and keys: ``name`` and ``data`` (with
        the sizes), ``n_train``, ``n_test``, ``n_classes``, the keys, ``error`` and ``sd`` in per
        cent, ``seeds``, ``C`` (None for a machine without), ``runs``.
    """
    columns = ["data.name", "data.title", "data.n_train", "data.n_test", "data.n_classes"]
    rows = []
    runs = runs.dropna(subset="error.test") if len(runs) else runs
    for key, group in runs.groupby([*columns, *keys]) if len(runs) else ():
        values: tuple[Any, ...] = key
        name, title, n_train, n_test, n_classes, *rest = values
        errors = 100 * group["error.test"].astype(float)
        rows.append(
            {
                "name": name,
                "data": f"{title} {n_train:.0f}/{n_test:.0f}",
                "n_train": int(n_train),
                "n_test": int(n_test),
                "n_classes": int(n_classes),
                **dict(zip(keys, rest, strict=True)),
                "error": float(errors.mean()),
                "sd": float(errors.std(ddof=1)),
                "seeds": group["seed"].nunique(),
                "C": group["config.solver.C"].iloc[0] if "config.solver.C" in group else None,
                "runs": tuple(group["id"]),
            }
        )
    return pd.DataFrame(rows)
