"""The whole benchmark: its sections measured, written and put together."""

import importlib
import time
import traceback
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

from mcbench.bench.environment import environment, load
from mcbench.bench.options import Options
from mcbench.bench.report import Section
from mcbench.bench.runner import Runner
from mcbench.errors import UserError, pass_on_interrupt, suggest
from mcbench.files import atomic, to_json, write_atomic
from mcbench.markup import markdown
from mcbench.store import Store
from mcbench.style import save
from mcbench.words import count

#: In the order of the report.
SECTIONS = (
    "crammer_singer",
    "weston_watkins",
    "linear",
    "prediction",
    "limit",
    "growth",
    "conditioning",
    "memory",
    "convergence",
)

TABLE = "bench.md"
RAW = "measurements.parquet"
FORMATS = ("svg", "png")


def section_module(name: str) -> ModuleType:
    """Return the module of a section."""
    if name not in SECTIONS:
        raise UserError(f"The benchmark has no section '{name}'; {suggest(name, SECTIONS)}")
    return importlib.import_module(f"mcbench.bench.sections.{name}")


def bench(
    names: Sequence[str], options: Options, folder: Path, say: Callable[[str], None]
) -> list[str]:
    """Measure sections and write what they found; return the sections that crashed.

    Parameters
    ----------
    names : sequence of str
        The sections; all of them where there are none.
    options : Options
    folder : Path
        Where the runs, tables, figures and raw measurements go.
    say : callable
        Is given lines to print.
    """
    modules = {name: section_module(name) for name in names or SECTIONS}
    store = Store(folder)
    crashed = []
    for name, module in modules.items():
        say(f"-- {name}: {module.SUMMARY}")
        start, before = time.perf_counter(), load()
        runner = Runner(store, options, say)
        try:
            section: Section = module.run(runner)
        except UserError:
            raise
        except Exception as error:
            pass_on_interrupt(error)
            crashed.append(name)
            say(f"{name} crashed:\n{traceback.format_exc()}")
            continue
        seconds = time.perf_counter() - start
        section.text += f"\n\n{_conditions(options, seconds, before)}"
        write(section, name, folder)
        say(f"\n{section.markdown()}\n")
    put_together(folder)
    return crashed


def write(section: Section, name: str, folder: Path) -> None:
    """Write a section's table and figures."""
    folder.mkdir(parents=True, exist_ok=True)
    for key, figure in section.figures.items():
        save(figure, folder / key, FORMATS)
    write_atomic(folder / f"{name}.md", section.markdown() + "\n")


def put_together(folder: Path) -> None:
    """Write the report of all sections that there are, and the table of raw measurements."""
    parts = [path.read_text() for name in SECTIONS if (path := folder / f"{name}.md").is_file()]
    if not parts:
        return
    found = environment()
    head = markdown(["environment", ""], [[key, value] for key, value in found.items()])
    title = "# Benchmark\n\nMade by `mcbench bench`; medians, one process for each measurement."
    write_atomic(folder / TABLE, "\n\n".join([title, head, *map(str.strip, parts)]) + "\n")
    write_atomic(folder / "environment.json", to_json(found, indent=1) + "\n")
    raw = Store(folder).frame()
    for column in raw.columns:
        if raw[column].map(lambda value: isinstance(value, list | dict)).any():
            raw[column] = raw[column].map(to_json)
    with atomic(folder / RAW) as path:
        raw.to_parquet(path, index=False)


def publish(folder: Path, published: Path) -> Path:
    """Copy the report to where results are committed; return its path."""
    report = folder / TABLE
    if not report.is_file():
        raise UserError("There is no report to publish: no section has been measured.")
    published.mkdir(parents=True, exist_ok=True)
    write_atomic(published / TABLE, report.read_text())
    return published / TABLE


def _conditions(options: Options, seconds: float, before: str) -> str:
    when = datetime.now(UTC).strftime("%Y-%m-%d")
    size = "the quick subset" if options.quick else "all"
    often = count(options.repetitions, "repetition")
    return (
        f"*Measured {when}, {size}, {often} (one of what takes over a minute), "
        f"in {seconds:.0f} s; load of the machine {before} before and {load()} after.*"
    )
