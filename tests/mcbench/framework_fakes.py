"""Estimators and measurements that behave, and misbehave, on demand."""

import ctypes
import os
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np


class Fake:
    """Predicts the commonest class, after whatever it is told to do first."""

    solver_version = "7"

    def __init__(
        self,
        seconds=0.0,
        unless=None,
        log=None,
        fail=None,
        megabytes=0,
        random_state=None,
        callback=None,
    ):
        self.seconds = seconds
        self.unless = unless
        self.log = log
        self.fail = fail
        self.megabytes = megabytes
        self.random_state = random_state
        self.callback = callback

    def fit(self, X, y):
        if len(y) < 30:  # the warm-up
            return self._keep(y)
        start = time.time()
        if self.unless is None or not Path(self.unless).exists():
            time.sleep(self.seconds)
        if self.fail == "raise":
            raise RuntimeError("asked to fail")
        if self.fail == "segfault":
            ctypes.string_at(0)
        if self.fail == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.fail == "exit":
            os._exit(3)
        if self.fail == "interrupt":
            raise KeyboardInterrupt
        if self.fail == "hidden_interrupt":  # as Python 3.11 does to one that strikes an import
            raise RuntimeError("Error calling __set_name__ on an instance") from KeyboardInterrupt()
        self.ballast_ = np.ones((int(self.megabytes), 2**17))
        if self.log is not None:
            path = Path(self.log) / f"{self.random_state}-{os.getpid()}"
            path.write_text(f"{start} {time.time()}")
        return self._keep(y)

    def _keep(self, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.common_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(X.shape[0], self.common_)


class Optional(Fake):
    """An estimator whose package, an optional one of mcbench's, is not installed."""

    def check_parameters(self):
        raise ModuleNotFoundError("No module named 'fastrvm.core'", name="fastrvm.core")


class Broken(Fake):
    """An estimator with an import that no extra of mcbench installs."""

    def check_parameters(self):
        raise ModuleNotFoundError("No module named 'nowhere'", name="nowhere")


class Ticker:
    """Calls back every iteration of a millisecond; `callback_seconds` come from the callback."""

    def __init__(self, iterations=50, callback=None):
        self.iterations = iterations
        self.callback = callback

    def fit(self, X, y):
        coefficients = np.zeros((len(y), len(np.unique(y))))
        following = 0
        for iteration in range(self.iterations + 1):
            if iteration >= following or iteration == self.iterations:
                progress = SimpleNamespace(iteration=iteration, dual_coef=coefficients)
                if self.callback is not None:
                    self.callback(progress)
                    following = self.callback.next_checkpoint(iteration, iteration * 1e-3)
            busy(1e-3)
        return self


def busy(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def measure(*, data, config, seed, factor=1):
    """A measurement: numbers that depend on the data, the seed and its own argument."""
    rows = 0 if data is None else data.n_train
    return {"rows": rows, "product": factor * seed, "curve": [1.0, 0.5], "name": config["seed"]}


def not_a_mapping(*, data, config, seed):
    return 3


def meet(*, data, config, seed, folder, number):
    """Wait until so many runs are here at once."""
    (Path(folder) / str(seed)).touch()
    end = time.monotonic() + 60
    while len(list(Path(folder).iterdir())) < number:
        if time.monotonic() > end:
            raise TimeoutError("the others never came")
        time.sleep(0.02)
    return {"met": True}


def misbehave(*, data, config, seed, how="raise", until=None, log=None):
    """Fail as asked, until a file is there; note each try in a file."""
    if log is not None:
        with Path(log).open("a") as file:
            file.write(f"{seed}\n")
    if until is None or not Path(until).exists():
        if how == "raise":
            raise RuntimeError("asked to fail")
        if how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "wait":
            time.sleep(60)
    return {"seed": seed}
