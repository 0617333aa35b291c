"""Choosing hyperparameters by the results of runs."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

#: Means that differ by less, relatively, are equal: they are sums of the same terms.
ROUNDING = 1e-12


def chosen(
    frame: "pd.DataFrame",
    *,
    by: Sequence[str],
    parameter: str | Sequence[str] = "config.solver.C",
    value: str = "error.test",
) -> list[dict[str, Any]]:
    """Return the best value of a parameter in each group of runs.

    In each group the values of `value` are averaged over the runs with the same value of the
    parameter (its seeds or folds), and the parameter with the smallest mean is chosen; of several,
    the smaller one. Of runs with `dataset.validation`, `error.test` is the validation error.

    Parameters
    ----------
    frame : DataFrame
        Runs, such as one part of `Results.frame`. Those without a number in `value` do not count.
    by : sequence of str
        Columns that tell the groups apart, such as `dataset` and `config.solver.n_prototypes`.
    parameter : str or sequence of str
        Column of the parameter. Several are chosen together, and of equally good ones the one
        whose first parameter is smaller, then its second.
    value : str
        Column of what shall be small.

    Returns
    -------
    list of dict
        One for each group, in the order of the runs: the columns `by` and `parameter` as plain
        values that a grid takes (whole numbers are ints), and the mean in `value`. Empty when no
        run counts.

    Raises
    ------
    ValueError
        When a value of the parameter is not a number.

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame({"dataset": ["dna"] * 3, "config.solver.C": [1.0, 0.1, 10.0]})
    >>> runs["error.test"] = [0.05, 0.05, 0.06]
    >>> chosen(runs, by=["dataset"])
    [{'dataset': 'dna', 'config.solver.C': 0.1, 'error.test': 0.05}]
    """
    import pandas as pd

    by, parameters = list(by), [parameter] if isinstance(parameter, str) else list(parameter)
    if frame.empty or value not in frame:
        return []
    runs = frame[[*by, *parameters, value]].dropna(subset=[value])
    runs = runs.assign(**{name: pd.to_numeric(runs[name]) for name in [*parameters, value]})
    means = runs.groupby([*by, *parameters], sort=False, dropna=False)[value].mean().reset_index()
    best: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in means.sort_values(parameters, kind="stable").to_dict("records"):
        key = tuple(_plain(row[name]) for name in by)
        if key not in best or row[value] < best[key][value] - ROUNDING * abs(best[key][value]):
            best[key] = {
                **{name: _plain(row[name]) for name in [*by, *parameters]},
                value: row[value],
            }
    order = (tuple(_plain(row[name]) for name in by) for row in means.to_dict("records"))
    return [best[key] for key in dict.fromkeys(order)]


def _plain(value: Any) -> Any:
    """Return a cell of a table as a configuration would hold it."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return int(value) if value.is_integer() else value
    return value
