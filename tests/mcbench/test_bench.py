import json
import os

import pandas as pd
import pytest

from mcbench.bench import peers
from mcbench.bench.bench import bench, publish
from mcbench.bench.cases import KERNEL_CASES, LINEAR_CASES, Case, rbf
from mcbench.bench.comparison import Compared, Peer, compare, ratio, ratio_columns
from mcbench.bench.entry import Entry
from mcbench.bench.measured import Measured, faster, medians
from mcbench.bench.options import Options
from mcbench.bench.report import NOTE, SECONDS, SOLVER, Column, table
from mcbench.bench.runner import THREADS, Runner, thread_environment
from mcbench.bench.sections import growth
from mcbench.cli import main
from mcbench.errors import UserError

IRIS = Case("iris", 1.0, rbf(0.5), {"conf": "iris", "fold": 0})
OURS = {"_target_": "mcbench.CrammerSingerSVC", "C": 1.0, "gap_tol": 0.01}
FAKE = {"_target_": "framework_fakes.Fake"}


@pytest.fixture
def iris(monkeypatch):
    """Make iris known to the sections."""
    monkeypatch.setitem(KERNEL_CASES, "iris", IRIS)
    monkeypatch.setitem(LINEAR_CASES, "iris", IRIS.with_kernel(1.0, name="linear"))


@pytest.fixture
def here(monkeypatch):
    """Measure in this process: to start one takes most of the time of a small fit."""
    isolated = Entry.config

    def config(self, repetition, time_s):
        found = isolated(self, repetition, None)
        found["protocol"]["isolate"] = False
        return found

    monkeypatch.setattr(Entry, "config", config)


@pytest.fixture
def runner(store):
    lines = []
    made = Runner(store, Options(repetitions=2, threads=1, time_s=60), lines.append)
    made.lines = lines
    return made


def entry(solver, label="someone", case=IRIS, **more):
    return Entry("test", label, case, solver, **more)


def measured(label="someone", threads=1, **values):
    return Measured(entry(OURS, label, threads=threads), "done", values=values)


def test_a_fit_is_measured_in_its_own_process_and_judged(runner, store):
    found = runner.measure(entry(OURS))
    assert found.done
    assert len(found.runs) == 2
    assert 0 < found.get("gap") <= 0.01
    assert found.get("primal") > found.get("dual") > 0
    assert found.get("seconds") > 0
    assert found.get("peak_mb") > 10
    assert 0 <= found.get("test_error") < 0.2
    frame = store.frame()
    assert set(frame["measured.n"]) == {135}
    assert set(frame["config.protocol.threads"]) == {1}


def test_what_was_measured_is_measured_anew(runner, store, here):
    first = runner.measure(entry(OURS), once=True)
    again = runner.measure(entry(OURS), once=True)
    assert first.runs == again.runs
    assert len(store.frame()) == 1
    assert first.get("seconds") != again.get("seconds")


@pytest.mark.parametrize(
    ("fail", "said"), [("raise", "asked to fail"), ("segfault", "SIGSEGV"), ("exit", "exit code 3")]
)
def test_a_peer_that_fails_is_a_row_and_not_the_end(fail, said, runner):
    peer = Peer("scikit-learn", entry({**FAKE, "fail": fail}, "fake"), same=True)
    found = compare(runner, [peer], lambda gap: [])
    own = measured("ours", seconds=1.0, cpu_seconds=1.0, gap=0.01)
    found = Compared([own], found.peers)
    text = table(found.rows, [SOLVER, SECONDS, *ratio_columns([found], (1,)), NOTE])
    header, _, first, failed = text.splitlines()
    assert [cell.strip() for cell in header.strip("|").split("|")] == [
        "solver", "wall [s]", "x ours, 1 thread", "note",
    ]  # fmt: skip
    assert first.split("|")[-2].strip() == "-"
    assert "failed: " in failed
    assert said in failed


def test_too_long_is_a_row(store):
    lines = []
    runner = Runner(store, Options(repetitions=2, time_s=1.0), lines.append)
    found = runner.measure(entry({**FAKE, "seconds": 60}))
    assert found.note == "timeout: It took longer than 1 s."
    assert len(found.runs) == 1
    assert lines == ["test: iris, someone, 1 thread: timeout: It took longer than 1 s."]


def test_a_missing_peer_is_skipped_with_its_reason(runner, monkeypatch):
    monkeypatch.setattr("mcbench.bench.comparison.missing", lambda peer: f"{peer} is not here")
    peer = Peer("kernlab", entry(OURS, "kernlab"), same=True)
    found = compare(runner, [peer], lambda gap: [])
    assert [row.note for row in found.rows] == ["skipped: kernlab is not here"]


def test_missing_programs_are_told(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("MCBENCH_ONEDAL_PYTHON", str(tmp_path / "python"))
    peers.missing.cache_clear()
    assert "Rscript" in peers.missing("kernlab")
    assert "liblinear-train" in peers.missing("liblinear")
    assert "scikit-learn-intelex" in peers.missing("onedal")
    assert peers.missing("scikit-learn") == ""
    assert peers.versions() == {}
    peers.missing.cache_clear()


def test_missing_data_are_skipped_without_a_download(runner, tmp_path, monkeypatch):
    monkeypatch.setenv("MCBENCH_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = runner.measure(entry(OURS, case=KERNEL_CASES["usps"]))
    assert found.note == "skipped: usps is not here: mcbench data fetch usps"
    case, sizes, _, reason = growth.examples(runner)
    assert case.name == "letter"
    assert max(sizes) == 15000
    assert "mnist is not here" in reason


def test_a_peers_gap_binds_ours_where_it_is_smaller(runner, here):
    asked = []

    def ours(gap):
        asked.append(gap)
        return []

    same = entry({**OURS, "tol": 1e-5, "gap_tol": 1e-4}, "same machine")
    compare(runner, [Peer("scikit-learn", same, same=True)], ours)
    compare(runner, [Peer("scikit-learn", same, same=False)], ours)
    assert 0 < asked[0] <= 1e-4
    assert asked[1] == 0.01


def test_ratios_are_of_processor_time_on_one_thread_and_else_of_wall_time():
    peer = measured("peer", seconds=10.0, cpu_seconds=8.0, gap=0.02)
    assert faster(peer, measured(seconds=4.0, cpu_seconds=2.0)) == 4.0
    assert faster(peer, measured(threads=2, seconds=4.0, cpu_seconds=2.0)) == 2.5
    assert faster(peer, measured(gap=1.0)) is None
    assert ratio(peer, measured(seconds=4.0, cpu_seconds=2.0, gap=0.02)) == "4"
    assert ratio(peer, measured(seconds=4.0, cpu_seconds=2.0, gap=0.021)) == "4 (gap)"
    onevsone = measured("other", seconds=10.0, cpu_seconds=8.0)
    assert ratio(onevsone, measured(seconds=4.0, cpu_seconds=2.0, gap=0.011)) == "4 (gap)"


def test_the_table_shows_medians_ratios_and_no_empty_notes():
    own = measured("ours", seconds=0.5, cpu_seconds=0.5, gap=0.0012, test_error=0.0123)
    peer = measured("peer", seconds=31.0, cpu_seconds=20.0, gap=0.002, test_error=0.02)
    columns = [SOLVER, SECONDS, Column("error [%]", "test_error", ".2f", 100)]
    columns += [*ratio_columns([Compared([own], {"peer": peer})], (1,)), NOTE]
    assert table([own, peer], columns).splitlines() == [
        "| solver | wall [s] | error [%] | x ours, 1 thread |",
        "| ------ | -------- | --------- | ---------------- |",
        "| ours   | 0.5      | 1.23      | -                |",
        "| peer   | 31       | 2.00      | 40               |",
    ]


def test_medians_are_of_numbers_and_of_what_some_repetitions_have():
    runs = [{"seconds": 3.0, "gap": 0.1, "status": "converged"}, {"seconds": 1.0}, {"seconds": 2.0}]
    assert medians(runs) == {"seconds": 2.0, "gap": 0.1, "status": "converged"}
    assert medians([{"curve": [1, 2], "none": None}]) == {"curve": [1, 2], "none": None}


def test_threads_are_fixed_before_a_library_starts(monkeypatch):
    monkeypatch.setenv(THREADS[0], "7")
    monkeypatch.delenv(THREADS[1], raising=False)
    with thread_environment(2):
        assert {os.environ[name] for name in THREADS} == {"2"}
    assert os.environ[THREADS[0]] == "7"
    assert THREADS[1] not in os.environ


def test_the_exponent_of_a_power_law():
    assert growth.exponent([(n, 3e-6 * n**1.5) for n in (10, 100, 1000)]) == pytest.approx(1.5)
    assert growth.exponent([(10, 1.0)]) is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["limitt"], "did you mean limit?"),
        (["memory", "--data", "letterr"], "did you mean letter"),
        (["--peers", "shogun"], "There is no peer 'shogun'"),
        (["--repetitions", "0"], "1 or more"),
        (["--limit", "-1"], "positive number of seconds"),
        (["--set", "solver"], "key=value"),
    ],
)
def test_what_a_user_can_get_wrong_is_one_sentence(arguments, said, store, capsys):
    assert main(["bench", *arguments]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


def test_sections_are_written_put_together_and_published(iris, store, capsys, here):
    arguments = ["--quick", "--data", "iris", "--set", "solver=pattern", "--peers", "scikit-learn"]
    assert main(["bench", "limit", "crammer_singer", "--threads", "1", *arguments]) == 0
    folder = store.root / "bench"
    assert main(["bench", "memory", "--publish", *arguments]) == 0
    out = capsys.readouterr().out
    assert "crammer_singer: iris, scikit-learn SVC, one-vs-one, 1 thread: " in out
    report = (store.root / "published" / "bench.md").read_text()
    assert report == (folder / "bench.md").read_text()
    headings = [line for line in report.splitlines() if line.startswith("#")]
    assert headings == ["# Benchmark", "## Crammer & Singer's machine", "## The limit", "## Memory"]
    assert "| processor" in report
    assert "| numpy" in report
    for private in (os.uname().nodename, str(store.root), str(os.path.expanduser("~"))):  # noqa: PTH111
        assert private not in report
    raw = pd.read_parquet(folder / "measurements.parquet")
    assert len(raw) == 1 + 2 + 3
    assert {"measured.seconds", "measured.peak_mb", "provenance.machine.cpu"} <= set(raw.columns)
    assert "processor" in json.loads((folder / "environment.json").read_text())


def test_the_figure_of_growth_is_written(store, here, monkeypatch):
    monkeypatch.setattr(growth, "QUICK_SIZES", (100, 200))
    monkeypatch.setattr(growth, "QUICK_CLASSES", (2, 3))
    monkeypatch.setattr(growth, "QUICK_CLUSTERED", 60)
    monkeypatch.setattr(growth, "QUICK_BUSY", 100)
    options = Options(quick=True, repetitions=1, ours={"solver": "pattern"})
    lines = []
    assert bench(["growth"], options, store.root, lines.append) == []
    assert (store.root / "growth.svg").stat().st_size > 1000
    text = (store.root / "growth.md").read_text()
    assert "Exponent of n: " in text
    assert "Exponent of k: " in text
    beside = [line.split("|")[1:3] for line in text.rpartition("Beside a")[2].splitlines()[4:]]
    assert [[cell.strip() for cell in row] for row in beside] == [
        ["0", "1"], ["0", "2"], ["1", "1"], ["1", "2"],
    ]  # fmt: skip


def test_a_section_that_crashes_is_told_and_the_others_go_on(store, iris, here, monkeypatch):
    monkeypatch.setattr("mcbench.bench.sections.limit.run", lambda runner: 1 / 0)
    options = Options(data=("iris",), quick=True, repetitions=1, ours={"solver": "pattern"})
    lines = []
    assert bench(["limit", "memory"], options, store.root, lines.append) == ["limit"]
    assert "ZeroDivisionError" in "".join(lines)
    assert (store.root / "memory.md").is_file()


def test_nothing_measured_cannot_be_published(tmp_path):
    with pytest.raises(UserError, match="no report"):
        publish(tmp_path, tmp_path / "published")
