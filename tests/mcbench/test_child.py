import time

import pytest

ISOLATED = "protocol.isolate=true"


def test_a_run_in_a_child_gives_what_one_in_this_process_gives(run, store):
    here = run("solver=pattern", "dataset=wine")
    there = run("solver=pattern", "dataset=wine", ISOLATED, rerun="all")
    assert there.id == here.id
    assert there.done
    for section in ("objective", "error", "data"):
        assert there[section] == here[section]
    assert len(store.trace(there.id)) == len(store.trace(here.id))
    assert there["memory"]["peak_mb"] > 10
    assert sorted(path.name for path in (store.runs / there.id).iterdir()) == [
        "config.yaml",
        "predictions.parquet",
        "record.json",
        "trace.parquet",
    ]


def test_a_segmentation_fault_is_a_recorded_failure(run):
    record = run("solver.fail=segfault", ISOLATED)
    assert record.status == "failed"
    assert "signal 11 (SIGSEGV)" in record.reason
    assert "framework_fakes.py" in record["traceback"]


def test_a_kill_from_outside_is_a_recorded_failure(run):
    record = run("solver.fail=kill", ISOLATED)
    assert record.status == "failed"
    assert "signal 9 (SIGKILL)" in record.reason
    assert "memory runs out" in record.reason


def test_an_exit_without_a_word_is_a_recorded_failure(run):
    record = run("solver.fail=exit", ISOLATED)
    assert (record.status, record.reason) == (
        "failed",
        "Its process ended with exit code 3 and no result.",
    )


def test_an_exception_in_a_child_keeps_its_traceback(run):
    record = run("solver.fail=raise", ISOLATED)
    assert (record.status, record.reason) == ("failed", "RuntimeError: asked to fail")
    assert "framework_fakes.py" in record["traceback"]


def test_too_long_is_a_timeout(run):
    start = time.monotonic()
    record = run("solver.seconds=60", "protocol.limits.time_s=0.5")
    assert time.monotonic() - start < 20
    assert (record.status, record.reason) == ("timeout", "It took longer than 0.5 s.")
    assert record["limits"]["time_s"] == 0.5


def test_too_large_is_out_of_memory(run):
    record = run("solver.megabytes=4000", "protocol.limits.memory_mb=1000")
    assert record.status == "out_of_memory"
    assert "memory" in record.reason or "MB" in record.reason


def test_within_its_limits_a_run_is_done(run):
    record = run("solver.megabytes=50", "protocol.limits={memory_mb:2000,time_s:60}")
    assert record.done, record.reason


def test_data_that_are_not_here_are_no_failure_in_a_child_either(run, tmp_path, monkeypatch):
    from mcbench.data import DataUnavailable

    monkeypatch.setenv("MCBENCH_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    with pytest.raises(DataUnavailable):
        run("dataset=usps", ISOLATED)
