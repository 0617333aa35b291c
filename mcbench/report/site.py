"""Building the site: all pages into a new folder, which then takes the old one's place."""

import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

from mcbench.errors import UserError
from mcbench.files import writing
from mcbench.report import pages
from mcbench.report.render import slug
from mcbench.report.source import Source, read
from mcbench.store import Store

#: A folder with this file is a report, and may be replaced by one.
MARK = ".mcbench-report"
ASSETS = ("report.css", "filters.js", "chart.js")


def build(store: Store, output: Path | None = None) -> Path:
    """Build the report of a results folder.

    Parameters
    ----------
    store : Store
        Where the runs, the claims and the catalogue are.
    output : Path, optional
        The folder to write; by default `report/` in the results folder. What was built there
        before is replaced, any other folder that is not empty is left alone.

    Returns
    -------
    Path
        The first page.

    Raises
    ------
    UserError
        When nothing was reproduced yet, or the folder holds something else or cannot be written.
    """
    output = output or store.root / "report"
    source = read(store)
    if not source.claims and not source.entries:
        raise UserError(f"Nothing was reproduced in {store.root} yet: mcbench reproduce does.")
    output = output.resolve()  # what a link names is replaced, not the link
    if output.exists() and not (
        output.is_dir() and ((output / MARK).is_file() or not any(output.iterdir()))
    ):
        raise UserError(f"{output} holds something that is no report: choose another folder.")
    with writing(output.parent, "choose another folder with --output FOLDER"):
        output.parent.mkdir(parents=True, exist_ok=True)
        # A name of its own: a process that was killed may have left one with this number.
        aside = Path(tempfile.mkdtemp(prefix=f".{output.name}.", dir=output.parent))
        try:
            fresh = aside / "new"
            fresh.mkdir()
            write(source, fresh)
            if output.exists():
                output.rename(aside / "old")
            fresh.rename(output)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return output / "index.html"


def write(source: Source, folder: Path) -> None:
    """Write all files of a report into an empty folder."""
    for name in ("assets", "papers", "runs"):
        (folder / name).mkdir()
    (folder / MARK).write_text("A report of mcbench; it is built anew as a whole.\n")
    for name in ASSETS:
        (folder / "assets" / name).write_bytes(
            files("mcbench.report").joinpath("assets", name).read_bytes()
        )
    _page(folder / "index.html", pages.index(source))
    frame = source.store.frame()
    for key in source.papers():
        _page(folder / "papers" / f"{slug(key)}.html", pages.paper(source, key, frame))
    for run_id, record in source.records.items():
        _page(folder / "runs" / f"{run_id}.html", pages.run(source, record))
    for entry in source.entries:
        for made in [*entry["figures"], *entry["tables"]]:
            for file in source.forms(made).values():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source.root / file, folder / file)


def _page(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
