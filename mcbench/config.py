"""The configuration of a run, composed by Hydra from `conf/` and the user's overrides."""

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from mcbench.errors import UserError
from mcbench.validate import check_overrides

CONFIG_NAME = "config"
VERSION_BASE = "1.3"

#: Groups whose chosen file is kept as a label of the run (labels are not part of its identity).
LABELLED = ("dataset", "kernel", "solver", "protocol")

#: An override with a whole number, of which a sweep may have thousands (seeds).
_WHOLE = re.compile(r"([A-Za-z_][\w.]*)=(0|[1-9]\d*)")


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
    """Return the configuration groups and the names that each allows."""
    return _groups(search_path())


@lru_cache
def _groups(folders: tuple[Path, ...]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for folder in folders:
        for file in folder.rglob("*.yaml"):
            group, _, name = file.relative_to(folder).with_suffix("").as_posix().rpartition("/")
            if group and not group.startswith("experiment"):
                found.setdefault(group, set()).add(name)
    return {group: sorted(names) for group, names in sorted(found.items())}


def parse(override: str) -> Override:
    """Parse one override of the command line, e.g. "solver=cache,kkt"."""
    whole = _WHOLE.fullmatch(override)
    if whole is None:
        return _parsed(override)
    # Hydra's parser takes a millisecond: it sees one number for each key.
    return replace(_parsed(f"{whole[1]}=0"), input_line=override, _value=int(whole[2]))


@lru_cache
def _parser() -> OverridesParser:
    return OverridesParser.create()


@lru_cache(maxsize=20_000)
def _parsed(override: str) -> Override:
    try:
        return _parser().parse_override(override)
    except HydraException as error:
        raise UserError(
            f"'{override}' is not an override: write key=value, for example solver.C=4 "
            f"({str(error).splitlines()[0]})."
        ) from error


def compose(overrides: Sequence[str] = ()) -> DictConfig:
    """Return what `resolve` returns as Hydra's kind of dictionary."""
    return OmegaConf.create(resolve(overrides))


def resolve(overrides: Sequence[str] = ()) -> dict[str, Any]:
    """Return the configuration that the overrides describe, with the chosen files as labels.

    Parameters
    ----------
    overrides : sequence of str
        Overrides in Hydra's syntax, without sweeps.

    Raises
    ------
    UserError
        When an override names something that does not exist; the message names what does.
    """
    parsed = [parse(override) for override in overrides]
    folders = search_path()
    known = _groups(folders)
    chosen = [item for item in parsed if item.key_or_group in known]
    check_overrides(chosen, known)
    config = _copied(_base(tuple(sorted(item.input_line or "" for item in chosen)), folders))
    for item in parsed:
        if item.key_or_group not in known:
            check_overrides([item], known, config)
            _apply(item, config)
    if "${" in str(config):
        try:
            resolved: Any = OmegaConf.to_container(OmegaConf.create(config), resolve=True)
        except OmegaConfBaseException as error:
            raise UserError(f"The configuration does not resolve: {_sentence(error)}") from error
        config = dict(resolved)
    return config


@lru_cache(maxsize=1000)
def _base(chosen: tuple[str, ...], folders: tuple[Path, ...]) -> dict[str, Any]:
    """Compose the files alone. Hydra takes 0.1 s for it, so every choice is composed once."""
    overrides = list(chosen)
    if folders[1:]:
        extra = ",".join(f"'file://{folder}'" for folder in folders[1:])
        overrides.append(f"hydra.searchpath=[{extra}]")
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(config_dir=str(folders[0]), version_base=VERSION_BASE):
            config = hydra_compose(CONFIG_NAME, overrides, return_hydra_config=True)
    except HydraException as error:
        raise UserError(f"The configuration does not compose: {_sentence(error)}") from error
    choices = {group: config.hydra.runtime.choices.get(group) for group in LABELLED}
    OmegaConf.set_struct(config, False)
    del config["hydra"]
    plain = OmegaConf.to_container(config)
    assert isinstance(plain, dict)
    return {**{str(key): value for key, value in plain.items()}, "choices": choices}


def _copied(value: Any) -> Any:
    """Return a copy of plain mappings and lists; ten times as fast as `copy.deepcopy`."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _apply(item: Override, config: dict[str, Any]) -> None:
    """Set, add or delete one value, as Hydra does."""
    *parents, key = item.key_or_group.split(".")
    node: Any = config
    for name in parents:
        if item.is_delete() and name not in node:
            break
        node = node.setdefault(name, {}) if isinstance(node, dict) else None
    if not isinstance(node, dict):
        raise UserError(f"'{item.input_line}' cannot be applied: {parents[-1]} holds no settings.")
    if item.is_delete():
        if key not in node:
            raise UserError(f"'{item.input_line}' cannot be applied: there is no {key} to delete.")
        del node[key]
    else:
        node[key] = _merged(node.get(key), item.value())


def _merged(old: Any, new: Any) -> Any:
    """Return the new value; of two mappings, the old one with the new one's values."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return new
    return {**old, **{key: _merged(old.get(key), value) for key, value in new.items()}}


def _sentence(error: BaseException) -> str:
    """First line of an error's text, with the end of a sentence."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(".") + "."
