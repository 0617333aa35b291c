import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from mcbench.claims import write_rows

ROOT = Path(__file__).resolve().parent.parent
SPEC = importlib.util.spec_from_file_location(
    "readme_claims", ROOT / "scripts" / "readme_claims.py"
)
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)


@pytest.fixture
def copy(tmp_path):
    """A copy of the README, its figures and what is published."""
    shutil.copytree(ROOT / "results" / "published", tmp_path / "results" / "published")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "README.md", tmp_path)
    return tmp_path


def test_readme_and_figures_are_as_published():
    assert script.main(["--check"]) == 0


def test_a_published_value_that_changes_is_found_and_written(copy, capsys):
    path = copy / "results" / "published" / "claims.json"
    rows = json.loads(path.read_text())
    row = next(row for row in rows if row["id"] in script.HEADLINES)
    row["ours"] = "42 times <b>"
    write_rows(path.parent, rows)
    assert script.main(["--check"], copy) == 1
    assert "README.md" in capsys.readouterr().err
    assert script.main([], copy) == 0
    assert "42 times &lt;b>" in (copy / "README.md").read_text()
    assert script.main(["--check"], copy) == 0


def test_a_long_cell_ends_between_clauses():
    clauses = [f"set {i}: {i} % of {100 * i} examples" for i in range(20)]
    cell = script.short("; ".join(clauses))
    assert len(cell) <= script.WIDEST + len(" ...")
    assert cell.removesuffix(" ...").split("; ") == clauses[: cell.count(";") + 1]
    words = script.short("word " * 100)
    assert words.endswith("word ...")
    assert len(words) > script.WIDEST - len("word ")
    assert script.short("a " * 20) == " ".join("a" * 20)


def test_a_figure_that_changes_is_found_and_copied(copy, capsys):
    name, file = next(iter(script.FIGURES.items()))
    (copy / "results" / "published" / file).write_bytes(b"another figure")
    assert script.main(["--check"], copy) == 1
    assert name in capsys.readouterr().err
    assert script.main([], copy) == 0
    assert (copy / "docs" / "figures" / name).read_bytes() == b"another figure"


def test_a_readme_without_the_marks_is_an_error(copy):
    (copy / "README.md").write_text("no marks")
    with pytest.raises(SystemExit, match="claims:begin"):
        script.main([], copy)


def test_the_figures_are_shown_in_the_readme():
    text = (ROOT / "README.md").read_text()
    assert all(f"docs/figures/{name}" in text for name in script.FIGURES)
