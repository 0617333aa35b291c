"""Which launcher executes a sweep: one choice for all its runs, `launcher=NAME launcher.KEY=VALUE`.

A launcher is a file of the configuration group `launcher`: `name` is one of Hydra's launchers,
`n_jobs` the number of runs at once, and all else settings of Hydra's launcher.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcbench.config import parse, resolve
from mcbench.errors import UserError

GROUP = "launcher"
BASIC, JOBLIB, SLURM = "basic", "joblib", "submitit_slurm"

#: Launchers whose runs are on this machine.
HERE = (BASIC, JOBLIB, "submitit_local")

#: Packages with Hydra's launchers, and the extra of mcbench that installs each.
EXTRAS = {JOBLIB: "parallel", "submitit_local": "slurm", SLURM: "slurm"}


@dataclass(frozen=True)
class Launcher:
    """How the runs of a sweep are started.

    Attributes
    ----------
    name : str
        Hydra's name of the launcher; "basic" is one run after the other in this process.
    n_jobs : int
        The number of runs at once; -1: as many as this machine's processors allow.
    settings : dict
        Further settings of Hydra's launcher.
    """

    name: str = BASIC
    n_jobs: int = 1
    settings: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the launcher as it stands in a configuration."""
        return {"name": self.name, "n_jobs": self.n_jobs, **self.settings}

    def jobs(self, runs: int, threads: int) -> int:
        """Return how many workers so many runs get, when each takes so many threads."""
        allowed = self.n_jobs if self.n_jobs > 0 else max(1, processors() // threads)
        return min(allowed, runs)


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def split_launcher(overrides: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the overrides that choose the launcher, and all others.

    Raises
    ------
    UserError
        For an override of Hydra's own settings.
    """
    own: list[str] = []
    others: list[str] = []
    for text in overrides:
        key, _, value = text.lstrip("+~").partition("=")
        if key == "hydra/launcher":
            raise UserError(f"'{text}' is written {GROUP}={value or 'NAME'} here.")
        if key.startswith("hydra.launcher."):
            raise UserError(f"'{text}' is written {text.partition('.')[2]} here.")
        if key.startswith(("hydra.", "hydra/")):
            raise UserError(
                f"'{text}' cannot be set: mcbench keeps its own records and logs; what can be "
                "chosen of Hydra's is the launcher, launcher=NAME."
            )
        (own if is_launcher(key) else others).append(text)
    return own, others


def is_launcher(key: str) -> bool:
    """Return whether an override's key chooses the launcher or sets something of it."""
    return key == GROUP or key.startswith(f"{GROUP}.")


def choose(overrides: Sequence[str], of_file: Sequence[str] = ()) -> Launcher:
    """Return the launcher that overrides choose.

    Parameters
    ----------
    overrides : sequence of str
        The user's.
    of_file : sequence of str
        Those of an experiment's file; the user's win, and a launcher that the user names comes
        without the file's settings of another one.

    Raises
    ------
    UserError
        When there is none of the name, or a setting makes no sense.
    """
    named = any(text.startswith(f"{GROUP}=") for text in overrides)
    last = {text.partition("=")[0]: text for text in [*([] if named else of_file), *overrides]}
    for text in last.values():
        if parse(text).is_sweep_override():
            raise UserError(f"'{text}' names several launchers: a sweep has one.")
    chosen = resolve(list(last.values()))[GROUP]
    if not isinstance(chosen, Mapping):
        raise UserError(f"launcher is {chosen!r}: choose one with launcher=NAME.")
    settings = dict(chosen)
    name, n_jobs = str(settings.pop("name", None)), settings.pop("n_jobs", 1)
    least = "1 or more"
    valid = isinstance(n_jobs, int) and not isinstance(n_jobs, bool) and n_jobs >= 1
    if name in HERE:
        least, valid = f"{least}, or -1 for all processors", valid or n_jobs == -1
    if not valid:
        raise UserError(f"launcher.n_jobs is {n_jobs!r}: give a whole number, {least}.")
    if name == BASIC and n_jobs != 1:
        raise UserError(
            "The launcher basic executes one run after the other: choose another one for several "
            f"at once, launcher=joblib launcher.n_jobs={n_jobs}."
        )
    return Launcher(name, n_jobs, settings)
