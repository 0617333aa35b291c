"""The catalogue of what was reproduced: for each item its figures, its tables and their runs.

It is `reproduced.json` in the results folder, beside the claims: what the report shows and what
is published. Paths in it start from the results folder.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcbench.files import to_json, write_atomic
from mcbench.json_rows import all_texts, read_list
from mcbench.record import strict
from mcbench.words import shorten

if TYPE_CHECKING:
    import pandas as pd

    from mcbench.results import Results
    from mcbench.stages import Item

FILE = "reproduced.json"

#: The columns of a table that name the runs of a row.
RUN_COLUMNS = ("run", "runs")

#: What is told of an item in words.
TEXTS = ("paper_title", "reference", "title", "profile", "command")

Entry = dict[str, Any]
Made = dict[str, Any]


def entry(item: "Item", results: "Results", changes: Sequence[str] = ()) -> Entry:
    """Return an item as a row of the catalogue, without figures and tables yet.

    Parameters
    ----------
    item : Item
        The item.
    results : Results
        What it saw.
    changes : sequence of str
        Arguments that changed the item's runs or left some out.
    """
    command = ["mcbench reproduce", str(item), *changes, f"--profile {results.profile}"]
    return {
        "paper": item.paper.key,
        "paper_title": item.paper.title,
        "reference": item.paper.reference,
        "item": item.name,
        "order": list(item.paper.items).index(item.name),
        "title": item.module.TITLE,
        "profile": results.profile,
        "command": " ".join(command),
        "figures": [],
        "tables": [],
        "runs": list(dict.fromkeys(results.frame.get("id", []))),
        "missing": [
            {"run": " ".join(map(shorten, overrides)), "reason": reason}
            for overrides, reason in results.missing
        ],
    }


def made(name: str, files: Iterable[Path], runs: Iterable[str], root: Path) -> Made:
    """Return a figure or a table of an item: its name, its files below `root` and its runs."""
    return {
        "name": name,
        "files": [file.relative_to(root).as_posix() for file in files],
        "runs": list(dict.fromkeys(runs)),
    }


def runs_of_table(table: "pd.DataFrame") -> list[str]:
    """Return the identities in the column `run` or `runs` of a table, each once."""
    texts = [text for name in RUN_COLUMNS if name in table for text in table[name].dropna()]
    return list(dict.fromkeys(run for text in texts for run in split_runs(str(text))))


def split_runs(text: str) -> list[str]:
    """Return the identities in a cell of the column `run` or `runs`; a dash is none."""
    return [word for word in text.replace(",", " ").split() if word != "-"]


def merge(old: Sequence[Entry], new: Sequence[Entry]) -> list[Entry]:
    """Return old entries but for the items done anew, then the new ones, in the papers' order."""
    anew = {(row["paper"], row["item"]) for row in new}
    kept = [row for row in old if (row["paper"], row["item"]) not in anew]
    return sorted([*kept, *new], key=lambda row: (row["paper"], row["order"], row["item"]))


def read_entries(folder: Path) -> list[Entry]:
    """Return the catalogue of a results folder; empty when there is no readable one."""
    return read_list(folder / FILE, _whole)


def _whole(row: Any) -> bool:
    """Return whether this is an item as `entry` returns it, some texts perhaps missing."""
    return (
        isinstance(row, dict)
        and all(isinstance(row.get(name), str) for name in ("paper", "item"))
        and all(isinstance(row.get(name, ""), str) for name in TEXTS)
        and isinstance(row.get("order"), int)
        and all_texts(row.get("runs", []))
        and all(isinstance(row.get(kind), list) for kind in ("figures", "tables"))
        and all(_whole_made(made) for made in [*row["figures"], *row["tables"]])
        and isinstance(row.get("missing", []), list)
        and all(
            isinstance(one, dict) and all_texts([one.get("run"), one.get("reason")])
            for one in row.get("missing", [])
        )
    )


def _whole_made(made: Any) -> bool:
    return (
        isinstance(made, dict)
        and isinstance(made.get("name"), str)
        and all_texts(made.get("files"))
        and all_texts(made.get("runs"))
    )


def write_entries(folder: Path, entries: Sequence[Entry]) -> Path:
    """Write the catalogue of a results folder and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / FILE, to_json(strict(list(entries)), indent=1) + "\n")
    return folder / FILE
