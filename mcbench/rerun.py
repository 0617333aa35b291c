"""Which finished runs are executed again: those that failed, all, or those that a pattern names."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from mcbench.errors import UserError, suggest

FAILED, ALL = "failed", "all"
WORDS = (FAILED, ALL)
WILDCARDS = "*?"


def check_rerun(rerun: str | None) -> None:
    """Raise a `UserError` for a word that is neither a choice nor a pattern nor an identity."""
    if rerun is None or rerun in WORDS or any(sign in rerun for sign in WILDCARDS):
        return
    if len(rerun) == 16 and all(sign in "0123456789abcdef" for sign in rerun):
        return
    raise UserError(
        f"--rerun has no value '{rerun}'; {suggest(rerun, WORDS)} A pattern has wildcards, as in "
        "--rerun '*solver=kkt*', or is the identity of a run."
    )


def again(rerun: str | None, run_id: str, label: str, status: str) -> bool:
    """Return whether a finished run is to be executed again.

    Parameters
    ----------
    rerun : str or None
        "failed", "all", or a pattern with the wildcards * and ?.
    run_id, label : str
        What a pattern is matched against.
    status : str
        How the run ended.
    """
    if rerun is None:
        return False
    if rerun in WORDS:
        return rerun == ALL or status != "done"
    return matches(rerun, run_id, label)


def matches(pattern: str, run_id: str, label: str) -> bool:
    """Return whether a pattern names a run by its identity or its label."""
    plain = pattern.replace("[", "[[]")  # brackets stand for themselves
    return fnmatchcase(run_id, plain) or fnmatchcase(label, plain)


def check_some(rerun: str | None, runs: Iterable[tuple[str, str]]) -> None:
    """Raise a `UserError` when a pattern names none of the runs, given as (identity, label)."""
    if rerun is None or rerun in WORDS:
        return
    labels = list(runs)
    if labels and not any(matches(rerun, *run) for run in labels):
        raise UserError(
            f"--rerun '{rerun}' names none of these runs: the pattern must match a whole identity "
            f"or a whole label, for example '{labels[0][1]}'."
        )
