"""What other packages add: solvers, data sets, kernels, metrics, figures and papers.

A package names them in its `pyproject.toml`, and they are there wherever it is installed:

    [project.entry-points."mcbench.solvers"]
    my_svm = "my_package:MySVC"

Nothing is imported before it is used, so that a package that is broken breaks nothing else.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

#: The package whose plug-ins are mcbench's own.
OWN = "mcbench"

#: The groups of entry points are "mcbench." and one of these.
KINDS = ("solvers", "datasets", "kernels", "metrics", "figures", "experiments")


@dataclass(frozen=True)
class Plugin:
    """An entry point that an installed package declares.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    name : str
        How it is asked for.
    target : str
        The dotted name of what it stands for.
    package, version : str
        The distribution that declares it.
    """

    kind: str
    name: str
    target: str
    package: str = ""
    version: str = ""

    def __str__(self) -> str:
        what = {"datasets": "data set", "experiments": "paper"}.get(self.kind, self.kind[:-1])
        owner = f" of the package {self.package}" if self.package else ""
        return f"the {what} {self.name} ({self.target}){owner}"


def plugins(kind: str) -> dict[str, Plugin]:
    """Return what installed packages declare of one kind, by name."""
    return dict(_declared(tuple(sys.path))[kind])


def all_plugins() -> Iterator[Plugin]:
    """Go through all that installed packages declare."""
    for kind in KINDS:
        yield from plugins(kind).values()


def owner_of(target: str) -> Plugin | None:
    """Return an entry point with this target or, without one, of the same import package."""
    top = target.partition(".")[0]
    declared = list(all_plugins())
    exact = (plugin for plugin in declared if plugin.target == target)
    near = (plugin for plugin in declared if plugin.target.partition(".")[0] == top)
    return next(exact, None) or next(near, None)


def broken() -> list[str]:
    """Return a sentence for each plug-in that cannot be used. Imports all but mcbench's own."""
    from mcbench.errors import SolverUnavailable, UserError
    from mcbench.locate import locate

    sentences = []
    for plugin in all_plugins():
        if plugin.package == OWN:
            continue
        try:
            locate(plugin.target, whole_module=plugin.kind == "experiments")
        except (SolverUnavailable, UserError) as error:
            sentences.append(str(error))
    return [*sentences, *_hidden()]


def _hidden() -> Iterator[str]:
    """Go through the plug-ins whose names are taken: a sentence for each."""
    from mcbench.conf_files import PLUGGABLE, file_groups
    from mcbench.metrics import METRICS

    own = {kind: file_groups().get(group, []) for group, kind in PLUGGABLE.items()}
    own["metrics"] = list(METRICS)
    for plugin in all_plugins():
        if plugin.name in own.get(plugin.kind, ()):
            yield f"{plugin} is not used: mcbench or a folder of MCBENCH_CONF has that name."
    for kind in KINDS:
        for point in entry_points(group=f"mcbench.{kind}"):
            used = plugins(kind)[point.name]
            if _target(point) != used.target:
                yield f"{used} is used, and not {_target(point)} of the same name."


@lru_cache(maxsize=4)
def _declared(path: tuple[str, ...]) -> dict[str, dict[str, Plugin]]:
    """Read the entry points of packages on this import path; of equal names the first counts."""
    del path  # the key of the cache: what is installed depends on it
    found: dict[str, dict[str, Plugin]] = {kind: {} for kind in KINDS}
    for kind in KINDS:
        for point in entry_points(group=f"mcbench.{kind}"):
            package = point.dist.name if point.dist else ""
            version = point.dist.version if point.dist else ""
            found[kind].setdefault(
                point.name, Plugin(kind, point.name, _target(point), package, version)
            )
    return found


def _target(point: EntryPoint) -> str:
    """Return the dotted name of what an entry point stands for."""
    return point.value.partition("[")[0].strip().replace(":", ".")
