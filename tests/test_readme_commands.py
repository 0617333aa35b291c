"""The README's commands: those that are quick are executed, all others are parsed."""

import re
import shlex
from pathlib import Path

import pytest
from docs_blocks import blocks
from sklearn.datasets import load_iris

from mcbench import cli

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BLOCKS = blocks(README)
PREFIX = ".venv/bin/mcbench "

#: Takes minutes, or a network.
LONG = re.compile(
    r"reproduce(?!.*--list)|bench(?!.*--list)|report|data (fetch|verify)|dataset=(dna|mine)"
)

COMMANDS = [
    shlex.split(line.removeprefix(PREFIX), comments=True)
    for block in BLOCKS
    for line in block.text.splitlines()
    if line.startswith(PREFIX)
]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return tmp_path_factory.mktemp("readme")


def test_there_are_commands():
    assert len(COMMANDS) > 10


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_command_of_the_readme(arguments, results, monkeypatch, capsys):
    assert cli.parse(arguments).command == arguments[0]
    if LONG.search(" ".join(arguments)):
        return
    monkeypatch.chdir(results)
    monkeypatch.setenv("MCBENCH_RESULTS", str(results / "results"))
    monkeypatch.delenv("MCBENCH_CONF", raising=False)
    load_iris(as_frame=True).frame.rename(columns={"target": "species"}).to_csv("mine.csv")
    if arguments[0] in ("table", "plot", "show") and not Path("results").exists():
        cli.main(["run", "dataset=iris", "solver=block"])
    assert cli.main(arguments) == 0, capsys.readouterr().err


@pytest.mark.parametrize("text", [block.text for block in BLOCKS if block.language == "python"])
def test_the_readme_s_python_compiles_and_its_names_exist(text):
    import mcbench

    compile(text, "README.md", "exec")
    for names in re.findall(r"^from mcbench import (.+)$", text, re.M):
        assert set(names.split(", ")) <= set(mcbench.__all__)


def test_the_readme_s_targets_of_make_exist():
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M)
    assert set(re.findall(r"^make (\w+)", README.read_text(), re.M)) <= set(targets)
