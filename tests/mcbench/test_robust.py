"""What is damaged, foreign, read-only or cannot be meant never ends in a traceback."""

import bz2
import gzip
import json
import lzma
import shutil
import warnings

import pytest

from mcbench.cli import main
from mcbench.errors import UserError
from mcbench.record import FILE
from mcbench.store import CORRUPT, TRACE

REAL = ("dataset=iris", "solver=pattern")
FAKE = ("dataset=iris", "solver=fake")


@pytest.fixture
def mcbench(store, capsys):
    """Run the command line in this process; return status, output and error."""

    def call(*arguments):
        status = main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def only_run(store):
    (folder,) = [item for item in store.runs.iterdir() if not item.name.startswith(".")
                 and item.is_dir()]  # fmt: skip
    return folder


@pytest.mark.parametrize("keep", [0, 3, 8, 500])
def test_a_truncated_trace_is_done_again(mcbench, store, keep):
    assert mcbench("run", *REAL)[0] == 0
    folder = only_run(store)
    trace = folder / TRACE
    whole = trace.read_bytes()
    trace.write_bytes(whole[:keep])
    with pytest.warns(UserWarning, match=folder.name):
        status, out, _ = mcbench("run", *REAL)
    assert status == 0
    assert "cached" not in out
    assert len(store.trace(folder.name))
    assert [item.name for item in (store.runs / CORRUPT).iterdir()] == [f"{folder.name}.0"]
    assert "cached" in mcbench("run", *REAL)[1]


def test_a_trace_damaged_inside_is_set_aside_when_read(mcbench, store):
    mcbench("run", *REAL)
    folder = only_run(store)
    size = (folder / TRACE).stat().st_size
    (folder / TRACE).write_bytes(b"PAR1" + b"x" * (size - 8) + b"PAR1")
    with pytest.warns(UserWarning, match=f"{folder.name}.*cannot be read"):
        assert store.trace(folder.name).empty
    assert not folder.exists()
    assert "done" in mcbench("run", *REAL)[1]


def test_plotting_a_damaged_trace_is_one_sentence(mcbench, store):
    mcbench("run", *REAL)
    (only_run(store) / TRACE).write_bytes(b"nothing")
    with pytest.warns(UserWarning, match="set aside"):
        status, _, err = mcbench("plot", "convergence")
    assert status == 2
    assert "trace" in err


def test_a_record_of_another_schema_is_skipped_and_stays(mcbench, store):
    mcbench("run", "-m", *FAKE, "seed=0,1")
    folder = store.runs / store.find("seed=0")["id"].iloc[0]
    content = json.loads((folder / FILE).read_text())
    (folder / FILE).write_text(json.dumps({**content, "schema": 99}))
    with pytest.warns(UserWarning, match=rf"{folder.name} has the schema 99") as caught:
        status, out, _ = mcbench("status")
    assert len(caught) == 1
    assert len(str(caught[0].message).splitlines()) == 1
    assert status == 0
    assert "1 done" in out
    assert folder.is_dir()
    status, out, _ = mcbench("run", "-m", *FAKE, "seed=0,1,2")
    assert status == 1
    assert "schema 99" in out
    assert "1 done" in out
    status, _, err = mcbench("run", *FAKE, "seed=0")
    assert status == 2
    assert "schema 99" in err
    assert folder.is_dir()


def test_a_running_record_of_another_schema_is_left_alone(mcbench, store):
    mcbench("run", *FAKE)
    folder = only_run(store)
    other = store.runs / ".running" / ("a" * 16)
    shutil.copytree(folder, other)
    content = json.loads((other / FILE).read_text())
    (other / FILE).write_text(json.dumps({**content, "id": other.name, "schema": 99}))
    assert mcbench("status")[0] == 0
    assert store.sweep() == 0
    assert other.is_dir()


def test_a_store_that_is_read_only_answers_and_says_what_it_cannot(mcbench, monkeypatch):
    mcbench("run", *FAKE)

    def refuse(runs):
        raise PermissionError(13, "Permission denied", str(runs / ".lock"))

    monkeypatch.setattr("mcbench.claim.locked", refuse)
    status, out, _ = mcbench("run", "-m", *FAKE)
    assert status == 0
    assert "cached" in out
    status, _, err = mcbench("run", "-m", *FAKE, "seed=0,1")
    assert status == 2
    assert "cannot be written (Permission denied)" in err
    assert len(err.splitlines()) == 1


def test_a_figure_that_cannot_be_written(tmp_path):
    from matplotlib.figure import Figure

    from mcbench.style import save

    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="--output PATH"):
        save(Figure(), tmp_path / "file" / "figure", ["svg"])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("choices.dataset=dna", "dataset=NAME"),
        ("++choices.dataset=dna", "dataset=NAME"),
        ("choices={dataset:dna}", "dataset=NAME"),
        ("protocol.trace=5", "protocol.trace is 5: give a mapping or null"),
        ("protocol.limits=5", "protocol.limits is 5: give a mapping or null"),
        ("measure=1", "measure is 1"),
        ("measure=maybe", "measure is 'maybe'"),
        ("protocol.warm_up=maybe", "protocol.warm_up is 'maybe': give true or false"),
        ("protocol.isolate=maybe", "protocol.isolate is 'maybe': give true or false"),
        ("protocol.trace.test_error=maybe", "test_error is 'maybe': give true or false"),
        ("protocol.trace.factor=a", "trace.factor is 'a': give a number or null"),
        ("protocol.trace.stop_at=true", "trace.stop_at is True: give a number or null"),
        ("seed=4294967296", "below 2^32"),
        ("dataset.fold=99", "folds 0 to"),
        ("dataset.fold=a", "fold must be"),
        ("dataset.draw=foo", "draw"),
        ("dataset.train_size=0", "train_size must be"),
        ("dataset.train_size=-5", "train_size must be"),
        ("dataset.train_size=9999", "more than"),
        ("dataset.validation=1", "validation must be a number between 0 and 1"),
        ("dataset.validation=a", "validation must be a number between 0 and 1"),
        ("+dataset.folds=3", "folds"),
        ("kernel.name=precomputed", "kernel.name=precomputed"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_recorded(mcbench, store, wrong, said):
    status, _, err = mcbench("run", *FAKE, wrong)
    assert status == 2, err
    assert said in err
    assert len(err.splitlines()) == 1
    assert not store.runs.exists()


def damaged(suffix):
    """Return compressed text whose end, or middle, is not there."""
    text = b"".join(b"%d 1:%d 2:%d\n" % (n % 3, n, n * n % 977) for n in range(3000))
    pack = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[suffix](text)
    half = len(pack) // 2
    return {
        "truncated": pack[:half],
        "garbled": pack[:half] + b"\xff" * 200 + pack[half + 200 :],
        "other": b"no such thing",
    }


@pytest.mark.parametrize("suffix", ["gz", "bz2", "xz"])
@pytest.mark.parametrize("how", ["truncated", "garbled", "other"])
def test_a_damaged_compressed_file_is_one_sentence(mcbench, tmp_path, suffix, how):
    path = tmp_path / f"mine.libsvm.{suffix}"
    path.write_bytes(damaged(suffix)[how])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        status, _, err = mcbench("run", "dataset=file", "solver=fake", f"dataset.path={path}")
    assert status == 2
    assert len(err.splitlines()) == 1


def test_a_number_beyond_all_bounds_is_one_sentence(mcbench, tmp_path):
    path = tmp_path / "mine.libsvm"
    path.write_text("1 99999999999999999999999999:1\n2 1:1\n")
    status, _, err = mcbench("run", "dataset=file", "solver=fake", f"dataset.path={path}")
    assert status == 2
    assert "out of range" in err
