"""The claims follow from the records: change a record, and the verdict changes."""

import numpy as np
import pandas as pd
import pytest
from recorded import results

from experiments.aiolli_sperduti_2005 import (
    ITEMS,
    bounds,
    refs,
    regions,
    response,
    table1,
    table2,
    table3,
    table5,
)
from experiments.aiolli_sperduti_2005.published import (
    CHOSEN,
    QUOTED,
    REFERENCES,
    SIZES,
    TABLE1,
    TABLE2,
    TABLE3,
    TABLE5,
)
from experiments.aiolli_sperduti_2005.stages import trained
from mcbench.grid import expand_experiment, expand_grid
from mcbench.results import Results

CLAIMED = [item for item in ITEMS if item != "regions"]


def verdict(module, rows):
    (claim,) = module.claims(results(rows))
    assert claim.reason or claim.verdict == "reproduced"
    assert claim.id == f"as05-{claim.item}"
    return claim.verdict


@pytest.mark.parametrize("item", CLAIMED)
def test_without_runs_nothing_can_be_tested(item):
    empty = Results("quick", pd.DataFrame({"id": [], "part": []}), None, [(("a=1",), "gone")])
    (claim,) = ITEMS[item].claims(empty)
    assert claim.verdict == "not testable"
    assert "gone" in claim.reason


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("profile", ["smoke", "quick", "paper"])
def test_every_profile_has_runs_of_data_that_it_may_have(item, profile):
    jobs = expand_experiment(f"aiolli_sperduti_2005/{item}", profile, ())
    assert jobs or (item == "table3" and profile != "paper")
    if profile != "paper":
        fetched = ("ida_", "usps", "nist", "mnist")
        named = [text for job in jobs for text in job.overrides if text.startswith("dataset=")]
        assert not [text for text in named if text.removeprefix("dataset=").startswith(fetched)]


def run(name, part, error, size=(100, 2000), seed=0, k=10, **config):
    """A recorded run; configuration keys have two underscores for a dot."""
    return {
        "part": part,
        "dataset": name,
        "solver": "mprotsvm",
        "seed": seed,
        "data.name": name,
        "data.title": name.upper(),
        "data.split": "{}/{}".format(*size),
        "data.n_train": size[0],
        "data.n_test": size[1],
        "data.n_classes": k,
        "error.test": error / 100,
        "config.solver.C": 1.0,
        "config.solver.tol": 0.1,
        **{f"config.{key.replace('__', '.')}": value for key, value in config.items()},
    }


def validation(errors, **more):
    return [
        run("usps", "validation", error, seed=seed, solver__n_prototypes=q, solver__C=C, **more)
        for (q, C), both in errors.items()
        for seed, error in enumerate(both)
    ]


def test_training_takes_the_c_of_the_least_mean_validation_error_for_each_q():
    given = validation({(1, 0.1): (9, 5), (1, 1.0): (6, 7), (3, 0.1): (4, 4), (3, 1.0): (4, 4)})
    by = ("dataset", "solver.n_prototypes")
    assert trained(results(given), by) == [
        # the means of q = 1 are 7 and 6.5; those of q = 3 are equal, and the smaller C is taken
        {
            "_part": "test",
            "dataset": "usps",
            "solver.n_prototypes": 1,
            "solver.C": 1,
            "seed": [0, 1],
        },
        {
            "_part": "test",
            "dataset": "usps",
            "solver.n_prototypes": 3,
            "solver.C": 0.1,
            "seed": [0, 1],
        },
    ]
    assert trained(Results("quick", pd.DataFrame({"id": [], "part": []}), None), by) == []


@pytest.mark.parametrize("module", [table1, table2, table3])
def test_the_second_stage_is_a_grid(module):
    rows = validation({(1, 0.1): (5, 5), (3, 10.0): (4, 4)})
    grids = module.following(results(rows))
    assert len(grids) == 2
    jobs = [job for grid in grids for job in expand_grid(grid)]
    assert len(jobs) == 4
    assert {job.part for job in jobs} == {"test"}
    assert "solver.n_prototypes=3" in jobs[-1].overrides
    assert not any("validation" in override for job in jobs for override in job.overrides)


def test_the_window_of_lvq_is_chosen_on_the_validation_part_as_c_is():
    given = validation({(1, 0.1): (9, 5)})
    for q, window, errors in ((1, 0.05, (9, 4)), (1, 0.1, (5, 6)), (5, 0.05, (3, 3))):
        machine = {"solver__prototypes_per_class": q, "solver__window": window}
        rows = [run("usps", "lvq_validation", e, seed=s, **machine) for s, e in enumerate(errors)]
        given += [{**row, "solver": "lvq21"} for row in rows]
    ours, *lvq = table1.following(results(given))
    assert (ours["_part"], ours["seed"]) == ("test", [0, 1])
    assert [(one["_part"], one["solver"], one["seed"]) for one in lvq] == 2 * [
        ("lvq", "lvq21", [0, 1])
    ]
    chosen = [(one["solver.prototypes_per_class"], one["solver.window"]) for one in lvq]
    assert chosen == [(1, 0.1), (5, 0.05)]


def table1_rows(**changed):
    ours = {f"q{q}": error for q, (_, error) in TABLE1.items()} | changed
    return [
        row
        for (q, (lvq, _)), w in zip(TABLE1.items(), (0.05, 0.05, 0.1, 0.02), strict=True)
        for row in (
            run("nist", "test", ours[f"q{q}"], (5000, 5705), solver__n_prototypes=q),
            run("nist", "lvq", lvq, (5000, 5705), solver__prototypes_per_class=q, solver__window=w),
        )
    ]


def test_table1():
    assert verdict(table1, table1_rows()) == "reproduced"
    assert verdict(table1, table1_rows(q10=4.36)) == "differs"  # not below LVQ2.1
    assert verdict(table1, table1_rows(q1=3.0)) == "differs"  # does not fall
    assert verdict(table1, table1_rows()[::2]) == "not testable"
    table = table1.tables(results(table1_rows()))["table1"].frame
    assert list(table["MProtSVM"]) == pytest.approx(list(table["paper, nist: MProtSVM"]))
    assert table["beta"].iloc[0] == pytest.approx(0.002)
    assert list(table["window of LVQ2.1"]) == [0.05, 0.05, 0.1, 0.02]
    rows = table1_rows() + [{**row, "seed": 1} for row in table1_rows(q1=6.65)]
    table = table1.tables(results(rows))["table1"].frame
    assert table["sd of MProtSVM"].iloc[0] == pytest.approx(0.2 / 2**0.5)
    assert table["sd of LVQ2.1"].eq(0).all()
    (claim,) = table1.claims(results(rows))
    assert claim.reason == "means of 2 seeds"
    letter = [{**row, "data.name": "letter"} for row in table1_rows()]
    (claim,) = table1.claims(results(letter))
    assert "in place of the paper's nist" in claim.reason


def test_one_number_of_prototypes_decides_no_fall():
    (claim,) = table1.claims(results(table1_rows()[:2]))
    assert claim.verdict == "not testable"
    assert "one number of prototypes, so nothing falls" in claim.reason
    (claim,) = table2.claims(results(table2_rows()[:2]))
    assert claim.verdict == "not testable"
    assert verdict(table1, table1_rows(q1=8.0)[:2]) == "differs"  # not below LVQ2.1


@pytest.mark.parametrize("module", [table1, table2])
def test_a_run_without_an_error_is_no_seed(module):
    rows = table2_rows() if module is table2 else table1_rows()
    more = [{**row, "seed": 7, "error.test": float("nan")} for row in rows]
    (claim,), (same,) = (module.claims(results(given)) for given in (rows, rows + more))
    assert (claim.ours, claim.verdict, claim.reason) == (same.ours, same.verdict, same.reason)


def test_seeds_are_those_of_both_machines():
    rows = table1_rows() + [{**row, "seed": 1} for row in table1_rows() if row["part"] == "test"]
    (claim,) = table1.claims(results(rows))
    assert "means of 1 to 2 seeds" in claim.reason
    assert table1.tables(results(rows))["table1"].frame["seeds"].eq(1).all()


def table2_rows(name="usps", size=None, **changed):
    return [
        run(name, "test", changed.get(f"q{q}", error) + spread, size or SIZES[name], seed, 10,
            solver__n_prototypes=q)
        for q, error in TABLE2[name].items()
        for seed, spread in enumerate((-0.1, 0.1))
    ]  # fmt: skip


def test_table2():
    assert verdict(table2, table2_rows() + table2_rows("letter")) == "reproduced"
    assert verdict(table2, table2_rows(q20=6.4)) == "differs"  # the interval ends at 6.37 %
    assert verdict(table2, table2_rows(q1=5.0)) == "differs"  # better, but then nothing falls
    assert verdict(table2, table2_rows(size=(500, 2007))) == "not testable"
    (claim,) = table2.claims(results(table2_rows()))
    assert claim.reason == "not at the paper's size: letter; means of 2 seeds"
    (claim,) = table2.claims(results(table2_rows(q20=5.9)[::2]))
    assert "USPS 7291/2007: the least error is 5.13 % at q = 15, with 5.80 % at q = 20" in (
        claim.reason
    )
    assert claim.reason.endswith("; one seed")
    table = table2.tables(results(table2_rows()))["table2"]
    assert list(table["q"]) == list(TABLE2["usps"])
    assert table["seeds"].eq(2).all()
    assert table["beta"].iloc[-1] == pytest.approx(0.0274, abs=1e-4)
    assert table["its 99 % interval"].iloc[-1] == "3.81 - 6.37"


def refs_rows(worse=0.0):
    machines = {
        "polynomial of degree 3": ("poly", "block"),
        "RBF kernel": ("rbf", "block"),
        "nearest neighbour": ("rbf", "nearest_neighbour"),
    }
    rows = []
    for (name, split, machine), error in REFERENCES.items():
        kernel, solver = machines[machine]
        size = tuple(int(n) for n in split.split("/"))
        rows.append(
            run(name, "test", error + worse, size, kernel__gamma=0.5, kernel__coef0=1.0)
            | {"kernel": kernel, "solver": solver, "model.n_support": 12}
        )
    return rows


def test_refs():
    assert verdict(refs, refs_rows()) == "reproduced"
    assert verdict(refs, refs_rows(worse=2.0)) == "differs"
    assert verdict(refs, [{**row, "data.n_train": 500} for row in refs_rows()]) == "not testable"
    table = refs.tables(results(refs_rows()))["refs"]
    assert list(table["error [%]"].round(2)) == list(table["paper"])
    assert set(table["vectors"]) == {12, 7291, 15000}
    tried = [{**row, "part": "validation"} for row in refs_rows()]
    assert all("kernel.coef0" in grid for grid in refs.following(results(tried)))


def table3_rows(spread=0.3, **changed):
    return [
        run(name, "test", changed.get(f"{name}{q}", error) + spread * offset, (100 + seed, 77),
            seed, 2, solver__n_prototypes=q)
        for name, errors in TABLE3.items()
        for q, error in errors.items()
        for seed, offset in enumerate(np.linspace(-1, 1, 10))
    ]  # fmt: skip


def test_table3():
    assert verdict(table3, table3_rows()) == "reproduced"
    assert verdict(table3, table3_rows(ida_image10=4.0)) == "differs"
    assert verdict(table3, table3_rows(ida_image10=4.0, spread=3.0)) == "reproduced"
    assert verdict(table3, table3_rows(ida_image10=1.0)) == "reproduced"
    assert verdict(table3, table3_rows()[::10]) == "not testable"  # one realisation of each
    tried = [
        {**row, "part": "validation", "error.test": abs(5 - row["config.solver.n_prototypes"])}
        for row in table3_rows()
    ]
    table = table3.tables(results(table3_rows() + tried))["table3"]
    assert len(table) == 24
    assert set(table.loc[table["q"] == 5, "error"].str[0]) == {"["}
    assert not table.loc[table["q"] == 3, "error"].str.startswith("[").any()
    assert set(TABLE3) == set(QUOTED) == set(CHOSEN)


def table5_rows(**changed):
    rows = []
    for (q, tau), (primal, error) in TABLE5.items():
        if q < 20:
            given = run("usps", "", error, SIZES["usps"], solver__n_prototypes=q, solver__tau=tau)
            value = changed.get(f"q{q}", primal) if tau == 0.03 else primal
            rows.append({**given, "objective.primal": value})
    return rows


def test_table5():
    assert verdict(table5, table5_rows()) == "reproduced"
    assert verdict(table5, table5_rows(q10=7.3)) == "differs"
    assert verdict(table5, table5_rows()[:1]) == "not testable"
    table = table5.tables(results(table5_rows()))["table5"]
    assert list(table["primal"]) == list(table["paper's primal"])
    assert list(table["tau"][:4]) == [0.2, 0.1, 0.05, 0.03]
    letter = [{**row, "data.name": "letter"} for row in table5_rows()]
    assert table5.tables(results(letter))["table5"]["paper's primal"].isna().all()


def response_rows(seconds=1.0):
    rows = [
        run("usps", "kernel", 4.6) | {"time.predict": seconds},
        run("usps", "prototypes", 8.0, solver__n_prototypes=1) | {"time.predict": 0.001},
        run("usps", "prototypes", 5.0, solver__n_prototypes=20) | {"time.predict": 0.02},
    ]
    return [{"model.n_support": 1500, **row} for row in rows]


def test_response():
    (claim,) = response.claims(results(response_rows()))
    assert claim.verdict == "reproduced"
    assert "50 times as fast at q = 20" in claim.ours
    assert verdict(response, response_rows(seconds=0.19)) == "differs"
    assert verdict(response, response_rows()[1:]) == "not testable"
    table = response.tables(results(response_rows()))["response"]
    assert list(table.frame["vectors"]) == [1500, 10, 200]


@pytest.mark.parametrize("lost", ["error.test", "time.predict", "model.n_support"])
def test_response_counts_whole_runs_only(lost):
    rows = response_rows()
    rows[2][lost] = float("nan")
    (claim,) = response.claims(results(rows))
    assert "at q = 1 " in claim.ours
    assert len(response.tables(results(rows))["response"].frame) == 2


def test_response_says_that_table_2_trains_more_slowly():
    rows = response_rows()
    for row in rows[1:]:
        row["config.solver.tau"] = 0.2
    (claim,) = response.claims(results(rows))
    assert claim.reason.startswith("MProtSVM by a fast annealing, tau = 0.2: with 0.05, table 2's")
    assert response.tables(results(rows))["response"].note == claim.reason
    for row in rows[1:]:
        row["config.solver.tau"] = 0.05
    (claim,) = response.claims(results(rows))
    assert not claim.reason


def bounds_row(**changed):
    values = {"data": "A", "q": 3, "train": 0.0, "test": 0.1, "theorem4": 90.0, "theorem5": 2.0}
    values |= {"delta": 0.05, "radius": 1.0, **changed}
    return {f"measured.{name}": value for name, value in values.items()}


def test_bounds():
    assert verdict(bounds, [bounds_row(), bounds_row(theorem4="inf")]) == "reproduced"
    assert verdict(bounds, [bounds_row(theorem5=0.09)]) == "differs"
    assert verdict(bounds, [bounds_row(theorem4=float("nan"))]) == "differs"
    (claim,) = bounds.claims(results([bounds_row()]))
    assert "says nothing" in claim.reason
    (claim,) = bounds.claims(results([bounds_row(theorem5=0.5)]))
    assert claim.reason == ""
    table = bounds.tables(results([bounds_row(), bounds_row(theorem4="inf")]))["bounds"]
    assert list(table["theorem 4"]) == ["90", "has slacks"]


def test_bounds_are_those_of_the_model(tiny):
    measured = bounds.evaluated(data=tiny, q=2, C=1.0, tau=0.2, seed=0)
    assert measured["theorem5"] > measured["train"]
    assert 0 <= measured["test"] < 0.2


@pytest.fixture
def tiny():
    from mcbench import load

    return load("iris", scaling="range", fold=0)


def test_regions_are_the_models_own():
    measured = regions.planar(data=None, q=3, C=10.0, tau=0.2, seed=0)
    X, labels = np.array(measured["examples"]), np.array(measured["labels"])
    scores = np.column_stack([X, np.ones(len(X))]) @ np.array(measured["weights"]).T
    decided = np.array(measured["classes"])[scores.argmax(axis=1)]
    assert np.mean(decided != labels) == pytest.approx(measured["train"])
    row = {"id": "a", **{f"measured.{name}": value for name, value in measured.items()}}
    given = results([row, {**row, "id": "b", "measured.q": 1}])
    figure = regions.figures(given)["regions"]
    assert [axes.get_title()[:5] for axes in figure.axes] == ["q = 1", "q = 3"]
    assert len(regions.tables(given)["regions"]) == 2
