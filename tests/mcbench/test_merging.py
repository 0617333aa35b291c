"""Runs that are packed, sent, unpacked with distrust, and merged without losing anything."""

import gzip
import io
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import warnings
import zipfile

import pytest
from stored import HERE, THERE, everything, put

import mcbench
from mcbench import archive
from mcbench.archive import MANIFEST, pack, unpack
from mcbench.cli import main
from mcbench.errors import UserError
from mcbench.labels import add_labels
from mcbench.lookup import find_run
from mcbench.merging import INCOMING, merge
from mcbench.plan import answered, plan
from mcbench.record import FILE, TRACE
from mcbench.store import Store
from mcbench.verification import verify


@pytest.fixture
def other(tmp_path):
    """The store of another machine: two runs that the first has too, and one that it has not."""
    found = Store(tmp_path / "other")
    for number in (1, 2, 7):
        put(found, number, machine=THERE, seconds=9.0)
    return found


@pytest.fixture
def full(store):
    for number in range(3):
        put(store, number)
    return store


def packed(store, path):
    pack([store.runs / name for name in store.listing()["id"]], path)
    return path


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz"])
def test_what_is_packed_is_unpacked_to_the_last_byte(full, tmp_path, suffix):
    path = packed(full, tmp_path / f"runs{suffix}")
    (tmp_path / "out").mkdir()
    unpack(path, tmp_path / "out")
    assert everything(tmp_path / "out") == everything(full.runs)


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz"])
def test_the_same_runs_give_the_same_archive(full, tmp_path, suffix):
    copy = Store(tmp_path / "copy")
    shutil.copytree(full.runs, copy.runs, copy_function=shutil.copyfile)
    os.utime(next(copy.runs.iterdir()), (1, 1))
    one = packed(full, tmp_path / f"a{suffix}").read_bytes()
    assert packed(copy, tmp_path / f"b{suffix}").read_bytes() == one


def test_a_manifest_says_the_hash_of_each_file(full, tmp_path):
    with zipfile.ZipFile(packed(full, tmp_path / "a.zip")) as found:
        content = json.loads(found.read(MANIFEST))
        names = set(found.namelist()) - {MANIFEST}
    assert set(content["files"]) == names
    assert len(names) == 3 * 4
    assert all(len(one["sha256"]) == 64 for one in content["files"].values())


@pytest.mark.parametrize(
    ("part", "value"), [("packages", {"numpy": ["x"]}), ("git", 7), ("machine", {"id": {}})]
)
def test_a_provenance_that_no_table_could_hold_is_refused(full, other, part, value):
    path = next(other.runs.glob("*/record.json"))
    found = json.loads(path.read_text())
    found.setdefault("provenance", {})[part] = value
    path.write_text(json.dumps(found))
    merged = merge(full, [other.root])
    ((name, reason),) = merged.refused
    assert name == path.parent.name
    assert f"provenance.{part} without plain values" in reason


def test_merging_takes_what_is_not_there_and_keeps_both_machines(full, other):
    before = everything(full.runs)
    merged = merge(full, [other.root])
    assert (len(merged.taken), len(merged.beside), len(merged.same)) == (1, 2, 0)
    after = everything(full.runs)
    assert before.items() <= after.items()
    assert len(after) == len(before) + 3 * 4
    frame = mcbench.load_results(full.root)
    assert len(frame) == 6
    assert dict(frame["provenance.machine.id"].value_counts()) == {HERE: 3, THERE: 3}
    for name in merged.beside:
        assert name.endswith(f"@{THERE}")
        assert full.get(name)["time"]["fit"] == 9.0
        assert full.get(name.partition("@")[0])["time"]["fit"] == 1.0
        assert len(full.trace(name)) == 2
        assert full.path(name).name == name
        assert full.path(name.partition("@")[0]).name == name.partition("@")[0]
        assert find_run(full, name).id == name
        assert find_run(full, name.partition("@")[0]).id == name.partition("@")[0]
    assert verify(full) == (6, [])


def test_tables_tell_the_machines_apart(full, other):
    merge(full, [other.root])
    frame, labels = add_labels(full.find("solver.C=1"))
    assert "machine.id" in labels
    assert sorted(frame["machine.id"]) == sorted([HERE, THERE])
    assert int(frame.groupby(labels)["seed"].count().max()) == 1  # and no seed counts twice


def test_merging_again_does_nothing(full, other, tmp_path):
    archives = [packed(other, tmp_path / "a.zip"), packed(other, tmp_path / "a.tar.gz")]
    merge(full, [other.root])
    before = everything(full.runs)
    merged = merge(full, [other.root, *archives])
    assert len(merged.same) == 9
    assert [*merged.taken, *merged.beside, *merged.conflicts, *merged.refused] == []
    assert everything(full.runs) == before


def test_the_order_of_merging_does_not_matter_for_what_is_kept(full, other, tmp_path):
    one, two = Store(tmp_path / "one"), Store(tmp_path / "two")
    merge(one, [full.root, other.root])
    merge(two, [other.root, full.root])
    both = [store.frame()[["provenance.machine.id", "time.fit", "label"]] for store in (one, two)]
    assert sorted(map(tuple, both[0].values)) == sorted(map(tuple, both[1].values))
    before = everything(one.runs)
    merged = merge(one, [two.root])  # though the names differ, nothing is new
    assert len(merged.same) == 6
    assert everything(one.runs) == before


def test_a_run_that_was_merged_is_not_executed_again(store, resolve, run, tmp_path):
    record = run("seed=1")
    other = Store(tmp_path / "other")
    merge(other, [store.root])
    assert answered(other, plan(resolve("seed=1"))).id == record.id


def test_a_conflict_keeps_the_present_run_and_says_so(full, tmp_path, capsys):
    other = Store(tmp_path / "other")
    name = put(other, 1, seconds=5.0)
    before = everything(full.runs)
    assert main(["results", "merge", str(other.root)]) == 0
    assert f"kept as it was: {name}: the store has other results" in capsys.readouterr().out
    assert everything(full.runs) == before


def test_a_run_done_again_here_keeps_the_other_machines_timing(store, resolve, run, tmp_path):
    record = run("seed=1")
    content = json.loads((store.runs / record.id / FILE).read_text())
    content["provenance"]["machine"]["id"] = THERE
    (store.runs / record.id / FILE).write_text(json.dumps(content))
    run("seed=1", rerun="all")
    frame = store.frame()
    assert sorted(frame["id"]) == [record.id, f"{record.id}@{THERE}"]
    assert frame["provenance.machine.id"].nunique() == 2


def test_runs_that_are_not_whole_are_refused_and_the_others_taken(full, other, capsys):
    bad = other.runs / other.listing("solver.C=7")["id"][0]
    os.truncate(bad / TRACE, 100)
    (other.runs / "notes").mkdir()
    assert main(["results", "merge", str(other.root)]) == 1
    out = capsys.readouterr().out
    assert f"refused: {bad.name}: {bad / TRACE} cannot be read" in out
    assert "0 taken, 2 kept beside those of another machine, 0 the same" in out
    assert verify(full) == (5, [])


def test_a_source_whose_files_change_meanwhile_is_refused(full, other, monkeypatch):
    def careless(source, target):
        target.write_bytes(source.read_bytes() + b" ")

    monkeypatch.setattr("mcbench.merging.shutil.copyfile", careless)
    merged = merge(full, [other.root])
    assert len(merged.refused) == 3
    assert "its copy is not as it was" in merged.refused[0][1]
    assert verify(full) == (3, [])


def test_export_leaves_out_what_is_not_whole(full, tmp_path, capsys):
    bad = full.listing()["id"][0]
    (full.runs / bad / "config.yaml").unlink()
    assert main(["results", "export", "a.zip"]) == 1
    assert f"left out: {bad}" in capsys.readouterr().out
    other = Store(tmp_path / "new")
    assert len(merge(other, [tmp_path / "a.zip"]).taken) == 2


def test_export_takes_the_runs_that_filters_allow(full, tmp_path, capsys):
    assert main(["results", "export", "some.tar.gz", "solver.C=0,2"]) == 0
    assert "some.tar.gz: 2 runs, " in capsys.readouterr().out
    other = Store(tmp_path / "new")
    merge(other, [tmp_path / "some.tar.gz"])
    assert sorted(other.frame()["config.solver.C"]) == [0, 2]


KILLED = """
import os, signal, sys
from pathlib import Path
from mcbench import merging
from mcbench.store import Store
moves, rename = [], Path.rename
def dying(path, target):
    if len(moves) == {after}:
        os.kill(os.getpid(), signal.SIGKILL)
    moves.append(target)
    return rename(path, target)
Path.rename = dying
merging.merge(Store(sys.argv[1]), [Path(sys.argv[2])])
"""


@pytest.mark.parametrize("after", [0, 2])
def test_a_merge_that_is_killed_leaves_a_valid_store(full, other, after):
    before = everything(full.runs)
    code = KILLED.format(after=after)
    command = [sys.executable, "-c", code, str(full.root), str(other.root)]
    process = subprocess.run(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert process.returncode == -signal.SIGKILL
    assert (full.runs / INCOMING).is_dir()
    assert verify(full) == (3 + after, [])
    assert before.items() <= everything(full.runs).items()
    assert len(full.frame()) == 3 + after
    merged = merge(full, [other.root])
    assert len(merged.same) == after
    assert not (full.runs / INCOMING).exists()
    assert verify(full) == (6, [])


def test_two_merges_at_once_are_one_after_the_other(full, other):
    import fcntl

    with (full.runs / ".merging").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(UserError, match="Another process is merging"):
            merge(full, [other.root])


# Archives that nobody should unpack.


def members(full):
    """Return the files that an archive of one run has."""
    folder = full.runs / full.listing()["id"][0]
    found = {f"runs/{folder.name}/{path.name}": path.read_bytes() for path in folder.iterdir()}
    files = {name: archive._described(content) for name, content in found.items()}
    found[MANIFEST] = json.dumps({"format": archive.FORMAT, "files": files}).encode()
    return found


def zipped(path, content, change=None):
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as target:
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, data in content:
            info = zipfile.ZipInfo(name)
            if change is not None:
                change(info)
            target.writestr(info, data)


def tarred(path, content, change=None):
    with tarfile.open(path, "w:gz") as target:
        for name, data in content:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if change is not None:
                change(info)
            target.addfile(info, io.BytesIO(data))


EVIL = [
    "../evil", "/tmp/evil", "runs/../../evil", "runs/x/record.json", "evil",
    "runs/0123456789abcdef/evil", "runs/0123456789abcdef/../../record.json",
    "runs/0123456789abcdef@../../x/record.json", "runs\\0123456789abcdef\\record.json",
    "C:/record.json", "runs/0123456789abcdef/record.json/", "./runs/0123456789abcdef/record.json",
]  # fmt: skip


@pytest.mark.parametrize("write", [zipped, tarred])
@pytest.mark.parametrize("name", EVIL)
def test_no_archive_leaves_its_folder(full, tmp_path, write, name):
    path = tmp_path / "evil.bin"
    write(path, [*members(full).items(), (name, b"evil")])
    before = sorted(str(item) for item in tmp_path.rglob("*"))
    inside = tmp_path / "results" / "runs" / "inside"
    inside.mkdir()
    with pytest.raises(UserError, match="Nothing is taken from"):
        unpack(path, inside)
    shutil.rmtree(inside)
    assert sorted(str(item) for item in tmp_path.rglob("*")) == before


def link_in_zip(info):
    info.external_attr = (stat.S_IFLNK | 0o777) << 16


def kind_in_tar(kind):
    def change(info):
        info.type, info.linkname = kind, "/etc/passwd"
        info.size = 0

    return change


HOSTILE = {
    "a link in a zip": lambda p, m: zipped(p, m.items(), link_in_zip),
    "a link": lambda p, m: tarred(p, m.items(), kind_in_tar(tarfile.SYMTYPE)),
    "a hard link": lambda p, m: tarred(p, m.items(), kind_in_tar(tarfile.LNKTYPE)),
    "a device": lambda p, m: tarred(p, m.items(), kind_in_tar(tarfile.CHRTYPE)),
    "a pipe": lambda p, m: tarred(p, m.items(), kind_in_tar(tarfile.FIFOTYPE)),
    "a name twice": lambda p, m: zipped(p, [*m.items(), next(iter(m.items()))]),
    "two manifests": lambda p, m: zipped(p, [*m.items(), (MANIFEST, b"{}")]),
    "no manifest": lambda p, m: zipped(p, list(m.items())[:-1]),
    "another manifest": lambda p, m: zipped(p, [*list(m.items())[:-1], (MANIFEST, b"[3]")]),
    "a deep manifest": lambda p, m: zipped(p, [(MANIFEST, b"[" * 10**6)]),
    "one file more": lambda p, m: zipped(p, [*m.items(), ("runs/" + "0" * 16 + "/" + FILE, b"")]),
    "one file less": lambda p, m: tarred(p, list(m.items())[1:]),
    "another byte": lambda p, m: tarred(
        p, [(name, data.replace(b"done", b"DONE")) for name, data in m.items()]
    ),
    "half of it": lambda p, m: (zipped(p, m.items()), os.truncate(p, 900)),
    "half a tar": lambda p, m: (tarred(p, m.items()), os.truncate(p, 900)),
    "nothing": lambda p, m: p.touch(),
    "text": lambda p, m: p.write_text("no archive"),
    "only gzip": lambda p, m: p.write_bytes(gzip.compress(b"no archive")),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_nothing_is_taken_from_what_is_no_archive_of_runs(full, tmp_path, capsys, kind):
    path = tmp_path / "sent"
    HOSTILE[kind](path, members(full))
    new = Store(tmp_path / "new")
    assert main(["results", "merge", str(path), "--results", str(new.root)]) == 2
    err = capsys.readouterr().err
    assert f"Nothing is taken from {path}" in err
    assert len(err.splitlines()) == 1
    assert new.frame().empty
    assert [item.name for item in new.runs.iterdir() if item.is_dir()] == []


def test_what_is_larger_than_it_may_be_is_not_read(full, tmp_path, monkeypatch):
    content = list(members(full).items())
    bomb = (f"runs/{'0' * 16}/trace.parquet", b"\0" * 2**22)
    (tmp_path / "out").mkdir()
    for write in (zipped, tarred):
        path = tmp_path / write.__name__
        write(path, [bomb, *content])
        monkeypatch.setattr(archive, "LARGEST", 2**21)
        with pytest.raises(UserError, match="a file of 4194304 bytes"):
            unpack(path, tmp_path / "out")
        monkeypatch.undo()
        usage = shutil.disk_usage(tmp_path)._replace(free=2**21)
        monkeypatch.setattr(archive.shutil, "disk_usage", lambda _, usage=usage: usage)
        with pytest.raises(UserError, match="no room"):
            unpack(path, tmp_path / "out")
        monkeypatch.undo()
    assert list((tmp_path / "out").iterdir()) == []


def test_a_header_that_lies_of_a_size_is_found_out(full, tmp_path):
    path = tmp_path / "lies.zip"
    zipped(path, members(full).items())
    data = bytearray(path.read_bytes())
    place = data.rfind(b"PK\x01\x02")  # the last entry of the directory, the manifest
    size = int.from_bytes(data[place + 24 : place + 28], "little")
    data[place + 24 : place + 28] = (size - 5).to_bytes(4, "little")
    path.write_bytes(data)
    (tmp_path / "out").mkdir()
    with pytest.raises(UserError, match="Nothing is taken"):
        unpack(path, tmp_path / "out")


def test_an_entry_of_a_tar_may_not_fill_the_memory(tmp_path, monkeypatch):
    info = tarfile.TarInfo("a")
    info.type, info.size = tarfile.XHDTYPE, 2**40
    path = tmp_path / "long.tar.gz"
    path.write_bytes(gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + b"\0" * 10_000))
    (tmp_path / "out").mkdir()
    with pytest.raises(UserError, match="a part of 1099511627776 bytes"):
        unpack(path, tmp_path / "out")
