"""Removing runs that are no longer wanted."""

import os
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcbench.claim import locked
from mcbench.errors import SolverUnavailable, UserError
from mcbench.estimator import solver_version
from mcbench.files import writing
from mcbench.listing import Listing
from mcbench.store import Store

#: What is being removed: out of sight at once, so that no reader sees half a run.
PRUNED = ".pruned"


@dataclass(frozen=True)
class Chosen:
    """What is to be removed.

    Attributes
    ----------
    runs : Listing
        The runs.
    aside : list of Path
        What was set aside.
    busy : list of str
        Runs that were chosen and stay, because they are just being executed again.
    size : int
        Bytes of all that is to be removed.
    """

    runs: Listing
    aside: list[Path]
    busy: list[str]
    size: int


def choose(
    store: Store,
    filters: Sequence[str] = (),
    *,
    failed: bool = False,
    stale: bool = False,
    set_aside: bool = False,
) -> Chosen:
    """Find what is to be removed; nothing is removed yet.

    Parameters
    ----------
    store : Store
        The store.
    filters : sequence of str
        Conditions that the runs meet, as for `Store.find`.
    failed, stale : bool
        Of these only the runs that are not done, or that another version of their solver made;
        with both, those of either kind.
    set_aside : bool
        Also what was set aside because it could not be read.
    """
    runs = store.listing(*filters)
    wanted = [bool(filters)] * len(runs)
    if failed or stale:
        bad = [failed and status != "done" for status in runs["status"]]
        old = _stale(store, runs) if stale else [False] * len(runs)
        wanted = [one or other for one, other in zip(bad, old, strict=True)]
    alive = {record.id for record, lives in store.running() if lives}
    busy = [name for name, one in zip(runs["id"], wanted, strict=True) if one and name in alive]
    runs = runs[[one and name not in alive for name, one in zip(runs["id"], wanted, strict=True)]]
    aside = sorted(store.aside.iterdir()) if set_aside and store.aside.is_dir() else []
    paths = [*(store.runs / name for name in runs["id"]), *aside]
    return Chosen(runs, aside, busy, sum(map(size_of, paths)))


def remove(store: Store, chosen: Chosen) -> None:
    """Remove what was chosen; one that was removed meanwhile is no matter."""
    place = store.runs / PRUNED / secrets.token_hex(8)
    with writing(store.root):
        place.mkdir(parents=True, exist_ok=True)
        alive = {record.id for record, lives in store.running() if lives}
        for path in (*(store.runs / name for name in chosen.runs["id"]), *chosen.aside):
            with locked(store.runs):
                if path.name not in alive and os.path.lexists(path):
                    path.rename(place / path.name)
        shutil.rmtree(place.parent)
    store.listing()  # brings the index up to date


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder."""
    if path.is_dir() and not path.is_symlink():
        return sum(map(size_of, path.iterdir()))
    return path.lstat().st_size


def _stale(store: Store, runs: Listing) -> list[bool]:
    """Return which runs another version of their solver, or of what they measure, has made."""
    found = []
    for name in runs["id"]:
        record = store.get(name)
        now = None if record is None else _version(record.config)
        then = None if record is None else record.get("solver_version")
        found.append(now is not None and now != str(then))
    return found


def _version(config: dict[str, Any]) -> str | None:
    """Return the version of a run's solver that is installed; None when it cannot be told."""
    try:
        return solver_version(config)
    except (UserError, SolverUnavailable, ImportError, AttributeError):
        return None
