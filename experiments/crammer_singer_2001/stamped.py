"""What stands below a figure: its runs, and what it shows in place of the paper's own data."""

import pandas as pd
from matplotlib.figure import Figure

from mcbench.labels import as_text, with_model
from mcbench.results import Results
from mcbench.style import stamp

PAPERS_DATA = "mnist"
KERNELS = {"rbf": "RBF"}


def stamp_results(figure: Figure, results: Results, *notes: str) -> None:
    """Write below a figure the stand-ins for the paper's data, parameters, profile and runs."""
    frame = results.frame
    others = sorted(set(frame["data.name"]) - {PAPERS_DATA})
    stand_ins = f"in place of the paper's {PAPERS_DATA}: {', '.join(others)}" if others else ""
    stamp(
        figure,
        profile=results.profile,
        data=list(frame["data.title"]),
        runs=list(frame["id"]),
        note="; ".join(filter(None, [stand_ins, parameters(frame), *notes])),
    )


def parameters(frame: pd.DataFrame) -> str:
    """The kernel, C and gamma of the fits on each data set, where all of them have the same."""
    found: dict[str, list[str]] = {}
    for title, runs in with_model(frame).groupby("data.title"):
        parts = [
            f"{KERNELS.get(name, name)} kernel" for name in runs.get("kernel", pd.Series()).unique()
        ]
        for name, column in (("C", "config.solver.C"), ("gamma", "config.kernel.gamma")):
            if column in runs and runs[column].nunique() == 1:
                parts.append(f"{name} = {as_text(runs[column].iloc[0])}")
        found.setdefault(", ".join(parts), []).append(str(title))
    one = len(found) == 1
    return "; ".join(text if one else f"{', '.join(of)}: {text}" for text, of in found.items())
