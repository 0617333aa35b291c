"""Programs as solvers: what they get, what they give, how they end."""

import os
import re
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from mcbench.cli import main
from mcbench.config import resolve
from mcbench.errors import SolverUnavailable, UserError
from mcbench.external import run
from mcbench.external_files import read_predictions, write_examples
from mcbench.external_solver import ExternalSolver
from mcbench.plan import plan
from mcbench.store import Store

X = np.array([[0.0, 1.5], [2.0, 0.0], [0.1, -3.0], [5.0, 0.25]])
Y = np.array(["b", "a", "b", "c"])

#: Trains nothing and predicts class 0 as often as there are lines in the test file.
SCRIPT = """#!/bin/sh
# my_solver.sh TRAIN TEST PREDICTIONS SHIFT
awk -v shift="$4" '{ print 0 + shift }' "$2" > "$3"
"""


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_solver.sh").write_text(SCRIPT)
    return ["sh", "my_solver.sh", "{train}", "{test}", "{predictions}", "{shift}"]


def solver(command, **options):
    return ExternalSolver(command, settings={"shift": 0}, **options)


def test_files_are_as_they_are_said_to_be(tmp_path):
    write_examples(tmp_path / "a", sp.csr_matrix(X), np.array([1, 0, 1, 2]), "libsvm")
    assert (tmp_path / "a").read_text().splitlines()[:2] == ["1 2:1.5", "0 1:2"]
    write_examples(tmp_path / "b", sp.csr_matrix(X), np.array([1, 0, 1, 2]), "csv")
    lines = (tmp_path / "b").read_text().splitlines()
    assert lines[0] == "label,x1,x2"
    assert [float(word) for word in lines[3].split(",")] == [1, 0.1, -3]
    with pytest.raises(UserError, match="format has no value 'arff'"):
        write_examples(tmp_path / "c", X, np.zeros(4, int), "arff")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "p wrote no file of predictions"),
        ("", "p wrote 0 predictions for 3 examples"),
        ("0\n1\n", "p wrote 2 predictions for 3 examples"),
        ("0\n1\n2\n1\n", "p wrote 4 predictions for 3 examples"),
        ("0\n7\n1\n", "p predicted '7' for example 2: labels are the numbers 0 to 2"),
        ("0\nyes\n1\n", "p predicted 'yes' for example 2"),
        ("0\n0.5\n1\n", "p predicted '0.5' for example 2"),
        ("0\n-1\n1\n", "p predicted '-1' for example 2"),
        ("0\nnan\n1\n", "p predicted 'nan' for example 2"),
        ("0\ninf\n1\n", "p predicted 'inf' for example 2"),
    ],
)
def test_wrong_predictions_are_one_sentence(text, said, tmp_path):
    path = tmp_path / "predictions"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=re.escape(said)) as caught:
        read_predictions(path, 3, 3, "p")
    assert "\n" not in str(caught.value)


def test_predictions_may_have_more_on_their_lines(tmp_path):
    (tmp_path / "p").write_text("0 0.5 0.5\n\n1.0,0.2\r\n2\n")
    assert read_predictions(tmp_path / "p", 3, 3, "p").tolist() == [0, 1, 2]


def test_a_script_is_a_solver(script):
    machine = solver(script).fit(X, Y)
    assert machine.predict(X).tolist() == ["a"] * 4
    assert machine.predict(X[:2]).tolist() == ["a"] * 2
    assert machine.process_.seconds > 0
    assert machine.predict_process_ is not machine.process_


def test_two_commands_share_a_model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    train = ["{python}", "-c", "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"]
    predict = ["{python}", "-c", PREDICT, "{test}", "{model}", "{predictions}"]
    machine = ExternalSolver([*train, "{model}", "{C} {seed} {gamma} {train}"], predict, C=2.5)
    machine.set_params(random_state=7, gamma=0.5)
    assert machine.fit(X, Y).predict(X[:3]).tolist() == ["c"] * 3
    said = (machine._folder / "model").read_text().split()
    assert said[:3] == ["2.5", "7", "0.5"]
    assert said[3].endswith("train")


PREDICT = """
import sys
test, model, out = sys.argv[1:]
open(model).read()
open(out, "w").write("2\\n" * len(open(test).readlines()))
"""


def test_nothing_of_a_command_is_read_by_a_shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = "import sys; open(sys.argv[1], 'w').write('0\\n' * 4); print(sys.argv[2:])"
    words = ["$(touch hacked)", "; touch hacked", "`touch hacked`", "{test}", "{train}"]
    machine = ExternalSolver(["{python}", "-c", out, "{predictions}", *words]).fit(X, Y)
    assert str(words[:3])[1:-1] in machine.process_.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("command", "predict", "said"),
    [
        ("sh my_solver.sh", None, "must be a list"),
        ([], None, "must be a list"),
        (["sh", "{tran}", "{test}", "{predictions}"], None, "did you mean {train}?"),
        (["sh", "{test}", "{predictions}"], None, "must name the file {train}"),
        (["sh", "{train}", "{test}"], None, "must name the file {predictions}"),
        (["./none", "{train}", "{test}", "{predictions}"], None, "./none, which is no file"),
        (["sh", "{train}"], ["sh", "{test}"], "predict_command must name the file {predictions}"),
        (["sh", "{train}"], "predict", "predict_command='predict' must be a list"),
    ],
)
def test_a_command_that_cannot_work_is_refused(command, predict, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        ExternalSolver(command, predict).check_parameters()


def test_a_program_that_is_not_installed_is_skipped():
    command = ["no-such-program", "{train}", "{test}", "{predictions}"]
    with pytest.raises(SolverUnavailable, match="no-such-program is not installed"):
        ExternalSolver(command).check_parameters()


def test_a_failure_is_one_sentence_with_what_was_said(script, tmp_path):
    (tmp_path / "my_solver.sh").write_text("echo first; echo it is broken >&2; exit 3\n")
    with pytest.raises(UserError, match=r"^sh ended with exit status 3, saying: .*it is broken\.$"):
        solver(script).fit(X, Y)
    (tmp_path / "my_solver.sh").write_text("kill -11 $$\n")
    with pytest.raises(UserError, match="sh ended with signal 11"):
        solver(script).fit(X, Y)


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pid, seconds=10.0):
    end = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


SLEEPS = "sleep 300 & echo $! > {pids}; echo $$ >> {pids}; wait\n"


def pids_in(path):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        words = path.read_text().split() if path.is_file() else []
        if len(words) == 2:
            return [int(word) for word in words]
        time.sleep(0.02)
    raise AssertionError("the script did not start")


def test_a_time_limit_ends_all_that_was_started(script, tmp_path):
    pids = tmp_path / "pids"
    (tmp_path / "my_solver.sh").write_text(SLEEPS.format(pids=pids))
    start = time.monotonic()
    with pytest.raises(TimeoutError, match=r"sh took longer than 0\.5 s"):
        solver(script, time_limit=0.5).fit(X, Y)
    assert time.monotonic() - start < 30
    assert all(gone(pid) for pid in pids_in(pids))


def test_what_a_program_leaves_behind_is_ended(script, tmp_path):
    (tmp_path / "my_solver.sh").write_text(f"sleep 300 & echo $! > {tmp_path}/pids\n{SCRIPT}")
    solver(script).fit(X, Y)
    assert gone(int((tmp_path / "pids").read_text()))


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells of a parent's death on Linux")
def test_a_script_does_not_outlive_mcbench(script, tmp_path, command):
    pids = tmp_path / "pids"
    (tmp_path / "my_solver.sh").write_text(SLEEPS.format(pids=pids))
    asked = "[sh,my_solver.sh,'{train}','{test}','{predictions}']"
    arguments = ["run", "dataset=iris", "solver=shell", f"solver.command={asked}"]
    process = command(*arguments, "protocol.warm_up=false", wait=False)
    try:
        started = pids_in(pids)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert all(gone(pid) for pid in started)
    finally:
        os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None


def test_a_run_records_the_kind_of_its_times(script, store, capsys):
    arguments = ["run", "dataset=iris", "solver=shell"]
    assert main(arguments) == 0
    row = Store().frame().iloc[0]
    assert row["time.kind"] == "whole process"
    assert row["memory.fit_mb"] > 1
    assert 0 < row["time.fit"] < 60
    assert row["error.test"] < 0.5
    assert "objective.gap" not in row or np.isnan(row["objective.gap"])
    sleep = "[sh,my_solver.sh,'{train}','{test}','{predictions}']"
    Path("my_solver.sh").write_text("sleep 60\n")
    limited = [f"solver.command={sleep}", "protocol.warm_up=false", "solver.version=2"]
    assert main([*arguments, *limited, "solver.time_limit=0.3"]) == 1
    assert "timeout" in capsys.readouterr().out
    assert main([*arguments, *limited, "protocol.limits.time_s=6"]) == 1
    assert "took longer than 6 s" in capsys.readouterr().out


def test_a_changed_script_is_a_new_run_and_a_version_stands_for_it(script, tmp_path):
    def version(*more):
        asked = "[sh,my_solver.sh,'{train}','{test}','{predictions}']"
        overrides = ["solver=shell", "dataset=iris", f"solver.command={asked}", *more]
        return plan(resolve(overrides)).solver_version

    first = version()
    assert "source" in first
    (tmp_path / "my_solver.sh").write_text(f"{SCRIPT}\n# changed\n")
    assert version() != first
    assert version("solver.version=7") == "1 7"


def test_memory_under_a_limit_is_said_to_be_short(tmp_path):
    import subprocess

    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_DATA, (300 << 20,) * 2)\n"
        "from pathlib import Path; from mcbench.external import run\n"
        "try: run([__import__('sys').executable, '-c', 'bytearray(1 << 30)'], Path('.'))\n"
        "except MemoryError as error: print('short:', error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "short: python" in done.stdout, done.stderr


def test_a_program_that_cannot_be_started(tmp_path):
    with pytest.raises(RuntimeError, match="cannot be started"):
        run([str(tmp_path)], tmp_path)
