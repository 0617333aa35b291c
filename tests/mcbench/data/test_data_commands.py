"""`mcbench data list|fetch|verify`, as functions."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from mcbench.data import commands, datasets


def printed(width: int = 200, terminal: bool = False) -> tuple[Console, io.StringIO]:
    stream = io.StringIO()
    return Console(file=stream, width=width, force_terminal=terminal, color_system=None), stream


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.list_datasets() == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    lines = out.splitlines()
    assert len(lines) == 1 + len(datasets())
    assert "15000/5000, 16000/4000, 5000/4000" in out
    assert "(stand-in)" in next(line for line in lines if line.startswith("nist"))
    assert "to fetch" in next(line for line in lines if line.startswith("mnist"))


@pytest.mark.parametrize("width", [40, 80])
def test_narrow_terminals(width: int) -> None:
    console, stream = printed(width, terminal=True)
    assert commands.list_datasets(console=console) == 0
    assert max(map(len, stream.getvalue().splitlines())) <= width
    assert "ida_breast_cancer" in stream.getvalue()


def test_list_tells_all_about_one() -> None:
    console, stream = printed()
    assert commands.list_datasets(["nist", "iris"], console=console) == 0
    out = stream.getvalue()
    for text in ("never published", "https://", "licence", "hsf_0", "35 and 38", "content hash"):
        assert text in out


def test_unknown_names(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (commands.list_datasets, commands.fetch, commands.verify):
        assert command(["leter"]) == 2
        assert "Did you mean 'letter'" in capsys.readouterr().err


def test_verify_without_local_data() -> None:
    console, stream = printed()
    assert commands.verify(console=console) == 0
    states = {line.split()[0]: line.split()[1] for line in stream.getvalue().splitlines()[1:]}
    for name, info in datasets().items():
        assert states[name] == ("ok" if info.embedded else "absent")


def test_verify_finds_a_corrupt_cache_and_leaves_it(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    from mcbench.data.folders import cache_folder

    file = cache_folder() / "vowel" / "vowel-context.data"
    file.parent.mkdir(parents=True)
    file.write_text("1 2 3\n")
    assert commands.verify(["vowel", "iris"]) == 1
    captured = capsys.readouterr()
    assert "WRONG" in captured.out
    assert str(file) in captured.err
    assert file.exists()


def test_fetch(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.fetch(["letter"]) == 0
    assert "nothing to fetch" in capsys.readouterr().out
    assert commands.fetch(["vowel", "segment"]) == 1
    err = capsys.readouterr().err
    for text in ("vowel-context.data cannot be had", "segment.dat.gz cannot be had"):
        assert text in err
