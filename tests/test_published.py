"""Published claims and tables follow from the runs beside them, and from nothing else."""

import json
import shlex
from pathlib import Path

import pytest

from mcbench import cli
from mcbench.archive import unpack
from mcbench.claims import read_rows
from mcbench.reproduce import reproduce
from mcbench.store import Store

PUBLISHED = Path(__file__).resolve().parent.parent / "results" / "published"
ENTRIES = json.loads((PUBLISHED / "reproduced.json").read_text())


def name(entry):
    return f"{entry['paper']}/{entry['item']}"


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A store of the published runs."""
    store = Store(tmp_path_factory.mktemp("published"))
    store.runs.mkdir()
    for path in PUBLISHED.glob("records/*/*.tar.gz"):
        unpack(path, store.runs)
    return store


@pytest.mark.parametrize("entry", ENTRIES, ids=name)
def test_an_item_is_as_its_runs_say(entry, published, monkeypatch):
    monkeypatch.setattr("mcbench.reproduce._draw", lambda *_: [])  # compared by nobody
    paper, item = entry["paper"], entry["item"]
    _, *words = shlex.split(entry["command"])
    args = cli.parse([*words, "--no-run"])
    reproduce(
        [word for word in args.names if "=" not in word],
        args.profile,
        published,
        user=[word for word in args.names if "=" in word],
        execute=False,
        only=args.only,
        say=lambda line: None,
    )
    ours, theirs = (
        [row for row in read_rows(root) if (row["paper"], row["item"]) == (paper, item)]
        for root in (published.root, PUBLISHED)
    )
    assert ours == theirs
    for made in entry["tables"]:
        for file in made["files"]:
            assert (published.root / file).read_text() == (PUBLISHED / file).read_text()
