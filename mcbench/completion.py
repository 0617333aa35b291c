"""What a shell offers when TAB is pressed: commands, options, overrides, runs, papers.

Only files are looked at, and no package that takes long to import: a TAB takes a fraction of a
second.
"""

import os
import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mcbench.conf_files import experiments, groups, search_path
from mcbench.errors import UserError
from mcbench.record import STATUSES
from mcbench.store import results_dir

SHELLS = ("bash", "zsh", "fish")

#: Settings beside those of the groups.
SETTINGS = ("seed", "measure", "results_dir", "on_error")

#: What a name at the start of a line of a configuration file looks like.
_KEY = re.compile(r"^([A-Za-z]\w*):", re.MULTILINE)
_NAME = re.compile(r"^name: *(\w+)", re.MULTILINE)


def script(shell: str) -> str:
    """Return the script that makes a shell ask mcbench for completions."""
    import argcomplete

    return str(argcomplete.shellcode(["mcbench"], shell=shell))


def answer(parser: ArgumentParser) -> None:
    """Answer a shell that asks, and end the process."""
    from argcomplete.finders import CompletionFinder

    class Finder(CompletionFinder):
        """Lets overrides stand between options too, as `mcbench.cli.parse` does."""

        def _get_completions(self, comp_words: list[str], *others: Any) -> list[str]:
            words = [word for word in comp_words if word.startswith("-") or "=" not in word]
            return list(super()._get_completions(words, *others))

    _offer(parser)
    Finder()(parser, always_complete_options="long")


def overrides(prefix: str, **_: Any) -> list[str]:
    """Complete an override: the key of a group or a setting, or the name of a group's file."""
    if prefix.startswith("+"):
        return [f"+experiment={name}" for name in experiments()]
    known = {group: names for group, names in groups().items() if "/" not in group}
    key, equals, value = prefix.partition("=")
    if equals and key in known:
        before = value[: value.rfind(",") + 1]
        return [f"{key}={before}{name}" for name in known[key]]
    if equals:
        return []
    group, dot, _rest = prefix.partition(".")
    if dot and group in known:
        return [f"{group}.{name}=" for name in _settings(group)]
    return [f"{name}=" for name in (*known, *SETTINGS)] + [f"{name}." for name in known]


def filters(prefix: str, **_: Any) -> list[str]:
    """Complete a condition on runs."""
    if prefix.startswith("status="):
        return [f"status={name}" for name in STATUSES if name != "running"]
    offered = [text for text in overrides(prefix) if not text.startswith(SETTINGS[1:])]
    return offered if "=" in prefix else [*offered, "status="]


def runs(prefix: str, **_: Any) -> list[str]:
    """Complete the identity of a run."""
    try:
        names = [name for name in os.listdir(results_dir() / "runs") if name[:1] != "."]  # noqa: PTH208
    except OSError:
        names = []
    return ["last", *(name for name in names if name.startswith(prefix) and "." not in name)]


def items(prefix: str, **_: Any) -> list[str]:
    """Complete a paper, or one of its items once the slash is there."""
    names = list(experiments())
    papers = sorted({name.partition("/")[0] for name in names})
    return names if "/" in prefix else papers + [f"{paper}/" for paper in papers]


def data_sets(**_: Any) -> list[str]:
    """Complete the name of a data set."""
    files = [file for folder in search_path() for file in (folder / "dataset").glob("*.yaml")]
    names = {name for file in files for name in _NAME.findall(file.read_text(encoding="utf-8"))}
    return sorted(names - {"file"})


def sections(**_: Any) -> list[str]:
    """Complete a section of the benchmark."""
    folder = Path(__file__).parent / "bench" / "sections"
    return sorted(path.stem for path in folder.glob("[a-z]*.py"))


def metrics(prefix: str, **_: Any) -> list[str]:
    """Complete a list of metrics."""
    from mcbench.metrics import METRICS

    return _listed(prefix, METRICS)


def keys(prefix: str, **_: Any) -> list[str]:
    """Complete a list of keys that make rows or columns."""
    names = ("dataset", "kernel", "solver", "protocol")
    return _listed(prefix, ("seed", *names[:3], *(f"{g}.{k}" for g in names for k in _settings(g))))


def columns(prefix: str, **_: Any) -> list[str]:
    """Complete a list of metrics or keys."""
    return metrics(prefix) + keys(prefix)


def axes(**_: Any) -> list[str]:
    """Complete an axis of a figure."""
    from mcbench.metrics import METRICS, TRACE_AXES

    return [*TRACE_AXES, *METRICS, "train_size", "classes", "features"]


#: Who completes which argument, by its name; of a command where it means something of its own.
COMPLETERS: dict[str, Callable[..., list[str]]] = {
    "overrides": overrides,
    "filters": filters,
    "reproduce names": items,
    "reproduce only": overrides,
    "data names": data_sets,
    "bench names": sections,
    "run": runs,
    "one": runs,
    "other": runs,
    "metrics": metrics,
    "value": metrics,
    "rows": keys,
    "columns": columns,
    "over": keys,
    "x": axes,
    "y": axes,
}


def _offer(parser: ArgumentParser) -> None:
    """Tell argcomplete who completes which argument."""
    for action in parser._actions:
        if not isinstance(action, _SubParsersAction):
            continue
        for name, command in action.choices.items():
            for argument in command._actions:
                found = COMPLETERS.get(f"{name} {argument.dest}", COMPLETERS.get(argument.dest))
                if found is not None:
                    argument.completer = _quiet(found)


def _quiet(completer: Callable[..., list[str]]) -> Callable[..., list[str]]:
    """Return a completer that offers nothing where something is wrong with a folder."""

    def complete(prefix: str, **others: Any) -> list[str]:
        try:
            return completer(prefix=prefix, **others)
        except (UserError, OSError):
            return []

    return complete


def _settings(group: str) -> list[str]:
    """Return the settings that a group's files have."""
    files = [file for folder in search_path() for file in (folder / group).glob("*.yaml")]
    found = {key for file in files for key in _KEY.findall(file.read_text(encoding="utf-8"))}
    return sorted(found - {"defaults"})


def _listed(prefix: str, names: Iterable[str]) -> list[str]:
    """Complete the last name of a list with commas."""
    before = prefix[: prefix.rfind(",") + 1]
    return [f"{before}{name}" for name in names]
