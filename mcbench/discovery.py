"""Finding experiment packages: by entry point, else by the folder `experiments/`.

An experiment package has `PAPER`, `TITLE`, `REFERENCE` and `ITEMS`, a mapping of item names to
modules. The framework knows none of them by name, so anybody can add one.
"""

import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from mcbench.errors import SolverUnavailable, UserError, pass_on_interrupt, suggest
from mcbench.locate import locate
from mcbench.plugins import plugins


@dataclass(frozen=True)
class Paper:
    """An experiment package that was found and imported.

    Attributes
    ----------
    key : str
        Short name, e.g. "crammer_singer_2001".
    title, reference : str
        What the paper is called and where it appeared.
    items : mapping of str to module
        Its tables and figures, one module each.
    """

    key: str
    title: str
    reference: str
    items: Mapping[str, ModuleType]


@lru_cache(maxsize=1)
def packages() -> dict[str, str]:
    """Return the import names of the experiment packages, by key."""
    found = {plugin.name: plugin.target for plugin in plugins("experiments").values()}
    folder = Path(__file__).resolve().parent.parent / "experiments"
    for init in sorted(folder.glob("*/__init__.py")):
        found.setdefault(init.parent.name, f"experiments.{init.parent.name}")
    return dict(sorted(found.items()))


@lru_cache(maxsize=1)
def conf_dirs() -> tuple[Path, ...]:
    """Return the `conf/` folders that experiment packages bring along."""
    folders = []
    for name in packages().values():
        try:
            spec = importlib.util.find_spec(name)
        except Exception as error:  # a broken package has no say here; using it tells the reason
            pass_on_interrupt(error)
            continue
        for location in (spec.submodule_search_locations or ()) if spec else ():
            if (Path(location) / "conf").is_dir():
                folders.append(Path(location) / "conf")
    return tuple(folders)


@lru_cache
def load_paper(key: str) -> Paper:
    """Import the experiment package with this key.

    Raises
    ------
    UserError
        When there is none, or it does not define what it must.
    SolverUnavailable
        When it cannot be imported.
    """
    known = packages()
    if key not in known:
        raise UserError(f"There are no experiments for '{key}'; {suggest(key, known)}")
    module = locate(known[key], whole_module=True)
    missing = [name for name in ("PAPER", "TITLE", "REFERENCE", "ITEMS") if name not in dir(module)]
    if missing:
        raise UserError(f"The experiment package {known[key]} does not define {missing[0]}.")
    return Paper(module.PAPER, module.TITLE, module.REFERENCE, dict(module.ITEMS))


def select(names: list[str]) -> list[tuple[Paper, str]]:
    """Return the items that "paper" or "paper/item" name; all of them for an empty list.

    A package that cannot be imported ends the command only where it was asked for.
    """
    chosen: dict[tuple[str, str], tuple[Paper, str]] = {}
    for name in names or list(packages()):
        key, _, item = name.strip("/").partition("/")
        try:
            paper = load_paper(key)
        except SolverUnavailable as error:
            if names:
                raise UserError(str(error)) from error
            print(f"mcbench: skipped: {error}", file=sys.stderr)
            continue
        if item and item not in paper.items:
            raise UserError(f"{key} has no item '{item}'; {suggest(item, paper.items)}")
        for one in [item] if item else paper.items:
            chosen[key, one] = (paper, one)
    return list(chosen.values())
