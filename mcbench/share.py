"""The runs of a sweep, shared out between the processes that a launcher starts.

All that passes between a sweep and its workers are files of one folder below the store, because
workers may be on other machines: `order.json` (what there is to do), `taken` (a byte for each run
that has been given out), `said/` (what each worker says, a line at a time), and `stop` and
`interrupt` (what the sweep says to them).
"""

import json
import os
import secrets
import shutil
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mcbench.claim import locked
from mcbench.errors import UserError
from mcbench.outcome import Outcome
from mcbench.plan import Plan
from mcbench.process import is_alive

SHARES = ".shares"
OWNER = "owner.json"
ORDER = "order.json"
SAID = "said"

#: How long a share whose sweep is gone is kept for workers that go on without it.
KEPT_S = 86_400.0


@dataclass(frozen=True)
class Order:
    """What workers have to know.

    Attributes
    ----------
    plans : list of Plan
        The runs.
    root : str
        The results folder.
    rerun : str or None
        As for `mcbench.plan.answered`.
    stop_on_error : bool
        Give out no further run after the first that failed.
    parallel : dict
        What records say of the runs at the same time.
    owner : dict
        The process of the sweep.
    outlives : bool
        Whether workers go on when the sweep's process is gone (a cluster's jobs do).
    """

    plans: list[Plan]
    root: str
    rerun: str | None
    stop_on_error: bool
    parallel: dict[str, Any]
    owner: dict[str, Any]
    outlives: bool


class Share:
    """The folder of one sweep's runs, seen by the sweep and by its workers.

    Parameters
    ----------
    folder : Path
        Where `create` made it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._mine = folder / SAID / f"{secrets.token_hex(8)}.jsonl"

    @classmethod
    def create(cls, runs: Path, order: Order) -> "Share":
        """Make the folder below the folder of all runs."""
        folder = runs / SHARES / secrets.token_hex(8)
        with locked(runs):  # `sweep_shares` sees whole folders only
            (folder / SAID).mkdir(parents=True)
            found = {"owner": order.owner, "outlives": order.outlives}
            (folder / OWNER).write_text(json.dumps(found))
        (folder / "taken").touch()
        plans = [vars(wanted) for wanted in order.plans]
        try:
            (folder / ORDER).write_text(json.dumps({**vars(order), "plans": plans}))
        except TypeError as error:
            shutil.rmtree(folder)
            raise UserError(
                f"A setting cannot be told to the workers of a launcher ({error}): launcher=basic "
                "does without them."
            ) from error
        return cls(folder)

    def order(self) -> Order:
        """Read what there is to do."""
        found = json.loads((self.folder / ORDER).read_text())
        plans = [
            Plan(**{**wanted, "overrides": tuple(wanted["overrides"])}) for wanted in found["plans"]
        ]
        return Order(**{**found, "plans": plans})

    def take(self, most: int) -> int | None:
        """Return the number of the next of so many runs; None when there is none left."""
        taken = self.folder / "taken"
        with locked(self.folder):
            number = taken.stat().st_size
            if number >= most or (self.folder / "stop").exists():
                return None
            with taken.open("ab") as file:
                file.write(b".")
        return number

    def stop(self) -> None:
        """Give out no further run."""
        (self.folder / "stop").touch()

    def interrupt(self) -> None:
        """Tell the workers to give up at once."""
        with suppress(OSError):
            self.stop()
            (self.folder / "interrupt").touch()

    @property
    def interrupted(self) -> bool:
        """Whether the workers shall give up."""
        return (self.folder / "interrupt").exists() or not self.folder.exists()

    def say(self, **message: Any) -> None:
        """Add a message to those of this process; whole, and closed for other machines to see."""
        with self._mine.open("a", encoding="utf-8") as file:
            file.write(json.dumps(message, default=str) + "\n")

    def touch(self) -> None:
        """Give a sign of life."""
        with suppress(OSError):
            os.utime(self._mine)

    def ended(self, number: int, outcome: Outcome) -> None:
        """Say how a run ended."""
        self.say(ended=number, outcome=asdict(outcome))

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(OSError):
            self.folder.parent.rmdir()  # when no other sweep has one


def sweep_shares(runs: Path) -> None:
    """Remove the shares of sweeps that are gone."""
    if not (runs / SHARES).is_dir():
        return
    with suppress(OSError), locked(runs):
        for folder in (runs / SHARES).glob("*"):
            if not _wanted(folder):
                Share(folder).remove()


def _wanted(folder: Path) -> bool:
    """Return whether a sweep lives that made the folder, or workers may go on without it."""
    try:
        age = time.time() - max(path.stat().st_mtime for path in folder.rglob("*"))
        found = json.loads((folder / OWNER).read_text())
    except (OSError, ValueError):
        return False  # its sweep was killed before it was whole
    return is_alive(found["owner"], age) or (bool(found["outlives"]) and age < KEPT_S)
