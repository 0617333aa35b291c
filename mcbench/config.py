"""The configuration of a run, composed by Hydra from `conf/` and the user's overrides."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from mcbench.conf_files import PLUGGABLE, conf_dir, file_groups, groups, search_path
from mcbench.errors import UserError
from mcbench.plugins import plugins
from mcbench.trust import warn_of_code
from mcbench.validate import check_overrides, slip

CONFIG_NAME = "config"
VERSION_BASE = "1.3"

#: Groups whose chosen file is kept as a label of the run (labels are not part of its identity).
LABELLED = ("dataset", "kernel", "solver", "protocol")

#: What a `_target_` of a plug-in, or of the user's without a file beside it, starts from.
CUSTOM = "_custom"
START: dict[str, dict[str, Any]] = {
    "dataset": {
        "name": "custom",
        "_target_": None,
        "split": None,
        "train_size": None,
        "validation": None,
        "draw": "first",
        "scaling": "none",
        "fold": None,
    },
    "kernel": {"name": "custom", "_target_": None},
    "solver": {"_target_": None},
}

#: An override with a whole number, of which a sweep may have thousands (seeds).
_WHOLE = re.compile(r"([A-Za-z_][\w.]*)=(0|[1-9]\d{0,17})")


def with_custom(overrides: Sequence[str]) -> list[str]:
    """Return overrides in which a `_target_` without a file beside it starts from none."""
    keys = {text.partition("=")[0].lstrip("+") for text in overrides}
    chosen = [group for group in PLUGGABLE if f"{group}._target_" in keys and group not in keys]
    # The target comes first: it decides which other settings there are.
    ordered = sorted(overrides, key=lambda text: "._target_=" not in text) if chosen else overrides
    return [*(f"{group}={CUSTOM}" for group in chosen), *ordered]


def named(choices: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chosen files as labels of a run: what has no file is called by its `_target_`."""
    return {
        group: config[group]["_target_"] if name == CUSTOM else name
        for group, name in choices.items()
    }


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
    except (HydraException, ValueError, RecursionError) as error:
        raise UserError(slip(override)) from error


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
    parsed = [parse(override) for override in with_custom(overrides)]
    folders = search_path()
    known = groups()
    chosen = [item for item in parsed if item.key_or_group in known]
    check_overrides([item for item in chosen if item.value() != CUSTOM], known)
    last = {item.key_or_group: item.input_line or "" for item in chosen}
    config = _copied(_base(tuple(sorted(last.values())), folders))
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
    config["choices"] = named(config["choices"], config)
    return config


@lru_cache(maxsize=1000)
def _base(chosen: tuple[str, ...], folders: tuple[Path, ...]) -> dict[str, Any]:
    """Compose the files alone. Hydra takes 0.1 s for it, so every choice is composed once."""
    _offer_plugins()
    for text in chosen:
        _warn_of_code(text, folders[1:])
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


def _warn_of_code(choice: str, folders: tuple[Path, ...]) -> None:
    """Say which code of others the chosen file names, if it is not one of mcbench's own."""
    group, _, name = choice.partition("=")
    files = [folder / group / f"{name}.yaml" for folder in (conf_dir(), *folders)]
    first = next((file for file in files if file.is_file()), files[0])  # the one that Hydra takes
    if first.is_file() and first != files[0]:
        warn_of_code(OmegaConf.to_container(OmegaConf.load(first)), first)


def _offer_plugins() -> None:
    """Let Hydra find the names that plug-ins declare and no file has."""
    store = ConfigStore.instance().store
    for group, kind in PLUGGABLE.items():
        start = START[group]
        store(CUSTOM, start, group)
        for plugin in plugins(kind).values():
            if plugin.name in file_groups()[group]:
                continue
            name = {"name": plugin.name} if "name" in start else {}
            store(plugin.name, {**start, **name, "_target_": plugin.target}, group)


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
