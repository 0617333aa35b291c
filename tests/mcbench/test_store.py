import json
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

import mcbench.store
from mcbench.errors import UserError
from mcbench.files import to_json
from mcbench.index import INDEX
from mcbench.record import FILE, Record
from mcbench.store import CORRUPT, Store, results_dir
from mcbench.tidy import load_results


def put(store, number=0, status="done", **sections):
    """Put a finished run into the store."""
    config = {
        "dataset": {"name": "iris"},
        "solver": {"C": number},
        "seed": number % 3,
        "choices": {"dataset": "iris", "kernel": "rbf", "solver": "fake"},
    }
    record = Record(f"{number:016x}", "running", config, sections=sections)
    mine = store.claim(record, replaces=store.get(record.id))
    record.status = status
    store.finish(mine, record)
    return record.id


@pytest.fixture
def full(store):
    for number in range(5):
        put(store, number, error={"test": number / 10}, time={"fit": 1.0})
    return store


def index_ids(store):
    lines = [json.loads(line) for line in (store.runs / INDEX).read_text().splitlines()]
    return [line["id"] for line in lines if "id" in line]


def test_what_is_put_is_found(full):
    record = full.get(f"{3:016x}")
    assert record.done
    assert record["error"]["test"] == 0.3
    assert full.get("f" * 16) is None
    frame = full.frame()
    assert len(frame) == 5
    assert sorted(frame["error.test"]) == [0.0, 0.1, 0.2, 0.3, 0.4]
    assert set(frame["solver"]) == {"fake"}
    assert list(frame["config.solver_name"]) == list(frame["solver"])


def test_an_empty_store_is_an_empty_table(store):
    assert store.frame().empty
    assert store.find("dataset=iris").empty
    assert store.running() == []
    assert store.sweep() == 0
    assert not store.root.exists()


def test_a_run_is_one_folder_and_one_line(full):
    folder = full.runs / f"{0:016x}"
    assert sorted(path.name for path in folder.iterdir()) == [FILE]
    assert len(index_ids(full)) == 5
    assert list((full.runs / ".running").iterdir()) == []


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.unlink(),
        lambda path: path.write_text(""),
        lambda path: path.write_text(path.read_text()[:-50]),
        lambda path: path.write_text("no json\n" + path.read_text()),
        lambda path: path.write_text(path.read_text() + '{"id": "gone", "status": "done"}\n'),
        lambda path: path.write_text(path.read_text() * 2),
        lambda path: path.write_text("[1]\n3\n"),
        lambda path: path.write_text("\n".join(path.read_text().splitlines()[1:])),
        lambda path: path.write_bytes(b"\xff\xfe\x00"),
    ],
)
def test_a_wrong_index_mends_itself(full, harm):
    harm(full.runs / INDEX)
    assert len(full.frame()) == 5
    assert sorted(index_ids(full)) == [f"{number:016x}" for number in range(5)]
    before = (full.runs / INDEX).stat().st_mtime_ns
    assert len(full.frame()) == 5
    assert (full.runs / INDEX).stat().st_mtime_ns == before


def test_a_folder_that_went_or_changed_is_noticed(full):
    import shutil

    shutil.rmtree(full.runs / f"{1:016x}")
    path = full.runs / f"{2:016x}" / FILE
    content = json.loads(path.read_text())
    content["error"]["test"] = 0.99
    path.write_text(json.dumps(content))
    frame = full.frame().set_index("id")
    assert len(frame) == 4
    assert frame.loc[f"{2:016x}", "error.test"] == 0.99


def test_a_run_replaced_shows_its_new_record_only(full):
    put(full, 2, error={"test": 0.77})
    frame = full.frame().set_index("id")
    assert len(frame) == 5
    assert frame.loc[f"{2:016x}", "error.test"] == 0.77


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"status": "done"}',
        '{"status": "odd", "config": {}}',
        "[]",
        '{"config": {}}',
        None,
    ],
)
def test_a_corrupt_record_is_named_and_set_aside(full, text):
    path = full.runs / f"{4:016x}" / FILE
    if text is None:
        path.unlink()
    else:
        path.write_text(text)
    with pytest.warns(UserWarning, match=f"{4:016x}"):
        assert len(full.frame()) == 4
    assert [item.name for item in (full.runs / CORRUPT).iterdir()] == [f"{4:016x}.0"]
    assert len(full.frame()) == 4  # and nothing is said twice
    assert full.get(f"{4:016x}") is None


def test_a_truncated_record_is_not_used_when_asked_for_directly(full):
    path = full.runs / f"{4:016x}" / FILE
    path.write_text(path.read_text()[:100])
    with pytest.warns(UserWarning, match="cannot be read"):
        assert full.get(f"{4:016x}") is None


def test_a_record_in_another_runs_folder_is_corrupt(full):
    (full.runs / f"{4:016x}").rename(full.runs / ("e" * 16))
    with pytest.warns(UserWarning, match="is the record of run"):
        assert len(full.frame()) == 4


def test_filters_choose_runs(full):
    assert len(full.find("seed=0")) == 2
    assert len(full.find("solver.C=1,2.0", "dataset=iris")) == 2
    assert len(full.find("solver=fa*")) == 5
    assert len(full.find("status=failed")) == 0
    with pytest.raises(UserError, match="did you mean dataset"):
        full.find("datset=iris")
    with pytest.raises(UserError, match="column=value"):
        full.find("iris")


def test_a_run_is_found_by_the_beginning_of_its_id(full):
    assert full.path(f"{3:016x}").name == f"{3:016x}"
    with pytest.raises(UserError, match="5 runs"):
        full.path("000")
    with pytest.raises(UserError, match="No runs"):
        full.path("abc")


def test_values_that_json_has_not_survive(store):
    put(store, 1, odd={"nan": float("nan"), "inf": float("inf"), "list": [1, 2]})
    text = (store.runs / f"{1:016x}" / FILE).read_text()
    json.loads(text, parse_constant=lambda name: pytest.fail(name))
    assert store.get(f"{1:016x}")["odd"] == {"nan": None, "inf": "inf", "list": [1, 2]}


def test_the_results_folder_is_chosen_in_order(tmp_path, monkeypatch):
    monkeypatch.delenv("MCBENCH_RESULTS", raising=False)
    monkeypatch.chdir(tmp_path)
    checkout = Path(mcbench.store.__file__).parent.parent
    assert results_dir() == checkout / "results"
    monkeypatch.setattr("mcbench.store.__file__", str(tmp_path / "site" / "mcbench" / "store.py"))
    assert results_dir() == tmp_path / "results"
    monkeypatch.setenv("MCBENCH_RESULTS", str(tmp_path / "env"))
    assert results_dir() == tmp_path / "env"
    assert results_dir("asked") == tmp_path / "asked"


@pytest.mark.slow
def test_ten_thousand_runs(store, command):
    """Of four kinds and some ninety columns each, as real runs have, listed by whole commands."""
    names = ("error", "objective", "time", "memory", "work", "reported", "model", "data", "limits")
    store.runs.mkdir(parents=True)
    for number in range(10_000):
        kind = number % 4
        settings = {f"setting_{key}": key for key in range(20 + kind)}
        sections = {name: {f"{kind}{key}": 0.123456789 * key for key in range(5)} for name in names}
        config = {
            "dataset": {"name": "iris", "scaling": "range", "train_size": None},
            "solver": {"C": number, **settings},
            "seed": number % 10,
            "choices": {"dataset": "iris", "kernel": "rbf", "solver": f"fake{kind}"},
        }
        record = Record(f"{number:016x}", "done", config, "", sections)
        record.sections["finished"] = "2026-01-01T00:00:00+00:00"
        folder = store.runs / record.id
        folder.mkdir()
        text = to_json({"schema": 1, "id": record.id, "status": "done", "config": config})
        (folder / FILE).write_text(f"{text[:-1]}, {to_json(record.sections)[1:]}")
    start = time.perf_counter()
    assert store.rebuild() == 10_000
    print(f"index built in {time.perf_counter() - start:.2f} s")
    wanted = ("solver=fake1", "seed=1,3")
    for words, lines in ((["results", "list"], 1000), (["status"], 1)):
        before = os.times()
        done = command(*words, *wanted)
        used = os.times()
        seconds = sum(used[2:4]) - sum(before[2:4])  # of this process's children
        assert len(done.stdout.splitlines()) == lines, done.stderr
        print(f"mcbench {words[0]}: {seconds:.2f} s of processor")  # 0.6 to 0.9 when it was written
    start = time.perf_counter()
    frame = store.find("config.solver.C=17,9000")
    print(f"found in {time.perf_counter() - start:.2f} s")
    assert list(frame["config.seed"]) == [0, 7]


def test_listing_needs_no_pandas(full):
    code = (
        "import sys; from mcbench.cli import main; main(['results', 'list', 'seed=1']);"
        "main(['status', 'dataset=iris']); sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode == 0


def test_a_table_of_many_kinds_of_runs_is_in_one_piece(store):
    for number in range(12):
        put(store, number, measured={f"value_{number}_{key}": key for key in range(20)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # pandas says when a table is in pieces
        frame = load_results(store.root)
        frame["more"] = 1
    assert frame.shape == (12, len(frame.columns))
    assert frame["measured.value_3_7"].count() == 1


def test_a_column_that_most_runs_lack_is_one_of_numbers(store):
    put(store, 1, model={"n_support": 5})
    put(store, 2, error={"test": 0.5})
    frame = store.frame().set_index("id")
    assert frame.loc[f"{1:016x}", "model.n_support"] == 5
    assert frame["model.n_support"].dtype.kind == frame["error.test"].dtype.kind == "f"


def test_an_index_without_labels_is_made_anew(full):
    lines = [json.loads(line) for line in (full.runs / INDEX).read_text().splitlines()]
    for line in lines:
        line.get("columns", line.get("values")).pop()
    (full.runs / INDEX).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert list(full.frame()["label"])[1] == "dataset=iris kernel=rbf solver=fake seed=1"


def test_a_store_that_cannot_be_written_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    store = Store(tmp_path / "file")
    with pytest.raises(UserError, match="results_dir="):
        put(store)
