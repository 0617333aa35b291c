"""What is recorded is documented, name by name (docs/reference/record.md)."""

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pandas as pd
import pytest

from mcbench.config import resolve
from mcbench.record import flatten
from mcbench.run import execute
from mcbench.store import Store

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "reference" / "record.md").read_text(encoding="utf-8")

#: Runs whose records together have every name, by what they are there for.
RUNS = (
    "dataset=iris solver=block",
    "dataset=iris solver=block protocol=isolated",
    "dataset=iris solver=lvq21",
    "dataset=iris measure={_target_:mcbench.measures.sizes}",
    "dataset=iris solver=nearest_neighbour solver.n_neighbors=100000",
)


def documented(part: str) -> list[str]:
    """Names in the first column of the page's table of a part."""
    table = re.search(rf"<!-- {part}:begin -->(.*?)<!-- {part}:end -->", PAGE, re.S)
    cells = [line.split("|")[1] for line in table[1].splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


#: Recorded only where something rare has happened.
OCCASIONAL = ("attempts.*", "parallel.*", "resumed.*", "time.kind")


def undocumented(found: set[str], names: list[str]) -> list[str]:
    return sorted(name for name in found if not any(fnmatchcase(name, one) for one in names))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("results"))
    for overrides in RUNS:
        execute(resolve(overrides.split()), store)
    return store


@pytest.fixture(scope="module")
def keys(store):
    """All names of the records, those of sections with dots."""
    found = set()
    for path in store.runs.glob("*/record.json"):
        found |= set(flatten(json.loads(path.read_text())))
    return found


def test_every_name_of_a_record_is_documented(keys):
    assert undocumented(keys, documented("record")) == []


def test_every_documented_name_is_recorded(keys):
    missing = [
        name
        for name in documented("record")
        if not any(fnmatchcase(name, rare) for rare in OCCASIONAL)
        and not any(fnmatchcase(key, name) for key in keys)
    ]
    assert missing == []


def test_every_column_of_the_table_is_documented(store):
    names = documented("record") + documented("table")
    assert undocumented(set(store.frame().columns), names) == []


@pytest.mark.parametrize("name", ["trace", "predictions"])
def test_the_tables_beside_a_record_have_the_documented_columns(store, name):
    for path in store.runs.glob(f"*/{name}.parquet"):
        assert sorted(pd.read_parquet(path).columns) == sorted(documented(name))


@pytest.mark.parametrize("name", ["claims", "reproduced"])
def test_what_is_published_has_the_documented_names(name):
    rows = json.loads((ROOT / "results" / "published" / f"{name}.json").read_text())
    assert {key for row in rows for key in row} == set(documented(name))


def test_a_name_that_is_not_documented_is_found():
    assert undocumented({"time.fit", "time.other"}, ["time.fit", "work.*"]) == ["time.other"]
