"""Results of runs as the store would give them, from rows that a test writes."""

import pandas as pd

from mcbench.results import Results


def results(rows, missing=()):
    for number, row in enumerate(rows):
        row.setdefault("id", f"run{number}")
    frame = pd.DataFrame(rows)
    # In a store with other runs, whose columns have gaps, whole numbers come as floats.
    whole = [c for c in frame.select_dtypes("int") if c != "seed"]
    return Results("paper", frame.astype(dict.fromkeys(whole, float)), None, list(missing))
