"""Badly conditioned problems: time against C, to a relative gap of 1e-6."""

from functools import partial

from mcbench.bench.cases import Case, rbf
from mcbench.bench.entry import Entry
from mcbench.bench.measured import Measured
from mcbench.bench.ours import CRAMMER_SINGER
from mcbench.bench.report import NOTE, Column, Section, table
from mcbench.bench.runner import Runner

SUMMARY = "time against C from 1 to 4096, to a relative gap of 1e-6"
GAP = 1e-6
FIT_LIMIT_S = 20.0
POWERS = (0, 2, 4, 6, 8, 10, 12)
QUICK_POWERS = (0, 6, 12)
LINEAR = {"name": "linear"}
CUBIC = {"name": "poly", "gamma": 1.0, "degree": 3, "coef0": 1.0}
SCALED = {"_target_": "scaled_points", "n": 36, "d": 3}
SETS = ("iris", "vehicle", "glass")

#: Hsu & Lin 2002, table II: C and gamma of Crammer & Singer's machine.
HSU_LIN = {"iris": (2.0**10, 2.0**-7), "vehicle": (2.0**9, 2.0**-4)}


def run(runner: Runner) -> Section:
    """Measure every problem over the range of C, and two at Hsu & Lin's points."""
    options = runner.options
    powers = QUICK_POWERS if options.quick else POWERS
    cases = [
        Case(name, 1.0, kernel, {"conf": name, "fold": 0})
        for name in SETS
        for kernel in (LINEAR, CUBIC)
    ] + [Case("36 x 3, times 100", 1.0, kernel, generator=SCALED) for kernel in (LINEAR, CUBIC)]
    swept = [
        runner.measure(sweep(runner, case, [2.0**p for p in powers]), once=True) for case in cases
    ]
    points = [
        runner.measure(
            sweep(runner, Case(name, C, rbf(gamma), {"conf": name, "fold": 0}), [C]), once=True
        )
        for name, (C, gamma) in HSU_LIN.items()
    ]
    columns = [
        Column("data", lambda m: m.entry.case.name),
        Column("kernel", lambda m: kernel_name(m.entry.case)),
        Column("n", "n", ".0f"),
        *(Column(f"C = {2**p} [s]", partial(at, i=i)) for i, p in enumerate(powers)),
        Column("longest / shortest", "growth"),
        Column("largest gap", "largest_gap", ".1e"),
        Column("ended", lambda m: endings(m)),
        NOTE,
    ]
    at_points = [
        Column("data", lambda m: m.entry.case.name),
        Column("C", lambda m: m.entry.case.C, "g"),
        Column("kernel", lambda m: kernel_name(m.entry.case)),
        Column("n", "n", ".0f"),
        Column("CPU [s]", "seconds"),
        Column("gap", "largest_gap", ".1e"),
        Column("ended", lambda m: endings(m)),
        NOTE,
    ]
    return Section(
        "Conditioning",
        f"CPU seconds to a relative gap of {GAP:g} on one thread, each fit at most "
        f"{FIT_LIMIT_S:g} s: attributes in [-1, 1], the training part of the first fold; and "
        "random points in three dimensions times 100. Below, Crammer & Singer's machine at the "
        "C and gamma of Hsu & Lin (2002), whose solver took 1142 s on vehicle and 17 s on iris.",
        [table(swept, columns), table(points, at_points)],
    )


def sweep(runner: Runner, case: Case, Cs: list[float]) -> Entry:
    """Return the entry that fits a case with each C."""
    solver = runner.options.solver(CRAMMER_SINGER, gap_tol=GAP, time_limit=FIT_LIMIT_S)
    return Entry("conditioning", "ours", case, solver, "sweeping.over_costs", {"Cs": Cs})


def at(measured: Measured, i: int) -> float | None:
    """Return the seconds at the i-th C."""
    seconds = measured.get("cpu_seconds_by_C")
    return None if seconds is None else seconds[i]


def endings(measured: Measured) -> str:
    """Return how the fits ended, each ending once."""
    return ", ".join(sorted(set(measured.get("statuses") or [])))


def kernel_name(case: Case) -> str:
    """Return the kernel in words."""
    if case.kernel["name"] == "rbf":
        return f"rbf, gamma {case.kernel['gamma']:g}"
    return "(<x, z> + 1)^3" if case.kernel["name"] == "poly" else "linear"
