"""The documentation: its code runs, it builds without a warning, and it is complete."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docs_blocks import Block, Session, blocks, difference, parse_only

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(
    path for path in DOCS.rglob("*.md") if not {"_build", "_generated"} & set(path.parts)
)
LANGUAGES = {"console", "python", "yaml", "text", "toml", "{include}", "{eval-rst}"}


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture
def session(tmp_path, monkeypatch):
    """A page's own folder, with results of its own and commands of this checkout."""
    scripts = Path(sys.executable).parent
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PATH", f"{scripts}:/usr/bin:/bin")
    monkeypatch.setenv("MCBENCH_RESULTS", str(tmp_path / "results"))
    monkeypatch.setenv("COLUMNS", "100")
    for variable in ("MCBENCH_CONF", "MCBENCH_DATA"):
        monkeypatch.delenv(variable, raising=False)
    before = set(sys.modules)
    yield Session(monkeypatch.setenv)
    for module in set(sys.modules) - before:  # those that the page has written
        if str(getattr(sys.modules[module], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[module]


def has_code(page: Path) -> bool:
    return any(block.language in ("python", "console") for block in blocks(page))


@pytest.mark.parametrize("page", list(filter(has_code, PAGES)), ids=name)
def test_the_code_of_a_page_runs(page, session):
    for block in filter(lambda block: block.is_file, blocks(page)):
        session.write(block)
    for block in blocks(page):
        if block.is_file:
            continue
        if block.executed:
            session.run(block)
        else:
            parse_only(block)


def test_blocks_say_what_they_are():
    """A block in no known language would silently not be executed."""
    for page in PAGES:
        for block in blocks(page):
            assert block.language in LANGUAGES or block.language.startswith("{"), str(block)


def test_the_loose_comparison_finds_what_is_missing():
    printed = "[1/2] done  34302f3678bbc7b0 dataset=iris: 0.0071 s\n2 runs: 2 done"
    assert not difference(
        ["[7/9] done 0123456789abcdef dataset=iris: ...", "...", "3 runs"], printed
    )
    assert "dataset=wine" in difference(["done ... dataset=wine"], printed)
    assert difference(["2 runs", "[1/2] done"], printed)  # the other way round


def test_a_wrong_command_is_found_where_it_is_not_executed():
    wrong = Block(Path("page.md"), 1, "console", "$ mcbench status --no-such-option\n")
    with pytest.raises(Exception, match="no-such-option"):
        parse_only(wrong)


def test_the_site_builds_without_a_warning_and_needs_no_network(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q",
         "-d", tmp_path / "doctrees", "-b", "html", DOCS, tmp_path / "html"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pages = sorted((tmp_path / "html").rglob("*.html"))
    assert len(pages) > len(PAGES)  # and the index and the search
    for page in pages:
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe|source)[^>]*\ssrc=\"([^\"]*)\"", text)
        loaded += re.findall(r"<link[^>]*\shref=\"([^\"]*)\"", text)
        remote = [url for url in loaded if re.match(r"(?:https?:)?//", url)]
        assert not remote, f"{page.name} loads {remote}"
        assert "$$" not in re.sub(r"<pre.*?</pre>", "", text, flags=re.S), page.name
    for sheet in (tmp_path / "html").rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//", sheet.read_text()), sheet.name
    assert "<math" in (tmp_path / "html" / "mathematics" / "crammer_singer.html").read_text()


def test_every_paper_has_a_page_and_every_variable_an_entry():
    from mcbench.discovery import packages

    assert {page.stem for page in (DOCS / "papers").glob("*.md")} == {*packages(), "index"}
    code = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("mcbench", "solvers", "experiments", "scripts")
        for path in (ROOT / folder).rglob("*.py")
    )
    described = (DOCS / "reference" / "environment.md").read_text()
    for variable in sorted(set(re.findall(r"\bMCBENCH_[A-Z_]*[A-Z]\b", code))):
        assert f"`{variable}`" in described, variable


def test_every_estimator_is_in_the_reference():
    import mcbench

    text = (DOCS / "reference" / "estimators.md").read_text()
    for public in mcbench.__all__:
        thing = getattr(mcbench, public)
        if hasattr(thing, "fit"):
            assert f":: mcbench.{public}\n" in text, public


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_docs_is_one_command():
    done = subprocess.run(
        ["make", "-n", "docs"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "-m sphinx" in done.stdout
