"""Tables over runs: mean, spread and number of seeds for each data set and solver."""

import csv
import io
import math
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from mcbench.aggregate import AGGREGATES, EARLY, aggregated, numbers, shown
from mcbench.errors import UserError, suggest
from mcbench.keys import check_cells, keyed
from mcbench.labels import COMPARED, SOLVER, curve_name
from mcbench.markup import blocks, booktabs, escape, fits, markdown
from mcbench.metrics import Metric
from mcbench.outcome import COMPLETE

if TYPE_CHECKING:
    import pandas as pd

#: How fits end when they need no remark: all the way, or where the protocol stopped them.
ENDED_WELL = (*COMPLETE, "callback")


#: Labels that single runs have beside those of their group.
RUN_LABELS = ("seed", "id")


def summarize(
    frame: "pd.DataFrame",
    metrics: Sequence[Metric],
    aggregate: str = "mean",
    rows: Sequence[str] = (),
    over: Sequence[str] = (),
) -> tuple["pd.DataFrame", list[str]]:
    """Return mean, spread and number of runs for each group of runs that differ in the seed only.

    Parameters
    ----------
    frame : DataFrame
        Finished runs, one row each.
    metrics : sequence of Metric
        What to summarize.
    aggregate : str
        One of `mcbench.aggregate.AGGREGATES`; "none" has a row for each run.
    rows : sequence of str
        What tells the rows apart; by default all that tells runs apart but for the seed.
    over : sequence of str
        What is averaged over beside the seed.

    Returns
    -------
    table : DataFrame
        Label columns, then `<metric>.mean`, `<metric>.sd` (or what else the aggregate has) and
        `<metric>.n` for each metric. The spread is the standard deviation of the sample, NaN for a
        single run. `n` counts the runs, `early` those of them that ended early.
    labels : list of str
        The label columns.

    Raises
    ------
    UserError
        When a row would mix runs that differ in more than the seed.
    """
    import pandas as pd

    alone = [name for name in RUN_LABELS if aggregate == "none" and name not in rows]
    frame, others = keyed(frame, [*rows, *alone], over)
    labels = [*(rows or others), *alone]
    if rows:
        check_cells(frame, labels, others, rows)
    found = []
    groups = frame.groupby(labels, sort=False)
    for key, group in sorted(groups, key=lambda item: [order(label) for label in item[0]]):
        row: dict[str, Any] = dict(zip(labels, key, strict=True))
        for metric in metrics:
            stats = aggregated(numbers(group, metric), aggregate)
            row |= {f"{metric.name}.{name}": value for name, value in stats.items()}
        found.append({**row, "n": len(group), "early": int(ended_early(group).sum())})
    return pd.DataFrame(found), labels


def render(
    table: "pd.DataFrame",
    labels: Sequence[str],
    metrics: Sequence[Metric],
    form: str,
    width: int | None = None,
    aggregate: str = "mean",
) -> str:
    """Return a summary as text.

    Parameters
    ----------
    table : DataFrame
        What `summarize` returned.
    labels : sequence of str
        Its label columns.
    metrics : sequence of Metric
        Its metrics.
    form : {"markdown", "csv", "latex"}
        In what form; LaTeX sets the best value of each data set in bold.
    width : int, optional
        Columns of the terminal: a markdown table that is wider becomes one block per row.
    aggregate : str
        As for `summarize`.
    """
    writers: dict[str, Callable[[], str]] = {
        "markdown": lambda: _markdown(table, labels, metrics, width, aggregate),
        "csv": lambda: _csv(table, labels, metrics, aggregate),
        "latex": lambda: _latex(table, labels, metrics, aggregate),
    }
    if form not in writers:
        raise UserError(f"There is no format '{form}'; {suggest(form, writers)}")
    return writers[form]()


def early(frame: "pd.DataFrame") -> str:
    """Return a sentence on the fits that ended before their accuracy was reached, or nothing.

    Parameters
    ----------
    frame : DataFrame
        Finished runs, one row each.
    """
    short = frame[ended_early(frame)]
    if short.empty:
        return ""
    parts = []
    for (name, ended), group in short.groupby([SOLVER, "reported.status"]):
        parts.append(f"{name} ({ended}, n = {len(group)})")
    return f"Ended before the accuracy asked for: {', '.join(parts)}."


def ended_early(frame: "pd.DataFrame") -> "pd.Series[bool]":
    """Return which runs ended before the accuracy asked for was reached."""
    import pandas as pd

    if "reported.status" not in frame:
        return pd.Series(False, frame.index)
    return ~frame["reported.status"].isin(ENDED_WELL) & frame["reported.status"].notna()


def best_rows(
    table: "pd.DataFrame", labels: Sequence[str], metric: Metric, aggregate: str = "mean"
) -> set[Hashable]:
    """Return the rows with the best value among those that differ in the solver only."""
    if not metric.better:
        return set()
    shared = [name.removeprefix("config.") for name in COMPARED]
    # Without a label of the data, all rows are of the same.
    others = [
        name
        for name in labels
        if name in shared or not (name.startswith(SOLVER) or name in RUN_LABELS)
    ]
    best: set[Hashable] = set()
    for _, group in table.groupby(others, sort=False) if others else [("", table)]:
        means = group[f"{metric.name}.{AGGREGATES[aggregate][0]}"].dropna()
        if len(means) < 2:
            continue
        top = means.min() if metric.better == "lower" else means.max()
        shown = format(top, metric.shown)
        best |= {row for row, value in means.items() if format(value, metric.shown) == shown}
    return best


def order(label: Any) -> tuple[bool, float, str]:
    """Where a label stands: numbers by their value, before words."""
    try:
        return False, float(label), ""
    except ValueError:
        return True, 0.0, str(label)


def _cell(row: "pd.Series", metric: Metric, aggregate: str, *, latex: bool = False) -> str:
    """Return a cell's text, with a mark where a fit ended early."""
    names = (*AGGREGATES[aggregate], "n")
    found = {name: row[f"{metric.name}.{name}"] for name in names}
    text = shown(found, metric, aggregate, latex=latex)
    if not row.get("early") or not found["n"]:
        return text
    return text + ("$^\\dagger$" if latex else f" {EARLY}")


def _markdown(
    table: "pd.DataFrame",
    labels: Sequence[str],
    metrics: Sequence[Metric],
    width: int | None,
    aggregate: str,
) -> str:
    names = [*(metric.label for metric in metrics), "n"]
    heads = [[str(row[name]) for name in labels] for _, row in table.iterrows()]
    cells = [
        [*(_cell(row, metric, aggregate) for metric in metrics), str(row["n"])]
        for _, row in table.iterrows()
    ]
    whole = [[*head, *row] for head, row in zip(heads, cells, strict=True)]
    text = markdown([*labels, *names], whole)
    if fits(text, width):
        return text
    titles = [curve_name(dict(zip(labels, head, strict=True)), labels) for head in heads]
    return blocks(names, cells, titles)


def _csv(
    table: "pd.DataFrame", labels: Sequence[str], metrics: Sequence[Metric], aggregate: str
) -> str:
    statistics = (*AGGREGATES[aggregate], "n")
    columns = [*labels, *(f"{metric.name}.{name}" for metric in metrics for name in statistics)]
    columns += ["n", *(["early"] if table["early"].any() else [])]
    return written([columns, *(row[columns].tolist() for _, row in table.iterrows())])


def written(rows: Sequence[Sequence[Any]]) -> str:
    """Return rows as CSV; what is not a number is an empty field."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow(["" if isinstance(v, float) and math.isnan(v) else v for v in row])
    return out.getvalue().rstrip("\n")


def _latex(
    table: "pd.DataFrame", labels: Sequence[str], metrics: Sequence[Metric], aggregate: str
) -> str:
    best = {metric.name: best_rows(table, labels, metric, aggregate) for metric in metrics}
    rows = []
    for number, row in table.iterrows():
        cells = [escape(str(row[name])) for name in labels]
        for metric in metrics:
            cell = _cell(row, metric, aggregate, latex=True)
            cells.append(f"\\boldmath{cell}" if number in best[metric.name] else cell)
        rows.append([*cells, str(row["n"])])
    header = [*labels, *(metric.label for metric in metrics), "n"]
    return booktabs(header, rows, [name in labels for name in header])
