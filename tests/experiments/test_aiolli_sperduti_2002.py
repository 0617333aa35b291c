"""The claims follow from the traces: change a trace, and the verdict changes."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from experiments.aiolli_sperduti_2002 import ITEMS, fig3, fig4, fig5, fig6, opt_kkt
from experiments.aiolli_sperduti_2002.curves import panels
from mcbench.grid import expand_experiment
from mcbench.results import Results

BEST = 100.0  # the optimal L
SELECTION = {"KKT": "kkt", "AMG": "amg", "BMG": "bmg"}
OPTIMIZER = {"CS": "fixed_point", "ALL": "all_pairs", "BAS": "basic"}
THRESHOLD = {"LOG": "logarithmic", "MAX": "max", "MEAN": "mean"}


class Traces:
    """A store that holds traces only."""

    def __init__(self, traces):
        self.traces = traces

    def trace(self, run_id):
        return self.traces[run_id]


def trace(seconds, *, rows=100, stay=0.0, settles=None):
    """L rises to its optimum in so many seconds, and with it the rows; ``stay``: see `fig3`."""
    L = np.linspace(0.0, BEST, 101)
    clock = np.linspace(0.0, seconds, 101)
    return pd.DataFrame(
        {
            "cpu_seconds": clock,
            "dual": L / 2,
            "kernel_rows": np.linspace(0, rows, 101),
            "level": np.where(stay * BEST > L, 0.5, 0.01),
            "test_error": np.where(clock < (settles or seconds / 2), 0.3, 0.05),
        }
    )


def row(run_id, name="satimage", **more):
    return {
        "id": run_id,
        "part": "curves",
        "data.name": name,
        "data.title": name.title(),
        "data.n_train": 1000.0,
        "config.kernel.name": "rbf",
        "config.kernel.gamma": 4.0,
        "config.solver.C": 4.0,
        "seed": 0,
        **more,
    }


def curves(given, missing=()):
    """Results of runs {name: trace with the large cache, or (large, small)}."""
    rows, traces = [row("exact", part="optimum", **{"objective.dual": BEST / 2})], {}
    for name, both in given.items():
        method, threshold = name.split()
        selection, optimizer = method.split("-")
        for size, found in zip(
            (600, 20), both if isinstance(both, tuple) else (both,), strict=False
        ):
            traces[f"{name} {size}"] = found
            config = {
                "selection": SELECTION[selection],
                "optimizer": OPTIMIZER[optimizer],
                "threshold": THRESHOLD[threshold],
                "cache_rows": float(size),
            }
            more = {f"config.solver.{key}": value for key, value in config.items()}
            rows.append(row(f"{name} {size}", **more))
    return Results("quick", pd.DataFrame(rows), Traces(traces), list(missing))


def claim(module, given):
    (found,) = module.claims(given)
    assert found.reason or found.verdict == "reproduced"
    assert set(found.runs) <= set(given.frame["id"])
    assert bool(found.runs) == (found.verdict != "not testable")
    return found


def verdict(module, given):
    return claim(module, given).verdict


@pytest.mark.parametrize("item", ITEMS)
def test_without_runs_nothing_can_be_tested(item):
    gone = [(("dataset=some", "solver=lost", "seed=0"), "not to be had")]
    empty = Results("quick", pd.DataFrame({"id": [], "part": []}), Traces({}), gone)
    found = claim(ITEMS[item], empty)
    assert found.verdict == "not testable"
    assert "run missing: dataset=some solver=lost seed=0 (not to be had)" in found.reason


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("profile", ["smoke", "quick", "paper"])
def test_every_profile_has_runs_of_data_that_it_may_have(item, profile):
    jobs = expand_experiment(f"aiolli_sperduti_2002/{item}", profile, ())
    named = {text for job in jobs for text in job.overrides if text.startswith("dataset=")}
    assert jobs
    if profile != "paper":
        assert named <= {"dataset=satimage", "dataset=letter_5000", "dataset=none"}
    elif item != "opt_kkt":
        assert named == {"dataset=nist"}


@pytest.mark.parametrize("profile", ["smoke", "quick", "paper"])
def test_the_figures_share_their_runs(profile):
    jobs = {
        item: set(expand_experiment(f"aiolli_sperduti_2002/{item}", profile, ()))
        for item in ("fig3", "fig4", "fig5", "fig6")
    }
    assert jobs["fig5"] <= jobs["fig6"]
    assert jobs["fig3"] & jobs["fig4"]


FIG3 = {
    "KKT-CS LOG": trace(10.0, stay=1.0),
    **{name: trace(5.0, stay=0.9) for name in fig3.NEW},
}


def test_fig3():
    assert verdict(fig3, curves(FIG3)) == "reproduced"
    assert verdict(fig3, curves({**FIG3, "BMG-BAS LOG": trace(11.0, stay=0.9)})) == "differs"
    assert verdict(fig3, curves({**FIG3, "AMG-ALL LOG": trace(5.0, stay=0.995)})) == "differs"
    assert set(fig3.figures(curves(FIG3))) == {"fig3"}


FIG4 = {
    "KKT-CS LOG": trace(10.0),
    "BMG-ALL LOG": trace(9.0),
    "BMG-ALL MAX": trace(5.0),
    "BMG-ALL MEAN": trace(6.0),
}


def test_fig4():
    assert verdict(fig4, curves(FIG4)) == "reproduced"
    assert verdict(fig4, curves({**FIG4, "BMG-ALL MEAN": trace(11.0)})) == "differs"
    assert verdict(fig4, curves({**FIG4, "BMG-ALL MEAN": trace(8.0)})) == "differs"  # not similar
    assert set(fig4.figures(curves(FIG4))) == {"fig4"}


FIG5 = {name: trace(6.0) for name in (fig5.KKT, fig5.AMG, fig5.BMG)}


def test_fig5():
    assert verdict(fig5, curves(FIG5)) == "reproduced"
    assert verdict(fig5, curves({**FIG5, fig5.BMG: trace(6.5)})) == "reproduced"
    assert verdict(fig5, curves({**FIG5, fig5.AMG: trace(6.7)})) == "differs"
    assert set(fig5.figures(curves(FIG5))) == {"fig5"}


FIG6 = {
    fig6.KKT: (trace(5.0), trace(50.0, rows=2000)),
    fig6.AMG: (trace(5.0), trace(20.0, rows=1000)),
    fig6.BMG: (trace(5.0), trace(21.0, rows=1050)),
    fig6.BAS: (trace(9.0), trace(60.0, rows=3000)),
}


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        (fig6.AMG, (trace(5.0), trace(4.9, rows=1000))),  # does not slow down
        (fig6.KKT, (trace(20.0), trace(50.0, rows=2000))),  # slows down less than the others
        (fig6.BAS, (trace(9.0), trace(20.5, rows=1050))),  # not poor
        (fig6.KKT, (trace(5.0), trace(50.0, rows=900))),  # the fewest rows in most of the time
        (fig6.BMG, (trace(5.0), trace(21.0, rows=1050, settles=2.0))),  # the error is not later
        (fig6.BAS, (trace(9.0), trace(60.0, rows=3000, settles=8.0))),  # earlier than with ALL
    ],
)
def test_fig6(name, changed):
    assert verdict(fig6, curves(FIG6)) == "reproduced"
    assert verdict(fig6, curves({**FIG6, name: changed})) == "differs"


def test_fig6_shows_both_charts_and_the_slowdown():
    assert set(fig6.figures(curves(FIG6))) == {"fig6a", "fig6b"}
    table = fig6.slowdowns(curves(FIG6)).set_index("curve")
    assert table.loc[fig6.KKT, "times as long"] == pytest.approx(10.0)
    assert table.loc[fig6.KKT, "runs"] == f"{fig6.KKT} 600 {fig6.KKT} 20"


@pytest.mark.parametrize(
    ("module", "given"), [(fig3, FIG3), (fig4, FIG4), (fig5, FIG5), (fig6, FIG6)]
)
def test_a_missing_run_is_named(module, given):
    lost = next(iter(given))
    found = claim(module, curves({name: t for name, t in given.items() if name != lost}))
    assert found.verdict == "not testable"
    assert f"run missing on Satimage, 1000 examples: {lost}" in found.reason


def test_without_the_exact_solution_no_share_of_it_is_known():
    given = curves(FIG5)
    found = claim(fig5, replace(given, frame=given.frame.iloc[1:]))
    assert found.verdict == "not testable"
    assert "the exact solution" in found.reason


def test_tables_name_the_run_of_every_row():
    table = fig6.tables(curves(FIG6))["fig6"].frame
    assert len(table) == 8
    assert table.columns[-1] == "run"
    first = table.iloc[0]
    assert first["CPU s to 99%"] == pytest.approx(0.99 * first["CPU s"])


def test_a_curve_that_does_not_get_there_takes_for_ever():
    (panel,) = panels(curves(FIG5))
    assert panel.curves[0].first(BEST + 1) == np.inf


def kkt_results(opt=1.0, sweep=2.0, letter=8.0, without=None):
    rows = [
        {
            "id": f"run{k}",
            "part": part,
            "measured.k": float(k),
            "measured.opt_kkt.step": k**opt,
            "measured.all_pairs.step": (letter * k if k == 26 else k**sweep),
            "measured.opt_kkt.problem": 1.0,
            "measured.all_pairs.problem": 2.0,
            "measured.opt_kkt.steps": 1.0,
            "measured.all_pairs.steps": 1.0,
            "measured.opt_kkt.pair_steps": 1.0,
            "measured.all_pairs.pair_steps": 1.0,
        }
        for k, part in ((10, "random"), (50, "random"), (200, "random"), (26, "letter"))
        if part != without
    ]
    return Results("quick", pd.DataFrame(rows), Traces({}), [])


def test_opt_kkt():
    assert verdict(opt_kkt, kkt_results()) == "reproduced"
    assert verdict(opt_kkt, kkt_results(opt=1.5)) == "differs"
    assert verdict(opt_kkt, kkt_results(sweep=1.5)) == "differs"
    assert verdict(opt_kkt, kkt_results(letter=0.9)) == "differs"
    assert verdict(opt_kkt, kkt_results(without="letter")) == "not testable"
    assert verdict(opt_kkt, kkt_results(without="random")) == "not testable"
    assert set(opt_kkt.figures(kkt_results())) == {"opt_kkt"}
    assert len(opt_kkt.tables(kkt_results())["opt_kkt"]) == 8


def test_steps_are_counted_and_timed():
    found = opt_kkt.random_problems(k=30, problems=5, repeats=3, seed=0)
    assert found["k"] == 30
    assert found["problems"] == 5
    assert found["opt_kkt.steps"] > found["opt_kkt.pair_steps"] > 1
    assert found["all_pairs.pair_steps"] > found["all_pairs.steps"] > 1
    assert found["all_pairs.step"] > found["opt_kkt.step"] > 0


def test_letters_problems_are_those_of_an_unfinished_training():
    from mcbench.data import load

    data = load("letter", split="5000/4000", train_size=100, draw="seeded", seed=0)
    found = opt_kkt.of_training(data=data, C=16.0, gamma=4.0, problems=10, repeats=1)
    assert found["problems"] == 10
    assert found["k"] == len(np.unique(data.y_train))
    assert found["opt_kkt.pair_steps"] > 0
