import warnings

import numpy as np
import pandas as pd
import pytest

from mcbench.data import DataUnavailable
from mcbench.errors import UserError
from mcbench.estimator import build
from mcbench.plan import answered, plan
from mcbench.results import Results
from mcbench.run import execute, execute_plan


def test_a_real_fit_is_recorded_with_all_that_counts(run, store):
    record = run("solver=pattern", "dataset.train_size=90", "dataset.draw=seeded")
    assert record.done
    assert record["data"]["n_train"] == 90
    assert record["data"]["n_test"] == 15
    assert 0 <= record["error"]["test"] <= 1
    assert record["error"]["test_wrong"] == round(record["error"]["test"] * 15)
    assert 0 < record["time"]["fit"] < 5
    assert record["time"]["fit_cpu"] > 0
    assert record["memory"]["peak_mb"] > 10
    assert record["objective"]["primal"] >= record["objective"]["dual"]
    assert 0 <= record["objective"]["gap"] < 1e-2
    assert record["work"]["iterations"] > 0
    assert record["work"]["kernel_rows"] > 0
    assert record["model"]["n_support"] > 3
    assert record["reported"]["status"] == "converged"
    provenance = record["provenance"]
    assert provenance["packages"]["numpy"] == np.__version__
    assert provenance["machine"]["cpu"]
    assert {pool["num_threads"] for pool in provenance["threads"]} == {1}
    assert (store.runs / record.id / "config.yaml").read_text().startswith("dataset:")


def test_the_record_repeats_to_the_last_bit(run):
    first = run("solver=pattern")
    again = run("solver=pattern", rerun="all")
    for section in ("objective", "error", "work"):
        assert first[section] == again[section]


def test_the_harness_does_not_believe_the_solver(run, monkeypatch):
    from solvers import CrammerSingerSVC

    fit = CrammerSingerSVC.fit

    def lying(self, X, y):
        fit(self, X, y)
        self.primal_objective_ = self.dual_objective_ = 1e9
        self.duality_gap_ = 0.0
        self.dual_coef_ = self.dual_coef_ * 0.5
        return self

    honest = run("solver=pattern")
    monkeypatch.setattr(CrammerSingerSVC, "fit", lying)
    record = run("solver=pattern", rerun="all")
    assert record["reported"]["gap"] == 0
    assert record["objective"]["gap"] > 10 * honest["objective"]["gap"]


def test_a_done_run_is_not_run_again(run, tmp_path):
    log = f"solver.log={tmp_path}"
    assert run(log).done
    (stamp,) = tmp_path.glob("0-*")
    stamp.unlink()
    assert run(log).done
    assert not list(tmp_path.glob("0-*"))
    run(log, rerun="all")
    assert list(tmp_path.glob("0-*"))


def test_a_failed_run_is_run_again_on_request_only(run, monkeypatch):
    record = run("solver.fail=raise")
    assert record.status == "failed"
    assert record.reason == "RuntimeError: asked to fail"
    assert "framework_fakes.py" in record["traceback"]
    monkeypatch.setattr("framework_fakes.Fake.fit", lambda self, X, y: self._keep(y))
    assert run("solver.fail=raise").status == "failed"
    assert run("solver.fail=raise", rerun="failed").done
    assert run("solver.fail=raise").done


def test_running_out_of_memory_is_an_outcome_of_its_own(run, monkeypatch):
    def fit(self, X, y):
        raise MemoryError("Unable to allocate 1 TiB")

    monkeypatch.setattr("framework_fakes.Fake.fit", fit)
    record = run()
    assert record.status == "out_of_memory"
    assert "1 TiB" in record.reason


@pytest.mark.parametrize("how", ["interrupt", "hidden_interrupt"])
def test_an_interrupted_run_leaves_nothing(run, store, how):
    with pytest.raises(KeyboardInterrupt):
        run(f"solver.fail={how}")
    assert store.running() == []
    assert store.frame().empty


def test_data_that_are_not_here_are_no_failure(run, store, monkeypatch):
    def load(*args, **kwargs):
        raise DataUnavailable("put it there")

    monkeypatch.setattr("mcbench.data.load", load)
    with pytest.raises(DataUnavailable, match="put it there"):
        run("dataset=wine")
    assert store.frame().empty
    assert store.running() == []


def test_warnings_are_kept(run, monkeypatch):
    def fit(self, X, y):
        warnings.warn("did not converge", stacklevel=1)
        return self._keep(y)

    monkeypatch.setattr("framework_fakes.Fake.fit", fit)
    assert "did not converge" in run()["warnings"]


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("seed=-1", "whole number"),
        ("seed=x", "whole number"),
        ("dataset.scaling=rang", "did you mean range"),
        ("dataset.name=iri", "did you mean iris"),
        ("dataset.split=1/2", "llowed: 10-fold"),
        ("protocol.threads=0", "1 or more"),
        ("protocol.trace.factor=1", "above 1"),
        ("protocol.trace.every=0", "1 or more"),
        ("protocol.limits.time_s=0", "positive"),
        ("+solver.foo=1", "no parameter 'foo'"),
        ("solver._target_=nowhere.Thing", "cannot be imported"),
        ("solver._target_=mcbench.CramerSinger", "did you mean CrammerSingerSVC"),
        ("solver._target_=word", "package.module.name"),
        ("measure={_target_:framework_fakes.mesure}", "did you mean measure"),
    ],
)
def test_a_wrong_value_is_refused_before_any_work(run, store, override, said):
    with pytest.raises(UserError, match=said):
        run(override)
    assert not store.root.exists()


def test_a_value_that_the_estimator_knows_to_be_wrong(resolve):
    with pytest.raises(UserError, match="cache"):
        plan(resolve("solver=pattern", "solver.cache=maybe"))


def test_a_measurement_instead_of_a_fit(run):
    measure = "measure={_target_:framework_fakes.measure,factor:3}"
    record = run(measure, "seed=2")
    assert record.done
    assert record["measured"] == {"rows": 135, "product": 6, "curve": [1.0, 0.5], "name": 2}
    assert run(measure, "dataset=none")["measured"]["rows"] == 0
    assert run("measure={_target_:framework_fakes.not_a_mapping}").status == "failed"


def test_without_data_there_must_be_something_to_measure(run):
    with pytest.raises(UserError, match="needs something to measure"):
        run("dataset=none")


def test_a_limit_that_was_raised_gives_a_run_another_chance(run, resolve, store):
    record = run("solver.seconds=30", "protocol.limits.time_s=0.2")
    assert record.status == "timeout"
    same = plan(resolve("solver.seconds=30", "protocol.limits.time_s=0.2"))
    more = plan(resolve("solver.seconds=30", "protocol.limits.time_s=60"))
    none = plan(resolve("solver.seconds=30"))
    assert same.id == more.id == none.id
    assert answered(store, same) is not None
    assert answered(store, more) is None
    assert answered(store, none) is None


@pytest.mark.parametrize("rerun", [None, "all"])
def test_a_run_that_ends_just_before_it_is_claimed_is_not_done_again(
    run, resolve, store, monkeypatch, rerun
):
    if rerun:
        run("seed=7")
    planned = plan(resolve("seed=7"))

    def asked(*_):
        monkeypatch.undo()  # another process asks and executes just now
        assert execute_plan(planned, store, rerun=rerun)[1]

    monkeypatch.setattr("mcbench.run.answered", asked)
    record, fresh = execute_plan(planned, store, rerun=rerun)
    assert record == store.get(planned.id)
    assert not fresh


def test_the_kernel_and_the_seed_reach_the_estimator(resolve):
    config = resolve("solver=pattern", "kernel=poly", "kernel.gamma=0.5", "seed=4", "solver.C=inf")
    estimator = build(config)
    assert (estimator.kernel, estimator.gamma, estimator.random_state) == ("poly", 0.5, 4)
    assert np.isinf(estimator.C)


def test_an_estimator_of_scikit_learn_runs_too(run):
    record = run("solver=fake", "~solver.seconds", "~solver.unless", "~solver.log", "~solver.fail",
                 "~solver.megabytes", "solver._target_=sklearn.svm.SVC", "+solver.C=2")  # fmt: skip
    assert record.done, record.reason
    assert record["model"]["n_support"] > 0
    assert record.get("objective") is None
    assert record["identity"]["solver_version"].count(".") >= 1


def test_a_plan_has_a_readable_label(resolve):
    label = plan(resolve("seed=1"), ["dataset=iris", "solver=fake", "solver.seconds=0"]).label
    assert label == "dataset=iris kernel=rbf solver=fake solver.seconds=0 seed=1"


def test_progress_is_told(run):
    told = []
    run("solver=pattern", "dataset=wine", on_progress=told.append)
    assert told
    assert told[-1]["gap"] < 1
    assert set(told[0]) == {"iteration", "seconds", "gap"}


def test_the_predictions_of_the_test_part_are_kept(run, store):
    record = run("solver=pattern", "dataset=wine")
    kept = store.predictions(record.id)
    assert list(kept) == ["y", "predicted"]
    assert len(kept) == record["data"]["n_test"]
    assert (kept["y"] != kept["predicted"]).mean() == record["error"]["test"]
    results = Results("quick", store.frame(), store)
    assert results.wrong(record.id).sum() == record["error"]["test_wrong"]


def test_a_run_without_predictions_says_so(run, store):
    record = run("solver=pattern", "dataset=wine")
    (store.runs / record.id / "predictions.parquet").unlink()
    assert store.predictions(record.id).empty
    with pytest.raises(LookupError, match=f"run {record.id} has kept no predictions"):
        Results("quick", store.frame(), store).wrong(record.id)


def test_the_trace_is_kept(run, store):
    record = run("solver=pattern", "dataset=wine")
    trace = store.trace(record.id)
    assert isinstance(trace, pd.DataFrame)
    assert trace["iteration"].iloc[-1] == record["work"]["iterations"]
    assert trace["gap"].iloc[-1] == pytest.approx(record["objective"]["gap"], abs=1e-9)
    assert trace["test_error"].iloc[-1] == record["error"]["test"]
    untraced = run("solver=pattern", "dataset=wine", "protocol=untraced")
    assert store.trace(untraced.id).empty
    assert untraced["objective"] == record["objective"]


def test_two_names_with_the_same_content_are_the_same_run(resolve, store):
    config = resolve()
    first = execute(config, store)
    renamed = {**config, "choices": {**config["choices"], "solver": "another"}}
    assert execute(renamed, store).id == first.id
