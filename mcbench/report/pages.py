"""What each page shows, as plain values for its template."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from mcbench.claims import VERDICTS, Row
from mcbench.grid import PROFILES
from mcbench.origin import origins
from mcbench.record import Record
from mcbench.report import runs
from mcbench.report.curves import chart, chart_of_run
from mcbench.report.render import render
from mcbench.report.source import UNKNOWN, Source
from mcbench.report.tables import read_table
from mcbench.words import count

if TYPE_CHECKING:
    import pandas as pd


def index(source: Source) -> str:
    """Return the first page: the papers and their items, and all claims with filters."""
    papers = [about(source, key) for key in source.papers()]
    return render(
        "index.html",
        base="",
        # In the papers' order: that of their items, not of the alphabet.
        claims=[
            {**row, "search": searchable(row)}
            for found in papers
            for item in found["items"]
            for row in item["claims"]
        ],
        tally=tally(source.claims),
        papers=papers,
        printed=[found for found in papers if not found["reference"].startswith("No paper")],
        verdicts=VERDICTS,
        profiles=[name for name in PROFILES if name in _values(source.claims, "profile")],
        known=source.records,
        made_with=made_with(source.records.values()),
    )


def paper(source: Source, key: str, frame: "pd.DataFrame") -> str:
    """Return the page of a paper.

    Parameters
    ----------
    source : Source
        The results.
    key : str
        The paper.
    frame : DataFrame
        The runs in the store, one row each.
    """
    found = about(source, key)
    for item in found["items"]:
        entry = item["entry"]
        item["figures"] = [_figure(source, made) for made in entry["figures"]]
        item["tables"] = [_table(source, made) for made in entry["tables"]]
        here = frame[frame["id"].isin(entry["runs"])]
        item["chart"] = chart(here, {run: source.store.trace(run) for run in here["id"]})
    return render("paper.html", base="../", paper=found, known=source.records)


def run(source: Source, record: Record) -> str:
    """Return the page of a run."""
    trace = source.store.trace(record.id)
    return render(
        "run.html",
        base="../",
        record=record,
        title=runs.title(record),
        command=runs.command(record),
        key_values=runs.key_values(record, record.flat()),
        settings=runs.settings(record),
        groups=runs.groups(record),
        trace=runs.checkpoints(trace, record) if len(trace) else None,
        length=len(trace),
        chart=chart_of_run(record.id, trace, runs.error(record)),
        uses=source.uses.get(record.id, []),
    )


def about(source: Source, key: str) -> dict[str, Any]:
    """Return a paper: its title, its items in order, and its claims by item."""
    entries = [entry for entry in source.entries if entry["paper"] == key]
    claims = [row for row in source.claims if row["paper"] == key]
    items = [{"name": entry["item"], "title": entry["title"], "entry": entry} for entry in entries]
    named = {item["name"] for item in items}
    for name in dict.fromkeys(str(row["item"]) for row in claims):
        if name not in named:  # claims of a results folder without a catalogue
            items.append({"name": name, "title": name, "entry": {**UNKNOWN, "paper": key}})
    for item in items:
        item["claims"] = [row for row in claims if row["item"] == item["name"]]
    return {
        "key": key,
        "title": entries[0]["paper_title"] if entries else key,
        "reference": entries[0]["reference"] if entries else "",
        "items": items,
        "tally": tally(claims),
    }


def tally(claims: Iterable[Row]) -> dict[str, int]:
    """Return how many claims have each verdict."""
    found = Counter(row["verdict"] for row in claims)
    return {verdict: found.get(verdict, 0) for verdict in VERDICTS}


def made_with(records: Iterable[Record]) -> list[tuple[str, str]]:
    """Return the machines, the software and the commits of runs, as name and text."""
    lines = []
    for name, found in origins(records).items():
        for one in found:
            parts = {key: value for key, value in one.items() if key not in ("runs", "id")}
            text = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in parts.items())
            lines.append((name, f"{text} ({count(one['runs'], 'run')})"))
    return lines


def searchable(row: Mapping[str, Any]) -> str:
    """Return all text of a claim in lower case, for the search."""
    names = ("id", "paper", "item", "statement", "paper_value", "ours", "check", "reason")
    return " ".join(str(row.get(name, "")) for name in names).lower()


def _figure(source: Source, made: Mapping[str, Any]) -> dict[str, Any]:
    forms = source.forms(made)
    return {**made, "forms": forms, "shown": forms.get("svg") or forms.get("png")}


def _table(source: Source, made: Mapping[str, Any]) -> dict[str, Any]:
    forms = source.forms(made)
    values = source.root / forms["csv"] if "csv" in forms else None
    table = read_table(source.root / forms["md"], values) if "md" in forms else None
    return {**made, "forms": forms, "table": table}


def _values(rows: Iterable[Row], name: str) -> set[str]:
    return {str(row[name]) for row in rows}
