import warnings

import pandas as pd
import pytest
from reading_store import put

import mcbench
from mcbench.errors import UserError


@pytest.fixture
def full(store):
    put(store, 1, C=float("inf"), traced=True)
    put(store, 2, dataset="wine", seed=1, kernel__gamma=0.5, traced=True, dataset__train_size=100)
    put(store, 3, dataset="wine", seed=2, status="failed")
    return store


def test_numbers_are_numbers_and_words_are_words(full):
    frame = mcbench.load_results(full.root)
    kinds = {name: str(kind) for name, kind in frame.dtypes.items()}
    assert {
        "id": "string",
        "status": "category",
        "dataset": "category",
        "seed": "Int64",
        "config.solver.C": "float64",
        "config.kernel.gamma": "string",
        "config.dataset.train_size": "Int64",
        "error.test": "float64",
        "work.iterations": "Int64",
        "data.sparse": "boolean",
        "warnings": "object",
    }.items() <= kinds.items()
    assert isinstance(frame["started"].dtype, pd.DatetimeTZDtype)
    assert frame.set_index("dataset").loc["iris", "config.solver.C"] == float("inf")
    assert frame["error.test"].isna().sum() == 1


def test_filters(full):
    assert list(mcbench.load_results(full.root, "dataset=wine", "status=done")["seed"]) == [1]


def test_many_kinds_of_runs_are_put_together_without_a_warning(store):
    for number in range(150):
        put(store, number + 1, **{f"solver__p{number}": number})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = mcbench.load_results(store.root)
    assert len(frame) == 150
    assert frame["config.solver.p7"].dtype == "float64"


def test_an_empty_store_is_an_empty_table(store):
    assert mcbench.load_results(store.root).empty
    assert mcbench.load_traces(store.root).empty


def test_traces_of_many_runs_are_one_table(full):
    curves = mcbench.load_traces(full.root, keys=("dataset", "seed", "solver.C"))
    assert list(curves.columns[:4]) == ["id", "dataset", "seed", "solver.C"]
    assert len(curves) == 10
    assert curves.groupby("dataset", observed=True)["gap"].min().to_dict() == {
        "iris": pytest.approx(1e-5),
        "wine": pytest.approx(2e-5),
    }
    assert str(curves["seed"].dtype) == "Int64"
    assert len(mcbench.load_traces(full.root, "dataset=iris")) == 5
    with pytest.raises(UserError, match="did you mean solver"):
        mcbench.load_traces(full.root, keys=("solvr",))
