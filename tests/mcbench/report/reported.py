"""Results as a reproduction leaves them, with names that try to get out of the page."""

from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from mcbench import catalogue
from mcbench.claims import Claim, as_row, write_rows
from mcbench.paper_table import PaperTable
from mcbench.record import Record
from mcbench.store import Store
from mcbench.style import save

NASTY = "<script>alert(1)</script>"
BREAKOUT = "</script><img src=x onerror=alert(2)> & 'quoted' \"twice\""

KKT, OTHER, COOLING, SMALL, FAILED = (letter * 16 for letter in "abcde")
GONE = "f" * 16


def record(run, solver, n=100, seed=0, status="done"):
    config = {
        "dataset": {"name": NASTY, "train_size": n, "validation": None},
        "kernel": {"name": "rbf", "gamma": 0.5},
        "solver": {"C": 4.0, "tol": 0.1, "threshold": solver},
        "protocol": {"threads": 1},
        "seed": seed,
        "measure": None,
        "choices": {"dataset": "nasty", "kernel": "rbf", "solver": solver},
    }
    sections = {
        "overrides": ["dataset=nasty", f"solver={solver}", f"seed={seed}"],
        "data": {"name": NASTY, "title": NASTY, "n_train": n, "content_hash": "0" * 64},
        "error": {"train": 0.01, "test": 0.125},
        "objective": {"primal": 7.5, "dual": 7.25, "gap": 0.03, "violation": 0.1},
        "time": {"fit": 0.5},
        "measured": {"text": BREAKOUT, "values": list(range(500))},
        "warnings": [BREAKOUT],
        "provenance": {
            "mcbench": "0.1.0",
            "python": "3.11",
            "packages": {"numpy": "2.0"},
            "git": {"commit": "c" * 40, "dirty": False},
            "machine": {"cpu": "A Processor", "cores": 2, "host": "secrethost", "id": "1234"},
        },
    }
    reason = "" if status == "done" else "RuntimeError: not today"
    if status != "done":
        sections["traceback"] = f"Traceback ...\n{reason}\n"
    return Record(run, status, config, reason, sections)


def trace(rate, rows=400):
    i = np.arange(rows)
    return pd.DataFrame(
        {
            "iteration": i,
            "seconds": 0.001 * (i + 1),
            "kernel_rows": 2 * i,
            "support": i // 4,
            "primal": 8 - 0.5 * (1 - rate**i),
            "dual": 7.5 * (1 - rate**i),
            "gap": rate**i,
            "violation": 2 * rate**i,
            "test_error": 0.5 * rate**i + 0.125,
        }
    )


def keep(store, one, curve=None):
    folder = store.runs / one.id
    folder.mkdir(parents=True)
    one.save(folder)
    if curve is not None:
        curve.to_parquet(folder / "trace.parquet", index=False)


def claim(name, item, verdict, runs=(KKT,), **values):
    texts = {
        "statement": "Cooling is faster.",
        "paper_value": "10 times",
        "trust": "text",
        "check": "5 times",
        "ours": "8 times",
        "reason": "",
    }
    return as_row(
        Claim(name, item, verdict=verdict, runs=runs, **{**texts, **values}), "p1", "quick"
    )


def make(root: Path) -> Store:
    """Write results of two papers into a folder."""
    store = Store(root)
    keep(store, record(KKT, "kkt"), trace(0.99))
    keep(store, record(OTHER, "kkt", seed=1), trace(0.991))
    keep(store, record(COOLING, "cooling"), trace(0.97))
    keep(store, record(SMALL, "kkt", n=50), trace(0.95, rows=30))
    keep(store, record(FAILED, "kkt", seed=7, status="failed"))
    figure = Figure()
    figure.subplots().plot([1, 2], label=NASTY)
    files = save(figure, root / "figures" / "p1" / "fig1")
    table = PaperTable(
        pd.DataFrame(
            {
                "data": [NASTY, "b|c"],
                "ours": [1.23456789, 2.0],
                "paper": [1.5, None],
                "run": [KKT, f"{COOLING}"],
            }
        ),
        note=f"A note: {BREAKOUT}",
        best=(("ours", "paper"),),
        marks={(0, "paper"): "*"},
    )
    folder = root / "tables" / "p1"
    folder.mkdir(parents=True)
    (folder / "tab1.md").write_text(table.markdown("Table 1"))
    (folder / "tab1.csv").write_text(table.csv())
    (folder / "tab1.tex").write_text(table.latex("Table 1"))
    common = {"paper_title": f"On {NASTY}", "reference": "A. Nobody, 1901", "profile": "quick"}
    runs = [KKT, OTHER, COOLING, SMALL, FAILED]
    entries = [
        {
            **common,
            "paper": "p1",
            "item": "fig1",
            "order": 0,
            "title": "Figure 1: curves",
            "command": "mcbench reproduce p1/fig1 --profile quick",
            "figures": [catalogue.made("fig1", files, runs[:3], root)],
            "tables": [catalogue.made("tab1", sorted(folder.iterdir()), [KKT, COOLING], root)],
            "runs": runs,
            "missing": [{"run": "dataset=mnist", "reason": f"unavailable: {BREAKOUT}"}],
        },
        {
            **common,
            "paper": "p2",
            "item": "tab9",
            "order": 0,
            "title": "Table 9: nothing",
            "command": "mcbench reproduce p2/tab9 --profile smoke",
            "profile": "smoke",
            "figures": [],
            "tables": [],
            "runs": [],
            "missing": [],
        },
    ]
    catalogue.write_entries(root, entries)
    write_rows(
        root,
        [
            claim("p1-faster", "fig1", "reproduced", (KKT, COOLING), ours=NASTY),
            claim("p1-slower", "fig1", "differs", (KKT, OTHER), reason=BREAKOUT),
            claim("p1-other", "fig9", "not testable", (), ours="-", reason="run missing"),
            {**claim("p2-any", "tab9", "not testable", ()), "paper": "p2", "profile": "smoke"},
        ],
    )
    return store
