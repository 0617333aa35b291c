import time

import numpy as np
import pytest
from framework_fakes import Ticker, busy

from mcbench.data import load
from mcbench.errors import UserError
from mcbench.judge import Judge, forget, full_solution
from mcbench.memory import PeakMemory
from mcbench.schedule import Schedule
from mcbench.stopwatch import Stopwatch
from mcbench.trace import Observer, Tracer
from solvers import CrammerSingerSVC
from solvers.certificate import Solution
from solvers.problems import CrammerSinger

KERNELS = [
    {"name": "rbf", "gamma": "scale", "degree": 3, "coef0": 0.0},
    {"name": "poly", "gamma": 1.0, "degree": 2, "coef0": 1.0},
    {"name": "linear", "gamma": 1.0, "degree": 1, "coef0": 0.0},
]


class SlowJudge:
    def certificate(self, solution):
        busy(0.02)
        return {"gap": 0.5}

    def test_error(self, solution):
        return 0.25


def test_the_clock_stands_still_while_a_checkpoint_is_evaluated():
    y = np.arange(6) % 3

    def timed(observer):
        observer.start()
        Ticker(40, observer).fit(y, y)
        observer.stop()
        return observer

    traced = timed(Tracer(Schedule(every=2), SlowJudge()))
    plain = timed(Observer())
    assert traced.watch.paused_wall > 0.4
    assert len(traced.rows) == 21
    # Other processes may take the processor meanwhile, so only what cannot be is excluded.
    assert 0.04 <= traced.seconds < traced.watch.paused_wall / 2
    assert traced.cpu_seconds < 0.1
    assert 0.04 <= plain.seconds < 0.4
    seconds = [row["seconds"] for row in traced.rows]
    assert seconds == sorted(seconds)


def test_what_a_solver_does_after_its_last_call_is_not_the_fit():
    observer = Observer()
    observer.start()
    observer(type("Progress", (), {"iteration": 0, "dual_coef": None}))
    time.sleep(0.05)
    observer.stop()
    assert observer.seconds < observer.watch.wall - 0.04


def test_without_a_call_the_fit_is_all_of_it():
    observer = Observer()
    observer.start()
    time.sleep(0.03)
    observer.stop()
    assert observer.seconds >= 0.03


def test_a_stopwatch_leaves_pauses_out():
    watch = Stopwatch()
    busy(0.02)
    watch.pause()
    time.sleep(0.5)
    watch.resume()
    busy(0.02)
    watch.stop()
    assert 0.04 <= watch.wall < 0.4
    assert watch.paused_wall >= 0.5


def test_memory_of_a_pause_is_left_out():
    memory = PeakMemory()
    memory.pause()
    kept = np.ones(4_000_000)
    memory.resume()
    memory.pause()
    assert memory.grown_mb < 10
    memory.resume()
    own = np.ones(4_000_000)
    del own
    memory.pause()
    assert 25 < memory.grown_mb < 45
    del kept


def test_checkpoints_are_geometric_or_every_n():
    schedule = Schedule(factor=2)
    assert [i for i in range(100) if schedule.due(i)] == [0, 1, 2, 4, 8, 16, 32, 64]
    schedule = Schedule(every=30)
    assert [i for i in range(100) if schedule.due(i)] == [0, 30, 60, 90]
    schedule = Schedule(factor=1.25)
    points = [i for i in range(10_000) if schedule.due(i)]
    assert points[:6] == [0, 1, 2, 3, 4, 5]
    assert len(points) < 45


def test_between_checkpoints_there_are_signs_of_life():
    schedule = Schedule(every=1_000_000)
    assert schedule.due(0)
    assert schedule.next_call(0, 0.0) == 1_000_000
    assert schedule.next_call(100, 1.0) == 300
    assert not schedule.due(300)
    assert schedule.next_call(999_999, 1.0) == 1_000_000


@pytest.mark.parametrize("wrong", [{"factor": 1.0}, {"every": 0}, {"every": -3}])
def test_a_schedule_that_never_moves_is_refused(wrong):
    with pytest.raises(UserError):
        Schedule(**wrong)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel["name"])
@pytest.mark.parametrize("bias", ["none", "penalized"])
def test_kept_rows_blocks_and_scratch_agree(kernel, bias):
    data = load("wine", scaling="range")
    machine = CrammerSingerSVC(
        C=2.0,
        kernel=kernel["name"],
        gamma=kernel["gamma"],
        degree=kernel["degree"],
        coef0=kernel["coef0"],
        bias=bias,
    ).fit(data.X_train, data.y_train)
    solution = full_solution(machine, data.n_train)
    kept = Judge(data, kernel, machine.problem(), bias, memory_mb=100)
    blocks = Judge(data, kernel, machine.problem(), bias, memory_mb=0)
    expected = blocks.certificate(solution, keep=False)
    for judge in (kept, kept, blocks):
        found = judge.certificate(solution)
        for name, value in expected.items():
            assert found[name] == pytest.approx(value, rel=1e-9, abs=1e-9)
        assert judge.test_error(solution) == np.mean(machine.predict(data.X_test) != data.y_test)
    assert expected["dual"] == pytest.approx(machine.dual_objective_, rel=1e-9)
    forget()


def test_a_data_set_without_a_test_part_has_no_test_error():
    data = load("wine", scaling="range")
    object.__setattr__(data, "X_test", data.X_test[:0])
    judge = Judge(data, KERNELS[0], CrammerSinger(1.0))
    assert np.isnan(judge.test_error(Solution(np.zeros((data.n_train, 3)))))


def test_rows_of_another_split_are_not_used():
    errors = []
    for seed in (0, 1):
        data = load("wine", scaling="range", seed=seed)
        judge = Judge(data, KERNELS[0], CrammerSinger(1.0), memory_mb=100)
        rng = np.random.default_rng(0)
        solution = Solution(rng.normal(size=(data.n_train, 3)))
        fresh = judge.certificate(solution, keep=False)
        assert judge.certificate(solution)["primal"] == pytest.approx(fresh["primal"])
        errors.append(fresh["primal"])
    assert errors[0] != errors[1]
    forget()
