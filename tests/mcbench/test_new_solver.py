"""`mcbench new solver` writes what runs as it stands, and never over anything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcbench.cli import main

ROOT = Path(__file__).parents[2]


def test_a_new_solver_runs_as_it_stands(store, tmp_path, capsys, monkeypatch):
    assert main(["new", "solver", "fresh_svm"]) == 0
    out = capsys.readouterr().out
    folder = tmp_path / "fresh_svm"
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert written == {"fresh_svm.py", "conf/solver/fresh_svm.yaml", "test_fresh_svm.py"}
    assert "mcbench check-solver fresh_svm" in out
    monkeypatch.setenv("MCBENCH_CONF", str(folder / "conf"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert main(["check-solver", "fresh_svm"]) == 0, capsys.readouterr()
    out, err = capsys.readouterr()
    assert "wrong " not in out
    assert "fresh_svm.FreshSvm" in err  # a file of MCBENCH_CONF that runs code
    assert main(["run", "dataset=iris", "solver=fresh_svm"]) == 0
    assert main(["table", "--metrics", "error"]) == 0
    assert "fresh_svm" in capsys.readouterr().out
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=."]
    done = subprocess.run(tests, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_nothing_is_written_over(store, tmp_path, capsys):
    assert main(["new", "solver", "fresh_one", "--folder", str(tmp_path / "mine")]) == 0
    before = {path: path.read_text() for path in (tmp_path / "mine").rglob("*.*") if path.is_file()}
    (tmp_path / "mine" / "fresh_one.py").unlink()
    capsys.readouterr()
    assert main(["new", "solver", "fresh_one", "--folder", str(tmp_path / "mine")]) == 2
    assert "is there already: choose another name or --folder." in capsys.readouterr().err
    assert not (tmp_path / "mine" / "fresh_one.py").exists()
    assert all(path.read_text() == text for path, text in before.items() if path.exists())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solver", "my-svm"], "'my-svm' is no Python name"),
        (["solver", "class"], "'class' is no Python name"),
        (["solver", "../x"], "is no Python name"),
        (["solver", "cache"], "There is a solver cache already"),
        (["solver", "numpy"], "There is a Python module numpy already"),
        (["kernel", "x"], "allowed: solver."),
        (["solver", "fresh_two", "--folder", "/proc/nowhere"], "cannot be written"),
    ],
)
def test_what_is_wrong_is_one_sentence(arguments, said, store, tmp_path, capsys):
    assert main(["new", *arguments]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
    assert not list(tmp_path.iterdir())
