import pandas as pd

from mcbench import catalogue


def entry(paper, item, order=0, **values):
    return {"paper": paper, "item": item, "order": order, "figures": [], "tables": [], **values}


def test_items_done_anew_replace_their_old_entries_and_the_order_is_the_papers():
    old = [entry("a", "fig2", 1, profile="smoke"), entry("b", "fig1")]
    new = [entry("a", "fig2", 1, profile="quick"), entry("a", "zero", 0)]
    merged = catalogue.merge(old, new)
    assert [(row["paper"], row["item"]) for row in merged] == [
        ("a", "zero"),
        ("a", "fig2"),
        ("b", "fig1"),
    ]
    assert merged[1]["profile"] == "quick"


def test_what_is_written_is_read_and_what_cannot_be_read_is_nothing(tmp_path):
    entries = [entry("a", "fig1", runs=["x"], value=float("nan"))]
    catalogue.write_entries(tmp_path, entries)
    assert catalogue.read_entries(tmp_path) == [{**entries[0], "value": None}]
    (tmp_path / catalogue.FILE).write_text("[{")
    assert catalogue.read_entries(tmp_path) == []
    (tmp_path / catalogue.FILE).write_text('[{"paper": "a"}]')
    assert catalogue.read_entries(tmp_path) == []
    assert catalogue.read_entries(tmp_path / "none") == []


def test_the_runs_of_a_table_are_those_in_its_last_columns():
    table = pd.DataFrame({"n": [1, 2, 3], "runs": ["a b", None, "b, c -"]})
    assert catalogue.runs_of_table(table) == ["a", "b", "c"]
    assert catalogue.runs_of_table(pd.DataFrame({"n": [1]})) == []
