"""Numbers and overrides in sentences."""

import re

WIDEST = 90

_TARGET = re.compile(r"""["']?_target_["']?\s*:\s*["']?([\w.]+)["']?""")


def count(number: int, noun: str) -> str:
    """Return "1 run", "2 runs"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def duration(seconds: float) -> str:
    """Return a time to wait as people say it: "40 s", "12 min", "3.5 h"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def first_sentence(text: str) -> str:
    """Return a text up to the end of its first sentence, without the full stop."""
    return text.partition(". ")[0].removesuffix(".")


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
