"""The gate finds what is wrong with a solver, and passes those of the project."""

import re

import pytest

from mcbench.cli import main
from mcbench.conf_files import conf_dir
from mcbench.config import resolve
from mcbench.errors import SolverUnavailable
from mcbench.estimator import build, check, complete
from mcbench.gate.candidate import Candidate
from mcbench.gate.gate import CHECKS, WRONG, Finding, findings
from mcbench.gate.isolated import findings as findings_apart


def candidate(*overrides):
    config = complete(resolve(["dataset=iris", *overrides]))
    check(build(config))
    return Candidate(config)


def found_by(name, one):
    try:
        return CHECKS[name](one), None
    except Exception as error:
        return None, error


@pytest.mark.parametrize(
    ("misfit", "name", "said"),
    [
        ("Labels", "labels of any kind", "which is no class"),
        ("Shape", "shapes", r"predict returned the shape \(15, 1\)"),
        ("Alone", "shapes", "alone is given another class"),
        ("Columns", "decision values", "columns must be in the order of classes_"),
        ("Random", "same seed, same model", "differ in their decision values"),
        ("SparseZero", "dense and sparse", "predictions differ between dense and CSR"),
        ("Early", "objective", "and it warns of nothing"),
        ("Flattered", "objective", "not those of the problem that it states"),
        ("Infeasible", "objective", "miss a constraint"),
        ("Mixed", "error on iris", "was expected"),
        ("Mixed", "many classes", "was expected"),
        ("Slow", "time limit", r"told to end after 0\.05 s, it took"),
        ("Deaf", "callbacks", "goes on when the callback returns True"),
    ],
)
def test_each_fault_is_found(misfit, name, said):
    _, error = found_by(name, candidate(f"solver._target_=misfits.{misfit}"))
    assert type(error).__name__ == "Wrong"
    assert re.search(said, str(error)), error


def test_what_does_not_apply_is_not_wrong(store):
    one = candidate("solver=nearest_neighbour")
    for name in ("decision values", "objective", "time limit", "callbacks", "large C"):
        _, error = found_by(name, one)
        assert type(error).__name__ == "CannotSay", (name, error)


def test_whatever_a_solver_raises_is_a_finding():
    one = candidate("solver._target_=misfits.Raises")
    seen = list(findings(one))
    assert [finding.check for finding in seen] == list(CHECKS)
    assert {finding.verdict for finding in seen} == {WRONG}
    assert "it raises KeyError: 'no such thing'" in seen[0].line()


def test_a_right_solver_passes(store, capsys):
    assert main(["check-solver", "block"]) == 0, capsys.readouterr().out
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(CHECKS) + 1
    assert all(line.startswith(("ok", "cannot say")) for line in lines[:-1])
    assert any("our optimum" in line for line in lines)
    assert lines[-1] == f"block: 0 checks of {len(CHECKS)} found something wrong."


def test_the_exit_status_says_that_something_is_wrong(store, capsys, monkeypatch):
    wrong = [Finding("shapes", "ok", "fine"), Finding("labels", WRONG, "not so")]
    monkeypatch.setattr("mcbench.gate.isolated.findings", lambda _: iter(wrong))
    assert main(["check-solver", "block"]) == 1
    out = capsys.readouterr().out
    assert "wrong       labels: not so" in out
    assert "1 check of 2 found something wrong" in out


def test_a_solver_that_crashes_or_hangs_is_wrong_and_the_other_checks_are_made():
    seen = {one.check: one for one in findings_apart(["solver._target_=misfits.Crashes"], 20.0)}
    assert list(seen) == list(CHECKS)
    assert seen["labels of any kind"].verdict == seen["two classes"].verdict == WRONG
    assert "signal 11 (SIGSEGV)" in seen["labels of any kind"].why
    assert "20 s" in seen["two classes"].why
    assert seen["error on iris"].verdict == "ok"


@pytest.mark.parametrize("name", ["sklearn_linear_svc", "liblinear", "kernlab"])
def test_the_peers_reach_our_optimum(name):
    try:
        one = candidate(f"solver={name}")
    except SolverUnavailable as error:
        pytest.skip(str(error))
    why, error = found_by("objective", one)
    assert error is None, error
    assert "optimum" in why


def test_weights_that_are_not_the_best_are_found():
    _, error = found_by("objective", candidate("kernel=linear", "solver._target_=misfits.Weights"))
    assert "its primal value is" in str(error)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["blok"], 2, "There is no solver 'blok'; did you mean block?"),
        (["no.such.Solver"], 2, "there is no module no"),
        (["block", "solver.tl=1"], 2, "did you mean tol?"),
        (["optional"], 1, "optional cannot be checked: Optional needs the package fastrvm"),
    ],
)
def test_what_cannot_be_checked_is_one_sentence(arguments, status, said, store, capsys):
    assert main(["check-solver", *arguments]) == status
    err = capsys.readouterr().err.splitlines()
    assert said in err[-1]


@pytest.mark.minutes
@pytest.mark.parametrize("name", sorted(path.stem for path in (conf_dir() / "solver").iterdir()))
def test_every_solver_of_the_project_passes(name):
    try:
        one = candidate(f"solver={name}")
    except SolverUnavailable as error:
        pytest.skip(str(error))
    assert [finding for finding in findings(one) if finding.verdict == WRONG] == []
