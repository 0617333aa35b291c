import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from reading_store import put

from mcbench.cli import COMMANDS
from mcbench.completion import script

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tab(store):
    """Ask as a shell does when TAB is pressed, and return what is offered."""

    def press(line):
        read, write = os.pipe()
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "_ARGCOMPLETE": "1",
            "_ARGCOMPLETE_IFS": "\n",
            "_ARGCOMPLETE_SHELL": "bash",
            "_ARGCOMPLETE_COMP_WORDBREAKS": " \t\n\"'@><=;|&(:",
            "COMP_LINE": line,
            "COMP_POINT": str(len(line)),
            "COMP_TYPE": "9",
        }
        # The answer comes on file descriptor 8.
        code = f"import os; os.dup2({write}, 8); from mcbench.cli import main; main()"
        subprocess.run(
            [sys.executable, "-c", code], env=environment, pass_fds=[write], timeout=60, check=True
        )
        os.close(write)
        with os.fdopen(read) as answer:
            return [word.strip() for word in answer.read().split("\n") if word.strip()]

    return press


def test_commands(tab):
    assert set(COMMANDS) <= set(tab("mcbench "))


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("mcbench run datas", ["dataset=", "dataset."]),
        ("mcbench run dataset=iri", ["iris"]),
        ("mcbench run dataset=iris -m solver=kkt,ca", ["kkt,cache"]),
        ("mcbench run kernel=", ["linear", "poly", "rbf"]),
        ("mcbench run kernel.gam", ["kernel.gamma="]),
        ("mcbench run -m +experiment=hsu_lin_2002/table2", ["hsu_lin_2002/table2"]),
        ("mcbench reproduce hsu_lin_2002/large", ["hsu_lin_2002/large_c"]),
        ("mcbench run --prof", ["--profile"]),
        ("mcbench table --columns error,sec", ["error,seconds"]),
        ("mcbench table status=d", ["done"]),
        ("mcbench plot conv", ["convergence"]),
        ("mcbench data fetch usp", ["usps"]),
        ("mcbench bench cond", ["conditioning"]),
    ],
)
def test_what_is_offered(line, offered, tab):
    assert tab(line) == offered


def test_runs_of_the_store(tab, store):
    first, second = put(store, 0xA1), put(store, 0xB2)
    assert set(tab("mcbench show 0")) == {first, second}
    assert tab(f"mcbench diff {first} la") == ["last"]


def test_an_answer_is_quick(tab):
    """Three tries, for a machine that does other things; the processor's time counts."""
    taken = []
    for _ in range(3):
        before = os.times()
        tab("mcbench run solver=")
        after = os.times()
        taken.append(after.children_user + after.children_system
                     - before.children_user - before.children_system)  # fmt: skip
    assert min(taken) < 0.5


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_for_the_shell(shell):
    text = script(shell)
    assert "mcbench" in text
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=text, text=True, check=True)


def test_bash_completes_with_the_script(tmp_path, store):
    """The script's own function fills COMPREPLY, as for a TAB."""
    command = tmp_path / "mcbench"
    command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m mcbench.cli \"$@\"\n")
    command.chmod(0o755)
    asked = """
        COMP_LINE='mcbench run dataset=iri' COMP_POINT=23 COMP_TYPE=9
        COMP_WORDS=(mcbench run dataset = iri) COMP_CWORD=4
        _python_argcomplete mcbench
        echo "${COMPREPLY[@]}"
    """
    found = subprocess.run(
        ["bash", "-c", script("bash") + asked],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.stdout.strip() == "iris", found.stderr
