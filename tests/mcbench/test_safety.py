"""What mcbench never does: unpickle, start a shell, run somebody else's code without a word."""

import ast
import re
from pathlib import Path

import pytest

from mcbench import trust
from mcbench.config import resolve
from mcbench.grid import load_grids

ROOT = Path(__file__).parents[2]
FOLDERS = ("mcbench", "solvers", "experiments", "scripts")
MODULES = [
    path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")) if path.is_file()
]

#: Modules whose files run code when they are read, and functions that run text.
UNPICKLING = {"pickle", "cloudpickle", "dill", "shelve", "marshal", "joblib.load", "read_pickle"}
RUNNING = {"eval", "exec", "compile", "os.system", "os.popen"}
RUNNING |= {"subprocess.getoutput", "subprocess.getstatusoutput"}


def dotted(node):
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def calls(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield dotted(node.func), {item.arg: item.value for item in node.keywords}


def test_the_modules_are_found():
    assert len(MODULES) > 150


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_is_unpickled_and_no_shell_is_started(folder):
    for path in (ROOT / folder).rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [item.name for item in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{item.name}" for item in node.names] + [node.module or ""]
            assert not UNPICKLING & {*names, *(name.partition(".")[0] for name in names)}, path
        for name, keywords in calls(path):
            assert name not in RUNNING, (path, name)
            assert name.rpartition(".")[2] != "read_pickle", path
            assert name not in ("joblib.load", "yaml.load", "yaml.unsafe_load"), path
            if name in ("np.load", "numpy.load"):
                assert getattr(keywords.get("allow_pickle"), "value", True) is False, path
            assert getattr(keywords.get("shell"), "value", False) is False, (path, name)


def test_the_search_would_find_what_it_looks_for(tmp_path):
    path = tmp_path / "x.py"
    path.write_text("np.load(f)\nsubprocess.run('ls', shell=True)\nos.system('ls')\n")
    found = dict(calls(path))
    assert "allow_pickle" not in found["np.load"]
    assert found["subprocess.run"]["shell"].value is True
    assert "os.system" in found


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of configuration, by somebody else."""
    (tmp_path / "solver").mkdir()
    (tmp_path / "experiment").mkdir()
    monkeypatch.setenv("MCBENCH_CONF", str(tmp_path))
    monkeypatch.setattr(trust, "_said", set())
    return tmp_path


def test_code_in_a_file_of_others_is_said_once(folder, capsys):
    file = folder / "solver" / "foreign_one.yaml"
    file.write_text("_target_: evil.Solver\nC: 1.0\n")
    for overrides in (["solver=foreign_one"], ["solver=foreign_one", "dataset=iris"]):
        resolve(overrides)
    (line,) = capsys.readouterr().err.splitlines()
    assert str(file) in line
    assert "evil.Solver" in line
    assert "only configuration that you trust" in line


def test_code_in_an_experiment_of_others_is_said_once(folder, capsys):
    file = folder / "experiment" / "theirs.yaml"
    file.write_text(
        "common: {measure: {_target_: evil.measure}}\n"
        "grids: {smoke: [{solver._target_: [evil.A, evil.B]}], quick: [], paper: []}\n"
    )
    for _ in range(2):
        load_grids("theirs", "smoke")
    lines = capsys.readouterr().err.splitlines()
    assert [re.search(r"evil\.\w+", line)[0] for line in lines] == [
        "evil.measure", "evil.A", "evil.B",
    ]  # fmt: skip
    assert all(str(file) in line for line in lines)


def test_what_is_known_or_the_users_own_is_not_said(folder, capsys):
    (folder / "solver" / "foreign_two.yaml").write_text("_target_: sklearn.svm.SVC\n")
    (folder / "solver" / "foreign_three.yaml").write_text("_target_: mcbench.CrammerSingerSVC\n")
    resolve(["solver=foreign_two"])
    resolve(["solver=foreign_three"])
    resolve(["solver=cache"])
    resolve(["solver._target_=my.own.Solver"])
    resolve(["solver=cache", "solver._target_=my.own.Solver"])
    load_grids("crammer_singer_2001/fig7", "smoke")
    assert capsys.readouterr().err == ""
