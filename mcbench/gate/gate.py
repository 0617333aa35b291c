"""All checks of a solver, one after the other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mcbench.errors import SolverUnavailable, pass_on_interrupt
from mcbench.gate import manners, quality
from mcbench.gate.candidate import Candidate, CannotSay, Wrong

OK, WRONG, CANNOT_SAY = "ok", "wrong", "cannot say"

#: What is checked, and by whom. A check returns what it saw, or raises `Wrong` or `CannotSay`.
CHECKS: dict[str, Callable[[Candidate], str]] = {
    "shapes": manners.shapes,
    "labels of any kind": manners.labels,
    "decision values": manners.columns,
    "same seed, same model": manners.seeds,
    "dense and sparse": manners.sparse,
    "objective": quality.objective,
    "error on iris": quality.iris,
    "error on dna": quality.dna,
    "two classes": quality.two_classes,
    "many classes": quality.many_classes,
    "unscaled data": quality.unscaled,
    "large C": quality.large_c,
    "time limit": manners.time_limit,
    "callbacks": manners.callbacks,
}


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes
    ----------
    check : str
        Its name.
    verdict : {"ok", "wrong", "cannot say"}
    why : str
        What it saw.
    """

    check: str
    verdict: str
    why: str

    def line(self) -> str:
        """Return it as one line."""
        return f"{self.verdict:<11} {self.check}: {self.why}"


def finding(name: str, candidate: Candidate) -> Finding:
    """Make one check of a solver; whatever it raises is wrong, in a sentence.

    Parameters
    ----------
    name : str
        One of `CHECKS`.
    candidate : Candidate
        The solver.
    """
    try:
        return Finding(name, OK, CHECKS[name](candidate))
    except CannotSay as reason:
        return Finding(name, CANNOT_SAY, str(reason))
    except Wrong as reason:
        return Finding(name, WRONG, str(reason))
    except SolverUnavailable:
        raise
    except Exception as error:
        pass_on_interrupt(error)
        text = " ".join(str(error).split())
        return Finding(name, WRONG, f"it raises {type(error).__name__}: {text}")


def findings(candidate: Candidate) -> Iterator[Finding]:
    """Make all checks of a solver, here and now."""
    return (finding(name, candidate) for name in CHECKS)
