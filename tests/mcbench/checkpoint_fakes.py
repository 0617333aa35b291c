"""A solver that has a state, and comes to a bad end half way."""

import os
import signal
from pathlib import Path
from types import SimpleNamespace

import numpy as np


class Steps:
    """Counts to 20, noting each step in a file; ends badly at step 10 unless a file is there."""

    solver_version = "1"

    def __init__(self, log=None, unless=None, end="raise", callback=None):
        self.log, self.unless, self.end, self.callback = log, unless, end, callback

    def fit(self, X, y):
        self.classes_, self.n_iter_ = np.unique(y), 0
        if len(y) < 30 or self.log is None:  # the warm-up
            return self
        earlier = self.callback.earlier()
        self.n_iter_ = 0 if earlier is None else earlier["step"]
        while self.n_iter_ < 20:
            step = self.n_iter_
            self.callback(SimpleNamespace(iteration=step, snapshot=self.snapshot))
            if step == 10 and not Path(self.unless).exists():
                Path(self.unless).touch()
                if self.end == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                raise {"raise": RuntimeError, "interrupt": KeyboardInterrupt}[self.end]("half way")
            with Path(self.log).open("a") as file:
                file.write(f"{step} ")
            self.n_iter_ += 1
        return self

    def snapshot(self):
        return {"step": self.n_iter_}

    def predict(self, X):
        return np.full(X.shape[0], self.classes_[0])
