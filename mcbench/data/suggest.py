"""One sentence for a name that does not exist: what is allowed, and what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def unknown(what: str, given: object, allowed: Iterable[str]) -> ValueError:
    """Build the error for an unknown name.

    Parameters
    ----------
    what : str
        What the name should name, for example ``"data set"``.
    given : object
        What was given.
    allowed : iterable of str
        The names that exist.
    """
    names = list(allowed)
    close = difflib.get_close_matches(str(given), names, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    return ValueError(f"unknown {what} {given!r}; allowed: {', '.join(names)}.{hint}")
