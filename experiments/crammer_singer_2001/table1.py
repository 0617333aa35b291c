"""Table 1: the small databases."""

from typing import Any

import pandas as pd

from mcbench.claims import Claim, Verdict
from mcbench.measures import sizes as sizes  # named by the grid
from mcbench.results import Results

TITLE = "Table 1: description of the small databases"

#: Training examples, test examples (None: 5-fold cross validation), classes, attributes.
PAPER = {
    "satimage": (4435, 2000, 6, 36),
    "shuttle": (5000, 9000, 7, 9),
    "mnist": (5000, 10000, 10, 784),
    "isolet": (6238, 1559, 26, 617),
    "letter": (5000, 4000, 26, 16),
    "vowel": (528, 462, 11, 10),
    "glass": (214, None, 7, 9),
}
#: The table counts the classes that glass's documentation lists; one of them has no example.
EMPTY_CLASSES = {"glass": 1}


def compared(results: Results) -> list[dict[str, Any]]:
    """Each data set of the table beside what was loaded."""
    frame = results.frame
    rows = []
    for name, (train, test, classes, attributes) in PAPER.items():
        found = frame[frame["measured.name"] == name] if len(frame) else frame
        paper = f"{train}/{test or '5-fold'}/{classes}/{attributes}"
        row: dict[str, Any] = {"data": name, "paper": paper}
        if len(found):
            one = found.iloc[0]
            n_test = one["measured.test"]
            empty = EMPTY_CLASSES.get(name, 0)
            ours = (
                int(one["measured.train"]),
                None if pd.isna(n_test) else int(n_test),
                int(one["measured.classes"]) + empty,
                int(one["measured.attributes"]),
            )
            row["loaded"] = f"{ours[0]}/{ours[1] or '5-fold'}/{ours[2] - empty}/{ours[3]}"
            row["agrees"] = ours == (train, test, classes, attributes)
            row["run"] = one["id"]
        rows.append(row)
    return rows


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """The paper's table with ours beside it: train/test/classes/attributes."""
    rows = [
        {
            "data": row["data"],
            "paper": row["paper"],
            "loaded": row.get("loaded", "not here"),
            "run": row.get("run", "-"),
        }
        for row in compared(results)
    ]
    return {"table1": pd.DataFrame(rows)}


def claims(results: Results) -> list[Claim]:
    """The loaded data have the table's sizes."""
    rows = compared(results)
    here = [row for row in rows if "loaded" in row]
    wrong = [row["data"] for row in here if not row["agrees"]]
    absent = [row["data"] for row in rows if "loaded" not in row]
    verdict: Verdict = "differs" if wrong else "not testable" if absent else "reproduced"
    reason = f"other sizes: {', '.join(wrong)}" if wrong else ""
    if absent and not wrong:
        unavailable = {override for job, _ in results.missing for override in job}
        why = "their data are not here" if unavailable else f"profile {results.profile} skips them"
        reason = f"not loaded: {', '.join(absent)} ({why})"
    if any(row["data"] in EMPTY_CLASSES and row["agrees"] for row in here):
        empty = "glass agrees with 6 classes: the table's seventh is listed and has no example"
        reason = f"{reason}; {empty}" if reason else empty
    return [
        Claim(
            id="cs01-table1",
            item="table1",
            statement="Sizes of the seven small databases.",
            paper_value="seven sets",
            trust="printed",
            check="training and test examples, classes and attributes are the table's, all seven",
            ours=f"{len(here) - len(wrong)} of {len(rows)} agree, {len(absent)} not here",
            verdict=verdict,
            reason=reason,
            runs=tuple(row["run"] for row in here),
        )
    ]
