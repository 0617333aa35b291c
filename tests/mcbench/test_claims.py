import csv
import io

import pytest

from mcbench.claims import Claim, as_row, counts, merge, read_rows, to_csv, to_markdown, write_rows


def claim(name="a", item="fig1", verdict="reproduced", **more):
    return Claim(name, item, "It holds.", "1", "printed", "x > 0", "2", verdict, **more)


def row(name="a", item="fig1", paper="p", profile="quick", **more):
    return as_row(claim(name, item, **more), paper, profile)


def test_only_known_verdicts():
    with pytest.raises(ValueError, match="a: verdict 'maybe'"):
        claim(verdict="maybe")


def test_counts_names_every_verdict():
    rows = [row(), row("b", verdict="differs")]
    assert counts(rows) == "2 claims: 1 reproduced, 1 differs, 0 not testable."


def test_only_items_evaluated_anew_are_replaced():
    old = [row("a", verdict="differs"), row("b", item="fig2"), row("c", paper="q")]
    merged = merge(old, [row("a")], {("p", "fig1")})
    assert [(r["id"], r["verdict"]) for r in merged] == [
        ("a", "reproduced"),
        ("b", "reproduced"),
        ("c", "reproduced"),
    ]


def test_rows_are_written_and_read_back(tmp_path):
    rows = [row(runs=("r1", "r2"), reason="because | of\nthis")]
    write_rows(tmp_path, rows)
    assert read_rows(tmp_path) == rows
    assert read_rows(tmp_path / "nowhere") == []
    (tmp_path / "claims.json").write_text("{")
    assert read_rows(tmp_path) == []


def test_csv_has_one_line_each():
    (found,) = csv.DictReader(io.StringIO(to_csv([row(runs=("r1", "r2"))])))
    assert found["runs"] == "r1 r2"
    assert found["profile"] == "quick"


def test_markdown_tells_check_reason_and_runs():
    text = to_markdown([row(verdict="differs", reason="too slow", runs=("r1",))])
    for part in ("| a ", "x > 0", "**differs**: too slow", "runs: r1", "(printed)"):
        assert part in text
