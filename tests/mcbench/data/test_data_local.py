"""All that the user's data folder holds; skipped where MCBENCH_DATA names none."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from mcbench.data import DataUnavailable, commands, datasets, load
from mcbench.data.read import read_canonical

FETCHED = [name for name, info in datasets().items() if not info.embedded and name != "isolet"]


@pytest.mark.parametrize("name", FETCHED)
def test_content_is_as_registered(name: str, data_folder: Path) -> None:
    info = datasets()[name]
    assert info.available()
    if name == "mnist":
        pytest.skip("hashed as part of nist")
    assert info.differences(read_canonical(info)) == []


def test_mnist_of_5000(data_folder: Path) -> None:
    data = load("mnist", split="5000/10000", scaling="div255")
    assert data.X_train.shape == (5000, 784)
    assert data.X_test.shape == (10000, 784)
    assert data.X_train.max() == 1.0
    assert data.n_classes == 10
    assert data.y_train[:5].tolist() == [5, 0, 4, 1, 9]
    assert 0.1 < data.density < 0.3


def test_nist_is_a_stand_in_drawn_by_the_seed(data_folder: Path) -> None:
    first, again, other = (load("nist", seed=seed) for seed in (0, 0, 1))
    assert (first.n_train, first.n_test) == (5000, 5705)
    assert first.stand_in is not None
    assert first.stand_in.startswith("stand-in")
    assert "stand-in" in first.summary
    assert "stand-in" in first.title
    assert first.split_hash == again.split_hash != other.split_hash
    assert first.content_hash == other.content_hash
    assert not np.intersect1d(first.train_index, first.test_index).size
    hsf = read_canonical(datasets()["nist"]).extra["hsf"]
    assert set(hsf[first.train_index]) | set(hsf[first.test_index]) <= {0, 1, 2, 3}
    with pytest.raises(ValueError, match="draw by nature"):
        load("nist", draw="first")


def test_isolet_is_incomplete_there(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "data"
    shutil.copytree(data_folder / "isolet", copy / "isolet")
    monkeypatch.setenv("MCBENCH_DATA", str(copy))
    with pytest.raises(DataUnavailable) as caught:
        load("isolet")
    for piece in ("isolet1+2+3+4.data", "isolet2, isolet3 and isolet4", "4678", "isolet.zip"):
        assert piece in str(caught.value)


@pytest.mark.parametrize("fold", [0, 9])
def test_a_realisation_of_banana(fold: int, data_folder: Path) -> None:
    data = load("ida_banana", fold=fold)
    assert (data.n_train, data.n_test) == (400, 4900)
    assert np.unique(np.concatenate([data.train_index, data.test_index])).size == 5300
    assert set(data.y_train) == {-1, 1}


def test_vowel_and_usps(data_folder: Path) -> None:
    vowel = load("vowel")
    assert (vowel.n_train, vowel.n_test, vowel.n_features, vowel.n_classes) == (528, 462, 10, 11)
    usps = load("usps")
    assert (usps.n_train, usps.n_test) == (7291, 2007)
    assert usps.X_train.min() == -1.0
    assert usps.X_train.max() == 1.0


def test_a_wrong_file_there_is_found(
    data_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy = tmp_path / "data"
    shutil.copytree(data_folder / "vowel", copy / "vowel", copy_function=shutil.copyfile)
    monkeypatch.setenv("MCBENCH_DATA", str(copy))
    assert commands.verify(["vowel"]) == 0
    file = copy / "vowel" / "vowel-context.data"
    file.write_text(file.read_text().replace("-3.639", "-3.638", 1))
    assert commands.verify(["vowel"]) == 1
    assert "WRONG" in capsys.readouterr().out
    with pytest.raises(DataUnavailable, match="is wrong"):
        load("vowel")
    assert file.exists()
