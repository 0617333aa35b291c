"""What can be asked for by name: data sets, metrics, and the functions of the package."""

import inspect

from markup import code, escaped, table

import mcbench
from mcbench.data import datasets
from mcbench.metrics import METRICS, TRACE_AXES


def pages() -> dict[str, str]:
    """Return the registries as tables."""
    return {
        "datasets.md": data_sets(),
        "metrics.md": metrics(),
        "axes.md": axes(),
        "functions.md": functions(),
    }


def functions() -> str:
    """Return what `mcbench` exports beside its estimators, for autodoc."""
    parts = []
    for name in mcbench.__all__:
        thing = getattr(mcbench, name)
        if inspect.isfunction(thing):
            parts.append(f".. autofunction:: mcbench.{name}")
        elif isinstance(thing, type) and issubclass(thing, Exception):
            parts.append(f".. autoexception:: mcbench.{name}")
    return code("\n\n".join(parts), "{eval-rst}") + "\n"


def data_sets() -> str:
    """Return the data sets: sizes, splits, where they come from, licences."""
    header = ["name", "examples", "features", "classes", "splits", "here", "source", "licence"]
    rows = [
        [
            f"`{info.name}`",
            str(info.rows),
            str(info.n_features),
            str(info.n_classes),
            ", ".join(f"`{name}`" for name in info.split_names),
            "embedded" if info.embedded else "fetched on demand",
            escaped(info.source),
            escaped(info.licence),
        ]
        for info in datasets().values()
    ]
    return table(header, rows) + "\n"


def metrics() -> str:
    """Return the metrics of runs: how they are asked for, and their column."""
    rows = [
        [f"`{item.name}`", item.title, item.unit, item.better, f"`{item.column}`"]
        for item in METRICS.values()
    ]
    return table(["name", "what", "unit", "better", "column of the record"], rows) + "\n"


def axes() -> str:
    """Return the columns of a trace that can be drawn."""
    rows = [[f"`{name}`", escaped(label)] for name, (label, _) in TRACE_AXES.items()]
    return table(["name", "axis"], rows) + "\n"
