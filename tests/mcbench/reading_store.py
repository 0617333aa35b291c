"""Runs as they are recorded, written without fitting anything."""

import copy

import numpy as np
import pandas as pd

from mcbench.record import PREDICTIONS, TRACE, Record
from mcbench.store import Store

CONFIG = {
    "dataset": {"name": "iris", "split": "10-fold", "train_size": None, "fold": None},
    "kernel": {"name": "rbf", "gamma": "scale"},
    "solver": {"_target_": "mcbench.CrammerSingerSVC", "C": 1.0, "tol": 0.001},
    "protocol": {"threads": 1, "limits": {"time_s": None, "memory_mb": None}},
    "seed": 0,
    "measure": None,
    "results_dir": None,
    "on_error": "continue",
}


def put(
    store: Store,
    number: int,
    *,
    dataset: str = "iris",
    solver: str = "block",
    seed: int = 0,
    C: float = 1.0,
    error: float = 0.1,
    seconds: float = 1.0,
    n: int = 135,
    wrong: list[int] | None = None,
    split: str = "s",
    status: str = "done",
    ended: str = "converged",
    traced: bool = False,
    **settings: object,
) -> str:
    """Write a run and return its identity; `wrong` are the test examples it has wrong, of 100."""
    config = copy.deepcopy(CONFIG)
    config["dataset"]["name"] = dataset
    config["solver"]["C"] = C
    config["seed"] = seed
    for key, value in settings.items():
        group, _, name = key.partition("__")
        config[group][name] = value
    config["choices"] = {"dataset": dataset, "kernel": "rbf", "solver": solver}
    run = f"{number:016x}"
    folder = store.runs / run
    folder.mkdir(parents=True)
    files = []
    if wrong is not None:
        y = np.zeros(100, int)
        predicted = y.copy()
        predicted[wrong] = 1
        pd.DataFrame({"y": y, "predicted": predicted}).to_parquet(folder / PREDICTIONS)
        files.append(PREDICTIONS)
        error = len(wrong) / 100
    if traced:
        steps = np.arange(1, 6)
        trace = pd.DataFrame(
            {
                "iteration": steps,
                "seconds": seconds * steps / 5,
                "kernel_rows": 2 * steps,
                "gap": 10.0**-steps * (1 + seed),
                "dual": 1.0 * steps,
                "test_error": 0.5 / steps,
            }
        )
        trace.to_parquet(folder / TRACE)
        files.append(TRACE)
    (folder / "config.yaml").write_text("seed: 0\n")
    sections = {
        "overrides": [f"dataset={dataset}", f"solver={solver}", f"solver.C={C}", f"seed={seed}"],
        "started": f"2024-01-01T00:00:{number % 60:02d}+00:00",
        "finished": f"2024-01-02T00:{number // 60 % 60:02d}:{number % 60:02d}+00:00",
        "solver_version": "1",
        "warnings": ["scale the data"] if ended == "max_iter" else [],
        "provenance": {
            "mcbench": "0.1.0",
            "python": "3.11.7",
            "packages": {"numpy": "2.0.0"},
            "machine": {"cpu": "A processor", "cores": 2, "id": "abc", "host": "here"},
            "git": {"commit": "c0ffee", "dirty": False},
        },
    }
    if status == "done":
        sections |= {
            "time": {"fit": seconds, "fit_cpu": seconds, "predict": seconds / 10},
            "error": {"test": error, "train": 0.0},
            "objective": {"dual": 1.0, "primal": 1.001, "gap": 0.001},
            "model": {"n_support": 10 + number},
            "work": {"iterations": 100, "kernel_rows": 50},
            "reported": {"status": ended},
            "data": {
                "name": dataset, "title": dataset.title(), "n_train": n, "n_test": 100,
                "n_classes": 3, "split_hash": split, "content_hash": dataset * 8,
                "stand_in": None, "sparse": False,
            },
            "files": files,
        }  # fmt: skip
    else:
        sections["traceback"] = "Traceback (most recent call last):\n  File\nRuntimeError: no"
    reason = "" if status == "done" else "RuntimeError: no"
    Record(run, status, config, reason, sections).save(folder)
    return run
