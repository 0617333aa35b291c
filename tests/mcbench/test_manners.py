"""How the command line behaves in terminals and pipes."""

import subprocess

import pytest
from reading_store import put

from mcbench.cli import COMMANDS, main
from mcbench.help import fitted


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_is_readable_in_sixty_columns(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    with pytest.raises(SystemExit):
        main([*([name] if name else []), "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 60
    assert sum(line.strip().startswith("mcbench ") for line in lines) >= 2


def test_a_long_example_is_broken_as_a_shell_takes_it():
    text = "examples:\n  mcbench table --rows dataset --columns solver --value error"
    narrow = fitted(text, 40)
    assert max(map(len, narrow.splitlines())) <= 40
    joined = narrow.replace("mcbench", "echo mcbench").partition("examples:\n")[2]
    out = subprocess.run(["sh", "-c", joined], capture_output=True, text=True, check=True).stdout
    assert out.strip() == text.splitlines()[1].strip()
    assert fitted(text, 80) == text


def test_prose_and_columns_are_filled_again():
    text = (
        "name  what it is, in\n      two lines\nThis is prose that goes\nover two lines.\n\nMore."
    )
    assert fitted(text, 18).splitlines() == [
        "name  what it is,",
        "      in two lines",
        "This is prose that",
        "goes over two",
        "lines.",
        "",
        "More.",
    ]


def test_a_pipe_gets_no_colours(store, command):
    put(store, 1)
    for arguments, environment in (
        (("show", "last"), {}),
        (("data", "list"), {}),
        (("data", "list"), {"NO_COLOR": "1", "FORCE_COLOR": "1"}),
    ):
        done = command(*arguments, **environment)
        assert done.returncode == 0
        assert "\x1b[3" not in done.stdout + done.stderr, arguments


def test_a_pivot_on_the_command_line(store, capsys):
    for number, (dataset, solver) in enumerate(
        [("iris", "block"), ("iris", "kkt"), ("wine", "block"), ("wine", "kkt")]
    ):
        put(store, number + 1, dataset=dataset, solver=solver, error=0.1 * (number + 1))
    pivot = ["table", "--rows", "dataset", "--columns", "solver"]
    assert main(pivot) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == "| dataset | block         | kkt       |"
    assert "Test error [%]: mean ± standard deviation (number of seeds)." in out
    assert main([*pivot, "--format", "csv", "--value", "seconds", "--aggregate", "max"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1] == "iris,1.0,1,1.0,1"
    assert err.startswith("Fit [s]: largest")
    assert main(["table", "--columns", "seconds", "--rows", "dataset,solver"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "| dataset | solver | fit [s] | n |"


def test_a_figure_has_the_format_of_its_name(store, capsys, tmp_path):
    put(store, 1, traced=True)
    for name, start in (("a.svg", b"<?xml"), ("a.pdf", b"%PDF"), ("a.png", b"\x89PNG")):
        assert main(["plot", "pareto", "--output", str(tmp_path / name)]) == 0
        assert capsys.readouterr().out == f"{tmp_path / name}\n"
        assert (tmp_path / name).read_bytes().startswith(start)
    assert main(["plot", "scaling", "--format", "pdf"]) == 0
    assert (store.root / "figures" / "scaling_seconds.pdf").is_file()
