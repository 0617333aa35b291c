"""The data sets that come with the package are what the registry, and the manifest, say."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine

from mcbench.data import DataUnavailable, datasets, embedded, load
from mcbench.data.embedded import read_embedded
from mcbench.data.read import read_canonical

EMBEDDED = sorted(name for name, info in datasets().items() if info.embedded)
FOLDER = resources.files("mcbench.data") / "embedded"


def test_which_are_embedded() -> None:
    expected = "letter satimage shuttle vehicle dna glass soybean iris wine digits"
    assert sorted(expected.split()) == EMBEDDED


@pytest.mark.parametrize("name", EMBEDDED)
def test_content_is_as_registered(name: str) -> None:
    info = datasets()[name]
    data = read_canonical(info)
    assert info.differences(data) == []
    assert len(np.unique(data.y)) == info.n_classes
    assert data.X.shape == (info.rows, info.n_features)


def test_they_are_small_and_say_where_they_come_from() -> None:
    sizes = {path.name: len(path.read_bytes()) for path in FOLDER.iterdir()}
    assert sum(sizes.values()) < 1_000_000
    sources = (FOLDER / "SOURCES.md").read_text()
    for name in EMBEDDED:
        assert f"{name}.npz" in sizes
        assert f"| {name} |" in sources


def test_scikit_learns_own() -> None:
    assert np.array_equal(read_embedded("wine").X, load_wine().data)
    assert np.array_equal(read_embedded("wine").y, load_wine().target + 1)
    assert np.array_equal(read_embedded("digits").X, load_digits().data)
    assert np.array_equal(read_embedded("digits").y, load_digits().target)


def test_iris_is_that_of_uci() -> None:
    """scikit-learn corrects two rows; the papers used the uncorrected file."""
    ours, theirs = read_embedded("iris"), load_iris()
    assert np.array_equal(ours.y, theirs.target)
    different = np.flatnonzero((theirs.data != ours.X).any(axis=1))
    assert different.tolist() == [34, 37]
    assert ours.X[different].tolist() == [[4.9, 3.1, 1.5, 0.1]] * 2
    assert "35 and 38" in datasets()["iris"].note


def test_damage_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    good = read_embedded("glass")
    X = good.X.copy()
    X[3, 3] += 1e-9
    changed = type(good)(X, good.y)
    monkeypatch.setattr("mcbench.data.read.read_embedded", lambda name: changed)
    with pytest.raises(DataUnavailable, match="damaged"):
        load("glass")
    short = type(good)(good.X[:-1], good.y[:-1])
    monkeypatch.setattr("mcbench.data.read.read_embedded", lambda name: short)
    with pytest.raises(DataUnavailable, match="shape"):
        load("glass")


def test_a_missing_file_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "FOLDER", "nowhere")
    with pytest.raises(DataUnavailable, match="install mcbench again"):
        load("iris")


def test_registry_agrees_with_the_manifest(data_folder: Path) -> None:
    manifest = json.loads((data_folder / "MANIFEST.json").read_text())["datasets"]
    for name, info in datasets().items():
        if name in ("digits", "nist"):
            continue
        entry = manifest[name.replace("_", "-") if name.startswith("ida_") else name]
        for part in info.parts:
            if part.X is None:
                continue
            known = entry["arrays"]["isolet5" if name == "isolet" else part.name]
            assert known["shape"] == [part.rows, info.n_features], name
            assert known["classes"] == info.n_classes
            assert (known["sha256_X_float64"], known["sha256_y_int64"]) == (part.X, part.y)
        for key, sha in info.extra.items():
            assert entry["arrays"]["all"]["splits"][key]["sha256_int64"] == sha
        contents = {
            file["path"].removesuffix(".gz"): file.get("uncompressed_sha256", file["sha256"])
            for file in entry["files"]
        }
        for recipe in info.recipes:
            for file in recipe.files:
                if file.sha256 and file.path.removesuffix(".gz") in contents:
                    assert contents[file.path.removesuffix(".gz")] == file.sha256
