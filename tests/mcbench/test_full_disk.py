"""A folder that is full or read-only: a sentence, nothing half written, and the command goes on.

As root a small file system is mounted for each test. Otherwise these tests are skipped, but for
those whose writers are told that the disk is full.
"""

import errno
import os
import shutil
import subprocess

import pytest

from mcbench import discovery
from mcbench.cli import main
from mcbench.errors import UnwritableError
from mcbench.files import atomic, write_atomic, writing
from mcbench.reproduce import report, reproduce
from mcbench.store import Store
from mcbench.verification import verify

SWEEP = ("run", "-m", "dataset=iris", "solver=fake", "seed=0,1,2")


@pytest.fixture
def disk(tmp_path, conf, monkeypatch):
    """A file system of a megabyte, with the results folder on it."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=200", "tmpfs", str(place)]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting a small file system is not allowed here")
    monkeypatch.setenv("MCBENCH_RESULTS", str(place / "results"))
    monkeypatch.chdir(tmp_path)
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.fixture
def mcbench(capfd):
    """Run the command line in this process; return status, output and error."""

    def call(*arguments):
        status = main(list(arguments))
        captured = capfd.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return status, captured.out, captured.err

    return call


def fill(disk, left=0):
    """Occupy a disk but for some bytes."""
    with (disk / "ballast").open("wb") as file:
        size = shutil.disk_usage(disk).free - left
        file.write(b"x" * max(size, 0))


def free(disk):
    (disk / "ballast").unlink()


def make_read_only(disk, how="ro"):
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


@pytest.mark.parametrize(
    ("left", "child"),
    [(0, "false"), (4096, "false"), (3 * 4096, "false"), (5 * 4096, "false"), (3 * 4096, "true")],
)
def test_a_full_disk_ends_a_sweep_with_a_sentence_and_no_half_run(disk, mcbench, left, child):
    sweep = [*SWEEP[:-1], "seed=0,1", f"protocol.isolate={child}"]
    assert mcbench(*SWEEP[:-1], "seed=7")[0] == 0
    fill(disk, left)
    status, out, err = mcbench(*sweep)
    assert status == (1 if "1 done" in out else 2)  # there may be room for one of them
    text = out + err
    assert f"{disk / 'results'}" in text
    assert "No space left on device" in text
    assert "make room on its disk, or choose another with results_dir=FOLDER" in text
    assert text.count("No space left on device") == 1  # further runs are not even tried
    store = Store()
    before = len(store.frame())
    assert verify(store)[1] == []
    assert store.running() == []

    free(disk)
    status, out, err = mcbench(*sweep)
    assert (status, err) == (0, "")
    assert f"{before - 1} cached" in out or before == 1
    assert len(store.frame()) == 3
    assert verify(store)[1] == []


def test_what_is_done_before_the_disk_is_full_is_kept_and_the_rest_not_started(
    disk, mcbench, monkeypatch
):
    from mcbench.claim import Claim

    write_config = Claim.write_config

    def fill_after_the_first(claim, config):
        write_config(claim, config)
        if config["seed"] == 1:
            fill(disk)

    with monkeypatch.context() as patch:
        patch.setattr(Claim, "write_config", fill_after_the_first)
        status, out, err = mcbench(*SWEEP)
    assert (status, err) == (1, "")
    assert "3 runs: 1 done, 1 failed, 1 not started" in out
    assert f"{disk / 'results'} cannot be written (No space left on device): make room" in out
    store = Store()
    assert verify(store) == (1, [])
    assert store.running() == []
    free(disk)
    assert "3 runs: 1 cached, 2 done" in mcbench(*SWEEP)[1]


def test_a_read_only_store_answers_and_says_what_it_cannot(disk, mcbench):
    assert mcbench(*SWEEP)[0] == 0
    make_read_only(disk)
    try:
        assert "3 cached" in mcbench(*SWEEP)[1]
        assert mcbench("status")[0] == mcbench("table")[0] == mcbench("results", "list")[0] == 0
        assert mcbench("results", "verify")[0] == 0
        for command in (
            [*SWEEP[:-1], "seed=7"],
            ["results", "rebuild"],
            ["results", "prune", "seed=0", "--yes"],
            ["results", "export", str(disk / "a.zip")],
            ["plot", "convergence", "--output", str(disk / "figure")],
        ):
            status, out, err = mcbench(*command)
            if command[0] == "plot" and "trace" in err:
                continue  # the fake has none to draw
            assert status in (1, 2), command
            assert "Read-only file system): make it writable, or choose another" in out + err
            assert str(disk) in out + err
    finally:
        make_read_only(disk, "rw")
    assert len(Store().frame()) == 3
    assert mcbench(*SWEEP[:-1], "seed=7")[0] == 0


def test_a_record_that_cannot_be_read_on_a_read_only_store_is_ignored(disk, mcbench):
    mcbench(*SWEEP)
    store = Store()
    (store.runs / store.frame()["id"][0] / "record.json").write_text("{")
    make_read_only(disk)
    try:
        with pytest.warns(UserWarning, match="Corrupt run ignored"):
            assert len(store.frame()) == 2
    finally:
        make_read_only(disk, "rw")


def test_nothing_is_left_of_an_archive_and_of_a_merge_without_room(disk, mcbench, tmp_path):
    other = tmp_path / "other"
    mcbench(*SWEEP, f"results_dir={other}")
    archive = tmp_path / "a.zip"
    assert mcbench("results", "export", str(archive), "--results", str(other))[0] == 0
    mcbench(*SWEEP[:-1], "seed=7")
    fill(disk, 4096)
    for source in (archive, other):
        status, _, err = mcbench("results", "merge", str(source))
        assert status == 2
        assert "room" in err
    status, _, err = mcbench("results", "export", str(disk / "b.zip"), "--results", str(other))
    assert status == 2
    assert "choose another FILE" in err
    assert sorted(item.name for item in disk.iterdir()) == ["ballast", "results"]
    assert len(Store().frame()) == 1
    free(disk)
    assert "3 taken" in mcbench("results", "merge", str(archive), str(other))[1]


def test_a_figure_and_a_report_without_room_leave_nothing(disk):
    from matplotlib.figure import Figure

    from mcbench.style import save

    fill(disk, 4096)
    figure = Figure()
    figure.subplots().plot([1, 2])
    with pytest.raises(UnwritableError, match="--output PATH"):
        save(figure, disk / "figure")
    assert [item.name for item in disk.iterdir()] == ["ballast"]


def test_a_reproduction_without_room_says_so_and_goes_on_afterwards(disk, capfd, monkeypatch):
    monkeypatch.setattr(discovery, "packages", lambda: {"fake_paper": "fake_paper"})
    monkeypatch.setattr(discovery, "conf_dirs", lambda: ())
    discovery.load_paper.cache_clear()
    store, said = Store(), []
    assert reproduce([], "smoke", store, say=said.append).exit_code == 0
    before = {path: path.read_bytes() for path in store.root.rglob("*") if path.suffix != ".jsonl"
              and path.is_file() and store.runs not in path.parents}  # fmt: skip
    fill(disk)
    done = reproduce([], "smoke", store, say=said.append)
    report(done, said.append)
    assert done.exit_code == 1
    full = f"{store.root} cannot be written (No space left on device)"
    assert any(full in line for line in said if line.startswith("error: "))
    assert "Traceback" not in capfd.readouterr().err
    assert before == {path: path.read_bytes() for path in before}
    free(disk)
    assert reproduce([], "smoke", store, say=said.append).exit_code == 0
    discovery.load_paper.cache_clear()


def no_room(*_, **__):
    raise OSError(errno.ENOSPC, "full")


@pytest.mark.parametrize(
    "writer",
    ["mcbench.record.Record.save", "omegaconf.OmegaConf.to_yaml", "pandas.DataFrame.to_parquet"],
)
def test_every_writer_of_a_run_says_that_the_disk_is_full(store, capsys, monkeypatch, writer):
    with monkeypatch.context() as patch:
        patch.setattr(writer, no_room)
        assert main(list(SWEEP)) == 2
    out, err = capsys.readouterr()
    assert f"{store.root} cannot be written (No space left on device): make room" in err
    assert len(err.splitlines()) == 1
    assert out == ""
    assert store.frame().empty
    assert store.running() == []
    assert main(list(SWEEP)) == 0


def test_an_index_that_cannot_be_written_loses_no_run(store, monkeypatch):
    main([*SWEEP])
    index = store.runs / "index.jsonl"
    index.unlink()
    index.mkdir()
    assert len(store.frame()) == 3
    assert main([*SWEEP[:-1], "seed=7"]) == 0
    assert len(store.frame()) == 4
    assert main(["results", "verify", "--fix"]) == 1
    assert index.is_file()
    assert len(store.frame()) == 4


def test_a_sign_of_life_that_cannot_be_written_costs_no_run(store, monkeypatch):
    from mcbench.record import Record

    mine = store.claim(Record("a" * 16, "running", {"seed": 1}))
    monkeypatch.setattr(Record, "save", no_room)
    mine.beat({"iteration": 1}, force=True)
    monkeypatch.undo()
    mine.abandon()


def test_a_file_is_whole_or_not_there(tmp_path):
    path = tmp_path / "file"
    write_atomic(path, "old")

    def write_half():
        with writing(tmp_path), atomic(path) as fresh:
            fresh.write_text("half")
            no_room()

    with pytest.raises(UnwritableError, match="make room"):
        write_half()
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]
