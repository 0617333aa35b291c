"""mcbench results: list, rebuild, verify, prune."""

import json
import os
import random

import pytest
from stored import HERE, put

from mcbench.cli import main
from mcbench.record import (
    FILE,
    PREDICTIONS,
    TRACE,
    CorruptRecordError,
    OtherSchemaError,
    load_record,
)
from mcbench.verification import verify

#: Random faults that are tried.
ROUNDS = 60

ACTIONS = ("list", "rebuild", "verify", "prune", "export", "merge")


@pytest.fixture
def mcbench(store, capsys):
    """Run the command line in this process; return status, output and error."""

    def call(*arguments):
        try:
            status = main(list(arguments))
        except SystemExit as stop:
            status = stop.code
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.fixture
def full(store):
    """A store of five runs, the last of which failed."""
    for number in range(5):
        put(store, number, status="done" if number < 4 else "failed", seconds=number + 0.5)
    return store


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("columns", ["80", "40"])
def test_the_help_of_each_action_shows_two_examples(mcbench, monkeypatch, action, columns):
    monkeypatch.setenv("COLUMNS", columns)
    status, out, _ = mcbench("results", action, "--help")
    assert status == 0
    examples = out.partition("examples:")[2].strip().splitlines()
    assert sum(line.strip().startswith("mcbench results") for line in examples) >= 2
    assert columns == "40" or max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lst"], "did you mean list?"),
        ([], "required: ACTION"),
        (["list", "--fix"], "mcbench results has no option '--fix'"),
        (["verify", "--fx"], "did you mean --fix?"),
        (["verify", "dataset=mine"], "does not take 'dataset=mine'"),
        (["list", "datset=mine"], "did you mean dataset"),
        (["list", "dataset=min"], "no run has dataset=min; did you mean mine?"),
        (["prune"], "--failed, --stale or --set-aside"),
        (["prune", "dataset=other"], "no run has dataset=other"),
        (["export", "runs.rar"], "end it with .zip or .tar.gz"),
        (["export", "taken.zip"], "exists already"),
        (["export", "new.zip", "seed=9"], "no run has seed=9"),
        (["merge"], "Say what to merge"),
        (["merge", "nowhere"], "There is no file or folder"),
        (["merge", "empty"], "holds no runs"),
        (["merge", "taken.zip"], "Nothing is taken from"),
        (["merge", "results"], "is the store itself"),
    ],
)
def test_what_a_user_can_get_wrong_is_one_sentence(full, mcbench, tmp_path, arguments, said):
    (tmp_path / "taken.zip").touch()
    (tmp_path / "empty").mkdir()
    status, out, err = mcbench("results", *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert err.startswith("mcbench: ")
    assert len(err.splitlines()) == 1


def test_a_run_is_a_line(full, mcbench):
    status, out, err = mcbench("results", "list")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 5
    first = next(line for line in lines if "solver.C=1 " in line)
    identity, *rest = first.split()
    assert full.get(identity)["time"]["fit"] == 1.5
    assert rest == [
        "done", "2026-01-02", "10:00", "1.5", "s",
        "dataset=mine", "kernel=rbf", "solver=fake", "solver.C=1", "seed=1",
    ]  # fmt: skip
    assert len(mcbench("results", "list", "status=failed")[1].splitlines()) == 1
    assert len(mcbench("results", "list", "label=*solver.C=[12]*")[1].splitlines()) == 2


def test_an_empty_store_lists_nothing(mcbench, store):
    status, out, err = mcbench("results", "list")
    assert (status, out) == (1, "")
    assert "mcbench run makes some" in err
    assert mcbench("results", "verify")[0] == 0
    assert not store.root.exists()


def test_the_index_is_made_from_the_folders(full, mcbench):
    (full.runs / "index.jsonl").write_text("nothing of worth")
    assert mcbench("results", "rebuild")[1] == f"{full.root}: the index has 5 runs.\n"
    assert len(full.frame()) == 5


def test_a_store_without_faults_is_verified(full, mcbench):
    status, out, _ = mcbench("results", "verify")
    assert (status, out) == (0, f"{full.root}: 5 runs read, 0 faults found.\n")


def change(**parts):
    """Change parts of a record as its own JSON."""

    def harm(folder):
        content = json.loads((folder / FILE).read_text())
        for dotted, value in parts.items():
            *path, last = dotted.split("__")
            part = content
            for name in path:
                part = part[name]
            part[last] = value
        (folder / FILE).write_text(json.dumps(content))

    return harm


def loop(folder):
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.symlink_to(folder)


def instead(name, make):
    def harm(folder):
        (folder / name).unlink()
        make(folder / name)

    return harm


#: What is done to a run's folder, what is said of it, and whether a mere listing notices.
FAULTS = {
    "no record": (lambda f: (f / FILE).unlink(), "is missing", True),
    "a folder": (instead(FILE, os.mkdir), "is no file", True),
    "a pipe": (instead(FILE, os.mkfifo), "is no file", True),
    "no UTF-8": (lambda f: (f / FILE).write_bytes(b"\xff\xfe{}"), "cannot be read", True),
    "null bytes": (lambda f: (f / FILE).write_bytes(b"\0" * 99), "cannot be read", True),
    "nested": (lambda f: (f / FILE).write_text("[" * 10**5), "cannot be read", True),
    "half a pair": (change(reason="\ud800"), "surrogates not allowed", True),
    "no names": (change(data=[1, 2]), "a part data without names", True),
    "odd choices": (change(config__choices="iris"), "config.choices without names", True),
    "odd reason": (change(reason=["a"]), "a reason that is no text", True),
    "a link to itself": (loop, "link to nowhere", True),
    "other settings": (change(config__solver__C=99), "its configuration is that of run", False),
    "other data": (change(data__content_hash="0"), "it was made with the data 0", False),
    "no machine": (change(provenance=None), "on which machine", False),
    "other count": (change(error__test_wrong=2), "has 1 errors, the record 2", False),
    "no trace": (lambda f: (f / TRACE).unlink(), "trace.parquet is missing", False),
    "half a table": (lambda f: os.truncate(f / PREDICTIONS, 200), "cannot be read", False),
    "a dull table": (
        lambda f: (f / TRACE).write_bytes(b"PAR1" + b"x" * 99 + b"PAR1"),
        "cannot be read",
        False,
    ),
    "no configuration": (lambda f: (f / "config.yaml").unlink(), "config.yaml is missing", False),
    "odd configuration": (
        lambda f: (f / "config.yaml").write_text("seed: 77\n"),
        "is not the configuration",
        False,
    ),
    "no YAML": (lambda f: (f / "config.yaml").write_bytes(b"\0: ["), "cannot be read", False),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_and_set_aside_only_when_asked_for(full, mcbench, fault):
    harm, said, _ = FAULTS[fault]
    folder = full.runs / full.listing("status=done")["id"][0]
    harm(folder)
    status, out, err = mcbench("results", "verify")
    assert (status, err) == (1, "")
    assert out.splitlines()[0].startswith(folder.name)
    assert said in out.splitlines()[0]
    assert "5 runs read, 1 fault found" in out
    assert os.path.lexists(folder)
    status, out, _ = mcbench("results", "verify", "--fix")
    assert status == 1
    assert f"set aside in {full.aside}" in out
    assert not os.path.lexists(folder)
    assert mcbench("results", "verify")[0] == 0
    assert len(full.frame()) == 4


@pytest.mark.parametrize("fault", [name for name, fault in FAULTS.items() if fault[2]])
def test_a_listing_sets_aside_what_it_cannot_read(full, mcbench, fault):
    folder = full.runs / full.listing("status=done")["id"][0]
    FAULTS[fault][0](folder)
    with pytest.warns(UserWarning, match=folder.name):
        status, out, _ = mcbench("status")
    assert status == 0
    assert "3 done" in out
    assert [path.name for path in full.aside.iterdir()] == [f"{folder.name}.0"]


def test_what_is_somebody_elses_is_named_and_left_alone(full, mcbench):
    (full.runs / "notes.txt").write_text("mine")
    (full.runs / "backup").mkdir()
    (full.runs / "loop").symlink_to("loop")
    assert len(full.frame()) == 5
    status, out, _ = mcbench("results", "verify", "--fix")
    assert status == 1
    assert [line.partition(":")[0] for line in out.splitlines()[:3]] == [
        "backup", "loop", "notes.txt",
    ]  # fmt: skip
    assert (full.runs / "notes.txt").read_text() == "mine"
    assert (full.runs / "backup").is_dir()
    assert not full.aside.exists()


def test_a_folder_that_is_set_aside_again_hides_no_other(full):
    name = full.listing()["id"][0]
    for number in (0, 2):
        (full.aside / f"{name}.{number}").mkdir(parents=True)
    assert full.set_aside(full.runs / name)
    assert (full.aside / f"{name}.1" / FILE).is_file()


def test_whatever_a_record_holds_is_no_crash(full, mcbench):
    """Replace values of a record by others, at random, and look at the store."""
    chance = random.Random(3)
    folder = full.runs / full.listing("status=done")["id"][0]
    whole = (folder / FILE).read_text()
    odd = [None, 0, -1.5, "", "x", [], {}, [[]], {"a": {}}, True, 10**30, "\x00"]
    for _ in range(ROUNDS):
        content = json.loads(whole)
        part = content
        while True:
            key = chance.choice(list(part))
            if isinstance(part[key], dict) and part[key] and chance.random() < 0.7:
                part = part[key]
                continue
            part[key] = chance.choice(odd)
            break
        (folder / FILE).write_text(json.dumps(content))
        try:
            load_record(folder, folder.name)
        except (CorruptRecordError, OtherSchemaError):
            continue
        full.frame()
        verify(full)
        assert mcbench("results", "list")[0] == 0


def test_pruning_says_what_and_removes_it_when_told(full, mcbench):
    before = sorted(full.frame()["id"])
    status, out, _ = mcbench("results", "prune", "--failed")
    assert status == 0
    assert "1 run, " in out
    assert "--yes removes them" in out
    assert sorted(full.frame()["id"]) == before
    assert "removed 1 run, " in mcbench("results", "prune", "--failed", "--yes")[1]
    assert set(full.frame()["status"]) == {"done"}
    assert "removed 2 runs" in mcbench("results", "prune", "solver.C=1,2", "--yes")[1]
    assert sorted(full.frame()["config.solver.C"]) == [0, 3]
    assert mcbench("results", "prune", "--failed", "--yes")[1] == "Nothing to remove.\n"
    assert not (full.runs / ".pruned").exists()


def test_runs_of_other_versions_of_a_solver_can_be_removed(full, mcbench):
    old = put(full, 1, version="6")
    unknown = put(full, 8, version="6")
    change(config__solver___target_="nowhere.Solver")(full.runs / unknown)
    status, out, _ = mcbench("results", "prune", "--stale", "--yes")
    assert status == 0
    assert old in out
    assert full.get(old) is None
    assert full.get(unknown) is not None  # whose version nobody can tell
    assert len(full.frame()) == 6


def test_conditions_and_kinds_are_met_both(full, mcbench):
    put(full, 7, status="timeout")
    assert "1 run, " in mcbench("results", "prune", "--failed", "solver.C=7")[1]
    assert "2 runs, " in mcbench("results", "prune", "--failed")[1]


def test_what_was_set_aside_can_be_removed(full, mcbench):
    full.set_aside(full.runs / full.listing()["id"][0])
    assert "1 set aside, " in mcbench("results", "prune", "--set-aside")[1]
    mcbench("results", "prune", "--set-aside", "--yes")
    assert list(full.aside.iterdir()) == []
    assert len(full.frame()) == 4


def test_a_run_that_is_executed_again_just_now_stays(full, mcbench):
    name = full.listing("status=failed")["id"][0]
    mine = full.claim(full.get(name), replaces=full.get(name))
    out = mcbench("results", "prune", "--failed", "--yes")[1]
    assert f"{name} stays" in out
    assert "Nothing to remove" in out
    assert full.get(name) is not None
    mine.abandon()


def test_the_machine_of_a_run_is_in_its_frame(full):
    assert set(full.frame()["provenance.machine.id"]) == {HERE}
