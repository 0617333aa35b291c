"""Claims about curves: each problem is looked at, and what lacks a run is said."""

from collections.abc import Callable, Sequence
from typing import Any

from experiments.aiolli_sperduti_2002.curves import Panel, panels
from mcbench.results import Results

#: The papers print no numbers for these figures.
TRUST = "S, in words; the curves are charts without numbers"

NAMED = ("dataset=", "solver=", "solver.cache_rows=", "measure=")


def evaluated(
    results: Results,
    names: Sequence[str],
    look: Callable[[Panel], tuple[str, list[str]]],
    caches: Sequence[bool] = (False,),
    note: str = "",
) -> dict[str, Any]:
    """Return `ours`, `verdict`, `reason` and `runs` of a claim that holds on every problem.

    Parameters
    ----------
    results : Results
        The runs.
    names : sequence of str
        The curves that a problem must have to be looked at.
    look : callable
        Given a panel; returns what was found and what does not hold.
    caches : sequence of bool
        Which caches they must be there with: the large one (False), the small one (True).
    note : str
        What a reader has to know whatever the verdict.
    """
    ours, failed, lacking, runs = [], [], [], []
    for panel in panels(results):
        gone = panel.lacking(names, caches)
        if gone:
            lacking.append(f"run missing on {panel.title}: {', '.join(gone)}")
            continue
        found, problems = look(panel)
        ours.append(f"{panel.title}: {found}")
        failed += [f"{panel.title}: {problem}" for problem in problems]
        runs += panel.runs
    return concluded(results, ours, [*failed], runs, lacking, note)


def concluded(
    results: Results,
    ours: list[str],
    failed: list[str],
    runs: Sequence[str],
    lacking: Sequence[str] = (),
    note: str = "",
) -> dict[str, Any]:
    """Return the same, given what was found, what does not hold and what is not there."""
    gone = [*lacking, *missing(results)]
    if not (ours or gone):
        gone = ["run missing: the profile has none"]
    return {
        "ours": "; ".join(ours) or "-",
        "verdict": "not testable" if not ours else "differs" if failed else "reproduced",
        "reason": "; ".join([*failed, *gone, *([note] if note and ours else [])]),
        "runs": tuple(dict.fromkeys(runs)),
    }


def missing(results: Results) -> list[str]:
    """Name the runs that were asked for and are not there, one sentence for each reason."""
    by_reason: dict[str, list[str]] = {}
    for overrides, reason in results.missing:
        words = [text for text in overrides if text.startswith(NAMED)] or list(overrides)
        by_reason.setdefault(reason, []).append(" ".join(words))
    return [
        f"run missing: {', '.join(dict.fromkeys(names))} ({reason})"
        for reason, names in by_reason.items()
    ]
