"""Errors that a user can cause: one sentence that names the way out."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

from mcbench.words import few

#: So many allowed names are listed.
MOST = 80

#: From so many characters on, a word in a message is cut off.
LONGEST = 300


class UserError(Exception):
    """Something asked for cannot be done; the message is one sentence for the user."""


class UnwritableError(UserError, OSError):
    """A folder cannot be written: it is full, read-only, or somebody else's."""


class SolverUnavailable(Exception):  # noqa: N818  (a state of the world, not a mistake)
    """A solver's optional package is not installed; the message says how to install it."""


def suggest(wrong: str, allowed: Iterable[str]) -> str:
    """Return "did you mean 'x'?" when something allowed is close, and what is allowed.

    Parameters
    ----------
    wrong : str
        What was asked for.
    allowed : iterable of str
        What could have been asked for.
    """
    names = sorted({str(name) for name in allowed})
    hint = close_ones(wrong, names)
    return f"{hint}{'A' if hint else 'a'}llowed: {few(names, MOST) or 'nothing'}."


def interrupted(error: BaseException | None) -> bool:
    """Say whether Ctrl-C is behind an error: code that it strikes may raise something else.

    Python before 3.12 for one: what strikes a `__set_name__` comes out as a RuntimeError.
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def pass_on_interrupt(error: BaseException) -> None:
    """Raise KeyboardInterrupt where it is behind an error that is about to be noted or dropped."""
    if interrupted(error):
        raise KeyboardInterrupt from error


def printable(text: str) -> str:
    """Return a message in one line, without signs that a terminal obeys, long words cut off."""
    plain = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in text.replace("\n", " ")
    )
    return re.sub(rf"\S{{{LONGEST},}}", lambda found: f"{found[0][: LONGEST // 5]}...", plain)


def close_ones(wrong: str, names: Iterable[str]) -> str:
    """Return "did you mean x? " for the names that are close to what was asked for."""
    close = get_close_matches(wrong, list(names), n=2, cutoff=0.6)
    return f"did you mean {' or '.join(close)}? " if close else ""
