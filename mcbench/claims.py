"""Claims of a paper, stated as code, and what became of them."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from mcbench.files import to_json, write_atomic
from mcbench.json_rows import all_texts, read_list
from mcbench.record import strict
from mcbench.words import cited, count, few

#: The file of claims that is read again.
CLAIMS = "claims.json"

#: So many runs of a claim are named in claims.md.
NAMED = 3

Verdict = Literal["reproduced", "differs", "not testable"]
#: What the marks of a paper's values mean.
TRUST = (
    "How far a paper's value can be trusted: S, seen in print; R, recomputed with other software; "
    "M, remembered and not confirmed, which decides nothing."
)
VERDICTS: tuple[Verdict, ...] = ("reproduced", "differs", "not testable")


@dataclass(frozen=True)
class Claim:
    """One claim, the paper's value beside ours, and the verdict.

    Attributes
    ----------
    id : str
        For example "cs01-fig7".
    item : str
        The table or figure that it belongs to.
    statement : str
        What the paper claims.
    paper_value : str
        The paper's value.
    trust : str
        How far that value can be trusted: printed, read off a chart, quoted, ...
    check : str
        What has to hold for the verdict "reproduced".
    ours : str
        Our value.
    verdict : {"reproduced", "differs", "not testable"}
        What came out.
    reason : str
        Why; by how much it differs; what is missing.
    runs : tuple of str
        Identities of the runs behind our value.
    """

    id: str
    item: str
    statement: str
    paper_value: str
    trust: str
    check: str
    ours: str
    verdict: Verdict
    reason: str = ""
    runs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"{self.id}: verdict '{self.verdict}' is none of {VERDICTS}")


Row = dict[str, Any]
COLUMNS = ("paper", "profile", *(item.name for item in fields(Claim)))


def as_row(claim: Claim, paper: str, profile: str) -> Row:
    """Return a claim as a row, with the paper and the profile it was evaluated in."""
    return {"paper": paper, "profile": profile, **asdict(claim), "runs": list(claim.runs)}


def merge(old: Sequence[Row], new: Sequence[Row], evaluated: set[tuple[str, str]]) -> list[Row]:
    """Return old rows but for the items evaluated anew, then the new ones, in a stable order."""
    kept = [row for row in old if (row.get("paper"), row.get("item")) not in evaluated]
    return sorted([*kept, *new], key=lambda row: (row["paper"], row["item"], row["id"]))


def counts(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return how many claims have each verdict, as a sentence."""
    found = Counter(row["verdict"] for row in rows)
    parts = [f"{found.get(verdict, 0)} {verdict}" for verdict in VERDICTS]
    return f"{count(len(rows), 'claim')}: {', '.join(parts)}."


def read_rows(folder: Path) -> list[Row]:
    """Return the claims written in a folder before; none when there is no readable file."""
    return read_list(folder / CLAIMS, _whole)


def _whole(row: Any) -> bool:
    """Return whether this is a claim as `as_row` returns it, some texts perhaps missing."""
    return (
        isinstance(row, dict)
        and {"paper", "item", "id", "verdict"} <= set(row)
        and all(isinstance(row[name], str) for name in COLUMNS if name in row and name != "runs")
        and row["verdict"] in VERDICTS
        and all_texts(row.get("runs", []))
    )


def write_rows(folder: Path, rows: Sequence[Row]) -> list[Path]:
    """Write claims as claims.md, claims.csv and claims.json, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "claims.md": to_markdown(rows),
        "claims.csv": to_csv(rows),
        CLAIMS: to_json(strict(list(rows)), indent=1) + "\n",
    }
    for name, text in texts.items():
        write_atomic(folder / name, text)
    return [folder / name for name in texts]


def to_markdown(rows: Sequence[Row]) -> str:
    """Return claims as a table and, below it, what each one checks and why it came out so."""
    from mcbench.markup import markdown

    header = ["claim", "paper's value", "ours", "verdict", "profile"]
    table = [
        [row["id"], row["paper_value"], row["ours"], row["verdict"], row["profile"]] for row in rows
    ]
    parts = ["# Claims", counts(rows), TRUST, markdown(header, table)]
    for row in rows:
        lines = [
            f"## {row['id']}",
            f"{cited(row['paper'])}, `{row['paper']}/{row['item']}`: {row['statement']}",
            f"- check: {row['check']}",
            f"- paper: {row['paper_value']} ({row['trust']})",
            f"- ours: {row['ours']}",
            f"- verdict: **{row['verdict']}**" + (f": {row['reason']}" if row["reason"] else ""),
        ]
        if row["runs"]:
            lines.append(f"- runs: {few(row['runs'], NAMED)} ({CLAIMS} names all)")
        parts.append("\n".join([lines[0], "", lines[1], "", *lines[2:]]))
    return "\n\n".join(parts) + "\n"


def to_csv(rows: Sequence[Row]) -> str:
    """Return claims as comma-separated values."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({**row, "runs": " ".join(row["runs"])})
    return out.getvalue()
