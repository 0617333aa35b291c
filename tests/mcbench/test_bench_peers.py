"""The peers solve our problems: what comes back of them reaches our optimum."""

import numpy as np
import pytest

from mcbench.bench import peers
from mcbench.bench.cases import Case, rbf
from mcbench.bench.entry import Entry
from mcbench.bench.measures import floor
from mcbench.bench.options import Options
from mcbench.bench.runner import Runner
from mcbench.bench.sections import crammer_singer, weston_watkins
from mcbench.judge import primal_of_weights
from mcbench.peers import kernlab, liblinear
from solvers import CrammerSingerSVC

SMALL = Case("iris", 4.0, rbf(0.5), {"conf": "iris", "fold": 0})


def peer_of(section, name, runner):
    (found,) = [peer for peer in section.peers(runner, SMALL) if peer.name == name]
    return found.entry


@pytest.fixture
def runner(store, monkeypatch):
    def config(self, repetition, time_s):  # a process for each takes longer than the fits
        found = isolated(self, repetition, None)
        found["protocol"]["isolate"] = False
        return found

    isolated = Entry.config
    monkeypatch.setattr(Entry, "config", config)
    options = Options(repetitions=1, threads=1, ours={"solver": None, "gap_tol": 1e-6})
    return Runner(store, options, lambda _: None)


@pytest.mark.slow
@pytest.mark.parametrize("section", [crammer_singer, weston_watkins])
def test_kernlab_reaches_our_dual_optimum(section, runner):
    if peers.missing("kernlab"):
        pytest.skip(peers.missing("kernlab"))
    theirs = runner.measure(peer_of(section, "kernlab", runner))
    (entry,) = section.ours(runner, SMALL, 1e-6)
    own = runner.measure(entry)
    assert theirs.done, theirs.note
    assert own.get("gap") <= 1e-6
    assert theirs.get("dual") == pytest.approx(own.get("dual"), rel=2e-3)
    assert theirs.get("infeasibility") <= 0.15 * 8.0
    assert theirs.get("peak_mb") > 50


def test_kernlabs_columns_are_the_wrong_classes_in_their_order():
    alpha = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    a = kernlab.coefficients(alpha, np.array([0, 1, 2]), 3, "kbb-svc")
    assert a.tolist() == [[3, -1, -2], [-3, 7, -4], [-5, -6, 11]]


@pytest.mark.parametrize("tol", [0.1, 1e-4])
def test_liblinears_weights_have_the_primal_value_of_our_optimum(tol, runner):
    if peers.missing("liblinear"):
        pytest.skip(peers.missing("liblinear"))
    case = SMALL.with_kernel(1.0, name="linear")
    solver = {"_target_": "mcbench.CrammerSingerSVC", "C": 1.0}
    theirs = runner.measure(Entry("t", "LIBLINEAR", case, solver, "liblinear.fit", {"tol": tol}))
    own = runner.measure(
        Entry("t", "ours", case, {**solver, "gap_tol": 1e-8}, arguments={"weights": True})
    )
    assert theirs.done, theirs.note
    assert theirs.get("primal") >= own.get("primal") * (1 - 1e-7)
    assert theirs.get("primal") == pytest.approx(own.get("primal"), rel=max(tol / 10, 1e-4))


def test_a_model_file_of_liblinear_is_read_in_the_order_of_the_classes():
    model = "solver_type MCSVM_CS\nnr_class 2\nlabel 1 0\nnr_feature 2\nbias -1\nw\n1 2 \n3 4 \n"
    W = liblinear.weights(model, 2, 3)
    assert W.tolist() == [[2, 4, 0], [1, 3, 0]]


def test_the_primal_value_of_weights_is_the_estimators():
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(50, 4)), draw.integers(3, size=50)
    machine = CrammerSingerSVC(C=2.0, kernel="linear", tol=1e-6).fit(X, y)
    primal = primal_of_weights(machine.coef_, X, y, 2.0)
    assert primal == pytest.approx(machine.primal_objective_, rel=1e-10)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_limit_computes_the_kernel(threads):
    draw = np.random.default_rng(1)
    X = draw.normal(size=(70, 5)).astype(np.float32)
    block = floor.columns(X, X[:30], 0.25, threads)
    squares = ((X[:30, np.newaxis] - X) ** 2).sum(axis=2)
    np.testing.assert_allclose(block, np.exp(-0.25 * squares), rtol=2e-5)
