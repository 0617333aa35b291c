"""The configuration's files: in which folders they are, and what they are called.

Without Hydra, which takes half a second to import: completion in a shell needs no more than this.
"""

import os
from functools import lru_cache
from pathlib import Path

from mcbench.errors import UserError
from mcbench.plugins import plugins

#: Groups whose names also come from plug-ins, and the kind of these.
PLUGGABLE = {"dataset": "datasets", "kernel": "kernels", "solver": "solvers"}


@lru_cache
def conf_dir() -> Path:
    """Return the folder with the configuration: `conf/` of the checkout, or the wheel's copy."""
    package = Path(__file__).resolve().parent
    for folder in (package / "conf", package.parent / "conf"):
        if (folder / "config.yaml").is_file():
            return folder
    raise UserError(f"mcbench found no conf/config.yaml beside {package}: install it again.")


def search_path() -> tuple[Path, ...]:
    """Return the folders in which a configuration file is looked for.

    The own one, those of experiment packages, and the folders that `MCBENCH_CONF` names.
    """
    from mcbench.discovery import conf_dirs

    extra = [Path(name) for name in os.environ.get("MCBENCH_CONF", "").split(os.pathsep) if name]
    for folder in extra:
        if not folder.is_dir():
            raise UserError(
                f"MCBENCH_CONF names {folder}, which is no folder: correct or unset it."
            )
    return (conf_dir(), *conf_dirs(), *(folder.absolute() for folder in extra))


def groups() -> dict[str, list[str]]:
    """Return the configuration groups and the names that each allows, plug-ins included."""
    found = file_groups()
    added = {group: plugins(kind) for group, kind in PLUGGABLE.items()}
    return {group: sorted({*names, *added.get(group, ())}) for group, names in found.items()}


def file_groups() -> dict[str, list[str]]:
    """Return the configuration groups and the names of their files."""
    return _groups(search_path())


def experiments() -> dict[str, Path]:
    """Return the files of all experiments, by name: paper/item."""
    found = {}
    for folder in search_path():
        for file in sorted((folder / "experiment").rglob("*.yaml")):
            found[file.relative_to(folder / "experiment").with_suffix("").as_posix()] = file
    return found


@lru_cache
def _groups(folders: tuple[Path, ...]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for folder in folders:
        for file in folder.rglob("*.yaml"):
            group, _, name = file.relative_to(folder).with_suffix("").as_posix().rpartition("/")
            if group and not group.startswith("experiment"):
                found.setdefault(group, set()).add(name)
    return {group: sorted(names) for group, names in sorted(found.items())}
