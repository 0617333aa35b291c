"""The configuration of each data set holds the arguments of `load`, and they are right."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from mcbench.data import DataUnavailable, datasets, load

FOLDER = Path(__file__).resolve().parents[3] / "conf" / "dataset"
FILES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
ARGUMENTS = ["name", "split", "train_size", "validation", "draw", "scaling", "fold"]


def test_every_data_set_has_one() -> None:
    more = {"letter_16000", "letter_5000", "shuttle_5000", "mnist_5000", "file", "none"}
    assert set(datasets()) | more <= set(FILES)


@pytest.mark.parametrize("name", [name for name in FILES if name not in ("file", "none")])
def test_it_loads(name: str) -> None:
    path = FOLDER / f"{name}.yaml"
    assert path.read_text().startswith("# ")
    config = OmegaConf.to_container(OmegaConf.load(path))
    assert list(config) == ARGUMENTS
    assert config["split"] in datasets()[config["name"]].split_names
    try:
        data = load(**config, seed=0)
    except DataUnavailable:
        assert not datasets()[config["name"]].embedded
    else:
        assert data.split == config["split"]


def test_conventions() -> None:
    configs = {name: OmegaConf.load(FOLDER / f"{name}.yaml") for name in FILES}
    assert configs["dna"].scaling == "none"
    assert configs["usps"].scaling == "none"
    assert configs["mnist_5000"].scaling == configs["nist"].scaling == "div255"
    assert configs["letter_5000"].scaling == "range"
    assert configs["nist"].draw == "seeded"
    assert configs["none"].name is None


def test_a_file_of_the_users() -> None:
    config = OmegaConf.load(FOLDER / "file.yaml")
    assert OmegaConf.is_missing(config, "path")
    assert set(config) == {*ARGUMENTS, "path", "test_path", "label"}
    assert set(config) <= set(inspect.signature(load).parameters)
