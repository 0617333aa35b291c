"""A share of runs: given out once each, told about, and cleared when its sweep is gone."""

import os
import time
from io import StringIO

import pytest
from rich.console import Console

from mcbench import launch
from mcbench.grid import expand_sweep
from mcbench.launch import launch_with
from mcbench.launcher import Launcher
from mcbench.listen import Crew
from mcbench.outcome import Outcome
from mcbench.process import owner
from mcbench.progress import Display
from mcbench.share import SHARES, Order, Share, sweep_shares
from mcbench.sweep import prepare
from mcbench.worker import work

PARALLEL = {"launcher": "joblib", "runs": 2}


@pytest.fixture
def plans(store):
    def make(*overrides):
        return prepare(expand_sweep(["dataset=none", *overrides]), store).todo

    return make


@pytest.fixture
def share(store, plans):
    def make(*overrides, stop=False, outlives=False, of=None):
        store.runs.mkdir(parents=True, exist_ok=True)
        order = Order(
            plans(*overrides), str(store.root), None, stop, PARALLEL, of or owner(), outlives
        )
        return Share.create(store.runs, order)

    return make


MEASURE = "measure={_target_: framework_fakes.measure}"
WRONG = "measure={_target_: framework_fakes.misbehave}"


def listened(share, plans, **options):
    console = Console(width=200, highlight=False, record=True, file=StringIO())
    crew = Crew(share, plans, Display(len(plans), console, **options))
    crew.listen()
    return crew, console.export_text()


def test_a_worker_executes_what_there_is_and_tells_of_it(store, share):
    mine = share(MEASURE, "seed=0,1,2")
    assert work(None, folder=str(mine.folder)) == 3
    crew, text = listened(mine, mine.order().plans)
    assert [outcome.status for outcome in crew.outcomes.values()] == ["done"] * 3
    assert [line.split()[0] for line in text.splitlines()] == ["[1/3]", "[2/3]", "[3/3]"]
    assert set(store.frame()["parallel.runs"]) == {2}
    # Another worker that comes late finds nothing to do.
    assert work(None, folder=str(mine.folder)) == 0


def test_each_number_is_given_out_once(share):
    mine = share(MEASURE, "seed=0,1,2")
    others = [Share(mine.folder) for _ in range(2)]
    assert [others[n % 2].take(3) for n in range(4)] == [0, 1, 2, None]


def test_nothing_is_given_out_after_a_failure_that_stops(share):
    mine = share(WRONG, "seed=0,1,2", stop=True)
    assert work(None, folder=str(mine.folder)) == 1
    crew, text = listened(mine, mine.order().plans)
    assert [outcome.status for outcome in crew.outcomes.values()] == ["failed"]
    assert "asked to fail" in text


def test_what_a_worker_says_is_heard_a_whole_line_at_a_time(share):
    mine = share(MEASURE, "seed=0,1")
    mine.say(begun=0)
    (file,) = (mine.folder / "said").iterdir()
    with file.open("a") as half:
        half.write('{"begun"')
    crew, _ = listened(mine, mine.order().plans)
    assert crew.begun == {0}
    with file.open("a") as half:
        half.write(": 1}\n")
    crew.listen()
    assert crew.begun == {0, 1}


def test_an_interruption_reaches_the_run_that_is_executed(share):
    mine = share("measure={_target_: framework_fakes.misbehave, how: wait}", "seed=0")
    mine.interrupt()
    (mine.folder / "stop").unlink()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        work(None, folder=str(mine.folder))
    assert time.monotonic() - start < 20


def test_shares_of_sweeps_that_are_gone_are_cleared(store, share):
    gone = {**owner(), "pid": 2**22 - 3}
    living, dead = share(MEASURE, "seed=0"), share(MEASURE, "seed=0", of=gone)
    cluster = share(MEASURE, "seed=0", of=gone, outlives=True)
    (store.runs / SHARES / "torn").mkdir()
    sweep_shares(store.runs)
    assert living.folder.exists()
    assert cluster.folder.exists()  # its jobs may go on
    assert sorted(path for path in (store.runs / SHARES).iterdir()) == sorted(
        [living.folder, cluster.folder]
    )
    assert not dead.folder.exists()
    past = time.time() - 2 * 86_400
    for path in [cluster.folder, *cluster.folder.rglob("*")]:
        os.utime(path, (past, past))
    sweep_shares(store.runs)
    assert not cluster.folder.exists()


class Scripted:
    """What a round of workers gave."""

    def __init__(self, begun, ended, error=None):
        self.begun = set(begun)
        self.outcomes = {n: Outcome("", "done", id=str(n)) for n in ended}
        self.error = error


@pytest.fixture
def rounds(store, plans, monkeypatch):
    """Execute four runs in rounds that are given; return what each round was to do, and the end."""

    def play(*script):
        asked, script = [], iter(script)

        def _round(self, todo, display, *, quiet):
            asked.append([(wanted.seed, wanted.config["protocol"]["isolate"]) for wanted in todo])
            return next(script)

        monkeypatch.setattr(launch._Launched, "_round", _round)
        execute = launch_with(Launcher("joblib", 2), store, rerun=None, stop_on_error=False)
        with Display(4, Console(file=StringIO())) as display:
            ended = execute(plans(MEASURE, "seed=0,1,2,3"), display)
        return asked, [(outcome.status, outcome.reason) for outcome in ended]

    return play


def test_runs_whose_worker_ended_are_tried_once_more_in_a_process_of_their_own(rounds):
    error = RuntimeError("gone")
    asked, ended = rounds(Scripted([0, 1, 2], [0], error), Scripted([0, 1, 2], [0, 1, 2]))
    assert asked[0] == [(0, False), (1, False), (2, False), (3, False)]
    assert asked[1] == [(1, True), (2, True), (3, False)]
    assert [status for status, _ in ended] == ["done"] * 4


def test_a_run_whose_worker_ends_again_has_failed(rounds):
    error = RuntimeError("gone")
    asked, ended = rounds(Scripted([0, 1], [0], error), Scripted([0], [], error),
                          Scripted([0, 1], [0, 1]))  # fmt: skip
    assert asked[2] == [(2, False), (3, False)]
    assert [status for status, _ in ended] == ["done", "failed", "done", "done"]
    assert "twice without a word (RuntimeError: gone)" in ended[1][1]


def test_a_launcher_that_starts_nothing_is_one_sentence(rounds):
    from mcbench.errors import UserError

    with pytest.raises(UserError, match="The launcher joblib failed: RuntimeError: no queue"):
        rounds(Scripted([], [], RuntimeError("no queue\nand more")))
