"""Sweeps through launchers, in processes of their own: runs overlap, all is told, nothing stays."""

import os
import shutil
import signal
import subprocess
import time

import pytest
from stored import INTERRUPTED

from mcbench.claim import RUNNING
from mcbench.cli import main
from mcbench.share import SHARES

NONE = ("run", "-m", "dataset=none")


def misbehaving(**arguments):
    text = "".join(f", {key}: {value}" for key, value in arguments.items())
    return f"measure={{_target_: framework_fakes.misbehave{text}}}"


def left_behind(store):
    """What is in the store that is no run, no index and no lock."""
    places = (store.runs, store.runs / RUNNING, store.runs / SHARES)
    names = [path.name for place in places if place.is_dir() for path in place.iterdir()]
    ids = set(store.frame()["id"])
    return sorted(set(names) - ids - {RUNNING, ".lock", "index.jsonl"})


def wait_for(condition, seconds=90):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)


def test_joblib_at_top_level_of_an_experiment_runs_several_at_once(
    store, command, tmp_path, capsys, monkeypatch
):
    together = tmp_path / "together"
    together.mkdir()
    file = tmp_path / "conf" / "experiment" / "mine" / "two.yaml"
    file.parent.mkdir(parents=True)
    measure = f"{{_target_: framework_fakes.meet, folder: {together}, number: 2}}"
    file.write_text(
        "launcher: joblib\nlauncher.n_jobs: 2\n"
        f"grids: {{quick: [{{dataset: none, measure: {measure}, seed: [0, 1]}}]}}\n"
    )
    folders = os.pathsep.join([str(tmp_path / "conf"), os.environ["MCBENCH_CONF"]])
    # Neither run ends before the other has begun.
    done = command("run", "-m", "+experiment=mine/two", MCBENCH_CONF=folders)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 runs through the launcher joblib, 2 at once" in done.stdout
    frame = store.frame()
    assert list(frame["measured.met"]) == [True, True]
    assert set(frame["parallel.launcher"]) == {"joblib"}
    assert set(frame["parallel.runs"]) == {2}
    assert "launcher" not in store.get(frame["id"].iloc[0]).config
    # They are the runs of any sweep.
    monkeypatch.setenv("MCBENCH_CONF", folders)
    assert main(["run", "-m", "+experiment=mine/two", "launcher=basic"]) == 0
    assert "2 runs: 2 cached" in capsys.readouterr().out
    assert left_behind(store) == []


def test_a_local_submitit_is_capped_tells_all_and_keeps_the_order(store, command):
    wrong = misbehaving(how="raise")
    done = command(
        *NONE, wrong, "seed=2,0,1", "retries=1", "launcher=submitit_local", "launcher.n_jobs=1"
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "3 runs through the launcher submitit_local, 1 at once" in done.stdout
    assert done.stdout.count("asked to fail (attempt 1 of 2, tried again)") == 3
    assert done.stdout.count("/3] failed") == 3
    told, closing = done.stdout.split("3 runs failed:\n")
    seeds = [line.split("seed=")[1][0] for line in closing.splitlines() if "seed=" in line]
    assert seeds == ["2", "0", "1"]
    assert "measure=misbehave(how=raise) seed=2: RuntimeError: asked to fail" in told
    frame = store.frame()
    assert set(frame["attempts.count"]) == {2}
    assert set(frame["parallel.launcher"]) == {"submitit_local"}
    assert left_behind(store) == []


def interrupted(store, command, launcher):
    process = command(
        *NONE, misbehaving(how="wait"), "seed=0,1,2",
        f"launcher={launcher}", "launcher.n_jobs=1", wait=False,
    )  # fmt: skip
    wait_for(lambda: store.running())
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode in INTERRUPTED, out + err
    assert err.count("\n") == 1
    assert "Interrupted" in err
    assert "Traceback" not in out
    assert len(store.frame()) == 0
    assert left_behind(store) == []


def test_ctrl_c_with_joblib_is_one_sentence_and_leaves_nothing_half_done(store, command):
    interrupted(store, command, "joblib")


@pytest.mark.minutes
def test_ctrl_c_with_a_local_submitit_too(store, command):
    interrupted(store, command, "submitit_local")


@pytest.mark.minutes
def test_workers_end_when_the_command_is_gone(store, command):
    process = command(
        *NONE, misbehaving(how="wait"), "seed=0,1,2", "launcher=joblib", "launcher.n_jobs=2",
        wait=False,
    )  # fmt: skip
    wait_for(lambda: len(store.running()) == 2)
    process.kill()
    process.wait()
    wait_for(lambda: store.running() == [])
    assert len(store.frame()) == 0


@pytest.mark.minutes
def test_a_run_that_kills_its_worker_is_a_recorded_failure_and_the_others_are_done(store, command):
    measure = "measure={_target_: framework_fakes.misbehave, how: kill}"
    done = command(
        *NONE, f"{measure},{{_target_: framework_fakes.measure}}", "seed=0,1",
        "launcher=joblib", "launcher.n_jobs=2",
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert "A worker ended without a word" in done.stdout
    assert "4 runs: 2 failed, 2 done" in done.stdout
    assert all("SIGKILL" in reason for reason in store.find("status=failed")["reason"])
    assert left_behind(store) == []


def slurm():
    """Whether a Slurm answers here."""
    if not (shutil.which("sbatch") and shutil.which("sinfo")):
        return False
    try:
        asked = subprocess.run(["sinfo", "-h"], capture_output=True, timeout=10, check=False)
    except subprocess.TimeoutExpired:
        return False
    return asked.returncode == 0 and bool(asked.stdout.strip())


def test_a_sweep_on_slurm(store, command):
    if not slurm():
        pytest.skip("no Slurm answers: sbatch and sinfo")
    done = command(
        *NONE, misbehaving(how="raise"), "seed=0,1", "launcher=submitit_slurm", "launcher.n_jobs=2"
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "2 runs: 2 failed" in done.stdout
    assert set(store.frame()["parallel.launcher"]) == {"submitit_slurm"}
    assert left_behind(store) == []
