"""The number of neighbours is chosen on a validation part, and then tested."""

import pandas as pd

from mcbench.selection import chosen

TITLE = "Table 1: choices"
PARAMETER = "config.solver.n_neighbors"


def following(results):
    rows = chosen(results.frame, by=["dataset"], parameter=PARAMETER)
    return [
        {"_part": "test", "solver.n_neighbors": row[PARAMETER], "seed": [0, 1, 2]} for row in rows
    ]


def claims(results):
    return []


def tables(results):
    columns = {"part": "part", "k": PARAMETER, "error": "error.test", "run": "id"}
    return {"chosen": pd.DataFrame({key: results.frame[name] for key, name in columns.items()})}
