"""The only item."""

import pandas as pd
from matplotlib.figure import Figure

from mcbench.claims import Claim

TITLE = "Figure 1: a curve"


def claims(results):
    sizes = results.frame[results.frame["part"] == "sizes"]
    enough = len(sizes) == 2
    return [
        Claim(
            id="fp-sizes",
            item="curve",
            statement="There are two sizes.",
            paper_value="2",
            trust="printed",
            check="two runs",
            ours=str(len(sizes)),
            verdict="reproduced" if enough else "not testable",
            reason="" if enough else f"missing: {results.missing}",
            runs=tuple(sizes["id"]),
        )
    ]


def figures(results):
    figure = Figure()
    figure.subplots().plot(results.frame["data.n_train"], results.frame["error.test"])
    return {"curve": figure}


def tables(results):
    columns = {"n": results.frame["data.n_train"], "x": 1.23456789, "run": results.frame["id"]}
    return {"curve": pd.DataFrame(columns)}
