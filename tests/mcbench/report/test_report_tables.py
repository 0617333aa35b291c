import pandas as pd

from mcbench.paper_table import PaperTable
from mcbench.report.tables import read_table

FRAME = pd.DataFrame(
    {
        "data": ["a|b", "x * y"],
        "ours": [1.23456789, 3.0],
        "paper": [1.5, None],
        "n": [10, 20],
        "runs": ["aa bb", "-"],
    }
)


def read(tmp_path, table):
    (tmp_path / "t.md").write_text(table.markdown("Title"))
    (tmp_path / "t.csv").write_text(table.csv())
    return read_table(tmp_path / "t.md", tmp_path / "t.csv")


def test_cells_are_as_the_table_shows_them_and_know_their_values_and_runs(tmp_path):
    table = read(
        tmp_path,
        PaperTable(FRAME, "A note.", best=(("ours", "paper"),), marks={(1, "ours"): "*"}),
    )
    assert table.header == ["data", "ours", "paper", "n", "runs"]
    assert table.note == "A note."
    assert table.numeric == [False, True, True, True, False]
    (name, ours, paper, n, runs), (second, other, none_better, _, none) = table.rows
    assert name.text == "a|b"
    assert (ours.text, ours.full, ours.bold, ours.number) == ("1.235", "1.23456789", True, True)
    assert not paper.bold
    assert (n.text, n.full) == ("10", "")
    assert runs.runs == ("aa", "bb")
    assert none.runs == ()
    assert second.text == "x * y"
    assert (other.text, other.mark) == ("3", "*")
    assert not other.bold  # nothing to compare with
    assert (none_better.text, none_better.number) == ("-", False)


def test_a_table_without_rows_is_read(tmp_path):
    assert read(tmp_path, PaperTable(pd.DataFrame())).rows == []
    assert read(tmp_path, PaperTable(FRAME.iloc[:0])).rows == []
