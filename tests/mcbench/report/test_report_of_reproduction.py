import json

import pytest

from mcbench import cli, discovery
from mcbench.merging import merge
from mcbench.publish import publish
from mcbench.reproduce import reproduce
from mcbench.store import Store
from mcbench.verification import verify


@pytest.fixture
def paper(store, monkeypatch):
    """The fake paper as the only one."""
    discovery.load_paper.cache_clear()
    monkeypatch.setattr(discovery, "packages", lambda: {"fake_paper": "fake_paper"})
    monkeypatch.setattr(discovery, "conf_dirs", lambda: ())
    yield store
    discovery.load_paper.cache_clear()


def catalogue(store):
    return json.loads((store.root / "reproduced.json").read_text())


def test_a_reproduction_leaves_what_the_report_needs(paper):
    reproduce([], "smoke", paper, user=["seed=3"], say=lambda line: None)
    (entry,) = catalogue(paper)
    assert entry["paper_title"] == "On Fakes"
    assert entry["title"] == "Figure 1: a curve"
    assert entry["command"] == "mcbench reproduce fake_paper/curve seed=3 --profile smoke"
    assert sorted(entry["runs"]) == sorted(paper.frame()["id"])
    (figure,) = entry["figures"]
    assert figure["files"] == [f"figures/fake_paper/curve.{form}" for form in ("svg", "png", "pdf")]
    assert figure["runs"] == entry["runs"]  # not stamped: all that it saw
    (table,) = entry["tables"]
    assert all((paper.root / file).is_file() for file in [*figure["files"], *table["files"]])


def test_a_stamped_figure_names_the_runs_it_shows(paper, monkeypatch):
    from matplotlib.figure import Figure

    from mcbench.style import stamp

    def figures(results):
        figure = Figure()
        stamp(figure, runs=[results.frame["id"].iloc[1]])
        return {"curve": figure}

    monkeypatch.setattr("fake_paper.curve.figures", figures)
    reproduce([], "smoke", paper, say=lambda line: None)
    (entry,) = catalogue(paper)
    assert entry["figures"][0]["runs"] == [entry["runs"][1]]


def test_missing_runs_are_in_the_catalogue(paper):
    reproduce([], "smoke", paper, execute=False, say=lambda line: None)
    (entry,) = catalogue(paper)
    assert len(entry["missing"]) >= 3
    assert "dataset=" in entry["missing"][0]["run"]
    assert "not in the store" in entry["missing"][0]["reason"]
    assert entry["figures"] == []


def test_the_command_ends_with_the_report(paper, capsys):
    assert cli.main(["reproduce", "--profile", "smoke"]) == 0
    page = paper.root / "report" / "index.html"
    assert f"The report is {page}." in capsys.readouterr().out
    assert "fp-sizes" in page.read_text()


def test_a_report_that_fails_is_an_error(paper, capsys, monkeypatch):
    def fail(store):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("mcbench.report.build", fail)
    assert cli.main(["reproduce", "--profile", "smoke"]) == 1
    captured = capsys.readouterr()
    assert "1 claim" in captured.out
    assert "error: the report crashed: ZeroDivisionError: division by zero" in captured.out


def test_published_runs_are_judged_as_they_were(paper, tmp_path):
    arguments = {"profile": "smoke", "say": lambda line: None}
    reproduce([], store=paper, **arguments)
    published = publish(paper, tmp_path / "published").parent
    theirs = Store(tmp_path / "theirs")
    merged = merge(theirs, sorted(published.glob("records/*/*.tar.gz")))
    assert sorted(merged.taken) == sorted(paper.frame()["id"])
    assert verify(theirs)[1] == []
    back = merge(paper, sorted(published.glob("records/*/*.tar.gz")))  # it has them, and more
    assert (sorted(back.same), back.conflicts) == (sorted(merged.taken), [])
    reproduce([], store=theirs, execute=False, **arguments)
    again = publish(theirs, tmp_path / "again").parent
    for name in ("claims.json", "reproduced.json", "runs.csv", "environment.json"):
        assert (again / name).read_bytes() == (published / name).read_bytes()
