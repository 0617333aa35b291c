import json
import multiprocessing
import os
import signal
import time

import pytest
from stored import INTERRUPTED

from mcbench import claim as claims
from mcbench.process import is_alive, owner
from mcbench.record import FILE, Record
from mcbench.run import execute


def new(number=0):
    return Record(f"{number:016x}", "running", {"seed": number})


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)


def test_a_run_is_claimed_once(store):
    mine = store.claim(new())
    assert store.claim(new()) is None
    ((record, alive),) = store.running()
    assert alive
    assert record.status == "running"
    mine.abandon()
    assert store.claim(new()) is not None


def test_a_done_run_is_claimed_only_to_be_replaced(store):
    mine = store.claim(new())
    mine.record.status = "done"
    store.finish(mine, mine.record)
    assert store.claim(new()) is None
    assert store.claim(new(), replaces=store.get(new().id)) is not None


@pytest.mark.parametrize("status", ["done", "failed"])
def test_a_run_that_took_the_place_of_the_one_looked_at_is_not_replaced(store, status):
    seen = None
    for test in (1, 2):
        mine = store.claim(new(), replaces=seen)
        mine.record.status = status
        mine.record.sections["error"] = {"test": test}
        store.finish(mine, mine.record)
        assert store.claim(new(), replaces=seen) is None
        seen = store.get(new().id)
    assert store.claim(new(), replaces=seen) is not None


def claim_from(runs, ready, gone):
    with_store = claims.claim(runs, new())
    ready.put(with_store is not None)
    gone.wait()


def test_many_processes_claim_a_run_once(store):
    context = multiprocessing.get_context("fork")
    ready, gone = context.Queue(), context.Event()
    workers = [context.Process(target=claim_from, args=(store.runs, ready, gone)) for _ in range(6)]
    for worker in workers:
        worker.start()
    assert sorted(ready.get(timeout=20) for _ in workers) == [False] * 5 + [True]
    gone.set()
    for worker in workers:
        worker.join()
    # The process that had it is gone, so it is free again.
    assert [alive for _, alive in store.running()] == [False]
    assert store.claim(new()) is not None


def leftover(store, status="running", record_id=None, **described):
    """What a process that died in the middle leaves behind."""
    record = new()
    mine = store.claim(record)
    record.sections["owner"] = {**owner(), **described}
    record.status = status
    record.id = record_id or record.id
    record.save(mine.folder)
    return mine


def test_what_a_dead_process_left_is_swept(store):
    leftover(store, pid=2**22 - 3)
    assert [alive for _, alive in store.running()] == [False]
    assert store.sweep() == 1
    assert store.running() == []
    assert store.sweep() == 0


def test_a_number_used_again_is_another_process(store):
    leftover(store, started=12345)
    assert store.sweep() == 1


def test_what_a_living_process_does_is_left_alone(store):
    leftover(store)
    assert store.sweep() == 0
    assert len(store.running()) == 1


def test_another_machine_is_believed_for_ten_minutes_after_a_sign_of_life(store):
    mine = leftover(store, host="another", pid=1)
    for age, alive in ((0, True), (500, True), (700, False)):
        past = time.time() - age
        os.utime(mine.folder / FILE, (past, past))
        assert [lives for _, lives in store.running()] == [alive]
    mine.touch()
    assert store.sweep() == 0
    os.utime(mine.folder / FILE, (past, past))
    assert store.sweep() == 1
    mine.touch()  # too late, and no matter
    assert store.running() == []


def test_a_run_beats_also_while_the_solver_does_not_call_back(store, resolve, monkeypatch):
    monkeypatch.setattr("mcbench.run.BEAT_S", 0.02)
    beats = []
    monkeypatch.setattr(claims.Claim, "touch", lambda self: beats.append(self.record.id))
    record = execute(resolve("solver.seconds=0.5"), store)
    assert len(beats) > 5
    assert set(beats) == {record.id}
    count = len(beats)
    time.sleep(0.1)
    assert len(beats) == count  # it ends with the run


def test_a_sign_of_life_costs_next_to_nothing(store):
    mine = store.claim(new())
    start = time.thread_time()
    for _ in range(200):
        mine.touch()
    # At most a thousandth of the time between two of them.
    assert (time.thread_time() - start) / 200 < 1e-3 * claims.BEAT_S


def test_a_run_that_another_machine_took_meanwhile_is_left_to_it(store):
    mine = store.claim(new())
    mine.record.status = "done"
    taken = new()
    taken.sections["owner"] = {**owner(), "host": "another"}
    taken.save(mine.folder)
    with pytest.raises(claims.ClaimLost):
        store.finish(mine, mine.record)
    mine.abandon()
    ((record, alive),) = store.running()
    assert alive
    assert record["owner"]["host"] == "another"


def test_an_index_that_was_being_written_is_cleared(store):
    store.claim(new()).abandon()
    (store.runs / ".index.jsonl.0123456789abcdef").touch()
    store.sweep()
    assert sorted(path.name for path in store.runs.iterdir()) == [".lock", ".running"]


def test_a_folder_without_a_record_is_swept(store):
    mine = store.claim(new())
    (mine.folder / FILE).unlink()
    assert store.sweep() == 1


def test_a_run_that_ended_but_was_not_moved_is_moved(store):
    leftover(store, status="done", pid=2**22 - 3)
    assert store.get(f"{0:016x}") is None
    assert store.sweep() == 0
    assert store.get(f"{0:016x}").done
    assert len(store.frame()) == 1


def test_an_old_run_in_the_way_of_a_new_one_is_replaced(store):
    for test in (1, 2):
        mine = store.claim(new(), replaces=store.get(new().id))
        mine.record.status = "done"
        mine.record.sections["error"] = {"test": test}
        store.finish(mine, mine.record)
    assert store.get(f"{0:016x}")["error"]["test"] == 2
    assert list((store.runs / ".running").iterdir()) == []


def test_a_beat_is_written_at_most_once_a_second(store):
    mine = store.claim(new())
    mine.beat({"gap": 1.0})
    mine.beat({"gap": 0.5})
    assert json.loads((mine.folder / FILE).read_text())["progress"] == {"gap": 1.0}
    mine.beat({"gap": 0.5}, force=True)
    assert store.running()[0][0]["progress"] == {"gap": 0.5}


def test_a_zombie_and_nobody_are_not_alive():
    assert is_alive(owner(), 0)
    assert not is_alive({}, 0, patience_s=0)
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    wait_for(lambda: not is_alive({**owner(), "pid": pid, "started": 1}, 0))
    os.waitpid(pid, 0)


def test_kill_9_in_the_middle_loses_the_run_in_flight_and_no_other(store, command, tmp_path):
    flag = tmp_path / "go"
    sweep = ["run", "-m", "dataset=iris", "solver=fake", "seed=0,1,2"]
    process = command(*sweep, f"solver.unless={flag}", "solver.seconds=0", wait=True)
    assert process.returncode == 0, process.stderr
    # Five more runs: the first is quick, the second never ends, and is killed.
    slow = [*sweep[:-1], f"solver.unless={flag}", "solver.seconds=0,60", "seed=0,1,2,3"]
    process = command(*slow, wait=False)
    wait_for(lambda: len(store.frame()) == 4 and store.running())
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    wait_for(lambda: [alive for _, alive in store.running()] == [False])
    done = {folder.name: folder.stat().st_mtime_ns for folder in store.runs.glob("[0-9a-f]*")}
    assert "1 expired" in command("status").stdout

    flag.touch()
    again = command(*slow)
    assert again.returncode == 0, again.stderr
    assert "8 runs: 4 cached, 4 done" in again.stdout
    assert len(store.frame()) == 8
    assert store.running() == []
    for name, stamp in done.items():
        assert (store.runs / name).stat().st_mtime_ns == stamp


def test_ctrl_c_says_so_and_leaves_nothing_half_done(store, command):
    process = command(
        "run", "-m", "dataset=iris", "solver=fake", "seed=0,1", "solver.seconds=0,60", wait=False
    )
    wait_for(lambda: store.running() and len(store.frame()) == 1)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode in INTERRUPTED
    assert "Interrupted" in err
    assert "Traceback" not in out + err
    assert store.running() == []
    assert len(store.frame()) == 1


@pytest.mark.parametrize("status", ["done", "failed", "timeout", "out_of_memory"])
def test_every_end_is_kept(store, status):
    mine = store.claim(new())
    mine.record.status = status
    store.finish(mine, mine.record)
    assert store.get(f"{0:016x}").status == status
