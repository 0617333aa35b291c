"""Numbers and overrides in sentences."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

WIDEST = 90

#: How a run is executed and where it is kept, not what it is.
HOW = ("launcher", "on_error", "retries", "results_dir")

_TARGET = re.compile(r"""["']?_target_["']?\s*:\s*["']?([\w.]+)["']?""")


def count(number: int, noun: str) -> str:
    """Return "1 run", "2 runs"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def few(names: Sequence[str], most: int) -> str:
    """Return names with commas, of very many the first and how many more: "a, b and 3 more"."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def size(number: int) -> str:
    """Return a number of bytes as people say it: "312 B", "4.1 MB"."""
    value, unit = float(number), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{value:.0f} B" if unit == "B" else f"{value:.1f} {unit}"


def duration(seconds: float) -> str:
    """Return a time to wait as people say it: "40 s", "12 min", "3.5 h"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def first_sentence(text: str) -> str:
    """Return a text up to the end of its first sentence, without the full stop."""
    return text.partition(". ")[0].removesuffix(".")


def cited(key: str) -> str:
    """Return how a paper is cited: "crammer_singer_2001" as Crammer & Singer 2001."""
    *authors, year = key.split("_")
    if not authors or not year.isdigit():
        return key.replace("_", " ").capitalize()
    return f"{' & '.join(map(str.capitalize, authors))} {year}"


def telling(overrides: Sequence[Any]) -> list[str]:
    """Return the overrides that say what a run is: none of `HOW`."""
    texts = [str(item) for item in overrides]
    return [text for text in texts if re.split(r"[.=]", text.lstrip("+"), maxsplit=1)[0] not in HOW]


def label(config: Mapping[str, Any], overrides: Sequence[Any]) -> str:
    """Return how a person knows a run: data set, kernel, solver, what else was set, and the seed.

    Parameters
    ----------
    config : mapping
        The resolved configuration.
    overrides : sequence of str
        How the run was asked for.
    """
    choices = config.get("choices") or {}
    known = [f"{key}={choices.get(key)}" for key in ("dataset", "kernel", "solver") if choices]
    more = [shorten(item) for item in telling(overrides) if item.partition("=")[0] not in choices]
    seed = [] if any(item.startswith("seed=") for item in more) else [f"seed={config.get('seed')}"]
    return " ".join([*known, *more, *seed])


def shorten(override: str) -> str:
    """Return an override as it is said to people.

    `measure={_target_: package.module.function, k: 2}` is said as `measure=function(k=2)`, and
    nothing takes more than `WIDEST` characters.
    """
    key, equals, value = override.partition("=")
    found = _TARGET.search(value) if value.startswith("{") else None
    if found is None:
        return override if len(override) <= WIDEST else f"{override[: WIDEST - 3]}..."
    rest = value[1:-1].replace(found[0], "", 1).strip(" ,")
    arguments = [item.strip().replace(":", "=", 1).replace(": ", ":") for item in _split(rest)]
    shown: list[str] = []
    start = f"{key}{equals}{found[1].rpartition('.')[2]}("
    for item in arguments:
        item = item.replace("= ", "=")
        if len(start) + len(", ".join([*shown, item])) > WIDEST - 6:
            shown.append("...")
            break
        shown.append(item)
    return f"{start}{', '.join(shown)})"


def _split(text: str) -> list[str]:
    """Split at the commas that stand in no brackets and no quotation marks."""
    parts, depth, quote = [""], 0, ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "[{(":
            depth += 1
        elif char in "]})":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append("")
            continue
        parts[-1] += char
    return [part for part in parts if part.strip()]
