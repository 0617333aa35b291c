import pytest
from rich.console import Console

from mcbench.data import DataUnavailable
from mcbench.errors import UserError
from mcbench.grid import expand_sweep
from mcbench.outcome import Outcome
from mcbench.progress import Display
from mcbench.record import Record
from mcbench.sweep import prepare, run_sweep, summary

FAKE = ["dataset=iris", "solver=fake"]


def sweep(store, *overrides, rerun=None, **options):
    jobs = expand_sweep([*FAKE, *overrides])
    return run_sweep(prepare(jobs, store, rerun), store, rerun=rerun, **options)


def statuses(outcomes):
    return [outcome.status for outcome in outcomes]


def test_a_failure_does_not_end_a_sweep_and_is_said_when_it_happens(store, capsys):
    outcomes = sweep(store, "solver.fail=null,raise", "seed=0,1")
    assert sorted(statuses(outcomes)) == ["done", "done", "failed", "failed"]
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == ["done", "done", "failed", "failed"]
    assert "solver.fail=raise seed=0: RuntimeError: asked to fail" in lines[2]
    assert summary(outcomes) == "4 runs: 2 done, 2 failed"


def test_a_sweep_can_stop_at_the_first_failure(store):
    outcomes = sweep(store, "solver.fail=raise,null", "seed=0,1", stop_on_error=True)
    assert statuses(outcomes) == ["failed", "not started", "not started", "not started"]


def test_cached_is_said_and_nothing_is_loaded(store, capsys, monkeypatch):
    sweep(store, "seed=0,1")
    monkeypatch.setattr("mcbench.data.load", lambda *a, **k: pytest.fail("loaded"))
    capsys.readouterr()
    assert statuses(sweep(store, "seed=0,1")) == ["cached", "cached"]
    assert capsys.readouterr().out.count("cached") == 2


def test_many_cached_runs_are_one_line(store, capsys, monkeypatch):
    monkeypatch.setattr("mcbench.sweep.MANY", 3)
    sweep(store, "seed=range(4)")
    capsys.readouterr()
    sweep(store, "seed=range(5)")
    out = capsys.readouterr().out
    assert "cached: 4 runs" in out
    assert len(out.splitlines()) == 2


def test_an_earlier_failure_is_not_tried_again_unless_asked(store, capsys, monkeypatch):
    sweep(store, "solver.fail=raise")
    (outcome,) = sweep(store, "solver.fail=raise")
    assert outcome.bad
    assert "--rerun failed" in outcome.reason
    monkeypatch.setattr("framework_fakes.Fake.fit", lambda self, X, y: self._keep(y))
    assert statuses(sweep(store, "solver.fail=raise", rerun="failed")) == ["done"]


def test_the_same_run_asked_for_twice_is_one(store):
    assert len(sweep(store, "solver.seconds=0,0.0")) == 1


def test_a_combination_that_a_solver_refuses_is_a_failure_among_the_others(store):
    jobs = expand_sweep(["dataset=iris", "solver=pattern", "solver.C=-1,1"])
    outcomes = run_sweep(prepare(jobs, store), store)
    assert sorted(statuses(outcomes)) == ["done", "failed"]


def test_when_nothing_at_all_is_possible_nothing_starts(store):
    with pytest.raises(UserError, match="C=-1"):
        prepare(expand_sweep(["dataset=iris", "solver=pattern", "solver.C=-1,-2"]), store)


def test_data_that_are_not_here_are_listed(store, monkeypatch):
    def load(name, **kwargs):
        raise DataUnavailable(f"{name}: put it there")

    monkeypatch.setattr("mcbench.data.load", load)
    outcomes = sweep(store, "dataset=wine")
    assert statuses(outcomes) == ["unavailable"]
    assert outcomes[0].reason == "wine: put it there"
    assert not outcomes[0].bad


def test_a_reason_that_many_runs_share_is_said_once(store, monkeypatch, capsys):
    def plan(*_):
        raise DataUnavailable("wine cannot be had. Tried: here; there")

    monkeypatch.setattr("mcbench.sweep.plan", plan)
    outcomes = sweep(store, "dataset=wine", "seed=0,1,2")
    assert {outcome.reason for outcome in outcomes} == {"wine cannot be had. Tried: here; there"}
    out = capsys.readouterr().out
    assert out.count("Tried") == 1
    assert out.count("as above") == 2


def test_a_bar_shows_the_gap_and_an_estimate_on_a_terminal():
    console = Console(force_terminal=True, width=100, highlight=False, record=True)
    with Display(2, console) as display:
        display.begin("dataset=iris")
        display._drawn = 0.0
        display.beat({"seconds": 3.0, "gap": 1e-3, "iteration": 5})
        shown = display._bar.tasks[0].description
        assert "gap 1.0e-03" in shown
        assert "dataset=iris" in shown
        display.end(Outcome("dataset=iris", "done", id="a"))
    assert "[1/2] done" in console.export_text()


def test_piped_output_is_plain(capsys):
    with Display(1) as display:
        display.begin("x")
        display.beat({"seconds": 1, "gap": 1.0})
        display.end(Outcome("[x]", "done", id="a"))
    assert capsys.readouterr().out == "[1/1] done        a                [x]\n"


def test_a_quiet_display_on_a_terminal_says_what_went_wrong_only():
    console = Console(force_terminal=True, width=100, highlight=False, record=True)
    with Display(2, console, quiet=True) as display:
        display.end(Outcome("good", "done"))
        display.end(Outcome("bad", "failed", "why"))
    text = console.export_text()
    assert "good" not in text
    assert "bad: why" in text


def test_in_a_pipe_the_pace_is_said_now_and_then(capsys, monkeypatch):
    clock = iter(range(0, 10_000, 40))
    monkeypatch.setattr("mcbench.progress.time.monotonic", lambda: float(next(clock)))
    with Display(100) as display:
        for number in range(4):
            display.begin(str(number))
            display.end(Outcome(str(number), "done"))
    said = [line for line in capsys.readouterr().out.splitlines() if "left" in line]
    assert said[0] == "2 of 100 runs, 0.75 runs/min, 2.2 h left"  # after 160 s


def test_a_run_of_another_process_has_not_ended(capsys):
    with Display(2) as display:
        display.begin("mine")
        display.end(Outcome("theirs", "running"))
        display.end(Outcome("mine", "done"))
    assert capsys.readouterr().out.startswith("[1/2] done")


@pytest.mark.parametrize("ends", [True, False])
def test_a_run_that_another_process_does_again_is_waited_for(store, monkeypatch, ends):
    sweep(store)
    (run,) = store.frame()["id"]
    old = store.get(run)
    held = store.claim(Record(run, "running", old.config, sections={}), replaces=old)

    def sleep(seconds):  # the other process ends it meanwhile, or dies
        monkeypatch.undo()
        if not ends:
            held.abandon()
            return
        held.record.status, held.record.reason = "failed", "theirs"
        held.write_config(old.config)
        store.finish(held, held.record)

    monkeypatch.setattr("mcbench.sweep.time.sleep", sleep)
    (outcome,) = sweep(store, rerun="all")
    if ends:
        assert (outcome.status, outcome.reason.split(" (")[0]) == ("failed", "theirs")
    else:
        assert outcome.status == "done"
        assert store.get(run) != old


def test_an_interrupt_that_code_turns_into_an_error_ends_the_sweep(store, capsys):
    with pytest.raises(KeyboardInterrupt):
        sweep(store, "solver.fail=hidden_interrupt,null")
    assert store.frame().empty
    assert store.running() == []
