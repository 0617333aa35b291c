"""Prediction against scikit-learn's SVC."""

from mcbench.bench.cases import KERNEL_CASES, Case
from mcbench.bench.entry import Entry
from mcbench.bench.measured import Measured, faster
from mcbench.bench.ours import CRAMMER_SINGER, ONE_VS_ONE, by_threads
from mcbench.bench.peers import PEERS
from mcbench.bench.report import (
    CPU,
    DATA,
    ERROR,
    NOTE,
    SECONDS,
    SOLVER,
    SUPPORT,
    THREADS,
    Column,
    Section,
    table,
)
from mcbench.bench.runner import Runner

SUMMARY = "examples predicted in a second, against scikit-learn"
USUAL = ("letter", "mnist_20000")
QUICK = ("letter_5000",)
ROWS = 2000


def run(runner: Runner) -> Section:
    """Measure every case."""
    rows: list[Measured] = []
    ratios: dict[int, str] = {}
    for case in runner.options.cases(KERNEL_CASES, USUAL, QUICK):
        own = [runner.measure(entry) for entry in ours(runner, case)]
        rows += own
        if "scikit-learn" not in runner.options.peers:
            continue
        theirs = runner.measure(
            Entry(
                "prediction",
                PEERS["scikit-learn"],
                case,
                {**ONE_VS_ONE, "C": case.C},
                "predicting.predict",
                {"rows": ROWS},
            )
        )
        rows.append(theirs)
        times = [faster(theirs, one) for one in own]
        ratios[id(theirs)] = ", ".join(f"{x:.3g}" for x in times if x is not None)
    counts = " and ".join(map(str, runner.options.thread_counts))
    rate = Column("examples per second", "examples_per_second", ".0f")
    ratio = Column(f"x ours, {counts} threads", lambda m: ratios.get(id(m)))
    columns = [DATA, SOLVER, THREADS, SECONDS, CPU, rate, SUPPORT, ERROR, ratio, NOTE]
    return Section(
        "Prediction",
        f"The first {ROWS} test examples by the machines of the first section, median of three "
        "passes of each fit; the test error is of these examples.",
        [table(rows, columns)],
    )


def ours(runner: Runner, case: Case) -> list[Entry]:
    """Return our entries."""
    solver = runner.options.solver(CRAMMER_SINGER, C=case.C)
    told = {"rows": ROWS}
    return by_threads(runner.options, "prediction", case, solver, "predicting.predict", told)
