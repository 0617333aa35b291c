"""Tables over runs: mean, spread and number of seeds for each data set and solver."""

import csv
import io
import math
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from mcbench.errors import UserError, suggest
from mcbench.labels import COMPARED, SOLVER, add_labels, curve_name
from mcbench.metrics import Metric
from mcbench.outcome import COMPLETE

if TYPE_CHECKING:
    import pandas as pd

MARKDOWN_ROW = "| {} |"

#: How fits end when they need no remark: all the way, or where the protocol stopped them.
ENDED_WELL = (*COMPLETE, "callback")


def summarize(frame: "pd.DataFrame", metrics: Sequence[Metric]) -> tuple["pd.DataFrame", list[str]]:
    """Return mean, spread and number of runs for each group of runs that differ in the seed only.

    Parameters
    ----------
    frame : DataFrame
        Finished runs, one row each.
    metrics : sequence of Metric
        What to summarize.

    Returns
    -------
    table : DataFrame
        Label columns, then `<metric>.mean`, `<metric>.sd` and `<metric>.n` for each metric. The
        spread is the standard deviation of the sample, NaN for a single run.
    labels : list of str
        The label columns.
    """
    import pandas as pd

    frame, labels = add_labels(frame)
    rows = []
    groups = frame.groupby(labels, sort=False)
    for key, group in sorted(groups, key=lambda item: [_order(label) for label in item[0]]):
        row = dict(zip(labels, key, strict=True))
        for metric in metrics:
            values = pd.Series(dtype=float)
            if metric.column in group:
                values = pd.to_numeric(group[metric.column], errors="coerce").dropna()
            values = values.astype(float) * metric.scale
            row[f"{metric.name}.mean"] = values.mean()
            row[f"{metric.name}.sd"] = values.std(ddof=1)
            row[f"{metric.name}.n"] = len(values)
        row["n"] = len(group)
        rows.append(row)
    return pd.DataFrame(rows), labels


def render(
    table: "pd.DataFrame",
    labels: Sequence[str],
    metrics: Sequence[Metric],
    form: str,
    width: int | None = None,
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
    """
    writers: dict[str, Callable[[], str]] = {
        "markdown": lambda: _markdown(table, labels, metrics, width),
        "csv": lambda: _csv(table, labels, metrics),
        "latex": lambda: _latex(table, labels, metrics),
    }
    if form not in writers:
        raise UserError(f"There is no format '{form}'; {suggest(form, writers)}")
    return writers[form]()


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a markdown table with aligned columns."""
    cells = [
        [cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in [header, *rows]
    ]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = [MARKDOWN_ROW.format(" | ".join(map(str.ljust, row, widths))) for row in cells]
    lines.insert(1, MARKDOWN_ROW.format(" | ".join("-" * size for size in widths)))
    return "\n".join(lines)


def booktabs(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: Sequence[bool],
    caption: str = "",
    comments: Sequence[str] = (),
) -> str:
    """Return a LaTeX table.

    Parameters
    ----------
    header : sequence of str
        Names of the columns, as plain text.
    rows : sequence of sequence of str
        The cells, in LaTeX.
    left : sequence of bool
        Which columns are set flush left; the others flush right.
    caption : str
        As plain text; with one, the result is a whole table environment.
    comments : sequence of str
        Written behind the rows as comments.
    """
    lines = [
        f"\\begin{{tabular}}{{{''.join('l' if is_left else 'r' for is_left in left)}}}",
        "\\toprule",
        " & ".join(map(escape, header)) + " \\\\",
        "\\midrule",
    ]
    notes = [f" % {' '.join(text.split())}" if text else "" for text in comments]
    for number, row in enumerate(rows):
        lines.append(" & ".join(row) + " \\\\" + (notes[number] if notes else ""))
    lines += ["\\bottomrule", "\\end{tabular}"]
    if caption:
        head = ["\\begin{table}", "\\centering", f"\\caption{{{escape(caption)}}}"]
        lines = [*head, *lines, "\\end{table}"]
    return "\n".join(["% needs \\usepackage{booktabs}", *lines])


def early(frame: "pd.DataFrame") -> str:
    """Return a sentence on the fits that ended before their accuracy was reached, or nothing.

    Parameters
    ----------
    frame : DataFrame
        Finished runs, one row each.
    """
    if "reported.status" not in frame:
        return ""
    short = frame[~frame["reported.status"].isin(ENDED_WELL) & frame["reported.status"].notna()]
    if short.empty:
        return ""
    parts = []
    for (name, ended), group in short.groupby([SOLVER, "reported.status"]):
        parts.append(f"{name} ({ended}, n = {len(group)})")
    return f"Ended before the accuracy asked for: {', '.join(parts)}."


def best_rows(table: "pd.DataFrame", labels: Sequence[str], metric: Metric) -> set[Hashable]:
    """Return the rows with the best mean among those that differ in the solver only."""
    if not metric.better:
        return set()
    shared = [name.removeprefix("config.") for name in COMPARED]
    others = [name for name in labels if name in shared or not name.startswith(SOLVER)]
    best: set[Hashable] = set()
    for _, group in table.groupby(others, sort=False) if others else [("", table)]:
        means = group[f"{metric.name}.mean"].dropna()
        if len(means) < 2:
            continue
        top = means.min() if metric.better == "lower" else means.max()
        shown = format(top, metric.shown)
        best |= {row for row, value in means.items() if format(value, metric.shown) == shown}
    return best


def _order(label: Any) -> tuple[bool, float, str]:
    """Where a label stands: numbers by their value, before words."""
    try:
        return False, float(label), ""
    except ValueError:
        return True, 0.0, str(label)


def _cell(row: "pd.Series", metric: Metric, plus_minus: str = " ± ") -> str:
    mean, spread = row[f"{metric.name}.mean"], row[f"{metric.name}.sd"]
    if math.isnan(mean):
        return "-"
    text = format(mean, metric.shown)
    if not math.isnan(spread):
        form = ".1e" if "e" in metric.shown else ".2g"
        text += plus_minus + (format(spread, form) if spread else "0")
    return text


def _grid(
    table: "pd.DataFrame", labels: Sequence[str], metrics: Sequence[Metric]
) -> list[list[str]]:
    return [
        [*(str(row[name]) for name in labels), *(_cell(row, m) for m in metrics), str(row["n"])]
        for _, row in table.iterrows()
    ]


def _markdown(
    table: "pd.DataFrame", labels: Sequence[str], metrics: Sequence[Metric], width: int | None
) -> str:
    header = [*labels, *(metric.label for metric in metrics), "n"]
    rows = _grid(table, labels, metrics)
    text = markdown(header, rows)
    if width is None or max(map(len, text.splitlines())) <= width:
        return text
    size = max(len(name) for name in header)
    blocks = []
    for row in rows:
        title = curve_name(dict(zip(labels, row, strict=False)), labels)
        values = zip(header[len(labels) :], row[len(labels) :], strict=True)
        blocks.append("\n".join([title, *(f"  {name:<{size}}  {text}" for name, text in values)]))
    return "\n\n".join(blocks)


def _csv(table: "pd.DataFrame", labels: Sequence[str], metrics: Sequence[Metric]) -> str:
    columns = [*labels]
    for metric in metrics:
        columns += [f"{metric.name}.mean", f"{metric.name}.sd", f"{metric.name}.n"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*columns, "n"])
    for _, row in table.iterrows():
        values = [row[name] for name in [*columns, "n"]]
        writer.writerow(["" if isinstance(v, float) and math.isnan(v) else v for v in values])
    return out.getvalue().rstrip("\n")


def _latex(table: "pd.DataFrame", labels: Sequence[str], metrics: Sequence[Metric]) -> str:
    best = {metric.name: best_rows(table, labels, metric) for metric in metrics}
    rows = []
    for number, row in table.iterrows():
        cells = [escape(str(row[name])) for name in labels]
        for metric in metrics:
            cell = _cell(row, metric, " \\pm ")
            cell = "--" if cell == "-" else f"${_scientific(cell)}$"
            cells.append(f"\\boldmath{cell}" if number in best[metric.name] else cell)
        rows.append([*cells, str(row["n"])])
    header = [*labels, *(metric.label for metric in metrics), "n"]
    return booktabs(header, rows, [name in labels for name in header])


def _scientific(text: str) -> str:
    """Turn 1.2e-05 into 1.2 x 10^-5."""
    parts = []
    for word in text.split(" "):
        mantissa, e, exponent = word.partition("e")
        parts.append(f"{mantissa} \\cdot 10^{{{int(exponent)}}}" if e else word)
    return " ".join(parts)


def escape(text: str) -> str:
    """Return a text as LaTeX prints it."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in text)
