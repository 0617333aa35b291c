"""Claims about curves: each problem is looked at, and what lacks a run is said."""

from collections.abc import Callable, Sequence
from typing import Any

from experiments.aiolli_sperduti_2002.curves import Panel, panels
from mcbench.results import Results
from mcbench.verdict import conclude

#: The papers print no numbers for these figures.
TRUST = "S, in words; the curves are charts without numbers"


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
        failed += [f"{panel.title}: {', '.join(problems)}"] if problems else []
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
    notes = [*lacking, *([note] if note and ours else [])]
    verdict, reason = conclude(results, bool(ours), failed, "; ".join(notes))
    return {
        "ours": "; ".join(ours) or "-",
        "verdict": verdict,
        "reason": reason,
        "runs": tuple(dict.fromkeys(runs)),
    }
