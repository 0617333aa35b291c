"""Validation, then training: parameters are chosen on a part of the training examples."""

from typing import Any

from mcbench.results import Results
from mcbench.selection import chosen

VALIDATION, TEST = "validation", "test"

#: What the grids do, for the captions of the tables.
CAPTION = "tau = 0.05; C chosen on 30 % of the training part with tau = 0.2"

#: Override keys that stand in a run's row under the name of the chosen file.
FILES = ("dataset", "kernel", "solver")


def trained(
    results: Results,
    by: tuple[str, ...],
    parameters: tuple[str, ...] = ("solver.C",),
    parts: tuple[str, str] = (VALIDATION, TEST),
) -> list[dict[str, Any]]:
    """The grids that train each machine with its best parameters on the whole training part.

    Parameters
    ----------
    results : Results
        With runs whose test part was held out of the training part.
    by : tuple of str
        Override keys that tell the machines apart, the data set first; each machine gets
        parameters of its own.
    parameters : tuple of str
        Override keys of what is chosen: the values of the least mean error over the seeds, the
        smallest ones of several.
    parts : (str, str)
        Of the grids: of the validation, and of the training.

    Returns
    -------
    list of dict
        One grid for each machine, with the seeds of its validation.
    """
    validation, test = parts
    runs = results.part(validation)
    best = chosen(runs, by=[*map(_column, by)], parameter=[*map(_column, parameters)])
    return [
        {
            "_part": test,
            **{key: row[_column(key)] for key in (*by, *parameters)},
            "seed": sorted(runs.loc[runs["dataset"] == row["dataset"], "seed"].unique().tolist()),
        }
        for row in best
    ]


def _column(key: str) -> str:
    return key if key in FILES else f"config.{key}"
