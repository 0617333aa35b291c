import csv
import io

import numpy as np
import pandas as pd
import pytest

from mcbench.errors import UserError
from mcbench.figures import convergence, scaling
from mcbench.labels import add_labels, curve_name
from mcbench.markup import markdown
from mcbench.metrics import METRICS, metric, titled, trace_axis
from mcbench.style import COLOURS, line, save, stamp
from mcbench.tables import best_rows, early, render, summarize

ERROR, SECONDS = METRICS["error"], METRICS["seconds"]


def frame():
    """Two data sets, two solvers, three seeds; known means and spreads."""
    rows = []
    for dataset, base in (("iris", 0.1), ("wine", 0.2)):
        for solver, factor in (("kkt", 1.0), ("cache", 2.0)):
            rows += [
                {
                    "id": f"{dataset}{solver}{seed}",
                    "status": "done",
                    "dataset": dataset,
                    "kernel": "rbf",
                    "solver": solver,
                    "config.seed": seed,
                    "config.solver.C": 1.0,
                    "config.choices.solver": solver,
                    "error.test": base + seed / 100,
                    "time.fit": factor * (1 + seed),
                    "data.n_train": 100 if dataset == "iris" else 1000,
                    "data.title": dataset.title(),
                    "data.stand_in": "stands in for another" if dataset == "wine" else None,
                }
                for seed in (0, 1, 2)
            ]
    return pd.DataFrame(rows)


def test_mean_spread_and_n():
    table, labels = summarize(frame(), [ERROR, SECONDS])
    assert labels == ["dataset", "solver"]
    assert len(table) == 4
    row = table.set_index(["dataset", "solver"]).loc[("wine", "cache")]
    assert row["error.mean"] == pytest.approx(21.0)
    assert row["error.sd"] == pytest.approx(1.0)
    assert row["seconds.mean"] == pytest.approx(4.0)
    assert row["seconds.sd"] == pytest.approx(2.0)
    assert row["n"] == row["error.n"] == 3


def test_numbers_come_in_the_order_of_their_values():
    runs = frame()[lambda f: f["solver"] == "kkt"]
    sizes = runs["config.seed"].map({0: 20, 1: 3, 2: 0.5})
    table, _ = summarize(runs.assign(**{"config.solver.C": sizes}), [ERROR])
    assert list(table["solver.C"]) == ["0.5", "3", "20"] * 2


def test_a_single_run_has_no_spread_and_a_missing_value_is_no_zero():
    runs = frame().iloc[:1].assign(**{"error.test": np.nan})
    table, labels = summarize(runs, [ERROR, SECONDS, METRICS["gap"]])
    text = render(table, labels, [ERROR, SECONDS, METRICS["gap"]], "markdown")
    assert text.splitlines()[-1].split("|")[3:7] == [
        " -              ", " 1       ", " -            ", " 1 ",
    ]  # fmt: skip


def test_runs_that_differ_in_a_setting_are_never_averaged():
    runs = frame()
    runs.loc[runs["config.seed"] == 2, "config.solver.C"] = 8.0
    table, labels = summarize(runs, [ERROR])
    assert labels == ["dataset", "solver", "solver.C"]
    assert sorted(table["n"]) == [1, 1, 1, 1, 2, 2, 2, 2]


def test_kernels_and_machines_are_told_apart():
    runs = frame()
    runs["provenance.machine.id"] = ["m1", "m2"] * 6
    runs.loc[0, "kernel"] = "poly"
    _, labels = add_labels(runs)
    assert labels == ["dataset", "kernel", "solver", "machine.id"]


def test_settings_that_the_names_explain_are_no_columns():
    runs = frame()
    runs["config.solver.cache"] = runs["solver"].map({"kkt": "none", "cache": "lru"})
    assert add_labels(runs)[1] == ["dataset", "solver"]


def test_lists_and_missing_settings_can_be_compared():
    runs = frame()
    runs["config.x"] = [[1], [2], None] * 4
    assert "x" in add_labels(runs)[1]


def test_the_best_is_found_by_direction_and_as_shown():
    table, labels = summarize(frame(), [ERROR, SECONDS])
    fast = best_rows(table, labels, SECONDS)
    assert set(table.loc[list(fast), "solver"]) == {"kkt"}
    assert len(fast) == 2
    assert len(best_rows(table, labels, ERROR)) == 4  # ties are all best
    assert best_rows(table, labels, METRICS["hits"]) == set()


def test_latex_uses_booktabs_and_bold():
    table, labels = summarize(frame().assign(dataset="a_b & c"), [SECONDS])
    text = render(table, labels, [SECONDS], "latex")
    assert "\\toprule" in text
    assert text.count("\\boldmath") == 1
    assert "a\\_b \\& c" in text
    assert "$2 \\pm" in text or "$2" in text


def test_latex_writes_powers_of_ten():
    runs = frame().assign(**{"objective.gap": [1e-5, 2e-5, 3e-5] * 4})
    table, labels = summarize(runs, [METRICS["gap"]])
    text = render(table, labels, [METRICS["gap"]], "latex")
    assert "2.0 \\cdot 10^{-5} \\pm 1.0 \\cdot 10^{-5}" in text


def test_csv_has_every_number():
    table, labels = summarize(frame(), [ERROR])
    rows = list(csv.DictReader(io.StringIO(render(table, labels, [ERROR], "csv"))))
    assert len(rows) == 4
    assert float(rows[0]["error.mean"]) == pytest.approx(11.0)
    assert rows[0]["error.n"] == "3"


def test_in_a_narrow_terminal_each_row_is_a_block():
    metrics = [METRICS[name] for name in ("error", "seconds", "gap")]
    table, labels = summarize(frame(), metrics)
    wide = render(table, labels, metrics, "markdown", width=200)
    assert wide == render(table, labels, metrics, "markdown")
    narrow = render(table, labels, metrics, "markdown", width=40)
    assert max(map(len, narrow.splitlines())) <= 40
    assert narrow.startswith("iris cache\n  test error [%]  11.00 ± 1")


def test_markdown_escapes():
    assert "a\\|b c" in markdown(["x"], [["a|b\nc"]])


def test_a_wrong_format_or_metric_is_named():
    with pytest.raises(UserError, match="did you mean latex"):
        render(pd.DataFrame(), [], [], "latx")
    with pytest.raises(UserError, match="did you mean seconds"):
        metric("second")
    assert trace_axis("iterations") == "iteration"
    with pytest.raises(UserError, match="did you mean gap"):
        trace_axis("gp")


def test_every_metric_says_what_it_is():
    for name, found in METRICS.items():
        assert found.name == name
        assert found.title
        assert "." in found.column
        assert format(1.0, found.shown)


def traces(runs):
    steps = np.arange(6)
    trace = pd.DataFrame(
        {
            "iteration": steps,
            "seconds": steps / 10,
            "kernel_rows": steps * 2,
            "gap": [1, 0.5, 0.1, 0.01, 0.001, 0.0],
            "dual": -np.exp(-steps),
            "test_error": 0.5 / (steps + 1),
        }
    )
    return dict.fromkeys(runs["id"], trace)


@pytest.mark.parametrize("x", ["seconds", "iterations", "kernel_rows"])
@pytest.mark.parametrize("y", ["gap", "dual", "test_error"])
def test_convergence_has_a_panel_per_data_set_and_a_name_per_solver(x, y):
    runs = frame()
    figure = convergence(runs, traces(runs), x, y, profile="smoke")
    panels = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in panels] == ["iris", "wine"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["cache", "kkt"]
    assert len(panels[0].lines) == 2  # medians over three seeds, in bands
    assert len(panels[0].collections) == 2
    assert panels[0].get_xscale() == "log"
    note = " ".join(figure.get_supxlabel().split())
    assert "profile smoke; Iris, Wine (stands in for another); runs iriskkt0," in note
    assert note.endswith("and 9 more")


def test_curves_of_a_setting_are_named_by_it():
    assert curve_name({"solver": "kkt", "solver.C": "4"}, ["solver", "solver.C"]) == "kkt C=4"


def test_runs_without_a_trace_are_said_to_have_none():
    runs = frame()
    with pytest.raises(UserError, match="has a trace"):
        convergence(runs, dict.fromkeys(runs["id"], pd.DataFrame()))


def test_scaling_draws_means_over_seeds():
    runs = pd.concat([frame(), frame().assign(**{"data.n_train": 500})], ignore_index=True)
    figure = scaling(runs, "seconds")
    panel = figure.axes[0]
    assert panel.get_yscale() == "log"
    assert panel.get_ylabel() == "fit [s]"
    with pytest.raises(UserError, match="None of these runs"):
        scaling(runs.assign(**{"time.fit": np.nan}), "seconds")


def test_figures_are_written_the_same_each_time(tmp_path):
    from matplotlib.figure import Figure

    def draw(name):
        figure = Figure()
        figure.subplots().plot([1, 2], [1, 2], **line(0))
        stamp(figure, profile="p", data=["d"], runs=["abcdefghij"])
        return [path.read_bytes() for path in save(figure, tmp_path / name, ["svg", "pdf"])]

    assert draw("a") == draw("b")


def test_no_two_curves_look_alike():
    looks = {tuple(map(str, line(number).values())) for number in range(21)}
    assert len(looks) == 21
    assert len({line(number)["color"] for number in range(len(COLOURS))}) == len(COLOURS)


def test_settings_of_different_solvers_and_data_sets_are_shown():
    runs = frame().assign(**{"config.kernel.gamma": 4.0, "config.solver.tol": 0.1})
    other = runs["solver"] == "cache"
    runs["config.kernel.gamma"] = runs["config.kernel.gamma"].astype(object)
    runs.loc[other, ["config.kernel.gamma", "config.solver.C", "config.solver.tol"]] = [
        "scale", 8.0, 0.01,
    ]  # fmt: skip
    assert add_labels(runs)[1] == ["dataset", "solver", "kernel.gamma", "solver.C", "solver.tol"]
    by_data = frame()
    by_data.loc[by_data["dataset"] == "wine", "config.solver.C"] = 8.0
    assert add_labels(by_data)[1] == ["dataset", "solver", "solver.C"]


def test_settings_that_change_together_are_all_shown():
    runs = frame().assign(**{"config.kernel.gamma": 4.0, "config.dataset.scaling": "none"})
    changed = runs["config.seed"] == 2
    runs.loc[changed, "config.dataset.scaling"] = "range"
    runs.loc[changed, ["config.kernel.gamma", "config.solver.C"]] = [1.0, 8.0]
    labels = add_labels(runs)[1]
    assert labels == ["dataset", "solver", "dataset.scaling", "kernel.gamma", "solver.C"]


def test_settings_of_the_data_set_chosen_are_no_columns():
    runs = frame()
    runs["config.dataset.train_size"] = runs["dataset"].map({"iris": 100, "wine": 1000})
    assert add_labels(runs)[1] == ["dataset", "solver"]


def validated(runs, which):
    runs = runs.copy()
    for column in ("data.validation", "config.dataset.validation"):
        runs[column] = np.where(which, 0.3, np.nan)
    return runs


@pytest.mark.parametrize(
    ("which", "title"),
    [
        (frame()["config.seed"] >= 0, "validation error [%]"),
        (frame()["config.seed"] == 2, "test or validation error [%]"),
        (frame()["config.seed"] > 2, "test error [%]"),
    ],
)
def test_an_error_of_a_validation_part_is_never_called_a_test_error(which, title):
    runs = validated(frame(), which)
    (metric,) = titled([ERROR], runs)
    assert metric.label == title
    assert scaling(runs, "error").axes[0].get_ylabel() == title
    assert convergence(runs, traces(runs), "seconds", "test_error").axes[0].get_ylabel() == title
    assert ("dataset.validation" in add_labels(runs)[1]) == which.any()


def test_validation_and_test_errors_are_never_averaged_and_compared():
    runs = validated(frame(), frame()["config.seed"] == 2)
    table, labels = summarize(runs, [ERROR])
    assert set(table["n"]) == {1, 2}
    best = table.loc[list(best_rows(table, labels, ERROR))]
    assert set(best["dataset.validation"]) == {"-", "0.3"}


def test_traced_and_untraced_runs_are_one_column_apart():
    runs = frame().assign(**{"config.protocol.trace.factor": 1.25})
    runs["config.protocol.trace.every"] = None
    assert add_labels(runs)[1] == ["dataset", "solver"]
    runs.loc[runs["config.seed"] == 2, "config.protocol.trace.factor"] = np.nan
    labelled, labels = add_labels(runs)
    assert labels == ["dataset", "solver", "traced"]
    assert list(labelled["traced"][:3]) == ["yes", "yes", "no"]


def test_traces_of_other_checkpoints_count_no_seed_twice():
    runs = frame().assign(**{"config.protocol.trace.every": np.nan})
    runs.loc[runs["config.seed"] == 2, "config.protocol.trace.every"] = 10
    runs["config.protocol.trace.factor"] = 1.25
    assert add_labels(runs)[1] == ["dataset", "solver"]
    runs.loc[runs["config.seed"] == 2, "config.seed"] = 1
    labelled, labels = add_labels(runs)
    assert labels == ["dataset", "solver", "traced"]
    assert set(labelled["traced"]) == {"factor=1.25", "every=10 factor=1.25"}


def test_what_ends_a_fit_early_is_a_column():
    runs = frame().assign(**{"config.protocol.trace.stop_at": np.nan})
    runs.loc[runs["config.seed"] == 2, "config.protocol.trace.stop_at"] = 0.1
    assert add_labels(runs)[1] == ["dataset", "solver", "protocol.trace.stop_at"]


def test_the_best_is_among_runs_of_equal_c():
    runs = frame()
    runs.loc[runs["config.seed"] == 2, "config.solver.C"] = 8.0
    table, labels = summarize(runs, [SECONDS])
    assert len(best_rows(table, labels, SECONDS)) == 4


def test_scaling_shows_fits_only():
    runs = frame()
    runs["config.measure._target_"] = [None, None, "a.b"] * 4
    runs["config.measure"] = None
    figure = scaling(runs, "seconds")
    bars = [container for axes in figure.axes for container in axes.containers]
    tops = [container.lines[2][0].get_segments()[0][1][1] for container in bars]
    assert sorted(tops) == [2, 2, 4, 4]
    with pytest.raises(UserError, match="None of these runs"):
        scaling(runs.assign(**{"config.measure._target_": "a.b"}))


@pytest.mark.parametrize("count", [2, 7, 24])
@pytest.mark.parametrize("words", [1, 6, 40])
def test_a_legend_is_never_cut_off(count, words):
    runs = pd.concat(
        [
            frame().iloc[:1].assign(id=f"r{n}", solver=f"{n} " + "setting=value " * words)
            for n in range(count)
        ]
    )
    figure = convergence(runs, traces(runs))
    figure.canvas.draw()
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure).draw()
    box = figure.legends[0].get_window_extent()
    assert box.x0 >= 0
    assert box.y0 >= 0
    assert box.x1 <= figure.bbox.width
    assert box.y1 <= figure.bbox.height
    panel = figure.axes[0].get_window_extent()
    assert panel.y1 <= box.y0
    assert panel.height > 150


def test_fits_that_ended_early_are_named_below_a_table():
    frame = pd.DataFrame(
        {
            "solver": ["baseline", "baseline", "ww", "lvq21"],
            "reported.status": ["max_iter", "max_iter", "converged", "completed"],
        }
    )
    assert early(frame) == "Ended before the accuracy asked for: baseline (max_iter, n = 2)."
    assert early(frame[2:]) == ""
    assert early(frame[["solver"]]) == ""
