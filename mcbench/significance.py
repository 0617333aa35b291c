"""Which cells of a table of errors are significantly worse than the best of their competition."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mcbench.labels import as_text
from mcbench.pivot import Cell, Key, Pivot
from mcbench.query import column_of
from mcbench.record import CorruptRecordError, load_record
from mcbench.statistics import corrected_resampled_t, mcnemar
from mcbench.tables import order

if TYPE_CHECKING:
    import pandas as pd

    from mcbench.store import Store

#: From which p on, corrected for the number of comparisons, a difference is not marked.
LEVEL = 0.05

MCNEMAR = "exact McNemar test on the test examples of the first seed"
RESAMPLED = "corrected resampled t-test over splits"

#: A cell's p and the test that it is from.
Tested = tuple[float, str]


def against_best(table: Pivot, store: "Store") -> dict[tuple[Key, Key], Tested]:
    """Test each cell against the best of its competition, where predictions are kept.

    Runs of one test part are compared by McNemar's test, exact, on the examples of the first seed
    that both have; runs whose seeds are different splits by the corrected resampled t-test on the
    differences. The p values of one competition are corrected by Holm's method.

    Parameters
    ----------
    table : Pivot
        A table of test errors; any other has nothing to be tested.
    store : Store
        Where the predictions are.

    Returns
    -------
    dict
        p and the name of the test, for each cell that could be tested. The best has none.
    """
    if table.metric.name != "error":
        return {}
    found: dict[tuple[Key, Key], Tested] = {}
    kept = _Predictions(store)
    for names in table.competitions():
        values = table.candidates(names)
        best = min(values, key=values.__getitem__)
        tested = {
            name: result
            for name in names
            if name != best
            and (result := compared(table.cells[name], table.cells[best], table.over, kept))
        }
        corrected = holm([p for p, _ in tested.values()])
        for (name, (_, test)), p in zip(tested.items(), corrected, strict=True):
            found[name] = (p, test)
    return found


#: Error rates that differ by less are equal.
ROUNDING = 1e-12


def holm(p: Sequence[float]) -> list[float]:
    """Return p values corrected for their number by Holm's step-down method.

    References
    ----------
    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6, 1979.
    """
    order = sorted(range(len(p)), key=p.__getitem__)
    result, largest = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p) - rank) * p[i]))
        result[i] = largest
    return result


def compared(one: Cell, other: Cell, over: Sequence[str], kept: "_Predictions") -> Tested | None:
    """Test whether two cells have the same error rate; None where that cannot be told.

    Parameters
    ----------
    one, other : Cell
        The cells; their runs are paired.
    over : sequence of str
        What runs of one cell differ in, and pairs agree in.
    kept : _Predictions
        Predictions and splits of the runs.
    """
    first, second = _by_seed(one.runs, over), _by_seed(other.runs, over)
    both = sorted(first.keys() & second.keys(), key=lambda key: [order(part) for part in key])
    if not both:
        return None
    pairs = [(first[key], second[key]) for key in both]
    splits = [(kept.split(a), kept.split(b)) for a, b in pairs]
    if any(a is None or a != b for a, b in splits):
        return None
    if len(set(splits)) == 1:
        mine, best_one = (kept.wrong(run) for run in pairs[0])
        if mine is None or best_one is None or len(mine) != len(best_one):
            return None
        return mcnemar(mine, best_one).p, MCNEMAR
    rows = one.runs.set_index("id").loc[[a for a, _ in pairs]]
    best = other.runs.set_index("id").loc[[b for _, b in pairs]]
    differences = rows["error.test"].to_numpy(float) - best["error.test"].to_numpy(float)
    if np.ptp(differences) <= ROUNDING:  # of one split, or of equal ones: they tell no spread
        return None
    sizes = int(rows["data.n_train"].iloc[0]), int(rows["data.n_test"].iloc[0])
    return corrected_resampled_t(differences, *sizes).p, RESAMPLED


class _Predictions:
    """What the store keeps of a run's test part, read once."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._splits: dict[str, str | None] = {}
        self._wrong: dict[str, list[bool] | None] = {}

    def split(self, run: str) -> str | None:
        """Return what tells a run's split from others; None when it is not known."""
        if run not in self._splits:
            try:
                data = load_record(self._store.runs / run, run).get("data") or {}
            except CorruptRecordError:
                data = {}
            self._splits[run] = data.get("split_hash")
        return self._splits[run]

    def wrong(self, run: str) -> list[bool] | None:
        """Return which test examples a run has wrong; None when it kept no predictions."""
        if run not in self._wrong:
            table = self._store.predictions(run)
            self._wrong[run] = None if table.empty else list(table["y"] != table["predicted"])
        return self._wrong[run]


def _by_seed(runs: "pd.DataFrame", over: Sequence[str]) -> dict[Key, str]:
    """Return the runs of a cell by their seed and whatever else differs in it."""
    texts = [runs[column_of(runs, name)].map(as_text) for name in over]
    return dict(zip(zip(*texts, strict=True), runs["id"], strict=True))
