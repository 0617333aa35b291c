"""A warning where somebody else's configuration names code: a `_target_` is imported and run.

What comes with mcbench, scikit-learn and registered plug-ins is trusted, and so is what the user
writes on the command line.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mcbench.plugins import all_plugins

TRUSTED = ("mcbench", "solvers", "experiments", "sklearn")

_said: set[tuple[str, str]] = set()


def warn_of_code(content: Any, file: Path) -> None:
    """Say once, on stderr, which code of others a configuration file has run.

    Parameters
    ----------
    content : any
        What the file holds, as plain mappings and lists.
    file : Path
        The file.
    """
    for target in targets(content):
        top = target.partition(".")[0]
        known = {*TRUSTED, *(plugin.target.partition(".")[0] for plugin in all_plugins())}
        if top in known or (str(file), target) in _said:
            continue
        _said.add((str(file), target))
        print(
            f"mcbench: {file} has mcbench run code of its own, {target}: "
            "use only configuration that you trust.",
            file=sys.stderr,
        )


def targets(content: Any) -> Iterator[str]:
    """Return the values of `_target_` in nested mappings and lists."""
    if isinstance(content, Mapping):
        for key, value in content.items():
            if str(key).rpartition(".")[2] == "_target_" and isinstance(value, str | list):
                yield from [value] if isinstance(value, str) else filter(_is_text, value)
            else:
                yield from targets(value)
    elif isinstance(content, list | tuple):
        for item in content:
            yield from targets(item)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
