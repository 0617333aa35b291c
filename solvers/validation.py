"""Checks of parameters: one clear sentence before any work begins."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection
from numbers import Integral, Real
from typing import Any


def check_choice(name: str, value: Any, allowed: Collection[str]) -> None:
    """Refuse a name that is not one of the allowed ones."""
    if not isinstance(value, str) or value not in allowed:
        close = difflib.get_close_matches(str(value), list(allowed), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"{name}={value!r} is not one of {', '.join(map(repr, allowed))}{hint}")


def check_number(
    name: str,
    value: Any,
    *,
    above: float | None = None,
    at_least: float | None = None,
    integer: bool = False,
    also: Collection[Any] = (),
) -> None:
    """Refuse what is not a finite number in its range; ``also`` lists further allowed values."""
    plain = isinstance(value, Real | str | None) and not isinstance(value, bool)
    if plain and any(value is other or value == other for other in also):
        return
    kind, wanted = (Integral, "an integer") if integer else (Real, "a finite number")
    if isinstance(value, Integral) and abs(int(value)) > 2**62:
        raise ValueError(f"{name}={value!r} is too large")
    in_range = bool(
        isinstance(value, kind)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and (above is None or float(value) > above)
        and (at_least is None or float(value) >= at_least)
    )
    if not in_range:
        bounds = "" if above is None else f" greater than {above:g}"
        bounds += "" if at_least is None else f" of at least {at_least:g}"
        others = "".join(f", or {other!r}" for other in also)
        raise ValueError(f"{name}={value!r} is not {wanted}{bounds}{others}")


def check_bool(name: str, value: Any) -> None:
    """Refuse what is not a truth value."""
    if not isinstance(value, bool) and not (hasattr(value, "dtype") and value.dtype == bool):
        raise ValueError(f"{name}={value!r} is not True or False")


def check_margin(value: Any) -> None:
    """Refuse a margin that is neither the papers' 2 nor 1."""
    if not isinstance(value, Real) or isinstance(value, bool) or value not in (1, 2):
        raise ValueError(f"margin={value!r} is not 2 or 1")
