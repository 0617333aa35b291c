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
