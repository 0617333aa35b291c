"""Runs through one of Hydra's launchers: several at once on a machine or a cluster."""

import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_dir
from hydra._internal.callbacks import Callbacks
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.plugins import Plugins
from hydra.errors import HydraException
from hydra.types import HydraContext
from omegaconf import DictConfig, OmegaConf

from mcbench.config import (
    CONFIG_NAME,
    LABELLED,
    VERSION_BASE,
    groups,
    named,
    search_path,
    with_custom,
)
from mcbench.errors import UserError, suggest
from mcbench.outcome import Outcome
from mcbench.progress import Display
from mcbench.run import Plan, plan
from mcbench.store import Store
from mcbench.sweep import run_one
from mcbench.words import count

STOP = "stop"


def chosen_launcher(hydra_overrides: Sequence[str]) -> str:
    """Return the launcher that overrides of Hydra's own choose."""
    chosen = [item for item in hydra_overrides if item.startswith("hydra/launcher=")]
    return chosen[-1].partition("=")[2] if chosen else "basic"


def through_launcher(
    plans: Sequence[Plan],
    display: Display,
    *,
    store: Store,
    hydra_overrides: Sequence[str],
    rerun: str | None,
    stop_on_error: bool,
) -> list[Outcome]:
    """Execute plans through the Hydra launcher that the overrides choose.

    Parameters
    ----------
    plans : sequence of Plan
        What to execute.
    display : Display
        Where progress is shown. Each process prints how its own runs ended.
    store : Store
        Where runs are kept.
    hydra_overrides : sequence of str
        For example "hydra/launcher=joblib" and "hydra.launcher.n_jobs=4".
    rerun : {"failed", "all"} or None
        As for `execute`.
    stop_on_error : bool
        Start no further run after the first that failed.
    """
    if not plans:
        return []
    folders = search_path()
    extra = ",".join(f"'file://{folder}'" for folder in folders[1:])
    GlobalHydra.instance().clear()
    with (
        tempfile.TemporaryDirectory(prefix="mcbench-") as scratch,
        initialize_config_dir(config_dir=str(folders[0]), version_base=VERSION_BASE),
    ):
        task = partial(
            run_job,
            root=str(store.root),
            rerun=rerun,
            stop=str(Path(scratch) / STOP) if stop_on_error else None,
            total=len(plans),
        )
        loader = GlobalHydra.instance().config_loader()
        try:
            config = compose(
                CONFIG_NAME,
                [*hydra_overrides, f"hydra.sweep.dir={scratch}", f"hydra.searchpath=[{extra}]"],
                return_hydra_config=True,
            )
            HydraConfig.instance().set_config(config)
            launcher = Plugins.instance().instantiate_launcher(
                hydra_context=HydraContext(config_loader=loader, callbacks=Callbacks()),
                task_function=task,
                config=config,
            )
        except HydraException as error:
            name = chosen_launcher(hydra_overrides)
            known = loader.get_group_options("hydra/launcher")
            if name not in known:
                raise UserError(
                    f"There is no launcher '{name}' here; {suggest(name, known)}"
                ) from error
            raise UserError(f"The launcher cannot be set up: {error}") from error
        name = chosen_launcher(hydra_overrides)
        display.say(f"{count(len(plans), 'run')} through the launcher {name}")
        returned = launcher.launch(
            [launcher_overrides(wanted) for wanted in plans], initial_job_idx=0
        )
    return [_outcome(wanted, result) for wanted, result in zip(plans, returned, strict=True)]


def run_job(
    config: DictConfig, *, root: str, rerun: str | None, stop: str | None, total: int
) -> Outcome:
    """Execute one job in the process that the launcher gave it."""
    hydra = HydraConfig.get()
    shown = [item.removeprefix("++") for item in hydra.overrides.task]
    wanted = plan(with_choices(config, hydra.runtime.choices), shown)
    if stop and Path(stop).exists():
        outcome = Outcome(wanted.label, "not started", "on_error=stop", wanted.id)
    else:
        outcome = run_one(wanted, Store(root), rerun)
    if outcome.bad and stop:
        Path(stop).touch()
    print(f"[{hydra.job.num + 1}/{total}] {outcome.line()}", flush=True)
    return outcome


def with_choices(config: DictConfig, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return what Hydra composed as `mcbench.config.resolve` would."""
    plain = OmegaConf.to_container(config, resolve=True)
    assert isinstance(plain, dict)
    plain_config = {str(key): value for key, value in plain.items()}
    chosen = {group: choices.get(group) for group in LABELLED}
    return {**plain_config, "choices": named(chosen, plain_config)}


def launcher_overrides(wanted: Plan) -> list[str]:
    """Return a plan's overrides such that Hydra also takes parameters that no file lists."""
    known = groups()
    return [
        item if item.partition("=")[0] in known or item[0] in "+~" else f"++{item}"
        for item in with_custom(wanted.overrides)
    ]


def _outcome(wanted: Plan, result: Any) -> Outcome:
    """Return what a job gave, or how it failed before it could be recorded."""
    try:
        outcome = result.return_value
    except Exception as error:
        return Outcome(wanted.label, "failed", f"{type(error).__name__}: {error}", wanted.id)
    assert isinstance(outcome, Outcome)
    return outcome
