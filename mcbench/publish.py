"""Publishing results: claims, tables, figures and their runs, to be committed.

Nothing is published whose runs are not known: every claim that was decided names its runs, every
table has a column `run` or `runs`, and all of these are in the list.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mcbench import catalogue
from mcbench.catalogue import FILE, Entry
from mcbench.claims import CLAIMS, counts, write_rows
from mcbench.errors import UserError
from mcbench.files import atomic, to_json, write_atomic, writing
from mcbench.markup import markdown
from mcbench.origin import origins
from mcbench.published_archive import write_archive
from mcbench.published_runs import to_csv
from mcbench.report.source import Source, named, read
from mcbench.report.tables import read_table
from mcbench.staging import staging
from mcbench.store import Store, checkout
from mcbench.words import count, first_sentence

#: The files of figures and tables that are published.
FORMS = ("png", "md", "csv", "tex")

#: The folders that are published, each with a folder for each paper.
FOLDERS = ("figures", "tables", "records")

README = "README.md"

#: An absolute path of two or more parts; its last part is the group.
PATH = re.compile(r"""(?<![\w/.:])(?:/[^\s/'"]+)+/([^\s/'"]+)""")

#: How the README of a folder begins that was published.
MARK = "# Published results\n\nWritten by `mcbench report --publish`"


def publish(store: Store, output: Path | None = None) -> Path:
    """Copy what was reproduced to a folder that is kept.

    All is made beside what was published before and takes its place in the end, so that a failure
    loses nothing.

    Parameters
    ----------
    store : Store
        Where the runs, the claims and the catalogue are.
    output : Path, optional
        The folder; by default `results/published/` of the checkout, without one `published/` in
        the results folder. What else is in it is kept, but for its `FOLDERS`.

    Returns
    -------
    Path
        Its README.

    Raises
    ------
    UserError
        When there is nothing to publish, when a number has no run, when a run is not in the store,
        or when the folder is somebody else's.
    """
    root = checkout()
    output = output or (root / "results" if root else store.root) / "published"
    _check_output(store, output)
    source = read(store)
    if not source.entries:
        raise UserError(f"Nothing was reproduced in {store.root} yet: mcbench reproduce does.")
    found = problems(source)
    if found:
        more = f" ({len(found) - 1} more such)" if len(found) > 1 else ""
        raise UserError(f"Not published: {found[0]}{more}.")
    with writing(output, "choose another folder with --output FOLDER"), _staging(output) as fresh:
        _write(source, fresh)
        _exchange(fresh, output)
    return output / README


def _check_output(store: Store, output: Path) -> None:
    """Raise a `UserError` for a folder that holds what publishing would destroy."""
    inside, results = output.resolve(), store.root.resolve()
    own = [results / name for name in ("runs", "report", "figures", "tables")]
    if inside == results or any(inside.is_relative_to(folder) for folder in own):
        raise UserError(f"{output} holds the results themselves: choose another folder.")
    if (output / "runs").exists():
        raise UserError(f"{output} holds the results of another store: choose another folder.")
    readme = output / README
    if readme.is_file() and readme.read_text(encoding="utf-8", errors="replace").startswith(MARK):
        return
    there = [name for name in (README, FILE, CLAIMS, *FOLDERS) if os.path.lexists(output / name)]
    if there:
        raise UserError(f"{output / there[0]} was not published: choose another folder.")


@contextmanager
def _staging(output: Path) -> Iterator[Path]:
    """Give an empty folder inside of the output; one publication at a time."""
    output.mkdir(parents=True, exist_ok=True)
    folder = os.open(output, os.O_RDONLY)
    busy = f"Another process is publishing to {output}: try again when it has ended."
    try:
        with staging(output / ".publishing", folder, busy) as fresh:
            yield fresh
    finally:
        os.close(folder)


def _exchange(fresh: Path, output: Path) -> None:
    """Move what was made to its place, or all back where that fails or is interrupted.

    The README, which tells that the folder was published, is there at any time.
    """
    made = sorted(fresh.iterdir(), key=lambda path: path.name != README)
    old = fresh / ".old"
    old.mkdir()
    for path in made:
        if (output / path.name).is_file():
            shutil.copy2(output / path.name, old / path.name)
    try:
        for name in FOLDERS:
            if os.path.lexists(output / name):
                (output / name).rename(old / name)
        for path in made:
            path.replace(output / path.name)
    except BaseException:
        for path in made:
            place = output / path.name
            if not path.exists() and (place.is_dir() or not (old / path.name).exists()):
                place.rename(path)
        for path in old.iterdir():
            path.replace(output / path.name)
        raise


def problems(source: Source) -> list[str]:
    """Return what has no run, or one that is not in the store, a sentence each."""
    found = [
        f"run {run} of {', '.join('/'.join(use) for use in source.uses[run])} is not in the store"
        for run in source.uses
        if run not in source.records
    ]
    found += [
        f"{paper!r}/{item!r} is no name of an item"
        for paper, item in source.behind_items()
        if not (named(paper) and named(item))
    ]
    found += [
        f"claim {row['id']} has a verdict and no run"
        for row in source.claims
        if row["verdict"] != "not testable" and not row["runs"]
    ]
    for entry in source.entries:
        for made in [*entry["figures"], *entry["tables"]]:
            found += [
                f"{file} of {entry['paper']}/{entry['item']} is not there"
                for file in made["files"]
                if not source.inside(file)
            ]
        for made in entry["tables"]:
            if "md" not in source.forms(made):
                continue
            table = read_table(source.root / source.forms(made)["md"])
            names = [name for name in table.header if name in catalogue.RUN_COLUMNS]
            if table.rows and not names:
                found.append(
                    f"table {made['name']} of {entry['paper']}/{entry['item']} names no runs"
                )
    return found


def _write(source: Source, output: Path) -> None:
    entries = [_copied(source, entry, output) for entry in source.entries]
    for (paper, item), runs in source.behind_items().items():
        records = {run: source.records[run] for run in runs}
        write_archive(records, source.store.runs, output / "records" / paper / f"{item}.tar.gz")
    write_rows(output, source.claims)
    catalogue.write_entries(output, entries)
    texts = {
        "environment.json": to_json(origins(source.records.values()), indent=1) + "\n",
        "runs.csv": to_csv(source.records, source.uses),
        README: readme(source),
    }
    for name, text in texts.items():
        write_atomic(output / name, text)


def _copied(source: Source, entry: Entry, output: Path) -> Entry:
    """Copy the files of an item and return its entry with those that were copied."""
    copied = dict(entry)
    # Where a file is to be put on this machine, and which mirrors were tried, concern nobody else.
    copied["missing"] = [{**run, "reason": _public(run["reason"])} for run in entry["missing"]]
    for kind in ("figures", "tables"):
        copied[kind] = []
        for made in entry[kind]:
            forms = source.forms(made)
            files = [forms[form] for form in FORMS if form in forms]
            copied[kind].append({**made, "files": files})
            for file in files:
                (output / file).parent.mkdir(parents=True, exist_ok=True)
                with atomic(output / file) as fresh:
                    shutil.copyfile(source.root / file, fresh)
    return copied


def readme(source: Source) -> str:
    """Return what stands beside the published files: how each item was made."""
    rows = [
        [
            f"{entry['paper']}/{entry['item']}",
            entry["profile"],
            str(len(entry["runs"])),
            str(len(entry["missing"])),
            f"`{entry['command']}`",
        ]
        for entry in source.entries
    ]
    table = markdown(["item", "profile", "runs", "missing", "made by"], rows)
    return (
        f"{MARK}; not to be edited. "
        f"{counts(source.claims)} Each number leads to a run: tables have a column `run` or "
        "`runs`, claims and figures name theirs in `claims.json` and `reproduced.json`, and "
        "`runs.csv` has all runs with configuration, seed, hashes of data and split, versions, "
        "commit and the main values. `environment.json` has the machines and the software. "
        "`records/` has the runs themselves, an archive an item: `mcbench results merge` takes "
        "them, and an item's command with `--no-run` draws and judges from them.\n\n"
        f"{table}\n\n{_missing(source)}"
        "`bench.md` is the last reference report of `mcbench bench`.\n"
    )


def _public(reason: str) -> str:
    """Return the first sentence of a reason, of paths on this machine the last part only."""
    return PATH.sub(r"\1", first_sentence(reason)) or "no reason given"


def _missing(source: Source) -> str:
    """Return why runs of items are missing, a line for each item and reason."""
    lines = []
    for entry in source.entries:
        reasons = Counter(_public(run["reason"]) for run in entry["missing"])
        lines += [
            f"- {entry['paper']}/{entry['item']}: {count(runs, 'run')}, "
            f"`{' '.join(reason.replace('`', chr(39)).split())}`\n"
            for reason, runs in reasons.items()
        ]
    return f"What is missing, and why:\n\n{''.join(lines)}\n" if lines else ""
