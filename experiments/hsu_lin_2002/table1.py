"""Table 1: the sizes of the ten data sets."""

import pandas as pd

from experiments.hsu_lin_2002.judging import conclude, not_run
from experiments.hsu_lin_2002.published import TABLE1
from mcbench.claims import Claim
from mcbench.measures import sizes as sizes  # named by the grid
from mcbench.results import Results

TITLE = "Table 1: problem statistics (training / test / classes with examples / attributes)"


def compared(results: Results) -> pd.DataFrame:
    """Each data set that was loaded beside the table's."""
    rows = []
    for run in results.frame.to_dict("records"):
        n_test = run["measured.test"]
        ours = (
            int(run["measured.train"]),
            None if pd.isna(n_test) else int(n_test),
            int(run["measured.classes"]),
            int(run["measured.attributes"]),
        )
        paper = TABLE1.get(run["measured.name"])
        rows.append(
            {
                "data": run["measured.name"],
                "paper": _text(paper) if paper else None,
                "ours": _text(ours),
                "agrees": paper == ours,
                "run": run["id"],
            }
        )
    return pd.DataFrame(rows, columns=["data", "paper", "ours", "agrees", "run"])


def _text(sizes: tuple[int, int | None, int, int]) -> str:
    n_train, n_test, classes, attributes = sizes
    return f"{n_train} / {n_test or '10-fold'} / {classes} / {attributes}"


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """The paper's table with ours beside it."""
    return {"table1": compared(results)}


def claims(results: Results) -> list[Claim]:
    """The loaded data have the sizes of the paper's."""
    table = compared(results).dropna(subset="paper")
    failed = [
        f"{row['data']}: {row['ours']}, not {row['paper']}"
        for row in table.to_dict("records")
        if not row["agrees"]
    ]
    note = not_run(results, tuple(TABLE1), set(table["data"]))
    # The claim is about the ten sets: some of them are not the table.
    tested = not note
    verdict, reason = conclude(results, tested, failed, note)
    return [
        Claim(
            id="hl02-table1",
            item="table1",
            statement="Sizes of the ten data sets.",
            paper_value="ten sets",
            trust="sizes as their sources document them; the table itself is lost in our text",
            check="training and test examples, classes and attributes of all ten",
            ours=f"{int(table['agrees'].sum())} of {len(TABLE1)} agree" if len(table) else "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(table["run"]),
        )
    ]
