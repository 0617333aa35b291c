"""A fit that goes on from a state ends as the one that nobody interrupted, to the last bit."""

from ctypes import c_char

import numpy as np
import pytest
from sklearn.datasets import load_digits

from mcbench import CrammerSingerSVC, LinearProgramSVC, MultiPrototypeSVC, WestonWatkinsSVC
from mcbench.npz import pack, unpack
from solvers.column_cache import ColumnCache
from solvers.columns import DenseColumns
from solvers.kernels import KernelChoice
from solvers.workers import workers

RBF = {"C": 10, "gamma": 0.05}
PATTERN = {**RBF, "solver": "pattern"}
PASSES = {**PATTERN, "pick": "threshold", "active_set": False}
CYCLIC = {**PATTERN, "pick": "cyclic", "threshold": "fixed", "active_set": False, "passes": 4}
DRAWN = {"random_state": 0, "n_prototypes": 3, "tau": 0.3}

#: The estimator, and the examples of digits that it is trained on.
FITS = {
    "block": (CrammerSingerSVC(**RBF, cache_size=2), 700),
    "block, all columns": (CrammerSingerSVC(**RBF, tol=1e-5), 400),
    "block, boxes": (WestonWatkinsSVC(C=1, gamma=0.05, gap_tol=1e-6), 300),
    "block, float32": (CrammerSingerSVC(C=1, gamma=0.05, cache_size=1), 1100),
    "dual_cd": (CrammerSingerSVC(kernel="linear", solver="dual_cd", random_state=1), 700),
    "argmax": (CrammerSingerSVC(**PATTERN, cache_rows=20), 300),
    "argmax, no cache": (CrammerSingerSVC(**PATTERN, cache="none", threshold="linear"), 80),
    "threshold": (CrammerSingerSVC(**PASSES, optimizer="all_pairs", selection="bmg"), 300),
    "mean": (CrammerSingerSVC(**PASSES, threshold="mean", optimizer="opt_kkt"), 300),
    "cyclic": (CrammerSingerSVC(**CYCLIC), 150),
    "numpy": (CrammerSingerSVC(**PATTERN, core="numpy", tol=0.05), 24),
    "numpy, threshold": (CrammerSingerSVC(**PASSES, core="numpy", tol=0.05), 24),
    "boxes": (WestonWatkinsSVC(C=1, gamma=0.05, solver="pattern", gap_tol=1e-4), 100),
    "exact bias": (WestonWatkinsSVC(C=1, gamma=0.05, bias="exact"), 120),
    "annealed": (MultiPrototypeSVC(**DRAWN, gap_tol=1e-3), 200),
    "annealed twice": (MultiPrototypeSVC(**DRAWN, n_init=2), 80),
    "greedy": (MultiPrototypeSVC(**DRAWN, search="greedy"), 150),
    "static": (MultiPrototypeSVC(**DRAWN, search="static"), 150),
    "rows": (MultiPrototypeSVC(**DRAWN, kernel="rbf", gamma=0.05, cache_size=0.03), 80),
}
TOLD = ("iteration", "kernel_rows", "cache_hits", "active_set", "level", "last")
COUNTS = ("n_iter_", "n_inner_iter_", "n_kernel_rows_", "n_cache_hits_", "status_")
VALUES = ("dual_coef_", "support_", "intercept_", "primal_objective_", "dual_objective_")
OF_SEARCHES = ("temperatures_", "energies_", "slacks_", "assignments_", "n_assignment_changes_")


class InterruptedFitError(Exception):
    """The fit is over for now."""


class Watcher:
    """Notes what it is shown, and interrupts a fit at some calls.

    ``state`` is what the next fit goes on from; by way of the file's form, and as if in another
    process: nothing is left of the interrupted one.
    """

    def __init__(self, interrupt_at=()):
        self.rows, self.states = [], 0
        self.interrupt_at = set(interrupt_at)
        self.state, self.goes_on = None, False

    def __call__(self, progress):
        row = [getattr(progress, name) for name in TOLD] + [progress.dual_coef.tobytes()]
        if self.goes_on:  # the first call is where the state was taken
            assert self.rows.pop() == row
            self.goes_on = False
        self.rows.append(row)
        if progress.snapshot is None:
            return
        number, self.states = self.states, self.states + 1
        if number in self.interrupt_at:
            self.interrupt_at.remove(number)
            self.state = unpack(*pack(progress.snapshot()))
            raise InterruptedFitError

    def earlier(self):
        self.goes_on = self.state is not None
        return self.state

    def next_checkpoint(self, iteration, seconds):
        return int(iteration * 1.4) + 29


def digits(n):
    X, y = load_digits(return_X_y=True)
    return X[:n] / 16, y[:n]


def fitted(machine, X, y, watcher):
    """Fit again and again until nothing interrupts; the bits of all that came of it."""
    machine.set_params(callback=watcher)
    while True:
        try:
            machine.fit(X, y)
            break
        except InterruptedFitError:
            continue
    found = {name: getattr(machine, name) for name in (*COUNTS, *VALUES)}
    found |= {name: getattr(machine, name, None) for name in OF_SEARCHES}
    return {name: np.asarray(value).tobytes() for name, value in found.items()} | {
        "rows": watcher.rows
    }


@pytest.mark.parametrize("name", FITS)
def test_a_fit_goes_on_to_the_same_bits(name):
    machine, n = FITS[name]
    X, y = digits(n)
    through = Watcher()
    expected = fitted(machine, X, y, through)
    last = through.states - 1
    assert last >= 3
    # Four times in one fit: at its start, early, half way, and when it offers its state for the
    # last time. Each time one call comes twice.
    watcher = Watcher([0, 1 + 1, last // 2 + 2, last + 3])
    assert fitted(machine, X, y, watcher) == expected
    assert not watcher.interrupt_at


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_column_is_computed_again_in_its_batch(dtype):
    """A matrix product of one column differs in its last bits from one of many."""
    X = np.random.default_rng(0).random((1000, 100))
    source = DenseColumns(X, KernelChoice("rbf", 0.01, 3, 0.0, "none"), dtype)
    assert not source.alike

    def column(cache, example, team):
        (address,) = cache.get(np.array([example]), team, ahead=lambda m, held: held[:0])
        place = (c_char * (source.n * source.dtype.itemsize)).from_address(int(address))
        return np.frombuffer(place, dtype).copy()

    with workers() as team:
        cache, again = ColumnCache(source, 0.0), ColumnCache(source, 0.0)
        n = cache.capacity
        cache.get(np.arange(n), team, ahead=lambda m, held: held[:0])
        expected = column(cache, 5, team)
        cache.get(np.arange(n, 2 * n - 2), team, ahead=lambda m, held: held[:0])
        assert np.count_nonzero(cache.slot[:n] >= 0) == 2  # the others of the batch made room
        state = unpack(*pack(cache.snapshot()))
        again.restore(state)
        assert again.lost == set(range(n))
        for one in (cache, again):
            assert column(one, 5, team).tobytes() == expected.tobytes()
        assert len(again.lost) == n - 2
        assert again.n_computed == cache.n_computed
        for example in range(2 * n - 2):
            assert column(again, example, team).tobytes() == column(cache, example, team).tobytes()
        assert not again.lost
        assert (again.n_hits, again.n_computed) == (cache.n_hits, cache.n_computed)


def test_a_state_of_another_fit_is_refused():
    X, y = digits(200)
    watcher = Watcher([2])
    machine = CrammerSingerSVC(**RBF, callback=watcher)
    with pytest.raises(InterruptedFitError):
        machine.fit(X, y)
    for other in (CrammerSingerSVC(**PATTERN), MultiPrototypeSVC()):
        with pytest.raises(ValueError, match="state to go on from is of another fit"):
            other.set_params(callback=watcher).fit(X, y)
    with pytest.raises(ValueError, match=r"n_samples 200.*, 190,"):
        machine.fit(X[:190], y[:190])


def test_a_state_does_not_change_with_the_fit():
    X, y = digits(200)
    kept = []

    def callback(progress):
        if progress.snapshot is not None:
            kept.append((progress.snapshot(), unpack(*pack(progress.snapshot()))))

    CrammerSingerSVC(**RBF, callback=callback).fit(X, y)
    for state, then in kept:
        assert state.keys() == then.keys()
        assert all(np.array_equal(value, then[name]) for name, value in state.items())
        kinds = (np.ndarray, int, float, str, bool, type(None))
        assert all(isinstance(value, kinds) for value in state.values())


def test_what_has_no_state_offers_none():
    offered = []
    machine = LinearProgramSVC(callback=lambda progress: offered.append(progress.snapshot))
    machine.fit(*digits(60))
    assert offered
    assert not any(offered)
