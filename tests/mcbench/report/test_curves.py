import numpy as np
import pandas as pd

from mcbench.report.curves import CURVES, POINTS, chart, chart_of_run, look, thinned, values
from mcbench.style import line


def frame(**columns):
    size = len(next(iter(columns.values())))
    common = {
        "dataset": ["satimage"] * size,
        "kernel": ["rbf"] * size,
        "solver": ["kkt"] * size,
        "seed": [0] * size,
        "data.title": ["Satimage"] * size,
        "data.n_train": [100] * size,
    }
    return pd.DataFrame({**common, **columns})


TRACE = pd.DataFrame({"iteration": [0, 1, 2], "seconds": [0.0, 1.0, 2.0], "gap": [1.0, 0.5, None]})


def test_a_thinned_trace_keeps_both_ends_and_many_early_and_late_rows():
    assert thinned(150) == list(range(150))
    for size in (201, 5000, 10**6):
        rows = thinned(size)
        assert len(rows) <= POINTS
        assert rows[0] == 0
        assert rows[-1] == size - 1
        assert rows == sorted(set(rows))
        assert np.diff(rows).max() <= size / 50  # no gap on a linear axis
        late = np.array(rows[5:], dtype=float) + 1
        assert (late[1:] / late[:-1]).max() < 2  # nor on a logarithmic one


def test_values_are_short_and_errors_in_per_cent():
    trace = pd.DataFrame(
        {
            "iteration": [0, 1],
            "dual": [1.0, 1234.567891],
            "gap": [1 / 3, float("inf")],
            "test_error": [0.25, 0.125],
            "violation": [None, None],
        }
    )
    assert values(trace) == {
        "iteration": [0, 1],
        "dual": [1, 1234.56789],
        "gap": [0.33333, None],
        "test_error": [25, 12.5],
    }


def test_a_panel_for_each_data_set_and_size_and_a_curve_for_all_seeds():
    runs = frame(
        id=["a", "b", "c", "d", "e"],
        solver=["kkt", "kkt", "cooling", "kkt", "kkt"],
        seed=[0, 1, 0, 0, 0],
        **{"data.n_train": [100, 100, 100, 50, 50]},
    )
    found = chart(runs, dict.fromkeys("abcd", TRACE))  # e has no trace
    assert [panel["name"] for panel in found["panels"]] == [
        "Satimage, 100 examples",
        "Satimage, 50 examples",
    ]
    first = {curve["name"]: curve for curve in found["panels"][0]["curves"]}
    assert [run["id"] for run in first["kkt"]["runs"]] == ["a", "b"]
    assert [run["id"] for run in first["cooling"]["runs"]] == ["c"]
    # The same curve looks the same in every panel.
    (second,) = found["panels"][1]["curves"]
    assert [second[name] for name in ("colour", "dashes", "marker")] == [
        first["kkt"][name] for name in ("colour", "dashes", "marker")
    ]
    assert [axis["key"] for axis in found["x"]] == ["seconds", "iteration"]
    assert [axis["key"] for axis in found["y"]] == ["gap"]
    assert found["y"][0]["log"]
    assert found["left_out"] == 0


def test_the_curves_look_as_in_the_figures():
    for number in range(20):
        shown = look(number)
        assert shown["colour"] == line(number)["color"]
        assert shown["marker"] == line(number)["marker"]
    assert look(0)["dashes"] == []
    dashes = {tuple(look(number)["dashes"]) for number in range(7)}
    assert len(dashes) == 7


def test_errors_of_a_validation_part_are_called_so():
    trace = TRACE.assign(test_error=0.5)
    runs = frame(id=["a"], **{"data.validation": [0.3]})
    assert chart(runs, {"a": trace})["y"][-1]["label"] == "validation error [%]"
    assert chart(frame(id=["a"]), {"a": trace})["y"][-1]["label"] == "test error [%]"


def test_more_curves_than_can_be_told_apart_are_counted():
    size = CURVES + 5
    solvers = ["kkt"] * (size - 1) + ["last"]
    runs = frame(id=[f"r{i}" for i in range(size)], seed=list(range(size)), solver=solvers)
    found = chart(runs, dict.fromkeys(runs["id"], TRACE))
    assert found["left_out"] == 5
    first, last = found["panels"][0]["curves"]  # every curve keeps its first seeds
    assert [run["seed"] for run in first["runs"]] == list(range(CURVES - 1))
    assert last["name"] == "last"


def test_without_traces_there_is_no_chart():
    assert chart(frame(id=["a"]), {"a": pd.DataFrame()}) is None
    assert chart_of_run("a", pd.DataFrame(), "test error") is None
    alone = chart_of_run("a", TRACE, "test error")
    assert alone["panels"][0]["curves"][0]["runs"][0]["gap"] == [1, 0.5, None]
