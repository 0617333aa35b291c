"""Runs made up for a store, whole to the last hash, without executing anything."""

import signal

import pandas as pd
from omegaconf import OmegaConf

from mcbench.identity import run_id
from mcbench.record import PREDICTIONS, TRACE, Record

HERE, THERE = "0a1b2c3d", "4e5f6a7b"
CONTENT = "c0ffee" * 4

#: How a process ends that Ctrl-C has interrupted. Python ends by the signal, whoever catches the
#: exception, if it was executing a text just then (`exec`), as imports do. A shell says 130.
INTERRUPTED = (130, -signal.SIGINT)


def put(
    store, number=0, *, status="done", machine=HERE, seconds=1.0, version="7", name=None, **sections
):
    """Put a run into a store's folder of runs and return its identity."""
    config = {
        "dataset": {"name": "mine", "scaling": "none"},
        "kernel": {"name": "rbf", "gamma": 0.5},
        "solver": {"_target_": "framework_fakes.Fake", "C": number, "limit": float("inf")},
        "protocol": {"threads": 1, "warm_up": True, "trace": None},
        "seed": number % 3,
        "choices": {"dataset": "mine", "kernel": "rbf", "solver": "fake"},
    }
    identity = run_id(config, CONTENT, version)
    done = status == "done"
    record = Record(
        identity,
        status,
        config,
        "" if done else "It failed.",
        {
            "overrides": ["dataset=mine", "solver=fake", f"solver.C={number}"],
            "identity": {"content_hash": CONTENT, "solver_version": version},
            "solver_version": version,
            "data": {"content_hash": CONTENT, "n_test": 3} if done else None,
            "error": {"test_wrong": 1, "test": 1 / 3} if done else None,
            "time": {"fit": seconds},
            "files": [PREDICTIONS, TRACE] if done else [],
            "finished": f"2026-01-{number % 28 + 1:02d}T10:00:00+00:00",
            "provenance": {"machine": {"id": machine}},
            **sections,
        },
    )
    folder = store.runs / (name or identity)
    folder.mkdir(parents=True)
    record.save(folder)
    (folder / "config.yaml").write_text(OmegaConf.to_yaml(OmegaConf.create(config)))
    if done:
        predictions = pd.DataFrame({"y": [0, 1, 2], "predicted": [0, 1, 0]})
        predictions.to_parquet(folder / PREDICTIONS, index=False)
        trace = pd.DataFrame({"iteration": [0, 1], "gap": [1.0, 0.1]})
        trace.to_parquet(folder / TRACE, index=False)
    return identity


def everything(folder):
    """Return all files of a store's runs with their content."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.relative_to(folder).parts[0].startswith((".", "index"))
    }
