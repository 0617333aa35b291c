import shlex

import pandas as pd
import pytest
from reading_store import put

from mcbench.errors import UserError
from mcbench.keys import names_of
from mcbench.metrics import METRICS
from mcbench.pivot import pivot
from mcbench.pivot_text import as_csv, as_latex, as_markdown
from mcbench.query import apply_filters
from mcbench.significance import MCNEMAR, RESAMPLED, against_best, holm
from mcbench.statistics import corrected_resampled_t, mcnemar
from mcbench.tables import summarize

ERROR, SECONDS = METRICS["error"], METRICS["seconds"]


@pytest.fixture
def grid(store):
    """Two data sets, two solvers, three seeds: errors of 10, 11, 12 % and twice that."""
    number = 0
    for dataset in ("iris", "wine"):
        for solver, factor in (("block", 1), ("kkt", 2)):
            for seed in (0, 1, 2):
                number += 1
                put(store, number, dataset=dataset, solver=solver, seed=seed,
                    error=factor * (0.1 + seed / 100), seconds=factor * (seed + 1.0),
                    split=f"{dataset}{seed}")  # fmt: skip
    return store


def test_a_cell_has_mean_spread_and_number_of_seeds(grid):
    table = pivot(grid.frame(), ["dataset"], ["solver"], ERROR)
    cell = table.cells[("iris",), ("kkt",)]
    assert cell.found == pytest.approx({"mean": 22.0, "sd": 2.0, "n": 3})
    text = as_markdown(table, {})
    assert "**11.00 ± 1 (3)**" in text
    assert "22.00 ± 2 (3)" in text
    assert text.splitlines()[0].split() == ["|", "dataset", "|", "block", "|", "kkt", "|"]


@pytest.mark.parametrize(
    ("aggregate", "shown"),
    [("median", "2 [1, 3] (3)"), ("min", "1 (3)"), ("max", "3 (3)")],
)
def test_other_aggregates(grid, aggregate, shown):
    table = pivot(grid.frame(), ["dataset"], ["solver"], SECONDS, aggregate)
    assert f"**{shown}**" in as_markdown(table, {})


def test_without_an_aggregate_each_seed_has_a_row(grid):
    table = pivot(grid.frame(), ["dataset"], ["solver"], ERROR, "none")
    assert table.rows == ["dataset", "seed"]
    assert len(table.row_keys()) == 6
    assert all(cell.found["n"] == 1 for cell in table.cells.values())
    runs, labels = summarize(grid.frame(), [ERROR], "none")
    assert len(runs) == 12
    assert labels[-2:] == ["seed", "id"]


def test_what_is_no_seed_is_never_averaged(grid):
    put(grid, 99, C=4.0)
    with pytest.raises(UserError) as error:
        pivot(grid.frame(), ["dataset"], ["solver"], ERROR)
    said = str(error.value)
    assert "1 cell would mix runs" in said
    assert "dataset=iris solver=block in solver.C (1, 4)" in said
    assert "solver.C=1" in said
    assert "with --rows dataset,solver.C." in said
    with pytest.raises(UserError, match="would mix"):
        summarize(grid.frame(), [ERROR], rows=["dataset"])
    wider = pivot(grid.frame(), ["dataset", "solver.C"], ["solver"], ERROR)
    assert wider.cells[("iris", "4"), ("block",)].found["n"] == 1


def test_the_rows_that_an_error_names_are_enough(grid):
    put(grid, 99, C=4.0, dataset__train_size=70)
    with pytest.raises(UserError) as error:
        pivot(grid.frame(), ["dataset"], ["solver"], ERROR)
    rows = str(error.value).partition("--rows ")[2].removesuffix(".").split(",")
    assert len(pivot(grid.frame(), rows, ["solver"], ERROR).row_keys()) == 3


def test_the_choice_that_an_error_names_is_enough(grid):
    put(grid, 98, C=4.0)
    put(grid, 99, C=4.0, dataset__train_size=70, dataset__path="a b.csv")
    with pytest.raises(UserError) as error:
        pivot(grid.frame(), ["dataset"], ["solver"], ERROR)
    said = str(error.value).partition("choose some with ")[2].partition(", or")[0]
    chosen = grid.find("dataset=iris", "solver=block", *shlex.split(said))
    assert len(chosen)
    assert len(pivot(chosen, ["dataset"], ["solver"], ERROR).cells) == 1


def test_folds_are_offered_where_nothing_else_differs(store):
    for number, C in enumerate((1.0, 2.0)):
        put(store, number, C=C, dataset__fold=number)
    with pytest.raises(UserError) as error:
        pivot(store.frame(), ["dataset"], ["solver"], ERROR)
    assert "--over" not in str(error.value)


def test_what_is_no_column_is_not_offered_as_a_choice(store):
    put(store, 0)
    put(store, 1, protocol__trace={"factor": 1.25})
    with pytest.raises(UserError, match=r"in traced \(.*\): make rows of all that differ"):
        pivot(store.frame(), ["dataset"], ["solver"], ERROR)


def test_machines_are_chosen_by_the_name_of_their_label(store):
    put(store, 0)
    frame = pd.concat([store.frame()] * 2, ignore_index=True)
    frame["provenance.machine.id"] = ["one", "two"]
    with pytest.raises(
        UserError, match=r"choose some with machine\.id=one, or .* --rows dataset,m"
    ):
        pivot(frame, ["dataset"], ["solver"], ERROR)
    assert len(apply_filters(frame, ["machine.id=one"])) == 1
    assert len(pivot(frame, ["dataset", "machine.id"], ["solver"], ERROR).cells) == 2
    for name in ("machine.id", "provenance.machine.id"):
        over = names_of(name)
        assert len(pivot(frame, ["dataset"], ["solver"], ERROR, over=over).cells) == 1


def test_where_very_much_differs_an_error_names_no_rows(grid):
    for number, key in enumerate(("scaling", "train_size", "draw", "fold", "split")):
        put(grid, 90 + number, **{f"dataset__{key}": 7})
    with pytest.raises(UserError, match=r"make rows of all that differ without --rows\.$"):
        pivot(grid.frame(), ["dataset"], ["solver"], ERROR)
    assert len(pivot(grid.frame(), [], ["solver"], ERROR).row_keys()) == 7


def test_folds_given_by_hand_are_averaged_when_asked_for(store):
    for fold in (0, 1):
        put(store, fold + 1, error=0.1 + fold / 10, dataset__fold=fold)
    with pytest.raises(UserError, match=r"--over dataset.fold"):
        pivot(store.frame(), ["dataset"], ["solver"], ERROR)
    table = pivot(store.frame(), ["dataset"], ["solver"], ERROR, over=["dataset.fold"])
    assert table.cells[("iris",), ("block",)].found["mean"] == pytest.approx(15.0)


def test_data_sets_as_columns_compare_down(grid):
    table = pivot(grid.frame(), ["solver"], ["dataset"], ERROR)
    assert table.best() == {(("block",), ("iris",)), (("block",), ("wine",))}
    assert "best of each column" in as_markdown(table, {})


def test_a_cell_with_fewer_seeds_is_not_the_best(store):
    for seed in (0, 1):
        put(store, seed + 1, solver="block", seed=seed, error=0.2)
        put(store, seed + 11, solver="kkt", seed=seed, error=0.3)
    put(store, 21, solver="ovr", seed=0, error=0.1)
    table = pivot(store.frame(), ["dataset"], ["solver"], ERROR)
    assert table.best() == {(("iris",), ("block",))}


def test_what_is_not_the_best_is_not_what_others_are_compared_with(store):
    for seed in (0, 1):
        put(store, seed + 1, solver="block", seed=seed, wrong=list(range(10)))
        put(store, seed + 11, solver="kkt", seed=seed, wrong=list(range(10)))
    put(store, 21, solver="ovr", seed=0, wrong=[])
    table = pivot(store.frame(), ["dataset"], ["solver"], ERROR)
    tests = against_best(table, store)
    assert tests[("iris",), ("kkt",)] == (1.0, MCNEMAR)
    assert table.best() == {(("iris",), ("block",)), (("iris",), ("kkt",))}


def test_objectives_have_no_best(grid):
    assert not pivot(grid.frame(), ["dataset"], ["solver"], METRICS["primal"]).best()


def test_a_setting_that_differs_between_columns_is_said(store):
    put(store, 1, solver="block", solver__tol=0.001)
    put(store, 2, solver="kkt", solver__tol=0.1)
    text = as_markdown(pivot(store.frame(), ["dataset"], ["solver"], ERROR), {})
    assert "solver.tol is not the same everywhere: 0.001, 0.1." in text


def test_values_of_fits_that_ended_early_are_marked(store):
    put(store, 1, ended="max_iter")
    put(store, 2, solver="kkt")
    table = pivot(store.frame(), ["dataset"], ["solver"], ERROR)
    assert "(1)** †" in as_markdown(table, {})
    assert "$^{\\dagger}$" in as_latex(table, {})
    assert "block.early" in as_csv(table, {})


def test_runs_of_one_test_part_are_compared_by_mcnemar(store):
    put(store, 1, solver="block", wrong=[0, 1])
    put(store, 2, solver="kkt", wrong=list(range(2, 32)))
    put(store, 3, solver="ovr", wrong=[0, 1, 2])
    table = pivot(store.frame(), ["dataset"], ["solver"], ERROR)
    tests = against_best(table, store)
    far = mcnemar([i in (0, 1) for i in range(100)], [2 <= i < 32 for i in range(100)]).p
    assert tests[("iris",), ("kkt",)] == (pytest.approx(2 * far), MCNEMAR)
    assert tests[("iris",), ("ovr",)] == (1.0, MCNEMAR)
    text = as_markdown(table, tests)
    assert "30.00 (1) \\*" in text
    assert "3.00 (1) \\*" not in text
    assert "exact McNemar" in text
    assert "$30.00$ (1)$^{*}$" in as_latex(table, tests)


def test_seeds_that_are_splits_are_compared_by_the_resampled_t_test(grid):
    table = pivot(grid.frame(), ["dataset"], ["solver"], ERROR)
    tests = against_best(table, grid)
    expected = corrected_resampled_t([0.1, 0.11, 0.12], 135, 100).p
    assert tests[("iris",), ("kkt",)] == (pytest.approx(expected), RESAMPLED)


def test_equal_differences_tell_no_spread_and_are_not_tested(store):
    for seed, wrong in enumerate(([0], [1, 2])):
        put(store, seed + 1, solver="block", seed=seed, wrong=wrong, split=str(seed))
        more = [*wrong, 50, 51]
        put(store, seed + 11, solver="kkt", seed=seed, wrong=more, split=str(seed))
    table = pivot(store.frame(), ["dataset"], ["solver"], ERROR)
    assert against_best(table, store) == {}


def test_runs_of_other_splits_are_not_compared(store):
    put(store, 1, solver="block", wrong=[0], split="a")
    put(store, 2, solver="kkt", wrong=[1, 2], split="b")
    table = pivot(store.frame(), ["dataset"], ["solver"], ERROR)
    assert against_best(table, store) == {}


def test_runs_without_predictions_are_not_compared(store):
    put(store, 1, solver="block")
    put(store, 2, solver="kkt", error=0.5)
    table = pivot(store.frame(), ["dataset"], ["solver"], ERROR)
    assert against_best(table, store) == {}


def test_holm():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_latex_is_booktabs_with_a_caption(grid):
    text = as_latex(pivot(grid.frame(), ["dataset"], ["solver"], ERROR), {})
    assert "\\toprule" in text
    assert "\\caption{Test error [\\%]: mean $\\pm$ standard deviation" in text
    assert "\\boldmath$11.00 \\pm 1$ (3)" in text


def test_csv_has_a_column_for_each_statistic(grid):
    rows = as_csv(pivot(grid.frame(), ["dataset"], ["solver"], ERROR), {}).splitlines()
    assert rows[0] == "dataset,block.mean,block.sd,block.n,kkt.mean,kkt.sd,kkt.n"
    assert [float(value) for value in rows[1].split(",")[1:4]] == pytest.approx([11.0, 1.0, 3])


def test_a_pair_without_runs_is_a_dash(store):
    put(store, 1, dataset="iris", solver="block")
    put(store, 2, dataset="wine", solver="kkt")
    rows = as_markdown(pivot(store.frame(), ["dataset"], ["solver"], ERROR), {}).splitlines()
    assert [cell.strip() for cell in rows[2].strip("|").split("|")] == ["iris", "10.00 (1)", "-"]


def test_a_narrow_terminal_gets_blocks(grid):
    table = pivot(grid.frame(), ["dataset"], ["solver"], ERROR)
    assert as_markdown(table, {}, 30).startswith("iris\n  block  **11.00 ± 1 (3)**\n")
