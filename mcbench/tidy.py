"""Results for notebooks: runs and traces as tidy tables, numbers as numbers."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcbench.query import column_of
from mcbench.store import Store

if TYPE_CHECKING:
    import pandas as pd

#: Columns with few values that runs are grouped by.
CATEGORIES = ("status", "dataset", "kernel", "solver", "config.solver_name")
DATES = ("started", "finished")

#: Whole numbers, also where some are missing; all other numbers are floating-point.
COUNTERS = ("work.", "data.n_", "config.dataset.fold")
WHOLE = (
    "seed",
    "config.seed",
    "config.dataset.train_size",
    "data.fold",
    "data.folds",
    "model.n_support",
    "error.train_wrong",
    "error.test_wrong",
)

INFINITE = {"inf": float("inf"), "-inf": float("-inf")}


def load_results(root: str | Path | None = None, *filters: str) -> "pd.DataFrame":
    """Return the finished runs of a results folder as a tidy table, one row each.

    Parameters
    ----------
    root : path, optional
        The results folder; by default the one that `mcbench run` writes to.
    *filters : str
        Conditions such as "dataset=satimage" or "solver=kkt,cache".

    Returns
    -------
    DataFrame
        Columns with dotted names, in the order of the record:

        - `id`, `status`, `reason`; `dataset`, `kernel`, `solver`, which name files of `conf/` and
          are categories like the status; `seed`;
        - `config.*`: the settings, for example `config.solver.C` or `config.dataset.train_size`;
        - `error.test`, `error.train` (shares, not per cent), `objective.primal`, `.dual`, `.gap`,
          `.violation`, `model.n_support`, `work.iterations`, `work.kernel_rows`;
        - `time.fit`, `time.fit_cpu`, `time.predict`, `time.kernel` (seconds), `memory.fit_mb`;
        - `data.n_train`, `data.n_test`, `data.n_features`, `data.n_classes`, `data.content_hash`;
        - `reported.status`: how the fit ended; `warnings`: a list of texts;
        - `started`, `finished`: dates in UTC; `provenance.*`: versions, commit, machine;
        - `measured.*`: what runs that fit no model measured.

        Counts and seeds are Int64, all other numbers float64; truth values are boolean, words
        text. What is a number in some runs and a word in others, such as `config.kernel.gamma`
        ("scale"), is text: `model.gamma` is the number used. Missing values are missing.

    Examples
    --------
    >>> import mcbench
    >>> frame = mcbench.load_results(None, "status=done")  # doctest: +SKIP
    >>> frame.groupby(["dataset", "solver"], observed=True)["error.test"].mean()  # doctest: +SKIP
    """
    return tidy(Store(root).find(*filters))


def load_traces(
    root: str | Path | None = None,
    *filters: str,
    keys: Sequence[str] = ("dataset", "kernel", "solver", "seed"),
) -> "pd.DataFrame":
    """Return the traces of runs as one tidy table, one row per checkpoint.

    Parameters
    ----------
    root : path, optional
        The results folder; by default the one that `mcbench run` writes to.
    *filters : str
        Conditions such as "dataset=satimage" or "solver=kkt,cache".
    keys : sequence of str
        Columns of the runs that each row repeats; short names or dotted ones such as "solver.C".

    Returns
    -------
    DataFrame
        `id`, the keys, then the columns of a trace: `iteration`, `seconds`, `cpu_seconds`,
        `kernel_rows`, `cache_hits`, `active_set`, `level`, `support`, `primal`, `dual`, `gap`,
        `violation`, `test_error` (a share). Runs without a trace have no rows.

    Examples
    --------
    >>> import mcbench
    >>> curves = mcbench.load_traces(None, "dataset=satimage")  # doctest: +SKIP
    """
    import pandas as pd

    store = Store(root)
    runs = tidy(store.find(*filters))
    columns = {key: column_of(runs, key) for key in keys} if len(runs) else {}
    parts = []
    for number, run in enumerate(runs["id"]):
        trace = store.trace(run)
        if not trace.empty:
            head = {"id": run, **{key: runs[name].iloc[number] for key, name in columns.items()}}
            parts.append(trace.assign(**head)[[*head, *trace.columns]])
    if not parts:
        return pd.DataFrame(columns=["id", *keys])
    whole = pd.concat(parts, ignore_index=True)
    types = {key: runs[name].dtype for key, name in columns.items()}
    names = [str(name) for name in whole.columns]
    numbers = [name for name in names if whole[name].dtype == object and name not in types]
    for name in numbers:
        whole[name] = _typed(name, whole[name])
    return whole.astype({"id": "category", **types})


def tidy(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return runs with a sensible type for each column."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for name in map(str, frame.columns):
        if name in CATEGORIES:
            columns[name] = frame[name].astype("category")
        elif name in DATES:
            columns[name] = pd.to_datetime(frame[name], utc=True, errors="coerce")
        else:
            columns[name] = _typed(name, frame[name])
    return pd.DataFrame(columns)


def _typed(name: str, values: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return a column as truth values, whole numbers, numbers or text; lists stay as they are."""
    import pandas as pd

    if values.dtype == bool:
        return values.astype("boolean")
    plain = pd.api.types.is_numeric_dtype(values)
    kinds = {"number"} if plain else {_kind(value) for value in values.dropna()}
    if "other" in kinds:
        return values
    if kinds == {"truth"}:
        return values.astype("boolean")
    if "text" in kinds:
        return values.map(lambda value: None if _missing(value) else str(value)).astype("string")
    if not plain:
        values = pd.to_numeric(values.map(lambda value: INFINITE.get(value, value)))
    numbers = values.astype("float64")
    whole = name in WHOLE or name.startswith(COUNTERS)
    return numbers.astype("Int64") if whole and (numbers.dropna() % 1 == 0).all() else numbers


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int | float) or (isinstance(value, str) and value in INFINITE):
        return "number"
    return "text" if isinstance(value, str) else "other"


def _missing(value: Any) -> bool:
    return value is None or value != value
