"""Mistakes of solvers and of data that must not become results."""

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from stored import put

from mcbench.archive import unpack
from mcbench.cli import main
from mcbench.config import resolve
from mcbench.errors import UserError
from mcbench.record import FILE
from mcbench.run import execute

FULL = Path("/dev/full")
CARELESS = ("dataset=iris", "solver._target_=misbehaving.Careless")


@pytest.fixture
def run(store):
    """Execute a run and return its record."""
    return lambda *overrides, **options: execute(resolve(overrides), store, **options)


@pytest.mark.parametrize("how", ["change", "relabel"])
def test_a_solver_that_changes_its_examples_fails_and_others_have_their_own(run, how):
    alone = run("dataset=iris", "solver=block", "seed=3")
    spoiled = run(*CARELESS, f"+solver.how={how}", "seed=3")
    assert spoiled.status == "failed"
    assert "read-only" in spoiled.reason
    after = run("dataset=iris", "solver=block", "seed=3", rerun="all")
    assert after["error"] == alone["error"]
    assert after["objective"] == alone["objective"]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("none", "predict returned NoneType for"),
        ("one", "examples: it must return a label each"),
        ("generator", "examples: it must return a label each"),
        ("short", "predict returned the shape"),
        ("column", ", 1) for"),
        ("missing", "predict returned"),
        ("text", "is no class of the training part"),
    ],
)
def test_predictions_that_are_no_labels_are_a_failure(run, how, said):
    record = run(*CARELESS, f"+solver.how={how}")
    assert record.status == "failed"
    assert said in record.reason
    assert "error" not in record.sections


def test_data_that_changed_since_the_run_was_planned_are_a_failure(run):
    record = run("dataset._target_=misbehaving.drawn", "solver=fake", "protocol.isolate=true")
    assert record.status == "failed"
    assert "not those that the run was planned for" in record.reason


def test_whatever_a_solver_raises_is_recorded(run):
    record = run(*CARELESS, "+solver.how=leave")
    assert (record.status, record.reason) == ("failed", "GeneratorExit: no message")


def test_a_solver_that_forks_is_one_run(command, store):
    done = command(
        "run", "dataset=iris", "solver._target_=misbehaving.Careless", "+solver.how=fork"
    )
    assert done.stdout.count("done") == 1, done.stdout + done.stderr
    assert list(store.frame()["status"]) == ["done"]


def test_of_very_many_warnings_a_record_has_the_first(run):
    told = run(*CARELESS, "+solver.how=warn")["warnings"]
    assert len(told) < 110
    assert told[-1].startswith("... and ")


def test_a_record_of_a_run_in_progress_answers_nothing(store, run):
    done = run("dataset=iris", "solver=fake")
    path = store.runs / done.id / FILE
    found = json.loads(path.read_text())
    path.write_text(json.dumps({**found, "status": "running"}))
    with pytest.warns(UserWarning, match="that has ended"):
        assert store.get(done.id) is None
    assert run("dataset=iris", "solver=fake").status == "done"


def test_an_archive_that_unpacks_to_far_more_than_runs_would_is_not_read(tmp_path):
    path = tmp_path / "bomb.tar.gz"
    (tmp_path / "zeros").write_bytes(bytes(2**27))
    with tarfile.open(path, "w:gz", compresslevel=9) as tar:
        tar.add(tmp_path / "zeros", f"runs/{'a' * 16}/trace.parquet")
    assert path.stat().st_size < 2**18
    (tmp_path / "into").mkdir()
    with pytest.raises(UserError, match="far more than runs would"):
        unpack(path, tmp_path / "into")
    assert list((tmp_path / "into").iterdir()) == []


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_an_output_that_takes_no_more_is_one_sentence(store):
    put(store, 1)
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "mcbench.cli", "status", "--results", str(store.root)],
            stdout=full, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "mcbench: The output cannot be written (No space left on device).\n"


def test_a_terminal_that_knows_ascii_only_gets_a_table(command, store, capsys):
    assert main(["run", "-m", "dataset=iris", "solver=fake", "seed=0,1"]) == 0
    done = command("table", PYTHONIOENCODING="ascii", LANG="C")
    assert done.returncode == 0, done.stderr
    assert "?" in done.stdout
