#!/usr/bin/env python3
"""Write the headline claims into README.md, and its figures into docs/figures/.

Both come from results/published/, which `mcbench report --publish` writes.

    python scripts/readme_claims.py            write
    python scripts/readme_claims.py --check    write nothing; 1 when they are not as published
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mcbench.claims import counts, to_csv, to_markdown

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- claims:begin -->", "<!-- claims:end -->"

#: The claims that are shown, those of them that are published.
HEADLINES = (
    "cs01-fig6",
    "cs01-fig7",
    "cs01-mnist",
    "hl02-table2",
    "ww98-table1",
    "as-fig10",
    "as05-table1",
    "as05-table2",
    "as05-refs",
    "as05-response",
)

#: The figures of the README, and where they are below results/published/.
FIGURES = {
    "fig6.png": "figures/crammer_singer_2001/fig6.png",
    "fig7.png": "figures/crammer_singer_2001/fig7.png",
}

#: Characters of a cell.
WIDEST = 200


def block(rows: Sequence[dict[str, Any]]) -> str:
    """Return the lines between the marks for published claims."""
    shown = {row["id"]: row for row in rows if row["id"] in HEADLINES}
    table = [
        ["paper", "claim", "the paper's value", "ours", "verdict"],
        ["---"] * 5,
        *(
            [
                row["paper"],
                f"{row['id']}: {short(row['statement'])}",
                short(row["paper_value"]),
                f"{short(row['ours'])} ({row['profile']})",
                row["verdict"],
            ]
            for row in (shown[name] for name in HEADLINES if name in shown)
        ),
    ]
    lines = "\n".join(f"| {' | '.join(cells)} |" for cells in table)
    link = "[all of them](results/published/claims.md)"
    return f"{BEGIN}\n{counts(rows)[:-1]} ({link}):\n\n{lines}\n{END}"


def short(text: str) -> str:
    """Return a text cut off between two of its clauses, and such that it stays text in Markdown."""
    cut = textwrap.shorten(text, WIDEST, placeholder="")
    if cut != " ".join(text.split()):
        ends = (cut.rfind("; "), cut.rfind(", "), cut.rfind(" "))
        at = next(at for at in (*ends, len(cut)) if at > WIDEST // 2)
        cut = f"{cut[:at]} ..."
    cut = cut.replace("|", "\\|")
    return cut.replace("&", "&amp;").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def renewed(readme: str, rows: Sequence[dict[str, Any]]) -> str:
    """Return the text of the README with the claims renewed."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"README.md lacks {BEGIN} or {END}.")
    return before + block(rows) + after


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Write or check; 1 when a check finds a difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    check = parser.parse_args(arguments).check
    published, readme = root / "results" / "published", root / "README.md"
    if not (published / "claims.json").is_file():
        raise SystemExit(
            f"There is no {published}/claims.json: mcbench report --publish writes it."
        )
    rows = json.loads((published / "claims.json").read_text(encoding="utf-8"))
    old = readme.read_text(encoding="utf-8")
    new = renewed(old, rows)
    copies = {root / "docs" / "figures" / name: published / file for name, file in FIGURES.items()}
    if check:
        wrong = ["README.md"] if new != old else []
        wrong += [
            copy.relative_to(root).as_posix()
            for copy, figure in copies.items()
            if not (copy.is_file() and figure.is_file()) or copy.read_bytes() != figure.read_bytes()
        ]
        wrong += [
            f"results/published/{name}"
            for name, text in (("claims.md", to_markdown(rows)), ("claims.csv", to_csv(rows)))
            if not (published / name).is_file()
            or (published / name).read_text(encoding="utf-8") != text
        ]
        with (published / "runs.csv").open(encoding="utf-8", newline="") as file:
            known = {row["id"] for row in csv.DictReader(file)}
        wrong += [f"{row['id']} (its runs)" for row in rows if not set(row["runs"]) <= known]
        if wrong:
            names = ", ".join(wrong)
            print(f"Not as published: {names}; run scripts/readme_claims.py.", file=sys.stderr)
        return int(bool(wrong))
    readme.write_text(new, encoding="utf-8", newline="\n")
    for copy, figure in copies.items():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(figure, copy)
    return 0


if __name__ == "__main__":
    sys.exit(main())
