"""What the claims of this paper share: the verdict and its reason."""

from mcbench.claims import Verdict
from mcbench.results import Results


def conclude(
    results: Results, tested: bool, failed: list[str], note: str = ""
) -> tuple[Verdict, str]:
    """The verdict, and its reason: what failed, or why nothing could be tested.

    Parameters
    ----------
    results : Results
        Says which runs are missing, and why.
    tested : bool
        Whether all that the claim needs is there.
    failed : list of str
        What does not hold.
    note : str
        What a reader has to know whatever the verdict.
    """
    missing = dict.fromkeys(f"{' '.join(job)}: {why}" for job, why in results.missing)
    gone = f"run missing: {'; '.join(missing)}" if missing else ""
    if not tested:
        return "not testable", "; ".join(
            filter(None, [note, gone])
        ) or "run missing: none asked for"
    return "differs" if failed else "reproduced", "; ".join(filter(None, [*failed, note, gone]))
