"""The runs behind published results, one row each."""

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from mcbench.metrics import METRICS
from mcbench.record import Record, flatten, strict
from mcbench.words import shorten, telling

#: Columns, and where in the flat record they come from.
PLAIN = {
    "seed": "seed",
    "data": "data.title",
    "n_train": "data.n_train",
    "n_test": "data.n_test",
    "data_hash": "data.content_hash",
    "split_hash": "data.split_hash",
    "solver_version": "solver_version",
    "mcbench": "provenance.mcbench",
    "commit": "provenance.git.commit",
    "changed_since": "provenance.git.dirty",
    "machine": "provenance.machine.id",
    "finished": "finished",
}

#: Measured values of a run that is no fit: those that are not long.
SHORT = 60


def to_csv(records: Mapping[str, Record], uses: Mapping[str, list[tuple[str, str]]]) -> str:
    """Return the runs as comma-separated values.

    Parameters
    ----------
    records : mapping of str to Record
        The runs by identity.
    uses : mapping of str to list of (paper, item)
        What each run is behind.

    Returns
    -------
    str
        Identity, items, status, configuration in short, seed, data and their hashes, versions,
        commit and machine, then the measured values in the record's units under its names
        (`error.test` is a fraction, `time.fit` seconds), and `measured` as JSON.
    """
    metrics = [metric.column for metric in METRICS.values()]
    out = io.StringIO()
    header = ["id", "items", "status", "configuration", *PLAIN, *metrics, "measured"]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    for run, record in sorted(records.items()):
        row = record.flat()
        writer.writerow(
            [
                run,
                " ".join(f"{paper}/{item}" for paper, item in uses.get(run, [])),
                record.status,
                " ".join(map(shorten, telling(record.get("overrides") or ()))),
                *(_cell(row.get(column)) for column in (*PLAIN.values(), *metrics)),
                _measured(record),
            ]
        )
    return out.getvalue()


def _measured(record: Record) -> str:
    """Return what was measured in place of a fit, without what is long."""
    measured = record.get("measured")
    if not isinstance(measured, Mapping):
        return ""
    short = {name: value for name, value in flatten(measured).items() if len(str(value)) <= SHORT}
    return json.dumps(strict(short), sort_keys=True, ensure_ascii=False) if short else ""


def _cell(value: Any) -> Any:
    return "" if value is None or value != value else value
