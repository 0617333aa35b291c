"""Items whose second runs are chosen by their first."""

import numpy as np
import pandas as pd
import pytest
import staged_paper.chosen as item

from mcbench import discovery
from mcbench.grid import expand_following
from mcbench.reproduce import report, reproduce
from mcbench.selection import chosen

PARAMETER = item.PARAMETER


@pytest.fixture
def paper(store, monkeypatch):
    """The staged paper as the only one."""
    discovery.load_paper.cache_clear()
    monkeypatch.setattr(discovery, "packages", lambda: {"staged_paper": "staged_paper"})
    monkeypatch.setattr(discovery, "conf_dirs", lambda: ())
    yield
    discovery.load_paper.cache_clear()


@pytest.fixture
def seen(monkeypatch):
    """What the item's functions were given."""
    given = {}
    following = item.following

    def spy(results):
        given["following"] = results
        return following(results)

    monkeypatch.setattr(item, "following", spy)
    monkeypatch.setattr(item, "claims", lambda results: given.update(claims=results) or [])
    return given


def again(store, profile="smoke", **options):
    said = []
    done = reproduce([], profile, store, say=said.append, **options)
    report(done, said.append)
    return done, "\n".join(said)


def errors(frame):
    return frame.groupby(PARAMETER)["error.test"].mean()


def test_the_second_stage_runs_what_the_first_one_chose(paper, store, seen):
    done, said = again(store)
    assert done.exit_code == 0
    assert "3 runs chosen by the results so far" in said
    assert "9 runs: 9 done" in said
    first, both = seen["following"].frame, seen["claims"].frame
    assert set(first["part"]) == {"validation"}
    assert list(both["part"]) == ["validation"] * 6 + ["test"] * 3
    test = both[both["part"] == "test"]
    assert len(set(errors(first))) == 3
    assert set(test[PARAMETER]) == {errors(first).idxmin()}
    assert set(test["config.seed"]) == {0, 1, 2}
    assert set(test["dataset"]) == {"wine"}  # the common part
    assert set(first["data.validation"]) == {0.3}
    assert test["data.validation"].isna().all()
    # Wine's 90/10 split tests 18 rows; 30 % of the other 160 validate.
    assert set(first["data.n_test"]) == {48}
    assert set(test["data.n_test"]) == {18}
    assert set(test["data.n_train"]) == {160}


def test_the_second_time_nothing_runs(paper, store, monkeypatch):
    again(store)
    table = (store.root / "tables/staged_paper/chosen.csv").read_bytes()
    monkeypatch.setattr(
        "sklearn.neighbors.KNeighborsClassifier.fit", lambda *a: pytest.fail("a solver ran")
    )
    done, said = again(store)
    assert "9 runs: 9 cached" in said
    assert done.exit_code == 0
    assert (store.root / "tables/staged_paper/chosen.csv").read_bytes() == table


def test_all_runs_can_be_made_again_and_each_only_once(paper, store, monkeypatch):
    again(store)
    monkeypatch.setattr(
        item, "following", lambda results: [{"_part": "same", "dataset.validation": 0.3,
                                             "solver.n_neighbors": 5, "seed": [0, 1, 2]}]
    )  # fmt: skip
    _, said = again(store, rerun="all")
    assert "1 run chosen by the results so far" in said
    assert "7 runs: 7 done" in said
    table = pd.read_csv(store.root / "tables/staged_paper/chosen.csv")
    assert (table["part"] == "same").sum() == 3


def test_other_profiles_have_a_second_stage_too(paper, store):
    assert "4 runs: 4 done" in again(store, "quick")[1]


def test_the_user_wins_in_both_stages(paper, store, seen):
    _, said = again(store, user=["seed=7", "solver.n_neighbors=2,3"])
    assert "4 runs: 4 done" in said
    frame = seen["claims"].frame
    assert set(frame["config.seed"]) == {7}
    assert sorted(frame[frame["part"] == "test"][PARAMETER]) == [2, 3]


def test_a_failed_candidate_is_missing_and_the_choice_is_among_the_others(paper, store, seen):
    # More neighbours than examples is a failed run, none at all is refused before it.
    done, said = again(store, user=["solver.n_neighbors=0,1000", "seed=0"])
    assert done.exit_code == 1
    assert len(seen["following"].missing) == 2
    assert "2 runs: 2 failed" in said
    assert seen["claims"].frame.empty


def test_data_that_are_not_here_have_no_second_stage(paper, store, seen, monkeypatch):
    from mcbench.data import DataUnavailable

    def load(name, **kwargs):
        raise DataUnavailable(f"{name}: put it there")

    monkeypatch.setattr("mcbench.data.load", load)
    done, said = again(store, "paper")
    assert done.exit_code == 0
    assert "1 run is not here because the data are not" in said
    assert len(seen["following"].missing) == 1


def test_nothing_of_the_second_stage_is_started_after_a_failure(paper, store, monkeypatch):
    monkeypatch.setattr(item, "following", lambda results: [{"solver.n_neighbors": 5}])
    monkeypatch.setattr("sklearn.neighbors.KNeighborsClassifier.fit", lambda *a: 1 / 0)
    _, said = again(store, user=["seed=0"], stop_on_error=True)
    assert "4 runs: 1 failed, 3 not started" in said


def crash(results):
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    ("following", "error"),
    [
        (crash, "ZeroDivisionError: division by zero"),
        (lambda results: [{"solver.neighbours": 3}], "solver has no setting 'neighbours'"),
        (lambda results: [{"dataset": "whine"}], "There is no dataset 'whine'"),
        (lambda results: 3, "TypeError"),
    ],
)
def test_a_crash_between_the_stages_ends_neither_the_item_nor_the_others(
    paper, store, monkeypatch, capsys, following, error
):
    monkeypatch.setattr(item, "following", following)
    done, said = again(store)
    assert done.exit_code == 1
    assert "error: following of staged_paper/chosen crashed: " in said
    assert error in said
    assert "6 runs: 6 done" in said
    assert (store.root / "tables/staged_paper/chosen.md").is_file()
    assert "Traceback" in capsys.readouterr().err


def test_what_a_solver_refuses_in_the_second_stage_is_a_failed_run(paper, store, monkeypatch):
    monkeypatch.setattr(item, "following", lambda results: [{"solver.n_neighbors": -1}])
    done, said = again(store)
    assert done.exit_code == 1
    assert "7 runs: 6 done, 1 failed" in said


def test_grids_may_hold_what_tables_hold(conf):
    (job,) = expand_following("staged_paper/chosen", [{"solver.n_neighbors": np.int64(3)}])
    assert "solver.n_neighbors=3" in job.overrides
    assert "dataset=wine" in job.overrides
    (job,) = expand_following("staged_paper/chosen", [{"kernel.gamma": np.float64(0.1)}])
    assert "kernel.gamma=0.1" in job.overrides


def runs(**columns):
    return pd.DataFrame(columns)


def test_means_over_seeds_decide_and_the_smaller_value_wins_a_tie():
    frame = runs(
        dataset=["a"] * 6 + ["b"] * 2,
        C=[10.0, 10.0, 1.0, 1.0, 0.1, 0.1, 10.0, 0.1],
        # 0.1 + 0.2 and 0.3 differ in the last bit; their means are the same error.
        error=[0.1 + 0.2, 0.0, 0.0, 0.3, 0.2, 0.2, 0.1, 0.4],
    )
    found = chosen(frame, by=["dataset"], parameter="C", value="error")
    assert [(row["dataset"], row["C"]) for row in found] == [("a", 1), ("b", 10)]
    assert found[0]["error"] == pytest.approx(0.15)
    assert isinstance(found[0]["C"], int)


def test_several_parameters_are_chosen_together():
    frame = runs(C=[1.0, 1.0, 0.5, 0.5], gamma=[2.0, 0.25, 4.0, 2.0], error=[0.1, 0.2, 0.1, 0.1])
    (found,) = chosen(frame, by=[], parameter=["C", "gamma"], value="error")
    assert found == {"C": 0.5, "gamma": 2, "error": 0.1}


def test_runs_without_a_value_do_not_count_and_missing_groups_are_null():
    frame = runs(q=[5.0, np.nan], C=[1.0, 2.0], error=[None, 0.5])
    assert chosen(frame, by=["q"], parameter="C", value="error") == [
        {"q": None, "C": 2, "error": 0.5}
    ]
    assert chosen(frame.iloc[:1], by=["q"], parameter="C", value="error") == []
    assert chosen(runs(id=[], part=[]), by=["q"]) == []


def test_a_parameter_that_is_no_number_cannot_be_compared():
    with pytest.raises(ValueError, match="scale"):
        chosen(runs(C=["scale"], error=[0.5]), by=[], parameter="C", value="error")
