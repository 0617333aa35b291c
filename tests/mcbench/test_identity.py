import math

import pytest

from mcbench.identity import canonical_json, group_id, identity, run_id
from mcbench.plan import plan

CONFIG = {
    "dataset": {"name": "iris", "path": "/a", "fold": None},
    "kernel": {"name": "rbf", "gamma": 1.0},
    "solver": {"_target_": "x.Y", "C": 4},
    "seed": 0,
    "measure": None,
    "protocol": {
        "threads": 1,
        "warm_up": True,
        "trace": {"factor": 1.25, "memory_mb": 10},
        "limits": {"time_s": 3},
    },
    "choices": {"solver": "cache"},
    "results_dir": None,
}


def changed(**parts):
    return {**CONFIG, **parts}


def test_an_id_is_short_hexadecimal_and_never_changes():
    assert run_id(CONFIG, "abc", "1") == "909918413c150887"


@pytest.mark.parametrize(
    "same",
    [
        changed(choices={"solver": "another name"}),
        changed(results_dir="/elsewhere"),
        changed(solver={"C": 4.0, "_target_": "x.Y"}),
        changed(kernel={"gamma": 1, "name": "rbf"}),
        changed(dataset={"name": "iris", "path": "/b", "fold": None}),
        changed(dataset={**CONFIG["dataset"], "validation": None}),
        changed(protocol={**CONFIG["protocol"], "limits": {"time_s": 9}, "isolate": True}),
        changed(protocol={**CONFIG["protocol"], "trace": {"factor": 1.25, "memory_mb": 99}}),
    ],
)
def test_what_is_how_and_not_what_leaves_the_id_alone(same):
    assert run_id(same, "abc", "1") == run_id(CONFIG, "abc", "1")


@pytest.mark.parametrize(
    "other",
    [
        changed(seed=1),
        changed(dataset={**CONFIG["dataset"], "validation": 0.3}),
        changed(dataset={"name": "iris"}),
        changed(solver={"_target_": "x.Y", "C": 4.5}),
        changed(kernel={"name": "rbf", "gamma": "scale"}),
        changed(measure={"_target_": "f"}),
        changed(protocol={**CONFIG["protocol"], "threads": 2}),
        changed(protocol={**CONFIG["protocol"], "trace": None}),
    ],
)
def test_what_changes_a_result_or_a_timing_changes_the_id(other):
    assert run_id(other, "abc", "1") != run_id(CONFIG, "abc", "1")


def test_data_and_solver_version_belong_to_the_id():
    ids = {run_id(CONFIG, data, version) for data in ("a", "b", None) for version in "12"}
    assert len(ids) == 6


def test_a_group_forgets_the_seed_only():
    assert group_id(changed(seed=5), "a", "1") == group_id(CONFIG, "a", "1")
    assert group_id(CONFIG, "a", "1") != group_id(CONFIG, "a", "2")


def test_canonical_json_knows_numbers_words_and_order():
    assert canonical_json({"b": 1.0, "a": (1, 2)}) == canonical_json({"a": [1, 2], "b": 1})
    assert canonical_json(True) != canonical_json(1)
    assert canonical_json(-0.0) == canonical_json(0)
    assert canonical_json(1e300) == "1e+300"
    assert canonical_json([math.inf, math.nan]) == '["inf","nan"]'


def test_identity_has_the_parts_that_count():
    assert set(identity(CONFIG)) == {"dataset", "kernel", "solver", "seed", "measure", "protocol"}


def test_a_default_that_is_written_out_is_the_same_run(resolve):
    assert plan(resolve()).id == plan(resolve("solver.megabytes=0")).id
    short, full = (plan(resolve("solver=pattern", *more)) for more in ([], ["solver.tol=0.001"]))
    assert short.id == full.id
    assert short.config["solver"]["tol"] == 1e-3
