"""The runs behind published results, whole, but for what concerns nobody else."""

import shutil
import tempfile
from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path

from mcbench.archive import pack
from mcbench.files import writing
from mcbench.record import PREDICTIONS, TRACE, Record, load_record, write_config

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
    config = {
        name: None if name == "results_dir" else value for name, value in record.config.items()
    }
    return Record(record.id, record.status, config, record.reason, sections)


def write_archive(folders: Iterable[Path], path: Path) -> None:
    """Write an archive of runs as `mcbench.archive.pack` does, each record made public.

    Parameters
    ----------
    folders : iterable of Path
        The runs' folders in a store.
    path : Path
        The archive, which must not exist yet.
    """
    with tempfile.TemporaryDirectory(prefix="mcbench-") as staging:
        copies = []
        for folder in folders:
            record = public(load_record(folder))
            copy = Path(staging) / folder.name
            with writing(copy.parent, "make room in the folder for temporary files"):
                copy.mkdir()
                record.save(copy)
                write_config(copy, record.config)
                for name in (TRACE, PREDICTIONS):
                    if (folder / name).is_file():
                        shutil.copyfile(folder / name, copy / name)
            copies.append(copy)
        pack(copies, path)
