"""What the tests of the framework share."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.fixture
def conf(monkeypatch):
    """Make the solvers of tests/mcbench/conf known beside those of the project."""
    monkeypatch.setenv("MCBENCH_CONF", str(HERE / "conf"))


@pytest.fixture
def store(tmp_path, conf, monkeypatch):
    """An empty store in a temporary folder, which is the working directory."""
    from mcbench.store import Store

    monkeypatch.setenv("MCBENCH_RESULTS", str(tmp_path / "results"))
    monkeypatch.chdir(tmp_path)
    return Store(tmp_path / "results")


@pytest.fixture
def resolve(conf):
    """Resolve a fast run: the fake solver on thirty rows of iris."""
    from mcbench.config import resolve

    return lambda *overrides: resolve(["dataset=iris", "solver=fake", *overrides])


@pytest.fixture
def run(store, resolve):
    """Execute a fast run and return its record."""
    from mcbench.run import execute

    return lambda *overrides, **options: execute(resolve(*overrides), store, **options)


@pytest.fixture
def command(tmp_path):
    """Start `mcbench ...` in a process of its own, in the temporary folder."""

    def start(*arguments, wait=True, **environment):
        process = subprocess.Popen(
            [sys.executable, "-m", "mcbench.cli", *arguments],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(ROOT), str(HERE)]),
                "MCBENCH_CONF": str(HERE / "conf"),
                "MCBENCH_RESULTS": str(tmp_path / "results"),
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # A suite started in the background of a shell ignores Ctrl-C, and hands that down.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        if not wait:
            return process
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    return start
