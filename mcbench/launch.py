"""Runs through one of Hydra's launchers: several at once on a machine or a cluster.

The launcher starts as many workers as there may be runs at once. Each takes the next run of a
share (`mcbench.share`) until there is none left, so that processes, and a cluster's jobs, are
started once and not for each run.
"""

import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from hydra import compose, initialize_config_dir
from hydra._internal.callbacks import Callbacks
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.plugins import Plugins
from hydra.errors import HydraException
from hydra.types import HydraContext

from mcbench.conf_files import conf_dir
from mcbench.config import CONFIG_NAME, VERSION_BASE
from mcbench.errors import UserError, suggest
from mcbench.grid import to_override
from mcbench.launcher import BASIC, EXTRAS, HERE, SLURM, Launcher, processors
from mcbench.listen import Crew
from mcbench.outcome import Outcome
from mcbench.plan import Plan
from mcbench.process import owner
from mcbench.progress import Display
from mcbench.share import Order, Share
from mcbench.store import Store
from mcbench.sweep import Launch, not_started
from mcbench.words import count
from mcbench.worker import work


def launch_with(
    launcher: Launcher, store: Store, *, rerun: str | None, stop_on_error: bool
) -> Launch | None:
    """Return what executes the runs of a sweep, for `mcbench.sweep.run_sweep`.

    Parameters
    ----------
    launcher : Launcher
        Which one.
    store : Store
        Where runs are kept.
    rerun : str or None
        As for `mcbench.plan.answered`.
    stop_on_error : bool
        Start no further run after the first that failed.

    Raises
    ------
    UserError
        When Hydra has no such launcher here.
    """
    if launcher.name == BASIC:
        return None
    _instantiate(launcher, "never", 1)
    return _Launched(launcher, store, rerun, stop_on_error)


@dataclass(frozen=True)
class _Launched:
    """Executes plans through a launcher."""

    launcher: Launcher
    store: Store
    rerun: str | None
    stop_on_error: bool

    def __call__(self, plans: Sequence[Plan], display: Display) -> list[Outcome]:
        """Execute the plans; print how each ended when it ends.

        A worker may end without a word: a crash, a cluster's limit on time. The runs that were
        under way are then executed once more, each in a child process, where a crash is a
        recorded failure.
        """
        todo, ended, isolated = list(plans), dict[str, Outcome](), set[str]()
        while todo:
            crew = self._round(todo, display, quiet=bool(ended or isolated))
            ended |= {todo[number].id: outcome for number, outcome in crew.outcomes.items()}
            if crew.error is None:
                break
            if not crew.begun:
                raise UserError(f"The launcher {self.launcher.name} failed: {_said(crew.error)}")
            lost = [todo[n] for n in sorted(crew.begun - crew.outcomes.keys())]
            for wanted in lost:
                if wanted.id in isolated:
                    ended[wanted.id] = _lost(wanted, crew.error)
                    display.end(ended[wanted.id])
            again = [_isolated(wanted) for wanted in lost if wanted.id not in ended]
            isolated |= {wanted.id for wanted in again}
            if again:
                display.say(
                    f"A worker ended without a word ({_said(crew.error)}): "
                    f"{count(len(again), 'run')} tried again in a process of its own"
                )
            rest = [todo[n] for n in range(len(todo)) if n not in crew.begun]
            if self.stop_on_error and any(outcome.bad for outcome in ended.values()):
                break
            todo = [*again, *rest]
        return [ended.get(wanted.id) or not_started(wanted) for wanted in plans]

    def _round(self, plans: list[Plan], display: Display, *, quiet: bool) -> Crew:
        """Launch workers for the plans and wait until all have left."""
        threads = max(wanted.config["protocol"]["threads"] for wanted in plans)
        jobs = self.launcher.jobs(len(plans), threads)
        here = self.launcher.name in HERE
        if not quiet:
            display.say(_announced(self.launcher.name, len(plans), jobs, threads, here=here))
        parallel = {"launcher": self.launcher.name, "runs": jobs}
        order = Order(
            plans, str(self.store.root), self.rerun, self.stop_on_error, parallel, owner(), not here
        )
        self.store.runs.mkdir(parents=True, exist_ok=True)
        share = Share.create(self.store.runs, order)
        crew = Crew(share, plans, display)
        try:
            started = _instantiate(self.launcher, str(share.folder), threads)
            with crew, _deaf_children():
                crew.wait_for(lambda: started.launch([[]] * jobs, initial_job_idx=0))
            return crew
        except KeyboardInterrupt:
            share.interrupt()
            crew.wait_for_leave()
            raise
        finally:
            if self.launcher.name == SLURM:
                _cancel(share)
            share.remove()
            self.store.sweep()


def _instantiate(launcher: Launcher, folder: str, threads: int) -> Any:
    """Set up Hydra's launcher so that each of its jobs is a worker of the share in a folder."""
    settings = dict(launcher.settings)
    if "cpus_per_task" in settings and settings["cpus_per_task"] is None:
        settings["cpus_per_task"] = threads
    if launcher.name == "joblib":
        settings["n_jobs"] = launcher.jobs(2**20, threads)
    overrides = [f"++hydra.launcher.{key}={to_override(item)}" for key, item in settings.items()]
    GlobalHydra.instance().clear()
    with initialize_config_dir(config_dir=str(conf_dir()), version_base=VERSION_BASE):
        loader = GlobalHydra.instance().config_loader()
        try:
            config = compose(
                CONFIG_NAME,
                [
                    f"hydra/launcher={launcher.name}",
                    *overrides,
                    f"hydra.sweep.dir={folder}/hydra",
                    "hydra.job.name=mcbench",
                ],
                return_hydra_config=True,
            )
            HydraConfig.instance().set_config(config)
            return Plugins.instance().instantiate_launcher(
                hydra_context=HydraContext(config_loader=loader, callbacks=Callbacks()),
                task_function=partial(work, folder=folder),
                config=config,
            )
        except HydraException as error:
            known = loader.get_group_options("hydra/launcher")
            if launcher.name in known:
                why = str(error).splitlines()[0].rstrip(".")
                raise UserError(f"The launcher cannot be set up: {why}.") from error
            if launcher.name in EXTRAS:
                raise UserError(
                    f"launcher={launcher.name} needs a package that is not installed: "
                    f'pip install "mcbench[{EXTRAS[launcher.name]}]"'
                ) from error
            raise UserError(
                f"Hydra has no launcher '{launcher.name}' here; {suggest(launcher.name, known)}"
            ) from error


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Keep Ctrl-C from the processes that are started meanwhile; workers listen again.

    Helpers of launchers would answer it with a traceback. This thread blocks the signal, which its
    children inherit; another one, that of `Pulse`, gets it for this process.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _announced(name: str, runs: int, jobs: int, threads: int, *, here: bool) -> str:
    text = f"{count(runs, 'run')} through the launcher {name}, {jobs} at once"
    if here and jobs * threads > processors():
        text += (
            f": {jobs} runs of {count(threads, 'thread')} share {count(processors(), 'processor')},"
            " so their timings say little"
        )
    return text


def _isolated(wanted: Plan) -> Plan:
    protocol = {**wanted.config["protocol"], "isolate": True}
    return replace(wanted, config={**wanted.config, "protocol": protocol})


def _lost(wanted: Plan, error: Exception) -> Outcome:
    reason = f"its worker ended twice without a word ({_said(error)})"
    return Outcome(wanted.label, "failed", reason, wanted.id)


def _said(error: Exception) -> str:
    """Return what an error says, in a line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0].rstrip('.') if lines else 'no message'}"


def _cancel(share: Share) -> None:
    """Cancel the jobs of a Slurm cluster that have not ended, as their folders name them."""
    jobs = {path.name.partition("_")[0] for path in share.folder.glob("hydra/.submitit/[0-9]*")}
    if jobs and shutil.which("scancel"):
        subprocess.run(["scancel", *sorted(jobs)], check=False, capture_output=True)
