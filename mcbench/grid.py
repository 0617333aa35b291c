"""From grids to runs: each grid is a product of axes, each run a list of overrides.

A grid is a mapping of override keys to values: a list is an axis, anything else is fixed. The
key `_part` is no override; it names the grid, so that an item can tell its parts apart.

An experiment's file may choose a launcher, `launcher: joblib` and `launcher.n_jobs: 2`, at top
level or in its common part: how a sweep is executed is one choice for all its grids.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch, fnmatchcase
from itertools import product
from typing import Any

from hydra.core.override_parser.types import Glob, Override

from mcbench.conf_files import conf_dir, experiments, groups
from mcbench.config import parse
from mcbench.errors import UserError, suggest
from mcbench.launcher import is_launcher
from mcbench.trust import warn_of_code

PROFILES = ("smoke", "quick", "paper")
PART = "_part"

_BARE = re.compile(r"[A-Za-z_][\w./-]*")
_WORDS = {"null", "true", "false", "yes", "no", "on", "off", "inf", "nan"}


@dataclass(frozen=True)
class Job:
    """One run asked for.

    Attributes
    ----------
    overrides : tuple of str
        What differs from the default configuration.
    part : str
        The name of the grid it comes from.
    """

    overrides: tuple[str, ...]
    part: str = ""


def expand_sweep(overrides: Iterable[str]) -> list[Job]:
    """Return the runs that overrides with sweeps stand for, e.g. "solver=kkt,cache seed=0,1"."""
    axes: dict[str, list[str]] = {}
    for text in overrides:
        axes[_key(text)] = _choices(parse(text))
    return [Job(tuple(values)) for values in product(*axes.values())]


def expand_grid(grid: Mapping[str, Any], user: Sequence[str] = ()) -> list[Job]:
    """Return the runs of one grid; what the user asks for wins over the grid.

    Parameters
    ----------
    grid : mapping of str to value or list
        The axes and fixed values.
    user : sequence of str
        The user's own overrides, sweeps allowed.
    """
    asked = {_key(text) for text in user}
    axes = []
    for key, value in grid.items():
        if key != PART and _key(key) not in asked:
            values = value if isinstance(value, list) else [value]
            axes.append([f"{key}={to_override(item)}" for item in values])
    axes += [_choices(parse(text)) for text in user]
    part = str(grid.get(PART) or "")
    return [Job(tuple(values), part) for values in product(*axes)]


def expand_experiment(name: str, profile: str, user: Sequence[str] = ()) -> list[Job]:
    """Return the runs of an experiment, `paper/item`, in a profile.

    Parameters
    ----------
    name : str
        The experiment: a file below `conf/experiment/`.
    profile : {"smoke", "quick", "paper"}
        How large.
    user : sequence of str
        The user's own overrides.
    """
    return _expand_all(load_grids(name, profile), user)


def expand_following(
    name: str, grids: Iterable[Mapping[str, Any]], user: Sequence[str] = ()
) -> list[Job]:
    """Return the runs of grids that an experiment adds to those of its file.

    Parameters
    ----------
    name : str
        The experiment, whose common part applies to these grids as well.
    grids : iterable of mapping
        As in its file.
    user : sequence of str
        The user's own overrides.
    """
    common = _common(_load(name))
    return _expand_all([{**common, **grid} for grid in grids], user)


def experiment_launcher(name: str) -> list[str]:
    """Return the overrides with which the file of an experiment chooses a launcher."""
    content = _load(name)
    found = {**(content.get("common") or {}), **content}
    return [f"{key}={to_override(value)}" for key, value in found.items() if is_launcher(key)]


def limited(jobs: Iterable[Job], only: Sequence[str]) -> list[Job]:
    """Return the runs that meet one of several conditions; all where there is no condition.

    Parameters
    ----------
    jobs : iterable of Job
        Runs asked for.
    only : sequence of str
        Conditions on their overrides, `key=value[,value...]` with the wildcards * and ?; the key
        `part` is the name of the grid. A run without the key does not meet the condition.
    """
    if not only:
        return list(jobs)
    wanted: list[tuple[str, str]] = []
    for text in only:
        key, equals, values = text.partition("=")
        if not equals or not values:
            raise UserError(f"--only '{text}' is no condition: write key=value, as in a grid.")
        wanted += [(key, value) for value in values.split(",")]
    return [job for job in jobs if any(_meets(job, key, value) for key, value in wanted)]


def _meets(job: Job, key: str, value: str) -> bool:
    texts = [f"part={job.part}", *job.overrides]
    return any(_key(t) == key and fnmatchcase(t.partition("=")[2], value) for t in texts)


def load_grids(name: str, profile: str) -> list[dict[str, Any]]:
    """Read the grids of an experiment's profile."""
    if profile not in PROFILES:
        raise UserError(f"There is no profile '{profile}'; {suggest(profile, PROFILES)}")
    content = _load(name)
    grids = content.get("grids")
    if not isinstance(grids, dict) or profile not in grids:
        raise UserError(f"The experiment {name} has no grids for the profile '{profile}'.")
    for grid in grids[profile] or []:
        if any(is_launcher(str(key)) for key in grid):
            raise UserError(
                f"A grid of the experiment {name} chooses a launcher: write it at the top of the "
                "file, since a sweep has one launcher."
            )
    return [{**_common(content), **grid} for grid in grids[profile] or []]


def to_override(value: Any) -> str:
    """Return a value, NumPy's included, in the grammar of Hydra's overrides."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ",".join(to_override(item) for item in value) + "]"
    if isinstance(value, Mapping):
        items = (f"{_quote(str(key))}:{to_override(item)}" for key, item in value.items())
        return "{" + ",".join(items) + "}"
    return _quote(str(value))


def _expand_all(grids: Iterable[Mapping[str, Any]], user: Sequence[str]) -> list[Job]:
    """Return the runs of several grids, each once."""
    return list(dict.fromkeys(job for grid in grids for job in expand_grid(grid, user)))


def _common(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the grids of an experiment's file share, but for the launcher."""
    common = content.get("common") or {}
    return {key: value for key, value in common.items() if not is_launcher(str(key))}


def _load(name: str) -> dict[str, Any]:
    """Read the file of an experiment."""
    from omegaconf import OmegaConf

    files = experiments()
    if name not in files:
        raise UserError(f"There is no experiment '{name}'; {suggest(name, files)}")
    content = OmegaConf.to_container(OmegaConf.load(files[name]), resolve=True)
    if conf_dir() not in files[name].parents:
        warn_of_code(content, files[name])
    return {str(key): value for key, value in content.items()} if isinstance(content, dict) else {}


def _quote(text: str) -> str:
    """Quote what the grammar would read as something else than this text."""
    if _BARE.fullmatch(text) and text.lower() not in _WORDS:
        return text
    # Backslashes count only before a quotation mark, and there they are doubled.
    return '"' + re.sub(r'(\\*)("|$)', _escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    return found[1] * 2 + ('\\"' if found[2] else "")


def _key(text: str) -> str:
    """The key of an override, without what stands before and after it."""
    return text.partition("=")[0].lstrip("+~")


def _choices(override: Override) -> list[str]:
    """Return the single overrides that one with a sweep stands for."""
    line = override.input_line or ""
    if not override.is_sweep_override():
        return [line]
    value = override.value()
    if isinstance(value, Glob):
        names = groups().get(override.key_or_group, [])
        chosen = [name for name in names if any(fnmatch(name, glob) for glob in value.include)]
        chosen = [name for name in chosen if not any(fnmatch(name, no) for no in value.exclude)]
        if not chosen:
            raise UserError(f"'{line}' matches nothing; {suggest('', names)}")
        return [f"{override.key_or_group}={name}" for name in chosen]
    if not override.is_discrete_sweep():
        raise UserError(f"'{line}' is a continuous range: list its values instead.")
    prefix = line.partition("=")[0]
    found = [f"{prefix}={item}" for item in override.sweep_string_iterator()]
    if not found:
        raise UserError(f"'{line}' has no values: give one or more.")
    return found
