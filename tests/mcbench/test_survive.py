"""Sweeps that are killed again and again, and sweeps side by side, do each run once."""

import os
import random
import signal
import time

import pytest
from test_launch import left_behind

from mcbench.cli import main

MEASURE = "measure={_target_: framework_fakes.misbehave, how: none, log: %s}"


@pytest.fixture
def log(tmp_path):
    """Where each run notes that it was executed."""
    return tmp_path / "log"


def sweep(log, number):
    return ["run", "-m", "dataset=none", MEASURE % log, f"seed=range({number})"]


def warm_up(log):
    """Do the first run, so that copies of this process find everything imported."""
    assert main(sweep(log, 1)) == 0


def forked(arguments):
    """Start `mcbench ...` in a copy of this process."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os._exit(main(arguments))
    return pid


def check_whole(store, number, *, once=None):
    """All runs are done, each is there once, and nothing else is."""
    frame = store.frame()
    assert sorted(frame["seed"]) == list(range(number))
    assert set(frame["status"]) == {"done"}
    for run_id in frame["id"]:
        record = store.get(run_id)
        assert record.done
        assert record["measured"] == {"seed": record.config["seed"]}
        assert sorted(path.name for path in store.path(run_id).iterdir()) == [
            "config.yaml",
            "record.json",
        ]
    assert left_behind(store) == []
    if once is not None:
        assert sorted(map(int, once.read_text().split())) == list(range(number))


def killed(store, start, rng, target):
    """Kill a sweep's processes when so many runs are done, and a random moment has passed."""
    pid = start()
    end = time.monotonic() + 60
    while sum(1 for _ in store.runs.glob("[0-9a-f]*")) < target and time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return
        time.sleep(0.005)
    time.sleep(rng.random() * 0.05)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


@pytest.mark.parametrize(
    ("number", "kills"), [(60, 4), pytest.param(200, 10, marks=pytest.mark.minutes)]
)
def test_a_sweep_that_is_killed_again_and_again_ends_whole(store, log, number, kills):
    warm_up(log)
    rng = random.Random(0)
    for target in sorted(rng.sample(range(1, number - 10), kills)):
        killed(store, lambda: forked(sweep(log, number)), rng, target)
        assert len(store.frame()) < number
    done = {folder.name: folder.stat().st_mtime_ns for folder in store.runs.glob("[0-9a-f]*")}
    assert len(done) > kills
    assert main(sweep(log, number)) == 0
    check_whole(store, number)
    for name, stamp in done.items():  # what was done was left alone
        assert (store.runs / name).stat().st_mtime_ns == stamp
    # A run is executed again only if it was the one that a kill had interrupted.
    assert number <= len(log.read_text().split()) <= number + kills


def test_two_sweeps_at_once_do_each_run_once(store, log):
    warm_up(log)
    pids = [forked(sweep(log, 40)) for _ in range(2)]
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0, 0]
    check_whole(store, 40, once=log)


def started(command, log, number):
    launcher = ["launcher=joblib", "launcher.n_jobs=2"]
    return lambda: command(*sweep(log, number), *launcher, wait=False).pid


def test_a_sweep_through_joblib_is_killed_and_resumed(store, command, log):
    killed(store, started(command, log, 100), random.Random(1), 20)
    assert 0 < len(store.frame()) < 100
    assert main(sweep(log, 100)) == 0
    check_whole(store, 100)


@pytest.mark.minutes
def test_a_sweep_through_joblib_is_killed_ten_times(store, command, log):
    rng = random.Random(2)
    for target in sorted(rng.sample(range(1, 190), 10)):
        killed(store, started(command, log, 200), rng, target)
    launcher = ["launcher=joblib", "launcher.n_jobs=2"]
    assert command(*sweep(log, 200), *launcher).returncode == 0
    check_whole(store, 200)


@pytest.mark.minutes
def test_two_sweeps_through_joblib_at_once_do_each_run_once(store, command, log):
    launcher = ["launcher=joblib", "launcher.n_jobs=2"]
    both = [command(*sweep(log, 200), *launcher, wait=False) for _ in range(2)]
    for process in both:
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, out + err
    check_whole(store, 200, once=log)
