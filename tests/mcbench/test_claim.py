import json
import multiprocessing
import os
import signal
import time

import pytest

from mcbench import claim as claims
from mcbench.process import is_alive, owner
from mcbench.record import FILE, Record


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
    assert store.claim(new(), replace=True) is not None


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


def test_another_machine_is_believed_for_a_day(store):
    mine = leftover(store, host="another", pid=1)
    assert store.sweep() == 0
    past = time.time() - 2 * 86_400
    os.utime(mine.folder / FILE, (past, past))
    assert store.sweep() == 1


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
        mine = store.claim(new(), replace=True)
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
    assert process.returncode == 130
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
