import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from reading_store import put

from mcbench.config import resolve
from mcbench.errors import UserError
from mcbench.figures import convergence, pareto, regions, scaling
from mcbench.figures.convergence import curve_of, median
from mcbench.figures.pareto import front
from mcbench.figures.scaling import slope
from mcbench.labels import with_model
from mcbench.record import load_record
from mcbench.refit import refit, refit_all
from mcbench.run import execute


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def shown(figure):
    """The panels, drawn, so that ticks and boxes are where they end up."""
    FigureCanvasAgg(figure).draw()
    return [axes for axes in figure.axes if axes.get_visible()]


def trace(seconds, gaps):
    return pd.DataFrame({"seconds": seconds, "gap": gaps})


def test_a_band_has_the_median_and_the_range_of_what_runs_had_reached():
    runs = [trace([1, 2], [0.5, 0.1]), trace([1, 4], [0.4, 0.2]), trace([1, 3], [0.3, 0.01])]
    where, values = curve_of(runs, "seconds", "gap")
    assert list(where) == [1, 2, 3, 4]
    assert values.tolist() == [[0.5, 0.1, 0.1, 0.1], [0.4, 0.4, 0.4, 0.2], [0.3, 0.3, 0.01, 0.01]]


def test_a_curve_starts_with_its_first_run_and_skips_what_a_log_axis_cannot_show():
    where, values = curve_of([trace([0, 1, 5], [1, 0.5, 0.0]), trace([2], [0.1])], "seconds", "gap")
    assert list(where) == [1, 2]
    assert values.tolist() == [[0.5, 0.5], [0.1, 0.1]]
    assert median(values, logarithmic=True) == pytest.approx([0.05**0.5] * 2)
    assert median(values, logarithmic=False) == pytest.approx([0.3, 0.3])


def test_seeds_are_one_line_in_a_band(store):
    for seed in range(3):
        put(store, seed + 1, seed=seed, traced=True)
    frame = store.frame()
    figure = convergence(frame, {key: store.trace(key) for key in frame["id"]})
    (axes,) = shown(figure)
    assert len(axes.lines) == 1
    band = axes.collections[0].get_paths()[0].vertices
    assert band[:, 1].min() == pytest.approx(1e-5)
    assert band[:, 1].max() == pytest.approx(0.3)
    assert axes.lines[0].get_ydata()[-1] == pytest.approx(2e-5)
    assert "median over seeds" in figure.get_supxlabel()


def test_a_trace_without_the_axis_is_said(store):
    put(store, 1, traced=True)
    frame = store.frame()
    traces = {key: store.trace(key).assign(gap=np.nan) for key in frame["id"]}
    with pytest.raises(UserError, match="no gap against seconds"):
        convergence(frame, traces)


def sizes(store, **settings):
    for number, n in enumerate((100, 200, 400, 800)):
        for seed in (0, 1):
            put(store, 10 * number + seed + 1, n=n, seed=seed, seconds=(n / 100) ** 2 * (1 + seed),
                dataset__train_size=n, **settings)  # fmt: skip
    return store.frame()


def test_scaling_fits_the_exponent(store):
    figure = scaling(sizes(store))
    assert legend(figure) == ["block (slope 2.00)"]
    (axes,) = shown(figure)
    assert axes.get_xlabel() == "training examples"
    labels = [text.get_text() for text in axes.get_xticklabels()]
    assert {"100", "200", "500"} <= set(labels)


def test_a_slope_needs_sizes_that_differ():
    assert slope(np.array([1.0, 10.0]), np.array([2.0, 200.0])) == pytest.approx(2)
    assert slope(np.array([171.0, 172.0]), np.array([1.0, 2.0])) is None


def test_scaling_against_a_setting(store):
    for number, C in enumerate((0.1, 1.0, 10.0)):
        put(store, number + 1, C=C, seconds=C)
    figure = scaling(store.frame(), "seconds", "solver.C")
    assert legend(figure) == ["block (slope 1.00)"]
    with pytest.raises(UserError, match=r"did you mean solver\.C"):
        scaling(store.frame(), "seconds", "solver.D")


def test_scaling_against_classes_shows_all_data_sets_in_one_panel(store):
    put(store, 1, dataset="iris")
    put(store, 2, dataset="wine")
    figure = scaling(store.frame(), "seconds", "classes")
    assert [axes.get_title() for axes in shown(figure)] == ["all data sets"]


def test_an_error_of_zero_counts_in_a_mean_on_a_logarithmic_axis(store):
    put(store, 1, seed=0, error=0.0)
    put(store, 2, seed=1, error=0.2)
    put(store, 3, seed=0, n=400, error=0.3, dataset__train_size=400)
    (axes,) = shown(scaling(store.frame(), "error"))
    assert axes.containers[0].lines[0].get_ydata()[0] == pytest.approx(10.0)


def test_the_front():
    x, y = np.array([1.0, 2, 3, 4, 2]), np.array([5.0, 3, 4, 1, 3])
    assert list(front(x, y)) == [0, 1, 3, 4]


def test_pareto_fills_the_points_of_the_front(store):
    for number, (solver, seconds, error) in enumerate(
        [("block", 1, 0.3), ("kkt", 2, 0.1), ("ovr", 3, 0.2)]
    ):
        put(store, number + 1, solver=solver, seconds=float(seconds), error=error)
    figure = pareto(store.frame())
    (axes,) = shown(figure)
    hollow = [
        bars.lines[0].get_xdata()[0]
        for bars in axes.containers
        if bars.lines[0].get_markerfacecolor() == "white"
    ]
    assert hollow == [3.0]
    assert legend(figure) == ["block", "kkt", "ovr"]
    assert axes.get_ylabel() == "test error [%]"
    assert list(axes.lines[0].get_xdata()) == [1.0, 2.0]


def test_regions_are_of_the_recorded_solver_fitted_again(store):
    execute(resolve(["dataset=iris", "solver=block", "solver.C=10"]), store)
    frame = with_model(store.frame())
    key = frame["id"][0]
    plane = refit(load_record(store.runs / key, key), (3, 4))
    assert plane.X.shape == (135, 2)
    assert plane.error < 0.06
    assert set(plane.region(plane.X)) == {0, 1, 2}
    figure = regions(frame, {key: plane})
    (axes,) = shown(figure)
    assert axes.get_xlabel() == "attribute 3"
    assert legend(figure) == ["class 0", "class 1", "class 2"]
    assert "on two of 4 attributes" in figure.get_supxlabel()
    with pytest.raises(UserError, match=r"two attributes of 4, not of 1,9"):
        refit(load_record(store.runs / key, key), (1, 9))


def test_regions_are_of_the_runs_that_can_be_fitted_again(store):
    for overrides in (["solver=block"], ["solver=ovr", "solver.C=2"]):
        execute(resolve(["dataset=iris", *overrides]), store)
    here, gone = (load_record(store.runs / key, key) for key in store.frame()["id"])
    gone.config["solver"]["_target_"] = "of_another_machine.Solver"
    planes, refused = refit_all([gone, here], (3, 4))
    assert list(planes) == [here.id]
    assert ["of_another_machine" in str(error) for error in refused] == [True]
    gone.config["solver"] = {"_target_": "sklearn.svm.SVC", "C": -1.0}
    with pytest.raises(
        UserError, match=rf"Run {gone.id} .* solver failed \(InvalidParameterError: "
    ):
        refit_all([gone], (3, 4))


def test_regions_of_too_many_runs_are_refused(store):
    for number in range(10):
        put(store, number + 1, seed=number)
    with pytest.raises(UserError, match="10 runs, and a figure has 9 panels"):
        regions(store.frame(), {})
