"""The claim and the figure of the comparison over training sizes follow from the records."""

import numpy as np
import pandas as pd
import pytest

from experiments.comparisons import ITEMS, training_sizes
from mcbench.grid import expand_experiment
from mcbench.results import Results

RIGHT = {"block": 990, "ovr": 990, "ovo": 985}
SECONDS = {"block": 3.0, "ovr": 2.0, "ovo": 1.0}


class Wrong(Results):
    """Results whose runs have their first examples right."""

    def wrong(self, run_id):
        row = self.frame.set_index("id").loc[run_id]
        return np.arange(row["data.n_test"]) >= round((1 - row["error.test"]) * row["data.n_test"])


def results(right=None, seconds=None, sizes=(100, 1000)):
    right, seconds = {**RIGHT, **(right or {})}, {**SECONDS, **(seconds or {})}
    rows = [
        {
            "id": f"{solver}{n}",
            "seed": 0,
            "solver": solver,
            "data.title": "Some",
            "data.n_train": n,
            "data.n_test": 1000,
            "config.solver.C": 8,
            "config.kernel.gamma": 4,
            "time.fit": seconds[solver] * n,
            "time.predict": 0.1,
            "model.n_support": n / 2,
            "error.test": 1 - right[solver] / 1000,
        }
        for solver in RIGHT
        for n in sizes
        if right[solver]
    ]
    return Wrong("quick", pd.DataFrame(rows), None, [] if all(right.values()) else [((), "gone")])


def test_the_claim_follows_from_the_records():
    def verdict(**changed):
        (claim,) = training_sizes.claims(results(**changed))
        return claim.verdict, claim.reason

    assert verdict() == ("reproduced", "")
    assert verdict(seconds={"block": 1.5})[0] == "differs"
    assert "the error is lower than that of one-vs-one" in verdict(right={"ovo": 900})[1]
    assert verdict(right={"block": 900})[0] == "reproduced"
    assert verdict(right={"ovr": 0})[0] == "not testable"
    assert "gone" in verdict(right={"ovr": 0})[1]


def test_sizes_that_a_machine_lacks_are_not_compared():
    given = results()
    frame = given.frame[given.frame["id"] != "ovr1000"]
    (case,) = training_sizes.largest(Wrong("quick", frame, None, []))
    assert case.data == "Some, 100 examples"
    assert case.seconds == {"block": 300, "ovr": 200, "ovo": 100}


def test_table_and_figure_show_every_point_with_its_runs():
    table = training_sizes.tables(results())["training_sizes"]
    assert list(table["runs"]) == [f"{s}{n}" for n in (100, 1000) for s in ("block", "ovr", "ovo")]
    assert table["test error [%]"].tolist() == pytest.approx([1, 1, 1.5] * 2)
    (figure,) = training_sizes.figures(results()).values()
    left, right = figure.axes
    assert (left.get_xscale(), left.get_yscale(), right.get_xscale()) == ("log", "log", "log")
    assert left.get_lines()[0].get_ydata().tolist() == [300, 3000]


@pytest.mark.parametrize("profile", ["smoke", "quick", "paper"])
def test_every_profile_has_runs_of_all_machines(profile):
    jobs = expand_experiment("comparisons/training_sizes", profile)
    overrides = {text for job in jobs for text in job.overrides}
    assert {f"solver={name}" for name in training_sizes.MACHINES} < overrides
    assert ("dataset=mnist" in overrides) == (profile == "paper")  # it has to be fetched


def test_without_runs_there_is_an_empty_table():
    empty = Results("quick", pd.DataFrame({"id": []}), None, [])
    assert all(module.tables(empty)[name].empty for name, module in ITEMS.items())
