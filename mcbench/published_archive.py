"""The runs behind published results, whole, but for what concerns nobody else."""

import shutil
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory

from mcbench.archive import pack
from mcbench.errors import UserError
from mcbench.record import PREDICTIONS, TRACE, Record, write_config
from mcbench.words import telling

#: What a record says of the person and the folders it was made in.
PRIVATE = (
    ("owner",),
    ("traceback",),
    ("provenance", "command"),
    ("provenance", "machine", "host"),
)


def public(record: Record) -> Record:
    """Return a record without its `PRIVATE` parts, and without the folder it was written to."""
    sections = deepcopy(record.sections)
    for *path, last in PRIVATE:
        part = sections
        for name in path:
            part = part.get(name) or {}
        part.pop(last, None)
    if "overrides" in sections:
        sections["overrides"] = telling(sections["overrides"] or ())
    config = {
        name: None if name == "results_dir" else value for name, value in record.config.items()
    }
    return Record(record.id, record.status, config, record.reason, sections)


def write_archive(records: Mapping[str, Record], runs: Path, path: Path) -> None:
    """Write an archive of runs as `mcbench.archive.pack` does, each record made public.

    Parameters
    ----------
    records : mapping of str to Record
        The runs by the names of their folders.
    runs : Path
        The store's folder of runs, which has their tables.
    path : Path
        The archive, which must not exist yet.

    Raises
    ------
    UserError
        When a table of a run is gone.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent, prefix=".") as staging:
        copies = []
        for run, record in records.items():
            copy = Path(staging) / run
            copy.mkdir()
            shown = public(record)
            shown.save(copy)
            write_config(copy, shown.config)
            for name in (TRACE, PREDICTIONS):
                if (runs / run / name).is_file():
                    shutil.copyfile(runs / run / name, copy / name)
                elif name in (record.get("files") or ()):
                    raise UserError(f"{runs / run / name} is gone: run what is behind it again.")
            copies.append(copy)
        pack(copies, path)
