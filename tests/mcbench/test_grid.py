import math

import pytest

from mcbench.config import parse
from mcbench.errors import UserError
from mcbench.grid import (
    Job,
    expand_experiment,
    expand_grid,
    expand_sweep,
    limited,
    load_grids,
    to_override,
)


def lists(jobs):
    return [list(job.overrides) for job in jobs]


def test_a_sweep_is_a_product_in_the_order_given():
    assert lists(expand_sweep(["dataset=a,b", "solver.C=1,2", "seed=0"])) == [
        ["dataset=a", "solver.C=1", "seed=0"],
        ["dataset=a", "solver.C=2", "seed=0"],
        ["dataset=b", "solver.C=1", "seed=0"],
        ["dataset=b", "solver.C=2", "seed=0"],
    ]


def test_ranges_choices_and_globs_are_sweeps():
    assert len(expand_sweep(["seed=range(5)"])) == 5
    assert len(expand_sweep(["solver.C=choice(1,2,3)"])) == 3
    assert lists(expand_sweep(["kernel=glob(*, exclude=l*)"])) == [["kernel=poly"], ["kernel=rbf"]]


def test_a_list_in_brackets_is_one_value():
    assert len(expand_sweep(["solver.x=[1,2]"])) == 1


def test_a_continuous_range_is_refused():
    with pytest.raises(UserError, match="list its values"):
        expand_sweep(["solver.C=interval(0,1)"])


def test_a_key_given_twice_counts_once():
    assert lists(expand_sweep(["seed=1", "seed=2,3"])) == [["seed=2"], ["seed=3"]]


def test_a_grid_is_a_product_of_its_lists():
    grid = {"dataset": "dna", "dataset.train_size": [100, 300], "solver": ["a", "b"]}
    assert lists(expand_grid(grid)) == [
        ["dataset=dna", "dataset.train_size=100", "solver=a"],
        ["dataset=dna", "dataset.train_size=100", "solver=b"],
        ["dataset=dna", "dataset.train_size=300", "solver=a"],
        ["dataset=dna", "dataset.train_size=300", "solver=b"],
    ]


def test_the_user_wins_over_the_grid_and_may_sweep():
    grid = {"solver": ["a", "b"], "+solver.x": 1, "seed": [0, 1, 2]}
    assert lists(expand_grid(grid, ["seed=7,8", "solver=c", "++solver.x=2"])) == [
        ["seed=7", "solver=c", "++solver.x=2"],
        ["seed=8", "solver=c", "++solver.x=2"],
    ]


def test_parts_name_the_grid_and_are_no_override():
    assert expand_grid({"_part": "left", "seed": 1})[0].part == "left"
    assert lists(expand_grid({"_part": "left", "seed": 1})) == [["seed=1"]]


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        2.5e-7,
        math.inf,
        -math.inf,
        "word",
        "two words",
        "1.5",
        "null",
        "5000/4000",
        "a,b",
        "it's",
        'say "x"',
        "back\\slash",
        "ends with one \\",
        'before \\" a quote',
        "",
        "a.b.c",
        "${x}",
        [1, "b c"],
        {"_target_": "a.b", "sizes": [1, 2], "deep": {"x": None}},
    ],
)
def test_what_is_written_is_what_is_read(value):
    override = parse(f"key={to_override(value)}")
    assert not override.is_sweep_override()
    assert override.value() == value


def test_experiments_expand_by_profile(conf):
    jobs = expand_experiment("fake_paper/curve", "smoke")
    assert [job.part for job in jobs] == ["sizes", "sizes", "seeds", "seeds"]
    assert "solver=fake" in jobs[0].overrides
    assert len(expand_experiment("fake_paper/curve", "quick", ["seed=5"])) == 2


def test_a_wrong_experiment_or_profile_is_named(conf):
    with pytest.raises(UserError, match="did you mean fake_paper/curve"):
        load_grids("fake_paper/curv", "quick")
    with pytest.raises(UserError, match="Allowed: paper, quick, smoke"):
        load_grids("fake_paper/curve", "quik")


def test_runs_that_meet_one_of_several_conditions():
    jobs = [Job(("dataset=iris", "+solver.C=1"), "a"), Job(("dataset=wine",), "b"), Job((), "c")]
    assert limited(jobs, []) == jobs
    assert limited(jobs, ["dataset=i*"]) == jobs[:1]
    assert limited(jobs, ["solver.C=1,2", "part=c"]) == [jobs[0], jobs[2]]
    assert limited(jobs, ["part=x"]) == []
    with pytest.raises(UserError, match="is no condition"):
        limited(jobs, ["dataset"])
