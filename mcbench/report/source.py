"""What a report is made from: claims, the catalogue, and the records behind both."""

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mcbench.catalogue import FILE, Entry, read_entries
from mcbench.claims import CLAIMS, COLUMNS, Row, read_rows
from mcbench.errors import UserError
from mcbench.json_rows import length
from mcbench.record import OtherSchemaError, Record
from mcbench.store import Store

#: An item of which nothing is known.
UNKNOWN: Entry = {
    "paper_title": "",
    "reference": "",
    "title": "",
    "profile": "",
    "command": "",
    "figures": [],
    "tables": [],
    "runs": [],
    "missing": [],
}


@dataclass(frozen=True)
class Source:
    """Results as they are on disk.

    Attributes
    ----------
    store : Store
        The store of the runs.
    claims : list of dict
        The claims as rows (`mcbench.claims`).
    entries : list of dict
        The catalogue (`mcbench.catalogue`).
    records : mapping of str to Record
        The runs behind claims and catalogue, by identity; those no longer in the store lack.
    """

    store: Store
    claims: list[Row]
    entries: list[Entry]
    records: dict[str, Record]

    @property
    def root(self) -> Path:
        """The results folder."""
        return self.store.root

    def forms(self, made: Mapping[str, Any]) -> dict[str, str]:
        """Return the files of a figure or table that are there, by suffix without the dot."""
        return {Path(file).suffix[1:]: file for file in made["files"] if self.inside(file)}

    def inside(self, file: str) -> bool:
        """Return whether a path of the catalogue is a file in the results folder."""
        path = (self.root / file).resolve()
        return path.is_file() and path.is_relative_to(self.root.resolve())

    @cached_property
    def uses(self) -> dict[str, list[tuple[str, str]]]:
        """The items, as (paper, item), that each run is behind."""
        found: dict[str, dict[tuple[str, str], None]] = {}
        for row in self.claims:
            for run in row.get("runs") or ():
                found.setdefault(run, {})[str(row["paper"]), str(row["item"])] = None
        for entry in self.entries:
            for run in behind([], [entry]):
                found.setdefault(run, {})[entry["paper"], entry["item"]] = None
        return {run: list(items) for run, items in found.items()}

    def behind_items(self) -> dict[tuple[str, str], list[str]]:
        """Return the runs behind each item, as (paper, item), that has any."""
        found: dict[tuple[str, str], list[str]] = {}
        for run, items in sorted(self.uses.items()):
            for item in items:
                found.setdefault(item, []).append(run)
        return found

    def papers(self) -> list[str]:
        """Return the keys of the papers that anything is known of."""
        return sorted({str(row["paper"]) for row in [*self.claims, *self.entries]})


def read(store: Store) -> Source:
    """Read what there is in a results folder."""
    rows, known = read_rows(store.root), read_entries(store.root)
    for name, there in ((CLAIMS, rows), (FILE, known)):
        path = store.root / name
        if path.exists() and len(there) != length(path):
            raise UserError(
                f"{path} cannot be read: move it away, and mcbench reproduce --no-run writes it "
                "again."
            )
    claims = [{**dict.fromkeys(COLUMNS, ""), "runs": [], **row} for row in rows]
    entries = [{**UNKNOWN, **entry} for entry in known]
    found = {run: _record(store, run) for run in behind(claims, entries)}
    records = {run: record for run, record in found.items() if record is not None}
    return Source(store, claims, entries, records)


def _record(store: Store, run: str) -> Record | None:
    """Return a run's record; None, with a warning, when another version wrote it."""
    try:
        return store.get(run)
    except OtherSchemaError as error:
        warnings.warn(f"Run skipped: {error}", stacklevel=2)
        return None


def behind(claims: Iterable[Row], entries: Iterable[Entry]) -> list[str]:
    """Return the identities of all runs that claims and catalogue name, each once, in order."""
    runs = {str(run) for row in claims for run in row.get("runs") or ()}
    for entry in entries:
        runs.update(map(str, entry.get("runs") or ()))
        for made in [*entry["figures"], *entry["tables"]]:
            runs.update(map(str, made["runs"]))
    return sorted(run for run in runs if named(run))


def named(run: str) -> bool:
    """Return whether a text can be the identity of a run: the name of a folder, not a path."""
    return bool(run) and run.replace("-", "").replace("_", "").isalnum() and run.isascii()
