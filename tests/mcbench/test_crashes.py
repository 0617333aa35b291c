"""Whatever a run does is a recorded outcome with a sentence, and the other runs finish."""

import json
import signal
from pathlib import Path

import pytest

from mcbench import limits
from mcbench.cli import main
from mcbench.grid import expand_sweep
from mcbench.sweep import prepare, run_sweep

FAKE = ("dataset=iris", "solver=fake")
BAD = ("dataset=iris", "solver=bad")
CHILD = "protocol.isolate=true"
MEASURE = "measure={_target_: misbehaving.unholdable, kind: %s}"

#: The end of a run's label, its overrides, and how it has to end.
CASES = {
    "segfaults": ([*FAKE, "solver.fail=segfault"], "failed", "signal 11 (SIGSEGV)"),
    "is killed": ([*FAKE, "solver.fail=kill"], "failed", "(SIGKILL); the system does so when"),
    "is slow and deaf": (
        [*BAD, "solver.how=deaf", "protocol.limits.time_s=4"],
        "timeout",
        "It took longer than 4 s.",
    ),
    "is too large": (
        [*FAKE, "solver.megabytes=4000", "protocol.limits.memory_mb=700"],
        "out_of_memory",
        "m",
    ),
    "hoards": (
        [*BAD, "solver.how=hoard", "protocol.limits.memory_mb=550", "protocol.limits.time_s=90"],
        "out_of_memory",
        "It used more than 550 MB.",
    ),
    "talks and exits": ([*BAD, "solver.how=talk"], "failed", "exit code 3 and no result"),
    "leaves children": ([*BAD, "solver.how=children", "solver.log={log}/a"], "done", ""),
    "is a bomb": ([*BAD, "solver.how=bomb", "solver.log={log}/b"], "failed", "exit code 4"),
    "cannot be held": ([*BAD, MEASURE % "set"], "failed", "measured.found is of the type set"),
    "is good": ([*FAKE, "seed=2"], "done", ""),
}


def lives(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_sweep_in_which_everything_goes_wrong(store, tmp_path, capsys):
    jobs = []
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    for overrides, _, _ in CASES.values():
        told = [item.replace("{log}", str(tmp_path)) for item in overrides]
        jobs += expand_sweep([*told, CHILD])
    sweep = prepare(jobs, store)
    run_sweep(sweep, store)
    said = capsys.readouterr().out
    for job, (name, (_, status, reason)) in zip(jobs, CASES.items(), strict=True):
        record = store.get(sweep.ids[job])
        assert (record.status, name) == (status, name), record.reason
        assert reason in record.reason, name
        assert len(record.reason.splitlines()) == (status != "done")
        assert record.id in said
    assert len(store.frame()) == len(CASES)
    assert store.running() == []

    talker = store.get(sweep.ids[jobs[list(CASES).index("talks and exits")]])
    assert talker["traceback"].endswith("x\nthe last word")
    assert len(talker["traceback"]) <= 20_000
    crashed = store.get(sweep.ids[jobs[list(CASES).index("segfaults")]])
    assert "framework_fakes.py" in crashed["traceback"]
    started = [int(line) for name in "ab" for line in (tmp_path / name / "pids").open()]
    assert len(started) == 7 + 40
    assert not any(map(lives, started))


@pytest.mark.parametrize("kind", ["set", "object", "endless", "bytes"])
def test_what_a_record_cannot_hold_is_a_failure_here_too(store, capsys, kind):
    assert main(["run", *FAKE, MEASURE % kind]) == 1
    out, err = capsys.readouterr()
    assert "measured.found" in out
    assert "Traceback" not in out + err
    (status,) = store.frame()["status"]
    assert status == "failed"


def test_a_solver_that_ends_its_process_ends_no_sweep(store, capsys):
    assert main(["run", "-m", *BAD, "solver.how=leave,half,mute,null"]) == 1
    assert "4 runs: 3 failed, 1 done" in capsys.readouterr().out


def test_the_systems_own_killing_is_told_from_others(tmp_path):
    ended = limits._ended(tmp_path, -signal.SIGKILL, memory_ran_out=True)
    assert ended.status == "out_of_memory"
    assert ended.reason == "The system killed its process, because its memory ran out."


def test_text_that_no_file_can_hold_is_written_as_an_escape(store):
    main(["run", *BAD, "solver.how=half"])
    (name,) = store.frame()["id"]
    assert json.loads((store.runs / name / "record.json").read_text())["status"] == "failed"
    assert main(["status"]) == 0
