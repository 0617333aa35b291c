"""Solvers whose optional package is not installed are skipped, and said to be."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from mcbench.cli import main
from mcbench.errors import SolverUnavailable, UserError
from mcbench.grid import expand_sweep
from mcbench.locate import OPTIONAL, locate
from mcbench.plan import plan
from mcbench.sweep import prepare, run_sweep, summary

ROOT = Path(__file__).parents[2]
HINT = 'Optional needs the package fastrvm, which is not installed: pip install "mcbench[rvm]"'


def test_every_optional_package_is_in_the_extra_that_is_named():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for package, extra in OPTIONAL.items():
        names = [re.match(r"[\w-]+", item)[0] for item in project["optional-dependencies"][extra]]
        assert package in names


def test_a_skipped_solver_is_no_failure_and_nothing_is_recorded(store, capsys):
    jobs = expand_sweep(["dataset=iris", "solver=fake,optional", "seed=0,1"])
    outcomes = run_sweep(prepare(jobs, store), store)
    assert [outcome.status for outcome in outcomes] == ["skipped", "skipped", "done", "done"]
    assert not any(outcome.bad for outcome in outcomes)
    assert outcomes[0].reason == HINT
    assert summary(outcomes) == "4 runs: 2 skipped, 2 done"
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:2]] == ["skipped", "skipped"]
    assert lines[0].endswith(f"dataset=iris solver=optional seed=0: {HINT}")
    assert set(store.frame()["solver"]) == {"fake"}


def test_a_sweep_of_skipped_solvers_only_is_no_error(store):
    outcomes = run_sweep(prepare(expand_sweep(["dataset=iris", "solver=optional"]), store), store)
    assert [outcome.status for outcome in outcomes] == ["skipped"]
    assert not store.runs.exists() or store.frame().empty


@pytest.mark.parametrize("flags", [[], ["-m"]])
def test_strict_makes_it_a_failure(store, capsys, flags):
    asked = ["run", *flags, "dataset=iris", "solver=optional"]
    assert main(asked) == 0
    assert HINT in capsys.readouterr().out
    assert main([*asked, "--strict"]) == 1


def test_a_module_that_is_missing_itself_is_said_likewise(monkeypatch):
    monkeypatch.setitem(sys.modules, "fastrvm", None)
    with pytest.raises(SolverUnavailable, match=r"^fastrvm\.RVC needs .*mcbench\[rvm\]"):
        locate("fastrvm.RVC")


def test_the_machine_of_the_project_is_skipped_without_its_package(resolve, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastrvm", None)
    with pytest.raises(SolverUnavailable, match="RelevanceVectorClassifier needs"):
        plan(resolve("solver=rvm"))


def test_any_other_missing_module_is_an_error(resolve):
    with pytest.raises(UserError, match="cannot be imported"):
        locate("nowhere.Thing")
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        plan(resolve("solver=optional", "solver._target_=framework_fakes.Broken"))
