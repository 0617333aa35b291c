import csv
import fcntl
import json
import os
import shutil
from pathlib import Path

import pytest
from reported import COOLING, FAILED, GONE, KKT, claim

from mcbench import cli
from mcbench.archive import unpack
from mcbench.catalogue import split_runs
from mcbench.claims import read_rows, write_rows
from mcbench.errors import UserError
from mcbench.publish import MARK, publish
from mcbench.published_archive import write_archive
from mcbench.record import TRACE, load_record


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def everything(folder):
    """Return all files of a folder with their content, hidden ones too."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_run_that_is_named_is_listed_with_its_hashes_and_versions(results, tmp_path):
    folder = publish(results, tmp_path / "published").parent
    listed = {row["id"]: row for row in rows(folder / "runs.csv")}
    entries = json.loads((folder / "reproduced.json").read_text())
    named = {run for row in json.loads((folder / "claims.json").read_text()) for run in row["runs"]}
    named |= {run for entry in entries for run in entry["runs"]}
    for entry in entries:
        for made in [*entry["figures"], *entry["tables"]]:
            named |= set(made["runs"])
            assert all((folder / file).is_file() for file in made["files"])
            assert not any(file.endswith((".svg", ".pdf")) for file in made["files"])
    for row in rows(folder / "tables" / "p1" / "tab1.csv"):
        assert split_runs(row["run"])
        named |= set(split_runs(row["run"]))
    assert named == set(listed)
    one = listed[KKT]
    assert one["seed"] == "0"
    assert one["data_hash"] == "0" * 64
    assert one["commit"] == "c" * 40
    assert one["error.test"] == "0.125"
    assert one["items"] == "p1/fig1"
    assert one["configuration"] == "dataset=nasty solver=kkt seed=0"
    environment = json.loads((folder / "environment.json").read_text())
    assert environment["machines"][0]["runs"] == 5
    assert environment["software"][0]["numpy"] == "2.0"


def test_the_readme_says_how_each_item_was_made(results, tmp_path):
    text = publish(results, tmp_path / "published").read_text()
    assert "`mcbench reproduce p1/fig1 --profile quick`" in text
    assert "| p2/tab9 | smoke" in text
    assert "4 claims: 1 reproduced, 1 differs, 2 not testable" in text


def test_no_name_of_a_host_is_published(results, tmp_path):
    folder = publish(results, tmp_path / "published").parent
    for path in folder.rglob("*"):
        assert not path.is_file() or b"secrethost" not in path.read_bytes()


def test_the_runs_are_there_whole_but_for_what_is_private(results, tmp_path):
    folder = publish(results, tmp_path / "published").parent
    assert [path.name for path in folder.glob("records/*/*")] == ["fig1.tar.gz"]
    unpack(folder / "records" / "p1" / "fig1.tar.gz", tmp_path)
    mine, theirs = (load_record(place / KKT) for place in (results.runs, tmp_path))
    assert "host" in mine["provenance"]["machine"]
    assert theirs.flat() == {**mine.flat(), "provenance.machine.host": None}
    assert (tmp_path / KKT / TRACE).read_bytes() == (results.runs / KKT / TRACE).read_bytes()
    assert "traceback" not in load_record(tmp_path / FAILED).sections
    for path in tmp_path.glob(f"{KKT}/*"):
        assert b"secrethost" not in path.read_bytes()


def test_where_results_were_put_is_not_published(results, tmp_path):
    found = load_record(results.runs / KKT)
    found.config["results_dir"] = "/secret"
    found.sections["overrides"] += ["results_dir=/secret", "++results_dir=/secret"]
    found.save(results.runs / KKT)
    folder = publish(results, tmp_path / "published").parent
    unpack(folder / "records" / "p1" / "fig1.tar.gz", tmp_path)
    for path in [*folder.rglob("*"), *(tmp_path / KKT).iterdir()]:
        assert not path.is_file() or b"/secret" not in path.read_bytes()


def test_an_item_cannot_be_published_outside_of_the_folder(results, tmp_path):
    row = {**claim("p1-out", "fig1", "differs"), "paper": "../../out"}
    write_rows(results.root, [*read_rows(results.root), row])
    with pytest.raises(UserError, match="is no name of an item"):
        publish(results, tmp_path / "published")


def test_other_files_are_kept_and_old_figures_are_not(results, tmp_path):
    folder = tmp_path / "published"
    (folder / "figures" / "old").mkdir(parents=True)
    (folder / "figures" / "old" / "old.png").touch()
    (folder / "bench.md").write_text("kept")
    (folder / "README.md").write_text(MARK)
    publish(results, folder)
    assert (folder / "bench.md").read_text() == "kept"
    assert not (folder / "figures" / "old").exists()
    assert (folder / "figures" / "p1" / "fig1.png").is_file()


def test_publishing_again_writes_the_same_bytes(results, tmp_path):
    folder = publish(results, tmp_path / "published").parent
    first = everything(folder)
    publish(results, folder)
    assert everything(folder) == first


@pytest.mark.parametrize(
    ("added", "said"),
    [
        (("p1-gone", "fig1", "reproduced", (GONE,)), f"run {GONE} of p1/fig1 is not in the store"),
        (("p1-none", "fig1", "differs", ()), "claim p1-none has a verdict and no run"),
    ],
)
def test_a_claim_whose_run_is_not_known_is_not_published(results, tmp_path, added, said):
    write_rows(results.root, [*read_rows(results.root), claim(*added)])
    with pytest.raises(UserError, match=said):
        publish(results, tmp_path / "published")
    assert not (tmp_path / "published").exists()


def test_a_table_that_names_no_runs_is_not_published(results, tmp_path):
    path = results.root / "tables" / "p1" / "tab1.md"
    path.write_text(path.read_text().replace("| run ", "| ran "))
    with pytest.raises(UserError, match="table tab1 of p1/fig1 names no runs"):
        publish(results, tmp_path / "published")


def test_a_run_that_is_deleted_cannot_be_published(results, tmp_path):
    (results.runs / COOLING).rename(tmp_path / "away")
    with pytest.raises(UserError, match=COOLING):
        publish(results, tmp_path / "published")


def test_the_command_publishes(results, tmp_path, capsys):
    folder = tmp_path / "out"
    arguments = ["report", "--publish", "--results", str(results.root), "--output", str(folder)]
    assert cli.main(arguments) == 0
    assert capsys.readouterr().out.strip() == str(folder / "README.md")
    assert cli.main(["report", "--publish", "--results", str(tmp_path / "none")]) == 2


@pytest.mark.parametrize("own", ["figures", "tables", "records", "README.md", "claims.json"])
def test_a_folder_of_somebody_else_is_not_written_to(results, tmp_path, own):
    (tmp_path / "mine" / own).mkdir(parents=True)
    with pytest.raises(UserError, match="was not published: choose another folder"):
        publish(results, tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == [own]


def test_the_results_of_another_store_are_not_overwritten(results, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(results.root, other)
    before = everything(other)
    with pytest.raises(UserError, match="other holds the results of another store"):
        publish(results, other)
    assert everything(other) == before
    shutil.rmtree(other / "runs")
    before = everything(other)
    with pytest.raises(UserError, match=r"other/reproduced\.json was not published"):
        publish(results, other)
    assert everything(other) == before


@pytest.mark.parametrize("inside", ["runs", "report/new", "figures", "tables/p1"])
def test_a_folder_of_the_results_is_not_written_to(results, inside):
    with pytest.raises(UserError, match="holds the results themselves"):
        publish(results, results.root / inside)


@pytest.mark.parametrize("name", ["to_csv", "write_archive", "origins", "shutil.copyfile"])
@pytest.mark.parametrize("fault", [OSError(28, "No space"), RuntimeError("a mistake")])
def test_a_publication_that_fails_loses_nothing(results, tmp_path, monkeypatch, name, fault):
    def fail(*_, **__):
        raise fault

    folder = publish(results, tmp_path / "published").parent
    before = everything(folder)
    for output in (folder, tmp_path / "first"):
        with monkeypatch.context() as patch:
            patch.setattr(f"mcbench.publish.{name}", fail)
            with pytest.raises((UserError, RuntimeError), match=r"No space|a mistake"):
                publish(results, output)
    assert everything(folder) == before
    publish(results, tmp_path / "first")  # what failed is no hindrance
    published = {path.relative_to(tmp_path / "first") for path in everything(tmp_path / "first")}
    assert published == {path.relative_to(folder) for path in before}


def test_a_publication_that_was_killed_is_repaired(results, tmp_path):
    folder = publish(results, tmp_path / "published").parent
    before = everything(folder)
    (folder / ".publishing" / "records").mkdir(parents=True)
    (folder / "records").rename(folder / ".publishing" / "old")
    publish(results, folder)
    assert everything(folder) == before


def test_one_publication_at_a_time(results, tmp_path):
    folder = tmp_path / "published"
    folder.mkdir()
    mine = os.open(folder, os.O_RDONLY)
    fcntl.flock(mine, fcntl.LOCK_EX)
    with pytest.raises(UserError, match="Another process is publishing"):
        publish(results, folder)
    os.close(mine)
    publish(results, folder)


def test_a_trace_that_is_gone_is_named(results, tmp_path):
    found = load_record(results.runs / KKT)
    found.sections["files"] = [TRACE]
    (results.runs / KKT / TRACE).unlink()
    with pytest.raises(UserError, match=r"trace\.parquet is gone"):
        write_archive({KKT: found}, results.runs, tmp_path / "records" / "a.tar.gz")


@pytest.mark.parametrize("name", [f"{KKT}@deadbeef", f"../../{KKT}"])
def test_what_is_no_run_of_the_store_is_not_published(results, tmp_path, name):
    write_rows(
        results.root, [*read_rows(results.root), claim("p1-odd", "fig1", "differs", (name,))]
    )
    with pytest.raises(UserError, match="is not in the store"):
        publish(results, tmp_path / "published")


def test_the_results_themselves_are_not_overwritten(results):
    before = everything(results.root)
    with pytest.raises(UserError, match="holds the results themselves"):
        publish(results, results.root)
    assert everything(results.root) == before


@pytest.mark.parametrize("kind", ["figures", "tables"])
def test_a_figure_or_table_that_is_gone_is_named(results, tmp_path, kind):
    files = (results.root / kind).rglob("*.*")
    gone = next(path for path in files if path.suffix in (".png", ".md"))
    gone.unlink()
    with pytest.raises(UserError, match=f"{gone.name} of .* is not there"):
        publish(results, tmp_path / "published")


@pytest.mark.parametrize("name", ["claims.json", "reproduced.json"])
def test_what_cannot_be_read_is_not_taken_for_nothing(results, tmp_path, name):
    (results.root / name).write_text('[{"half')
    with pytest.raises(UserError, match=f"{name} cannot be read"):
        publish(results, tmp_path / "published")


def test_no_folder_of_this_machine_is_published(results, tmp_path):
    path = results.root / "reproduced.json"
    entries = json.loads(path.read_text())
    entries[0]["missing"] = [
        {
            "run": "dataset=mnist",
            "reason": "unavailable: mnist cannot be had. By hand: /secret/m.gz",
        }
    ]
    path.write_text(json.dumps(entries))
    readme = publish(results, tmp_path / "published")
    item = f"{entries[0]['paper']}/{entries[0]['item']}"
    assert f"- {item}: 1 run, `unavailable: mnist cannot be had`\n" in readme.read_text()
    text = (readme.parent / "reproduced.json").read_text()
    assert "unavailable: mnist cannot be had" in text
    assert "/secret" not in text + readme.read_text()


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("failed: OSError: [Errno 2] No such file: '/home/me/x.gz'", "No such file: 'x.gz'"),
        ("/home/me/secret/x.gz is not there", "x.gz is not there"),
        ("a\n\n## A heading\n| <b> | `c`", "`a ## A heading | <b> | 'c'`"),
        ("", "`no reason given`"),
        ("https://host/mnist.gz has another hash", "`https://host/mnist.gz has another hash`"),
    ],
)
def test_reasons_are_one_line_of_code_without_folders(results, tmp_path, reason, said):
    path = results.root / "reproduced.json"
    entries = json.loads(path.read_text())
    entries[0]["missing"] = [{"run": "dataset=mnist", "reason": reason}]
    path.write_text(json.dumps(entries))
    (line,) = [
        line
        for line in publish(results, tmp_path / "published").read_text().splitlines()
        if line.startswith("- ")
    ]
    assert said in line
    assert "/home" not in line


def test_an_interrupted_exchange_leaves_what_was_published_before(results, tmp_path, monkeypatch):
    output = publish(results, tmp_path / "published").parent
    (output / "mark").write_text("kept")

    def files():
        return {path.relative_to(output): path.read_bytes() for path in output.rglob("*.*")}

    before, moves = files(), []
    path = results.root / "claims.json"
    rows = json.loads(path.read_text())
    path.write_text(json.dumps([{**row, "ours": "another value"} for row in rows]))

    def struck(plain):
        def move(self, target):
            assert (output / "README.md").read_text().startswith(MARK)  # also if killed here
            moves.append(self)
            if len(moves) == stop:
                raise KeyboardInterrupt
            return plain(self, target)

        return move

    for name in ("rename", "replace"):
        monkeypatch.setattr(Path, name, struck(getattr(Path, name)))
    for stop in range(1, 999):  # noqa: B007  (move looks at it)
        moves.clear()
        try:
            publish(results, output)
        except KeyboardInterrupt:
            assert files() == before
        else:
            break
    assert stop > 10
    assert "another value" in (output / "claims.md").read_text()
