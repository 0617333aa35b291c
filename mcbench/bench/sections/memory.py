"""Time and memory against the size of the cache of kernel columns."""

from mcbench.bench.cases import KERNEL_CASES
from mcbench.bench.entry import Entry
from mcbench.bench.measured import Measured
from mcbench.bench.ours import CRAMMER_SINGER
from mcbench.bench.report import (
    CPU,
    DATA,
    GAP,
    MEMORY,
    NOTE,
    SECONDS,
    SUPPORT,
    Column,
    Section,
    table,
)
from mcbench.bench.runner import Runner

SUMMARY = "cache_size against time and peak memory"
USUAL = ("mnist_20000",)
QUICK = ("letter_5000",)
SIZES = (1, 50, 200, 500, 1000, 2000, 16000)
QUICK_SIZES = (1, 20, 1000)


def run(runner: Runner) -> Section:
    """Measure every case."""
    rows: list[Measured] = []
    largest: dict[str, float] = {}
    sizes = QUICK_SIZES if runner.options.quick else SIZES
    for case in runner.options.cases(KERNEL_CASES, USUAL, QUICK):
        for size in reversed(sizes):
            solver = runner.options.solver(CRAMMER_SINGER, C=case.C, cache_size=size)
            rows.append(runner.measure(Entry("memory", "ours", case, solver)))
            if size == sizes[-1] and rows[-1].get("cpu_seconds"):
                largest[case.name] = rows[-1].get("cpu_seconds")

    def over(measured: Measured) -> float | None:
        best, own = largest.get(measured.entry.case.name), measured.get("cpu_seconds")
        return own / best if best and own is not None else None

    columns = [
        DATA,
        Column("cache_size [MB]", lambda m: m.entry.solver.get("cache_size"), "g"),
        SECONDS,
        CPU,
        Column("CPU / that of the largest cache", over, ".2f"),
        MEMORY,
        Column("grown by the fit [MB]", "grown_mb", ".0f"),
        Column("kernel columns computed", "kernel_rows", ".0f"),
        GAP,
        SUPPORT,
        NOTE,
    ]
    return Section(
        "Memory",
        "One thread; the data, in float64, are part of the peak.",
        [table(rows, columns)],
    )
