"""How close a fit comes to the least that it has to compute."""

from mcbench.bench.cases import KERNEL_CASES
from mcbench.bench.ours import CRAMMER_SINGER, by_threads
from mcbench.bench.report import (
    DATA,
    NOTE,
    SECONDS,
    SUPPORT,
    THREADS,
    Column,
    Section,
    table,
)
from mcbench.bench.runner import Runner

SUMMARY = "fit time over the time of the support vectors' kernel columns"
USUAL = ("letter", "mnist_20000")
QUICK = ("letter_5000",)


def run(runner: Runner) -> Section:
    """Measure every case."""
    measured = []
    for case in runner.options.cases(KERNEL_CASES, USUAL, QUICK):
        solver = runner.options.solver(CRAMMER_SINGER, C=case.C)
        entries = by_threads(runner.options, "limit", case, solver, "floor.fit")
        measured += [runner.measure(entry) for entry in entries]
    columns = [
        DATA,
        THREADS,
        Column("examples", "n", ".0f"),
        SUPPORT,
        Column("kernel columns computed", "kernel_rows", ".0f"),
        SECONDS,
        Column("of it kernel [s]", "kernel_seconds"),
        Column("limit [s]", "floor_seconds"),
        Column("fit / limit", "over_floor"),
        Column("gap, as reported", "reported_gap", ".2g"),
        NOTE,
    ]
    return Section(
        "The limit",
        "The limit is one float32 product and one pass of exponentials that give the kernel "
        "columns of the final support vectors, on the same threads in the same process right "
        "after the fit.",
        [table(measured, columns)],
    )
