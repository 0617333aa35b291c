"""Solvers and measurements that do what no run should do."""

import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from framework_fakes import Fake

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


class Bad(Fake):
    """A fake that does one more thing, named by `how`, before it fits."""

    def __init__(self, how=None, log=None, random_state=None):
        super().__init__(log=log, random_state=random_state)
        self.how = how

    def fit(self, X, y):
        if len(y) >= 30 and self.how is not None:  # not the warm-up
            getattr(self, f"_{self.how}")()
        return self._keep(y)

    def _children(self):
        """Leave processes behind: in the group, in sessions of their own, and orphans of these."""
        for new_session in (False, True):
            for _ in range(3):
                self._note(subprocess.Popen(SLEEP, start_new_session=new_session).pid)
        if os.fork() == 0:
            os.setsid()
            self._note(subprocess.Popen(SLEEP).pid)
            os._exit(0)

    def _bomb(self):
        """Start processes that start processes, each out of reach of the group, and go."""
        for _ in range(20):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    os.setsid()
                self._note(os.getpid())
                time.sleep(600)
        while len((Path(self.log) / "pids").read_text().split()) < 40:
            time.sleep(0.01)
        os._exit(4)

    def _note(self, pid):
        with (Path(self.log) / "pids").open("a") as file:
            file.write(f"{pid}\n")

    def _talk(self):
        line = b"x" * 2**20
        for _ in range(100):
            os.write(1, line)
        os.write(1, b"\n")
        print("the last word", flush=True)
        os._exit(3)

    def _deaf(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.run(SLEEP)

    def _leave(self):
        raise SystemExit("I leave")

    def _mute(self):
        class MuteError(Exception):
            def __str__(self):
                raise ValueError("no word")

        raise MuteError

    def _half(self):
        raise ValueError("half a pair: \ud800")

    def _hoard(self):
        """Let two processes take together what one of them may have alone."""
        code = "b = b'x' * (300 * 2**20); import time; time.sleep(600)"
        both = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
        for process in both:
            process.wait()


def unholdable(*, data, config, seed, kind="set"):
    endless = []
    endless.append(endless)
    return {"found": {"set": {1, 2}, "object": object(), "endless": endless, "bytes": b"x"}[kind]}


class Careless(Fake):
    """Does what a solver may do by mistake, named by `how`."""

    def __init__(self, how=None, random_state=None):
        super().__init__(random_state=random_state)
        self.how = how

    def fit(self, X, y):
        if len(y) >= 30:  # not the warm-up
            if self.how == "change":
                X -= X.mean(axis=0)
            if self.how == "relabel":
                y[...] = y[0]
            if self.how == "leave":
                raise GeneratorExit
            if self.how == "fork":
                os.fork()
            if self.how == "warn":
                for number in range(500):
                    warnings.warn(f"warning {number}", stacklevel=1)
        return self._keep(y)

    def predict(self, X):
        right = super().predict(X)
        return {
            "none": lambda: None,
            "one": lambda: right[0],
            "generator": lambda: iter(right),
            "short": lambda: right[:-1],
            "column": lambda: right[:, np.newaxis],
            "missing": lambda: np.full(len(right), np.nan),
            "text": lambda: np.full(len(right), "a"),
        }.get(self.how, lambda: right)()


def drawn():
    """Data that are others each time they are asked for."""
    random = np.random.default_rng()
    return random.normal(size=(60, 2)), np.arange(60) % 3
