"""Time against the number of examples and of classes, and beside a busy process."""

from collections.abc import Mapping, Sequence

import numpy as np

from mcbench.bench.cases import KERNEL_CASES, Case, rbf
from mcbench.bench.entry import Entry
from mcbench.bench.figures import growth as draw
from mcbench.bench.measured import Measured
from mcbench.bench.ours import CRAMMER_SINGER
from mcbench.bench.report import NOTE, Column, Section, table
from mcbench.bench.runner import Runner

SUMMARY = "time against n and against k, on one and two threads"
SIZES = (1000, 2000, 5000, 10000, 20000, 40000, 60000)
QUICK_SIZES = (500, 1000, 2000, 4000)
WITHOUT_MNIST = (1000, 2000, 4000, 8000, 15000)
CLASSES = (2, 5, 10, 20, 50, 100, 200)
QUICK_CLASSES = (2, 10, 50)
CLUSTERED, QUICK_CLUSTERED = 5000, 1000  # examples of the problems with k classes
BUSY, QUICK_BUSY = 20000, 4000

Curves = Mapping[int, Sequence[Measured]]


def run(runner: Runner) -> Section:
    """Measure over n, over k, and beside a busy process."""
    base, sizes, busy_size, reason = examples(runner)
    by_n = curves(runner, [base.with_rows(n) for n in sizes])
    classes = QUICK_CLASSES if runner.options.quick else CLASSES
    by_k = curves(runner, [clustered(k, quick=runner.options.quick) for k in classes])
    busy = [
        runner.measure(entry(runner, base.with_rows(busy_size), threads, neighbours=neighbours))
        for neighbours in (0, 1)
        for threads in runner.options.thread_counts
    ]
    busy_columns = [
        Column("busy processes beside it", lambda m: m.entry.arguments["neighbours"], ".0f"),
        Column("threads", lambda m: m.entry.threads, ".0f"),
        Column("wall [s]", "seconds"),
        Column("CPU [s]", "cpu_seconds"),
        NOTE,
    ]
    return Section(
        "Growth",
        f"{reason}The first n examples of {base.name}, C = {base.C:g}, "
        f"gamma = {base.kernel['gamma']:g}; and {clustered(2, quick=runner.options.quick).name}, "
        "..., generated clusters in 16 dimensions with k classes. To a relative gap of 0.01. The "
        "exponents are slopes of a least-squares line through the logarithms.",
        [
            f"{curve_table(by_n, sizes, 'n')}\n\n{slopes(by_n, sizes, 'n')}",
            f"{curve_table(by_k, classes, 'k')}\n\n{slopes(by_k, classes, 'k')}",
            f"Beside a busy process, n = {busy_size}:\n\n{table(busy, busy_columns)}",
        ],
        {"growth": draw(points(by_n, sizes), points(by_k, classes), base.name)},
    )


def examples(runner: Runner) -> tuple[Case, Sequence[int], int, str]:
    """Return the case whose examples are counted, how many, those beside a busy process, and why.

    mnist or, where it is not here, letter.
    """
    mnist = KERNEL_CASES["mnist_60000"]
    named = Case("mnist", mnist.C, mnist.kernel, mnist.dataset)
    if runner.options.quick:
        case = KERNEL_CASES["letter"]
        return case, QUICK_SIZES, QUICK_BUSY, ""
    missing = named.missing()
    if missing:
        return KERNEL_CASES["letter"], WITHOUT_MNIST, 8000, f"In place of mnist ({missing}): "
    return named, SIZES, BUSY, ""


def clustered(k: int, *, quick: bool) -> Case:
    """Return a generated problem with k classes."""
    n = QUICK_CLUSTERED if quick else CLUSTERED
    made = {"_target_": "clusters", "n": n, "d": 16, "k": k}
    return Case(f"clusters, k = {k}", 10.0, rbf(0.1), generator=made)


def entry(runner: Runner, case: Case, threads: int, neighbours: int = 0) -> Entry:
    """Return our entry for a case."""
    solver = runner.options.solver(CRAMMER_SINGER, C=case.C)
    told = {"neighbours": neighbours}
    return Entry("growth", "ours", case, solver, arguments=told, threads=threads)


def curves(runner: Runner, cases: Sequence[Case]) -> Curves:
    """Measure each case with each number of threads."""
    return {
        threads: [runner.measure(entry(runner, case, threads)) for case in cases]
        for threads in runner.options.thread_counts
    }


def points(found: Curves, sizes: Sequence[int]) -> dict[int, list[tuple[int, float]]]:
    """Return (size, seconds) of what was measured, by threads."""
    return {
        threads: [(n, m.get("seconds")) for n, m in zip(sizes, row, strict=True) if m.done]
        for threads, row in found.items()
    }


def curve_table(found: Curves, sizes: Sequence[int], name: str) -> str:
    """Return the table of seconds by size, with the gain of the threads."""
    first, *rest = found
    place = {id(m): i for i, m in enumerate(found[first])}

    def seconds(threads: int) -> Column:
        title = f"{threads} thread{'s' if threads > 1 else ''} [s]"
        return Column(title, lambda m: found[threads][place[id(m)]].get("seconds"))

    def gain(threads: int) -> Column:
        def cell(m: Measured) -> float | None:
            one, more = m.get("seconds"), found[threads][place[id(m)]].get("seconds")
            return one / more if one and more else None

        return Column(f"1 / {threads} threads", cell, ".2f")

    columns = [
        Column(name, lambda m: sizes[place[id(m)]], ".0f"),
        *(seconds(threads) for threads in found),
        *(gain(threads) for threads in rest),
        Column("gap", "gap", ".2g"),
        Column("support vectors", "support", ".0f"),
        NOTE,
    ]
    return table(found[first], columns)


def slopes(found: Curves, sizes: Sequence[int], name: str) -> str:
    """Return the sentence with the exponents."""
    parts = []
    for threads, measured in points(found, sizes).items():
        slope = exponent(measured)
        if slope is not None:
            parts.append(f"{slope:.2f} on {threads} thread{'s' if threads > 1 else ''}")
    return f"Exponent of {name}: {', '.join(parts) or 'too few points'}."


def exponent(measured: Sequence[tuple[float, float]]) -> float | None:
    """Return the slope of log seconds against log size; None for fewer than two points."""
    if len(measured) < 2:
        return None
    x, y = np.log(np.array(measured, dtype=float)).T
    return float(np.polyfit(x, y, 1)[0])
