"""Runs that are interrupted, and go on from their checkpoints."""

import errno
import random
import signal
import time

import numpy as np
import pytest

from mcbench import checkpoint
from mcbench.checkpoint import FOLDER, LOG, STATE, Checkpoints
from mcbench.config import resolve
from mcbench.dataset import load_data
from mcbench.errors import UserError
from mcbench.judge import Judge, forget
from mcbench.npz import pack, unpack
from mcbench.record import Record
from mcbench.run import execute, plan
from mcbench.store import Store
from solvers.certificate import Solution
from solvers.problems import CrammerSinger

EVERY = "protocol.checkpoint.every_s=0.0001"
DIGITS = ("dataset=digits", "kernel.gamma=0.001", "solver.C=10")
TIMES = ("seconds", "cpu_seconds")
REFUSED = "is refused and the fit starts over: it is "


@pytest.fixture(autouse=True)
def unsynced(monkeypatch):
    """Leave out what only a power cut would show, and takes long on a busy disk."""
    monkeypatch.setattr("os.fsync", lambda file: None)


@pytest.fixture
def steps(store, tmp_path):
    """Run the solver that ends badly once; return its record and the steps made since the last."""

    def go(*overrides, **options):
        log = tmp_path / "log"
        log.write_text("")
        chosen = ["dataset=iris", "solver=steps", f"solver.log={log}"]
        config = resolve([*chosen, f"solver.unless={tmp_path}/unless", *overrides])
        record = execute(config, store, **options)
        return record, [int(step) for step in log.read_text().split()]

    return go


def state_of(store, record):
    return store.runs / FOLDER / record.id / STATE


def rows(store, record):
    return store.trace(record.id).drop(columns=list(TIMES))


@pytest.mark.parametrize("end", [("raise", False), ("kill", True)])
def test_a_run_that_failed_goes_on(steps, store, end):
    how = (EVERY, f"solver.end={end[0]}", f"protocol.isolate={end[1]}")
    record, made = steps(*how)
    assert record.status == "failed"
    assert made == list(range(10))
    assert state_of(store, record).is_file()
    record, made = steps(*how, rerun="failed")
    assert record.done
    assert made == list(range(10, 20))
    assert record["resumed"]["times"] == 1
    (part,) = record["resumed"]["parts"]
    assert part["iteration"] == 10
    assert 0 < part["seconds"] <= record["time"]["fit"] < record["time"]["total"]
    assert not state_of(store, record).parent.exists()


def test_ctrl_c_leaves_a_checkpoint_that_no_command_takes_for_a_run(steps, store, capsys):
    with pytest.raises(KeyboardInterrupt):
        steps(EVERY, "solver.end=interrupt")
    (folder,) = (store.runs / FOLDER).iterdir()
    store.sweep()
    assert len(store.frame()) == 0
    assert store.running() == []
    assert (folder / STATE).is_file()
    record, made = steps(EVERY, "solver.end=interrupt")
    assert made == list(range(10, 20))
    assert len(store.frame()) == 1
    assert store.frame()["resumed.times"].tolist() == [1]
    assert record.done


def test_without_the_setting_a_run_starts_over(steps, store):
    record, _ = steps(EVERY)
    again, made = steps(rerun="failed")
    assert again.id == record.id
    assert made == list(range(20))
    assert again.get("resumed") is None
    assert not state_of(store, record).exists()


def test_a_run_done_again_starts_over(steps, store):
    record, _ = steps(EVERY)
    kept = state_of(store, record).read_bytes()
    steps(EVERY, rerun="failed")
    state_of(store, record).parent.mkdir()
    state_of(store, record).write_bytes(kept)
    record, made = steps(EVERY, rerun="all")
    assert made == list(range(20))
    assert record.get("resumed") is None


def test_each_resumption_is_counted(steps, store, tmp_path):
    record, _ = steps(EVERY)
    (tmp_path / "unless").unlink()
    steps(EVERY, rerun="failed")
    assert (state_of(store, record).parent / LOG).is_file()
    record, made = steps(EVERY, rerun="failed")
    assert made == list(range(10, 20))
    assert [part["iteration"] for part in record["resumed"]["parts"]] == [10, 10]


def test_the_seconds_before_count_for_the_limit(steps, store, monkeypatch):
    record, _ = steps(EVERY)
    monkeypatch.setattr(checkpoint, "spent", lambda observed: 1000.0 if observed else 0.0)
    monkeypatch.setattr("mcbench.run.spent", checkpoint.spent)
    record, made = steps(EVERY, "protocol.limits.time_s=500", rerun="failed")
    assert (record.status, record.reason) == ("timeout", "It took longer than 500 s.")
    assert made == []
    assert record["time"]["total"] > 1000
    record, made = steps(EVERY)  # all the time in the world: it goes on
    assert record.done
    assert made == list(range(10, 20))


def damaged(whole):
    middle = len(whole) // 2
    return whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]


@pytest.mark.parametrize("spoil", [lambda whole: whole[: len(whole) // 2], damaged, lambda _: b""])
def test_a_damaged_checkpoint_is_refused(steps, store, spoil):
    record, _ = steps(EVERY)
    path = state_of(store, record)
    path.write_bytes(spoil(path.read_bytes()))
    record, made = steps(EVERY, rerun="failed")
    assert record.done
    assert made == list(range(20))
    assert any(f"{path} {REFUSED}damaged (" in text for text in record["warnings"])
    assert record.get("resumed") is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("run", "of another run"),
        ("solver_version", "of another version of the solver"),
        ("content_hash", "of other data"),
        ("mcbench", "of another version of mcbench"),
        ("format", "of another format"),
    ],
)
def test_a_foreign_checkpoint_is_refused(steps, store, name, words):
    record, _ = steps(EVERY)
    own = Checkpoints.of(store.runs, record)
    state, observed = own.load().state, own.peek()
    Checkpoints(own.folder, {**own.common, name: "x"}, 1.0).save(lambda: state, observed)
    assert own.peek() is None
    record, made = steps(EVERY, rerun="failed")
    assert record.done
    assert made == list(range(20))
    assert f"The checkpoint {state_of(store, record)} {REFUSED}{words}." in record["warnings"]


def test_a_full_disk_ends_no_fit(steps, store, monkeypatch, tmp_path):
    def full(path, arrays):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(checkpoint, "write_npz", full)
    (tmp_path / "unless").touch()
    record, _ = steps(EVERY)
    assert record.done
    end = "(No space left on device); the fit goes on without."
    assert any(text.endswith(end) for text in record["warnings"])


@pytest.mark.parametrize(
    ("overrides", "name"),
    [
        (["solver=fake", "dataset=iris"], "Fake"),
        (["solver=lp", "dataset=wine"], "LinearProgramSVC"),
        (["dataset=none", "measure={_target_: framework_fakes.measure}"], "measure"),
    ],
)
def test_a_solver_without_a_state_is_named(store, overrides, name):
    sentence = f"{name} has no checkpoints here: an interrupted run of it starts over."
    wanted = resolve([*overrides, "protocol.checkpoint.every_s=60"])
    assert sentence in execute(wanted, store)["warnings"]
    assert sentence not in execute(resolve(overrides), store, rerun="all")["warnings"]


def test_checkpoints_are_no_part_of_a_run_s_identity():
    assert plan(resolve([EVERY])).id == plan(resolve([])).id


@pytest.mark.parametrize(
    "wrong", ["checkpoint=5", "checkpoint.every_s=0", "checkpoint.every_s=often"]
)
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(UserError, match="or null"):
        plan(resolve([f"protocol.{wrong}"]))


def test_a_run_of_before_there_were_checkpoints_has_none(tmp_path):
    assert Checkpoints.of(tmp_path, Record("a", "running", {"protocol": {"threads": 1}})) is None


def test_arrays_come_back_to_the_last_bit():
    mostly = np.zeros((40, 3))
    mostly[3] = 1.0, -0.0, np.nan
    state = {"mostly": mostly, "full": np.arange(6.0), "none": np.empty(0), "ints": np.arange(3)}
    arrays, plain, sparse = pack({**state, "x": np.inf, "n": 2**64 - 1, "text": "a", "no": None})
    assert sorted(sparse) == ["mostly"]
    found = unpack(arrays, plain, sparse)
    assert (found["x"], found["n"], found["text"], found["no"]) == (np.inf, 2**64 - 1, "a", None)
    for name, value in state.items():
        assert found[name].tobytes() == value.tobytes()
        assert (found[name].dtype, found[name].shape) == (value.dtype, value.shape)


def test_the_judge_s_kernel_rows_come_back_to_the_last_bit():
    data = load_data(resolve(["dataset=digits", "dataset.train_size=600"]))
    kernel = {"name": "rbf", "gamma": 0.001}
    judge = Judge(data, kernel, CrammerSinger(1.0), memory_mb=1000)
    forget()
    a = np.zeros((judge.n_train, 10))
    for some in ([5], [5, 7, 8], range(100)):  # products of few rows and of many
        a[some] = np.arange(10) - 4.5
        judge.certificate(Solution(a))
        judge.test_error(Solution(a))
    expected, kept = judge.certificate(Solution(a)), judge.snapshot()
    assert [len(rows) for rows in kept["train"]] == [1, 2, 97]
    assert len(kept["test"]) == 3
    forget()
    judge.restore(kept)
    assert judge.certificate(Solution(a)) == expected
    assert judge.snapshot() == kept
    forget()


def same(store, record, other, expected):
    """Assert that a run ended as one that nobody interrupted."""
    for section in ("objective", "error", "work", "model"):
        assert record[section] == expected[section]
    told = {key: item for key, item in expected["reported"].items() if key != "fit_seconds"}
    assert {key: record["reported"][key] for key in told} == told
    assert rows(store, record).equals(rows(other, expected))
    assert store.predictions(record.id).equals(other.predictions(expected.id))


@pytest.mark.parametrize(
    "overrides",
    [
        ["solver=block", "dataset.train_size=700", "solver.tol=1e-4"],
        ["solver=mprotsvm", "solver.C=1", "solver.tau=0.3", "dataset.train_size=500"],
    ],
)
def test_the_record_is_that_of_a_run_without_interruption(store, tmp_path, overrides):
    config = resolve([*DIGITS, *overrides])
    other = Store(tmp_path / "other")
    expected = execute(config, other)
    always, seldom = (
        resolve([*DIGITS, *overrides, f"protocol.checkpoint.every_s={s}"]) for s in (1e-6, 10)
    )
    for n in (2, 3, 4):
        left = [n]

        def stop(progress, left=left):
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            execute(always, store, on_progress=stop)
    record = execute(seldom, store)
    same(store, record, other, expected)
    assert record["resumed"]["times"] == 3
    assert store.trace(record.id)["seconds"].is_monotonic_increasing


def killed_again_and_again(command, store, overrides, n, patience):
    """Kill `mcbench run` n times, each some time after a new checkpoint; then let it end."""
    chance = random.Random(0)
    stamp = 0
    for _ in range(n):
        process = command("run", *overrides, wait=False)
        end = time.monotonic() + patience
        while process.poll() is None and time.monotonic() < end:
            stamps = [path.stat().st_mtime_ns for path in store.runs.glob(f"{FOLDER}/*/{STATE}")]
            if stamps and stamps[0] > stamp:
                stamp = stamps[0]
                break
            time.sleep(0.005)
        else:
            break
        time.sleep(chance.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    process = command("run", *overrides, wait=False)
    _, said = process.communicate(timeout=10 * patience)
    assert process.returncode == 0, said


def test_a_run_killed_at_random_moments_goes_on(store, command, tmp_path):
    overrides = [*DIGITS, "solver=cache", "solver.cache_rows=100", "solver.tol=0.01"]
    overrides += ["dataset.train_size=1000"]
    overrides += ["protocol.trace.test_error=false", "protocol.trace.factor=2"]
    other = Store(tmp_path / "other")
    expected = execute(resolve(overrides), other)
    every = "protocol.checkpoint.every_s=0.05"
    killed_again_and_again(command, store, [*overrides, every], 2, 60)
    record = store.get(expected.id)
    same(store, record, other, expected)
    assert 1 <= record["resumed"]["times"] <= 2
    assert not any((store.runs / FOLDER).iterdir())


@pytest.mark.minutes
@pytest.mark.parametrize(
    "overrides",
    [
        ["solver=block", "solver.cache_size=300", "kernel.gamma=0.02", "solver.C=10"],
        ["solver=mprotsvm", "solver.tau=0.1"],
    ],
)
def test_a_long_run_killed_at_random_moments_goes_on(store, command, tmp_path, overrides):
    overrides = ["dataset=letter_16000", *overrides, "protocol.trace.test_error=false"]
    overrides += ["protocol.trace.factor=8"]
    other = Store(tmp_path / "other")
    expected = execute(resolve(overrides), other)
    killed_again_and_again(command, store, [*overrides, "protocol.checkpoint.every_s=1"], 4, 120)
    record = store.get(expected.id)
    same(store, record, other, expected)
    assert record["resumed"]["times"] >= 1
