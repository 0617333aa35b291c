import json
import re
import shutil
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from reported import BREAKOUT, COOLING, FAILED, GONE, KKT, NASTY, claim

from mcbench import cli
from mcbench.claims import read_rows, write_rows
from mcbench.errors import UserError
from mcbench.report import build
from mcbench.report.render import slug
from mcbench.report.site import write
from mcbench.report.source import read


class Page(HTMLParser):
    """What a browser sees: elements, text, scripts."""

    def __init__(self, path):
        super().__init__()
        self.elements, self.ids, self.links, self.scripts, self.texts = [], set(), [], [], []
        self._script = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        self.ids.add(attributes.get("id"))
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        self._script = tag == "script"

    def handle_endtag(self, tag):
        self._script = False

    def handle_data(self, data):
        (self.scripts if self._script else self.texts).append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


@pytest.fixture(scope="module")
def pages(site):
    return {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}


def test_there_is_a_page_for_each_paper_and_each_run(site, pages):
    runs = {f"runs/{letter * 16}.html" for letter in "abcde"}
    assert set(pages) == {"index.html", "papers/p1.html", "papers/p2.html", *runs}


def test_every_link_leads_somewhere_in_the_report(site, pages):
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme == "data":
                continue
            assert not parts.scheme, link
            assert not parts.netloc, link
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            assert target.is_file(), f"{name}: {link}"
            assert target.resolve().is_relative_to(site.resolve())
            if parts.fragment and "=" not in parts.fragment:
                key = target.resolve().relative_to(site.resolve()).as_posix()
                assert parts.fragment in pages[key].ids, f"{name}: {link}"


def test_nothing_asks_for_a_network(site):
    for path in (site / "assets").iterdir():
        text = path.read_text()
        assert not re.search(r"\b(fetch|XMLHttpRequest|import|eval|innerHTML)\b", text), path.name
        addresses = set(re.findall(r"https?://[^\s\"')]+", text))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path.name
        assert "url(" not in text


def test_text_from_data_stays_text(pages):
    for name, page in pages.items():
        for tag, attributes in page.elements:
            assert not any(key.startswith("on") for key in attributes), name
            if tag == "script":
                assert "src" in attributes or attributes["type"] == "application/json", name
            assert tag != "img" or attributes["src"].startswith("../figures/"), name
        assert not any("alert" in text and "\\u003c" not in text for text in page.scripts), name
    assert NASTY in pages["index.html"].text
    assert f"On {NASTY}" in pages["papers/p1.html"].text
    assert BREAKOUT in pages["papers/p1.html"].text
    assert NASTY in pages[f"runs/{KKT}.html"].text
    assert BREAKOUT in pages[f"runs/{KKT}.html"].text


def test_the_data_of_the_curves_are_whole_json(pages):
    (script,) = (text for text in pages["papers/p1.html"].scripts if text.strip())
    chart = json.loads(script)
    assert [panel["name"] for panel in chart["panels"]] == [
        f"{NASTY}, 100 examples",
        f"{NASTY}, 50 examples",
    ]
    assert max(len(c["runs"][0]["gap"]) for p in chart["panels"] for c in p["curves"]) <= 200


def test_the_rows_of_the_index_have_what_the_filters_look_at(pages):
    rows = [
        attributes
        for tag, attributes in pages["index.html"].elements
        if tag == "tr" and "data-verdict" in attributes
    ]
    assert [(row["data-paper"], row["data-verdict"], row["data-profile"]) for row in rows] == [
        ("p1", "reproduced", "quick"),
        ("p1", "differs", "quick"),
        ("p1", "not testable", "quick"),
        ("p2", "not testable", "smoke"),
    ]
    assert "p1-faster" in rows[0]["data-search"]
    assert BREAKOUT.lower() in rows[1]["data-search"]


def test_a_paper_shows_figures_tables_claims_and_what_is_missing(pages):
    page = pages["papers/p1.html"]
    for text in (
        "Figure 1: curves",
        "1.235",
        "1.5*",
        "A note",
        "8 times",
        "5 times",
        "dataset=mnist",
    ):
        assert text in page.text, text
    assert "1.23456789" in {attributes.get("title") for _, attributes in page.elements}
    assert "../figures/p1/fig1.svg" in page.links
    assert "../figures/p1/fig1.pdf" in page.links
    assert f"../runs/{COOLING}.html" in page.links
    # An item of a claim that is in no catalogue is there all the same.
    assert "fig9" in page.ids


def test_a_run_shows_its_settings_its_measurements_and_how_it_failed(pages):
    page = pages[f"runs/{KKT}.html"]
    assert "mcbench run dataset=nasty solver=kkt seed=0" in page.text
    assert "test error [%] 12.50" in page.text
    assert "(500 values)" in page.text  # a long value is cut off
    assert "25 of 400 checkpoints" in page.text or "of 400 checkpoints" in page.text
    assert "../papers/p1.html#fig1" in page.links
    assert "Traceback" in pages[f"runs/{FAILED}.html"].text


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_rebuilt_report_is_the_same_to_the_last_byte(results):
    first = contents(build(results).parent)
    shutil.rmtree(results.root / "report")
    assert contents(build(results).parent) == first
    assert contents(build(results).parent) == first  # over an old one
    assert not list(results.root.glob(".report*"))


def test_a_run_that_is_gone_is_named_and_no_link(results):
    rows = [*read_rows(results.root), claim("p1-gone", "fig1", "reproduced", (GONE, "../../x"))]
    write_rows(results.root, rows)
    build(results)
    page = (results.root / "report" / "papers" / "p1.html").read_text()
    assert f"Run {GONE} is not in the store" in page
    assert f"{GONE}.html" not in page
    assert "Run ../../x is not in the store" in page


def test_claims_without_a_catalogue_are_a_report(results):
    (results.root / "reproduced.json").unlink()
    build(results)
    assert "p1-faster" in (results.root / "report" / "papers" / "p1.html").read_text()


def test_what_an_older_version_left_out_is_empty(results):
    (results.root / "claims.json").write_text(
        '[{"paper": "p1", "item": "fig1", "id": "old", "verdict": "differs"}]'
    )
    entry = {"paper": "p1", "item": "fig1", "order": 0, "figures": [], "tables": []}
    (results.root / "reproduced.json").write_text(json.dumps([entry]))
    build(results)
    assert "old" in (results.root / "report" / "papers" / "p1.html").read_text()


def places(value, path=()):
    """All places in nested lists and mappings."""
    inside = enumerate(value) if isinstance(value, list) else ()
    inside = value.items() if isinstance(value, dict) else inside
    for key, item in inside:
        yield (*path, key)
        yield from places(item, (*path, key))


@pytest.mark.parametrize("name", ["claims.json", "reproduced.json"])
@pytest.mark.parametrize("other", [7, None, [[]], {"a": 1}], ids=str)
def test_a_value_edited_into_another_kind_is_shown_or_refused_in_a_sentence(results, name, other):
    path = results.root / name
    rows = json.loads(path.read_text())[:1]
    sentences = []
    for place in places(rows):
        harmed = json.loads(json.dumps(rows))
        node = harmed
        for key in place[:-1]:
            node = node[key]
        node[place[-1]] = other
        path.write_text(json.dumps(harmed))
        try:
            write(read(results), Path(tempfile.mkdtemp(dir=results.root)))
        except UserError as error:
            sentences.append(str(error))
    assert len(sentences) > 3
    assert all(f"{path} cannot be read" in sentence for sentence in sentences)


def test_files_outside_the_results_are_not_copied(results, tmp_path):
    (tmp_path / "secret.png").write_text("secret")
    path = results.root / "reproduced.json"
    entries = json.loads(path.read_text())
    entries[0]["figures"][0]["files"] = ["../secret.png", str(tmp_path / "secret.png")]
    path.write_text(json.dumps(entries))
    build(results)
    assert "secret" not in (results.root / "report" / "papers" / "p1.html").read_text()
    assert not list((results.root / "report").rglob("secret.png"))


def test_only_a_report_is_replaced(results, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    build(results, other)  # an empty folder is fine
    build(results, other)
    (other / ".mcbench-report").unlink()
    (other / "mine.txt").write_text("keep me")
    with pytest.raises(UserError, match="no report"):
        build(results, other)
    assert (other / "mine.txt").is_file()


def test_the_command_builds_it_and_says_where(results, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("MCBENCH_RESULTS", str(results.root))
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert cli.main(["report"]) == 0
    assert capsys.readouterr().out.strip() == str(results.root / "report" / "index.html")
    assert not opened
    assert cli.main(["report", "--output", str(tmp_path / "out"), "--open", "yes"]) == 0
    assert opened == [(tmp_path / "out" / "index.html").as_uri()]


def test_nothing_to_report_is_said(tmp_path, capsys):
    assert cli.main(["report", "--results", str(tmp_path)]) == 2
    assert "Nothing was reproduced" in capsys.readouterr().err
    assert cli.main(["report", "--results", str(tmp_path), "what"]) == 2


def test_names_of_files_are_harmless():
    assert slug("../../etc/passwd") == "etc-passwd"
    assert slug("<a b>") == "a-b"
    assert slug("..") == "-"
    assert slug("as05-table1_x") == "as05-table1_x"


def test_a_report_does_not_depend_on_where_the_results_are(results, site):
    assert contents(build(results).parent) == contents(site)


def test_a_report_goes_where_a_link_leads_and_into_no_file(results, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there")
    build(results, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "index.html").is_file()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UserError):
        build(results, tmp_path / "file")
    assert {path.name for path in tmp_path.iterdir()} >= {"file", "link", "there"}
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_record_of_another_version_is_left_out(results):
    record = results.runs / KKT / "record.json"
    record.write_text(record.read_text().replace('"schema": 1', '"schema": 99'))
    with pytest.warns(UserWarning, match="Run skipped"):
        assert build(results).is_file()
