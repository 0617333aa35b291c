import pandas as pd
import pytest

from mcbench.paper_table import PaperTable

FRAME = pd.DataFrame(
    {
        "data": ["dna_1", "wine"],
        "OAO": [4.553, 0.561],
        "CS": [4.1314, 0.5612],
        "paper": [4.1, None],
        "run": ["aa11 bb22", "cc33"],
    }
)


def test_the_least_value_is_bold_and_equal_ones_are_too():
    table = PaperTable(FRAME, "70 % of dna.", best=[["OAO", "CS"]], marks={(0, "OAO"): "*"})
    text = table.markdown("Table 9")
    assert text.startswith("Table 9\n\n70 % of dna.\n\n| data ")
    assert "| 4.553\\*" in text
    assert "**4.131**" in text
    assert "**0.561**" in text
    assert "0.5612 " in text
    rounded = PaperTable(FRAME, best=[["OAO", "CS"]], decimals={"OAO": 2, "CS": 2})
    assert rounded.markdown("").count("**0.56**") == 2


def test_the_largest_value_can_be_the_best():
    assert "**4.553**" in PaperTable(FRAME, largest=[["OAO", "CS"]]).markdown("T")


def test_latex_escapes_and_keeps_the_runs_as_comments():
    table = PaperTable(FRAME, "70 % of dna.", best=[["OAO", "CS"]], marks={(0, "OAO"): "*"})
    assert table.latex("Table 9").splitlines() == [
        "% needs \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering",
        "\\caption{Table 9. 70 \\% of dna.}",
        "\\begin{tabular}{lrrr}",
        "\\toprule",
        "data & OAO & CS & paper \\\\",
        "\\midrule",
        "dna\\_1 & 4.553$^{*}$ & \\textbf{4.131} & 4.1 \\\\ % run aa11 bb22",
        "wine & \\textbf{0.561} & 0.5612 & - \\\\ % run cc33",
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    ]


def test_csv_keeps_all_digits():
    assert PaperTable(FRAME).csv().splitlines()[1] == "dna_1,4.553,4.1314,4.1,aa11 bb22"


def test_a_single_value_is_no_best():
    frame = pd.DataFrame({"a": [1.0], "b": [None]})
    assert "**" not in PaperTable(frame, best=[["a", "b"]]).markdown("T")


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(KeyError, match="nothing"):
        PaperTable(FRAME, best=[["OAO", "nothing"]]).markdown("T")


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two columns of a table have one name"):
        PaperTable(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_a_note_of_several_lines_and_a_missing_value():
    table = PaperTable(pd.DataFrame({"a": [pd.NA, 1]}), "one\n\ntwo")
    assert "\\caption{T. one two}" in table.latex("T")
    assert "| - " in table.markdown("T")
