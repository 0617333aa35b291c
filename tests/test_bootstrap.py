"""The set-up says in one sentence what a machine lacks."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "bootstrap.py"


@pytest.fixture
def bootstrap():
    spec = importlib.util.spec_from_file_location("bootstrap", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_this_machine_has_everything(bootstrap):
    assert bootstrap.missing_requirement() is None


def test_a_missing_compiler_is_one_clear_sentence(tmp_path):
    (tmp_path / "scripts").mkdir()
    fresh = shutil.copy(SCRIPT, tmp_path / "scripts")
    environment = {**os.environ, "CC": "/nowhere/cc"}
    done = subprocess.run([sys.executable, fresh], env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "no C compiler (/nowhere/cc)" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_missing_headers_are_named(bootstrap, monkeypatch, tmp_path):
    monkeypatch.setattr(bootstrap.sysconfig, "get_paths", lambda: {"include": str(tmp_path)})
    assert "Python.h" in bootstrap.missing_requirement()


def test_an_old_python_is_named(bootstrap, monkeypatch):
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 10, 0))
    assert "3.11" in bootstrap.missing_requirement()


def test_what_the_core_is_built_from_changes_the_fingerprint(bootstrap, monkeypatch, tmp_path):
    (tmp_path / "solvers" / "core").mkdir(parents=True)
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    before = bootstrap.fingerprint()
    (tmp_path / "solvers" / "core" / "loop.pyx").write_text("x = 1")
    assert bootstrap.fingerprint() != before
