"""The state of a fit in a file, so that an interrupted run goes on from where it was.

`runs/.checkpoints/<id>/state.npz` holds what the solver told of itself (`solvers.snapshot`), the
clock and the trace so far; `resumed.json` beside it, when fits went on from there. The folder
outlives the process, and goes when the run is done. The file is a plain .npz, without pickle.
"""

import hashlib
import json
import shutil
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from mcbench._version import __version__
from mcbench.errors import UserError, pass_on_interrupt
from mcbench.files import to_json, write_atomic
from mcbench.npz import pack, unpack, write_npz
from mcbench.record import Record

FOLDER = ".checkpoints"
STATE = "state.npz"
LOG = "resumed.json"
FORMAT = 1
HEADER, CHECKSUM = "header", "checksum"

#: What a checkpoint has to have in common with the run that goes on from it, in words.
COMMON = {
    "format": "another format",
    "mcbench": "another version of mcbench",
    "run": "another run",
    "solver_version": "another version of the solver",
    "content_hash": "other data",
}


class RefusedError(Exception):
    """A checkpoint cannot be used; the message says why."""


@dataclass
class Saved:
    """What a checkpoint holds: the solver's state, and what the harness had observed."""

    state: dict[str, Any]
    observed: dict[str, Any]


class Checkpoints:
    """The checkpoint of one run, written over again and again.

    Parameters
    ----------
    folder : Path
        The run's own.
    common : mapping
        A value for each key of `COMMON`.
    every_s : float
        Seconds between two writes, at least.

    Attributes
    ----------
    offered : bool
        Whether the solver has offered its state at all.
    resumed : list of dict
        When, and at which iteration and second, fits of this run went on from a checkpoint.
    spent_s : float
        Seconds of the parts of the fit before this one, callbacks included.
    """

    def __init__(self, folder: Path, common: Mapping[str, Any], every_s: float) -> None:
        self.folder, self.common, self.every_s = folder, dict(common), every_s
        self.offered = False
        self.resumed: list[dict[str, Any]] = []
        self.spent_s = 0.0
        self._next = time.monotonic() + every_s

    @classmethod
    def of(cls, runs: Path, record: Record) -> "Checkpoints | None":
        """Return those of a run, None when its protocol wants none."""
        wanted = every_s(record.config["protocol"])
        if wanted is None:
            return None
        identity = record.get("identity") or {}
        common = {
            "format": FORMAT,
            "mcbench": __version__,
            "run": record.id,
            "solver_version": identity.get("solver_version"),
            "content_hash": identity.get("content_hash"),
        }
        return cls(runs / FOLDER / record.id, common, wanted)

    def load(self) -> Saved | None:
        """Return what to go on from, None for a start; one that cannot be used is refused aloud."""
        try:
            saved = self._read()
        except FileNotFoundError:
            return None
        except RefusedError as error:
            warnings.warn(
                f"The checkpoint {self.folder / STATE} is refused and the fit starts over: "
                f"{error}.",
                stacklevel=2,
            )
            shutil.rmtree(self.folder, ignore_errors=True)
            return None
        self.spent_s = spent(saved.observed)
        self._log(saved)
        return saved

    def due(self) -> bool:
        """Return whether it is time to write."""
        return time.monotonic() >= self._next

    def save(self, take: Callable[[], dict[str, Any]], observed: Mapping[str, Any]) -> None:
        """Take a state and write it: the whole of it or, if that fails, nothing.

        A full disk or memory ends no fit.
        """
        try:
            arrays, plain, packed = pack(take())
            header = {"common": self.common, "observed": observed, "plain": plain, "packed": packed}
            arrays[HEADER] = np.frombuffer(to_json(header).encode(), dtype=np.uint8)
            arrays[CHECKSUM] = checksum(arrays)
            self.folder.mkdir(parents=True, exist_ok=True)
            write_npz(self.folder / STATE, arrays)
        except (OSError, MemoryError) as error:
            why = getattr(error, "strerror", None) or "memory is full"
            warnings.warn(
                f"No checkpoint could be written to {self.folder} ({why}); the fit goes on "
                "without.",
                stacklevel=2,
            )
        self._next = time.monotonic() + self.every_s

    def peek(self) -> dict[str, Any] | None:
        """Return what the harness had observed, by the header alone; None without a checkpoint."""
        try:
            with np.load(self.folder / STATE, allow_pickle=False) as found:
                header = json.loads(found[HEADER].tobytes())
            self._check(header)
            return dict(header["observed"])
        except Exception as error:  # `load` says what is wrong
            pass_on_interrupt(error)
            return None

    def _read(self) -> Saved:
        """Read the file.

        Raises
        ------
        FileNotFoundError, RefusedError
        """
        try:
            with np.load(self.folder / STATE, allow_pickle=False) as found:
                arrays = {name: found[name] for name in found.files}
            told = arrays.pop(CHECKSUM)
            whole = np.array_equal(told, checksum(arrays))
            header = json.loads(arrays.pop(HEADER).tobytes())
        except FileNotFoundError:
            raise
        except Exception as error:  # zip, NumPy and JSON have many ways to say it
            pass_on_interrupt(error)
            raise RefusedError(f"it is damaged ({type(error).__name__})") from error
        if not whole:
            raise RefusedError("it is damaged (its checksum is another one)")
        self._check(header)
        return Saved(unpack(arrays, header["plain"], header["packed"]), header["observed"])

    def _check(self, header: Mapping[str, Any]) -> None:
        for name, words in COMMON.items():
            if header["common"].get(name) != self.common[name]:
                raise RefusedError(f"it is of {words}")

    def _log(self, saved: Saved) -> None:
        """Note that a fit goes on from here, in a file: the process may be killed any time."""
        try:
            self.resumed = json.loads((self.folder / LOG).read_text())
        except (OSError, ValueError):
            self.resumed = []
        self.resumed.append(
            {
                "when": datetime.now(UTC).isoformat(timespec="seconds"),
                "iteration": saved.observed["iteration"],
                "seconds": saved.observed["wall"],
            }
        )
        try:
            write_atomic(self.folder / LOG, to_json(self.resumed))
        except OSError:  # the record of this run has it all the same
            return


def every_s(protocol: Mapping[str, Any]) -> float | None:
    """Return the seconds between checkpoints that a protocol asks for, None for no checkpoints.

    Raises
    ------
    UserError
        When that is no positive number.
    """
    wanted = protocol.get("checkpoint")
    if wanted is None:
        return None
    if not isinstance(wanted, Mapping):
        raise UserError(f"protocol.checkpoint is {wanted!r}: give {{every_s: SECONDS}} or null.")
    seconds = wanted.get("every_s")
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise UserError(
            f"protocol.checkpoint.every_s is {seconds!r}: give a positive number of seconds, or "
            "null."
        )
    return float(seconds)


def spent(observed: Mapping[str, Any] | None) -> float:
    """Return the seconds of a fit up to its checkpoint, callbacks included."""
    return float(observed["wall"] + observed["paused"]) if observed else 0.0


def forget(runs: Path, run_id: str) -> None:
    """Remove the checkpoint of a run, if there is one."""
    shutil.rmtree(runs / FOLDER / run_id, ignore_errors=True)


def checksum(arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return a hash of arrays with their names, types and shapes."""
    hashed = hashlib.blake2b(digest_size=32)
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        hashed.update(f"{name} {array.dtype.str} {array.shape};".encode())
        hashed.update(array.data)
    return np.frombuffer(hashed.digest(), dtype=np.uint8)
