"""Runs that are tried again: at once with retries, on request with --rerun."""

import pytest

from mcbench.cli import main
from mcbench.grid import expand_sweep
from mcbench.sweep import prepare, run_sweep

NONE = ("run", "-m", "dataset=none")


@pytest.fixture
def flag(tmp_path):
    return tmp_path / "flag"


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def wrong(log, flag):
    return f"measure={{_target_: framework_fakes.misbehave, log: {log}, until: {flag}}}"


def seeds(log):
    return log.read_text().split()


def test_a_run_that_fails_is_tried_as_often_as_asked(store, capsys, log, flag):
    assert main([*NONE, wrong(log, flag), "seed=3", "retries=2"]) == 1
    assert seeds(log) == ["3"] * 3
    (run_id,) = store.frame()["id"]
    record = store.get(run_id)
    assert record.status == "failed"
    reason = "failed: RuntimeError: asked to fail"
    assert record["attempts"] == {"count": 3, "reasons": [reason, reason]}
    out = capsys.readouterr().out
    assert "seed=3: RuntimeError: asked to fail (attempt 1 of 3, tried again)" in out
    assert out.count("tried again") == 2


def test_a_run_that_succeeds_the_second_time_is_done(store, capsys, log, flag, monkeypatch):
    import framework_fakes

    fails = framework_fakes.misbehave

    def once(**arguments):
        try:
            return fails(**arguments)
        finally:
            flag.touch()

    monkeypatch.setattr(framework_fakes, "misbehave", once)
    assert main([*NONE, wrong(log, flag), "seed=0", "retries=5"]) == 0
    record = store.get(store.frame()["id"][0])
    assert record.done
    assert record.reason == ""
    assert record["attempts"]["count"] == 2
    assert "traceback" not in record.sections


def test_a_time_out_is_tried_again(store, log, flag):
    waits = wrong(log, flag).replace("misbehave,", "misbehave, how: wait,")
    assert main([*NONE, waits, "retries=1", "protocol.limits.time_s=0.2"]) == 1
    record = store.get(store.frame()["id"][0])
    assert record.status == "timeout"
    assert record["attempts"]["reasons"] == ["timeout: It took longer than 0.2 s."]
    assert sorted(path.name for path in store.path(record.id).iterdir()) == [
        "config.yaml",
        "record.json",
    ]


def test_without_retries_there_is_one_attempt(store, log, flag):
    main([*NONE, wrong(log, flag)])
    assert store.get(store.frame()["id"][0])["attempts"] == {"count": 1, "reasons": []}


@pytest.mark.parametrize(
    ("rerun", "again"),
    [
        (None, []),
        ("failed", ["0", "1", "2"]),
        ("all", ["0", "1", "2", "3"]),
        ("*seed=2*", ["2"]),
        ("*seed=[0]*", []),
        ("dataset=none * seed=?", ["0", "1", "2", "3"]),
        ("id", ["3"]),
    ],
)
def test_what_is_executed_again(store, log, flag, rerun, again):
    main([*NONE, wrong(log, flag), "seed=0,1,2"])
    flag.touch()
    main([*NONE, wrong(log, flag), "seed=3"])
    log.write_text("")
    if rerun == "id":
        rerun = store.find("seed=3")["id"].iloc[0]
    status = main(
        [*NONE, wrong(log, flag), "seed=range(4)", *(["--rerun", rerun] if rerun else [])]
    )
    assert seeds(log) == again
    failed = {"0", "1", "2"} - set(again)
    if rerun == "*seed=[0]*":
        assert status == 2  # brackets stand for themselves, so this names nothing
    else:
        assert status == int(bool(failed))


def test_several_failures_are_listed_at_the_end(store, capsys, log, flag):
    main([*NONE, wrong(log, flag), "seed=0,1"])
    out = capsys.readouterr().out
    assert out.index("2 runs: 2 failed") < out.index("2 runs failed:\n  failed")
    assert "--rerun failed executes them again" in out
    main([*NONE, wrong(log, flag), "seed=0"])
    assert "runs failed" not in capsys.readouterr().out


def test_a_run_that_another_process_gives_up_is_executed_here(store, monkeypatch, log, flag):
    flag.touch()
    (wanted,) = prepare(expand_sweep(["dataset=none", wrong(log, flag)]), store).todo
    from mcbench.record import Record

    theirs = store.claim(Record(wanted.id, "running", wanted.config))
    waited = []

    def sleep(seconds):
        waited.append(seconds)
        if len(waited) == 3:
            theirs.abandon()

    monkeypatch.setattr("mcbench.sweep.time.sleep", sleep)
    sweep = prepare(expand_sweep(["dataset=none", wrong(log, flag)]), store)
    (outcome,) = run_sweep(sweep, store)
    assert outcome.status == "done"
    assert len(waited) == 3
    assert seeds(log) == ["0"]
