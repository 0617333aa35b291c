"""The verdict of a claim and its reason, the same for all items of all papers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcbench.claims import Verdict
from mcbench.words import few, first_sentence, shorten

if TYPE_CHECKING:
    from mcbench.results import Results

#: When an error agrees with a paper's, for the texts of checks (`mcbench.statistics`).
AGREES = "inside the exact binomial 99 % interval of the paper's error on that test size, or better"

#: So many missing runs are named for one reason; of more the first.
NAMED = 3


def conclude(
    results: "Results",
    tested: bool,
    failed: Sequence[str],
    note: str = "",
    unknown: Sequence[str] = (),
) -> tuple[Verdict, str]:
    """Return the verdict of a claim, and its reason: what failed, or why nothing was tested.

    Parameters
    ----------
    results : Results
        Says which runs are missing, and why.
    tested : bool
        Whether there was all that the check needs.
    failed : sequence of str
        What does not hold, in words.
    note : str
        What a reader has to know whatever the verdict.
    unknown : sequence of str
        What cannot be told from the runs, in words: what fails beside it fails, but nothing is
        reproduced.
    """
    more = _joined(*unknown, note, missing(results))
    if not tested or (unknown and not failed):
        return "not testable", more or "no such runs in the profile"
    return "differs" if failed else "reproduced", _joined(*failed, more)


def missing(results: "Results") -> str:
    """Return which runs were asked for and are not there, and why; empty when all are."""
    by_reason: dict[str, list[str]] = {}
    for overrides, reason in results.missing:
        # What follows is, for example, the mirrors that were tried.
        by_reason.setdefault(first_sentence(reason), []).append(" ".join(map(shorten, overrides)))
    parts = []
    for reason, runs in by_reason.items():
        named = list(dict.fromkeys(runs))
        shown = few(named, NAMED if len(named) <= NAMED else 1)
        parts.append(f"run missing: {shown} ({reason})")
    return "; ".join(parts)


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
