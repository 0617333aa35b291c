"""When the claims of this paper are decided: the same for all items."""

from collections.abc import Sequence

from mcbench import verdict
from mcbench.claims import Verdict
from mcbench.results import Results


def conclude(
    results: Results, tested: bool, failed: Sequence[str], note: str = ""
) -> tuple[Verdict, str]:
    """The verdict, and its reason.

    What fails in the runs that are here fails; what holds in them is not reproduced as long as runs
    are missing.

    Parameters
    ----------
    results : Results
        Says which runs are missing, and why.
    tested : bool
        Whether there was all that the check needs.
    failed : sequence of str
        What does not hold.
    note : str
        What a reader has to know whatever the verdict.
    """
    decided = bool(failed) or (tested and not results.missing)
    return verdict.conclude(results, decided, failed, note)


def not_run(results: Results, wanted: tuple[str, ...], seen: set[str]) -> str:
    """Which of the paper's data sets are not among those compared; empty when none."""
    frame = results.frame
    here = {name for column in ("data.name", "measured.name") for name in frame.get(column, [])}
    absent = [name for name in wanted if name not in seen and name not in here]
    short = [name for name in wanted if name not in seen and name in here]
    parts = {"not run in this profile": absent, "without all that is compared": short}
    return "; ".join(f"{why}: {', '.join(names)}" for why, names in parts.items() if names)
