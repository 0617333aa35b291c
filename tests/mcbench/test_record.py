import json

import pytest

from mcbench.errors import UserError
from mcbench.record import FILE, Record, flatten, load_record


def test_a_record_is_saved_status_first_and_read_back(tmp_path):
    record = Record("a" * 16, "failed", {"seed": 1}, "A reason.", {"time": {"fit": 2.0}})
    record.save(tmp_path)
    assert list(json.loads((tmp_path / FILE).read_text()))[:4] == [
        "schema",
        "id",
        "status",
        "reason",
    ]
    assert load_record(tmp_path) == record


def test_a_flat_record_has_short_and_dotted_names():
    choices = {"dataset": "d", "kernel": "k", "solver": "s", "protocol": "p"}
    sections = {
        "time": {"fit": 2.0},
        "provenance": {"git": {"commit": "abc"}, "packages": {"numpy": "2"}},
        "traceback": "long",
    }
    config = {"seed": 3, "solver": {"C": 4}, "choices": choices}
    row = Record("a" * 16, "done", config, "", sections).flat()
    assert row["dataset"] == "d"
    assert row["config.solver_name"] == row["solver"] == "s"
    assert row["config.solver.C"] == 4
    assert row["time.fit"] == 2.0
    assert row["provenance.git.commit"] == "abc"
    assert not any("packages" in name or name == "traceback" for name in row)


def test_flatten_joins_keys():
    assert flatten({"a": {"b": 1, "c": {"d": [2]}}, "e": None}) == {
        "a.b": 1,
        "a.c.d": [2],
        "e": None,
    }


def test_a_record_of_another_version_is_not_guessed_at(tmp_path):
    Record("a" * 16, "done", {}).save(tmp_path)
    path = tmp_path / FILE
    path.write_text(path.read_text().replace('"schema": 1', '"schema": 99'))
    with pytest.raises(UserError, match="another version"):
        load_record(tmp_path)
