"""The papers' items: what each shows, how its claims are judged, what came out.

All of it is read from the experiment packages, their grids and what is published.
"""

import inspect
import json
from collections import Counter
from typing import Any

from markup import CONF, ROOT, code, details, escaped, table

from mcbench.catalogue import read_entries
from mcbench.claims import TRUST, VERDICTS, counts, read_rows
from mcbench.discovery import Paper, load_paper, packages
from mcbench.grid import PROFILES, expand_experiment

PUBLISHED = ROOT / "results" / "published"

#: From `docs/papers/`, where the pages are that include what is written here.
FIGURES = "../../results/published"

Row = dict[str, Any]


def pages() -> dict[str, str]:
    """Return the verdicts of all claims, and the items of each paper."""
    claims = read_rows(PUBLISHED)
    entries = {(row["paper"], row["item"]): row for row in read_entries(PUBLISHED)}
    found = {"verdicts.md": verdicts(claims), "environment.md": environment()}
    for key in packages():
        paper = load_paper(key)
        parts = [f"{escaped(paper.reference)}."]
        for name in paper.items:
            mine = [row for row in claims if (row["paper"], row["item"]) == (key, name)]
            parts += item(paper, name, mine, entries.get((key, name), {}))
        found[f"papers/{key}.md"] = "\n\n".join(parts) + "\n"
    return found


def verdicts(claims: list[Row]) -> str:
    """Return all claims with their verdicts, and how many there are of each."""
    rows = [
        [
            f"[{escaped(row['id'])}](#{row['id']})",
            escaped(row["statement"]),
            f"**{row['verdict']}**",
            row["profile"],
        ]
        for row in claims
    ]
    by_paper = Counter((row["paper"], row["verdict"]) for row in claims)
    papers = [
        [
            f"[{load_paper(key).title}]({key})",
            *(str(by_paper[key, verdict]) for verdict in VERDICTS),
        ]
        for key in dict.fromkeys(row["paper"] for row in claims)
    ]
    head = [counts(claims), table(["paper", *VERDICTS], papers)]
    return "\n\n".join([*head, table(["claim", "what it says", "verdict", "profile"], rows)]) + "\n"


def environment() -> str:
    """Return the machines of the published runs."""
    found = json.loads((PUBLISHED / "environment.json").read_text(encoding="utf-8"))
    rows = [
        [escaped(row["cpu"]), str(row["cores"]), f"{row['memory_mb'] / 1024:.0f} GB",
         escaped(row["distribution"]), str(row["runs"])]
        for row in found["machines"]
    ]  # fmt: skip
    return table(["processor", "cores", "memory", "system", "runs"], rows) + f"\n\n{TRUST}\n"


def item(paper: Paper, name: str, claims: list[Row], entry: Row) -> list[str]:
    """Return one item: heading, figure, claims, sizes and grid."""
    module = paper.items[name]
    parts = [f"## {name}", f"**{escaped(module.TITLE)}.**", more(module)]
    for made in entry.get("figures", []):
        image = next((file for file in made["files"] if file.endswith("png")), None)
        if image:
            parts.append(
                f"```{{figure}} {FIGURES}/{image}\n"
                f"{escaped(made['name'])}, profile {entry['profile']}.\n```"
            )
    for row in claims:
        parts += claim(row)
    parts += [
        "Reproduce it alone:",
        code(f"mcbench reproduce {paper.key}/{name}"),
        sizes(paper, name),
    ]
    file = CONF / "experiment" / paper.key / f"{name}.yaml"
    if file.is_file():
        place = f"conf/experiment/{paper.key}/{name}.yaml"
        parts.append(details(f"The grid: <code>{place}</code>", code(file.read_text(), "yaml")))
    return [part for part in parts if part]


def more(module: Any) -> str:
    """Return what a module's docstring says beyond its title."""
    _, _, rest = (inspect.getdoc(module) or "").partition("\n\n")
    return "\n\n".join(escaped(part) for part in rest.split("\n\n") if part.strip())


def claim(row: Row) -> list[str]:
    """Return one claim: the statement, how it is judged, the paper's value, ours, the verdict."""
    lines = [
        f"- judged by: {escaped(row['check'])}",
        f"- the paper: {escaped(row['paper_value'])} ({escaped(row['trust'])})",
        f"- ours, profile {row['profile']}: {escaped(row['ours'])}",
        f"- verdict: **{row['verdict']}**"
        + (f": {escaped(row['reason'])}" if row["reason"] else ""),
    ]
    return [f"({row['id']})=", f"### {row['id']}", escaped(row["statement"]), "\n".join(lines)]


def sizes(paper: Paper, name: str) -> str:
    """Return what each profile runs: how many runs, of which data, at which training sizes."""
    rows = []
    for profile in PROFILES:
        jobs = expand_experiment(f"{paper.key}/{name}", profile)
        given: dict[str, list[str]] = {"dataset": [], "dataset.train_size": []}
        for job in jobs:
            for text in job.overrides:
                key, _, value = text.partition("=")
                if key in given and value not in given[key]:
                    given[key].append(value)
        data = ", ".join(f"`{value}`" for value in given["dataset"]) or "no data set"
        sets = ", ".join(value for value in given["dataset.train_size"] if value != "null")
        rows.append([profile, str(len(jobs)), data, sets or "as the split says"])
    return table(["profile", "first runs", "data", "training sizes"], rows)
