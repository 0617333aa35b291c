import json
import subprocess

import pytest
from reading_store import put

from mcbench.claim import RUNNING
from mcbench.cli import main
from mcbench.difference import difference
from mcbench.errors import UserError
from mcbench.lookup import find_run
from mcbench.page import command, page
from mcbench.record import Record, load_record
from mcbench.store import CORRUPT


def test_a_run_is_found_by_the_beginning_of_its_identity(store):
    put(store, 0xA1)
    put(store, 0xB2)
    assert find_run(store, "00000000000000a").id == f"{0xA1:016x}"
    assert find_run(store, "last").id == f"{0xB2:016x}"
    with pytest.raises(UserError, match=r"2 runs start with '0000': give more of 0000"):
        find_run(store, "0000")
    with pytest.raises(UserError, match=r"No run in .* starts with 'f'"):
        find_run(store, "f")
    with pytest.raises(UserError, match="is no identity of a run"):
        find_run(store, "../a")


def test_an_empty_store_is_said(store):
    for text in ("last", "a1"):
        with pytest.raises(UserError, match=r"no finished runs in .*: mcbench run makes some"):
            find_run(store, text)


def test_a_run_that_has_not_ended_is_said_to_run(store):
    folder = store.runs / RUNNING / "abcd"
    folder.mkdir(parents=True)
    Record("abcd", "running", {}, sections={"owner": {"pid": 1, "host": "elsewhere"}}).save(folder)
    with pytest.raises(UserError, match="Run abcd has not ended yet: mcbench status"):
        find_run(store, "abc")


def test_a_run_that_was_set_aside_is_said_to_be(store):
    key = put(store, 0xA1)
    (store.runs / key / "record.json").write_text("{")
    with (
        pytest.warns(UserWarning, match="Corrupt run"),
        pytest.raises(UserError, match=r"cannot be read and was set aside in .*: run it again"),
    ):
        find_run(store, key)
    assert (store.runs / CORRUPT).is_dir()
    put(store, 1)
    with pytest.raises(UserError, match=r"was set aside in .*: run it again"):
        find_run(store, key)


def test_the_page_of_a_run_fits_a_terminal_and_says_what_matters(store):
    key = put(store, 1, ended="max_iter", traced=True, wrong=[1])
    record = load_record(store.runs / key)
    text = page(record, store.runs / key)
    path = f"  {store.runs / key}"  # may be long, and is of use in one piece only
    assert max(len(line) for line in text.splitlines() if line != path) <= 80
    for said in (
        "mcbench run dataset=iris solver=block solver.C=1.0 seed=0",
        "test error [%]",
        "support vectors",
        "status  max_iter",
        "- scale the data",
        "numpy 2.0.0",
        "trace.parquet",
    ):
        assert said in text, said


def test_the_page_of_a_failed_run_has_its_traceback(store):
    key = put(store, 1, status="failed")
    text = page(load_record(store.runs / key), store.runs / key)
    assert "failed, ended" in text
    assert text.endswith("RuntimeError: no")


def test_a_command_in_many_lines_is_the_same_to_a_shell():
    overrides = ["measure={_target_: a.b, words: " + "x 'y' " * 30 + "}", "seed=1", "a=" + "z" * 70]
    record = Record("a", "done", {}, sections={"overrides": overrides})
    text = command(record)
    assert max(map(len, text.splitlines())) <= 80
    script = text.replace("mcbench run", "printf '%s\\n'")
    out = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.splitlines() == overrides


def test_the_difference_of_two_runs(store):
    a, b = put(store, 1, seconds=2.0), put(store, 2, seconds=6.0, C=4.0, solver="kkt")
    found = difference(load_record(store.runs / a), load_record(store.runs / b))
    assert found["configuration"] == {
        "solver": {"a": "block", "b": "kkt"},
        "solver.C": {"a": 1.0, "b": 4.0},
    }
    assert found["origin"] == {}
    assert found["results"]["fit [s]"] == {"a": 2.0, "b": 6.0, "ratio": 3.0}
    assert "test error [%]" not in found["results"]


def test_show_and_diff_on_the_command_line(store, capsys):
    a, b = put(store, 1), put(store, 2, C=4.0)
    assert main(["show", a, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["id"] == a
    assert shown["config"]["solver"]["C"] == 1.0
    assert main(["diff", a, b, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["configuration"] == {
        "solver.C": {"a": 1.0, "b": 4.0}
    }
    assert main(["diff", a, "last"]) == 0
    out = capsys.readouterr().out
    assert "Machine, versions and data: no differences." in out
    assert "| solver.C | 1 | 4 |" in out
    assert main(["diff", a, a]) == 0
    assert capsys.readouterr().out == f"Both are run {a}.\n"
