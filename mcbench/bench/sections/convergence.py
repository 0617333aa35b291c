"""The figure: gap against seconds for the fast solver, the papers' and kernlab."""

from dataclasses import replace
from typing import Any

from mcbench.bench.cases import KERNEL_CASES, Case
from mcbench.bench.entry import Entry
from mcbench.bench.figures import convergence as draw
from mcbench.bench.measured import Measured
from mcbench.bench.ours import CACHE_MB, CRAMMER_SINGER
from mcbench.bench.peers import missing
from mcbench.bench.report import CPU, GAP, NOTE, SECONDS, SOLVER, Column, Section, table
from mcbench.bench.runner import Runner
from mcbench.config import resolve

SUMMARY = "figure: gap against seconds of this and the papers' solvers"
USUAL = ("letter_5000",)
QUICK = ("letter_5000",)
QUICK_ROWS = 1000
FIT_LIMIT_S, QUICK_LIMIT_S = 40.0, 4.0
TOLS = (1.0, 0.3, 0.1, 0.03, 1e-2, 1e-3, 1e-4)  # of kernlab
TOL = 1e-3

#: Files of conf/solver, by their names in the figure.
PAPERS = {
    "CS01 1: baseline": "baseline",
    "CS01 2: + KKT": "kkt",
    "CS01 3: + active set, cooling": "cooling",
    "CS01 4: + cache": "cache",
    "CS01 5: + sparse": "sparse",
    "AS05: BMG-ALL, MEAN": "bmg_all_mean",
}


def run(runner: Runner) -> Section:
    """Trace every solver on every case; a figure for each case."""
    quick = runner.options.quick
    section = Section(
        "Convergence",
        f"Relative duality gap against the solver's seconds, one thread, each fit at most "
        f"{QUICK_LIMIT_S if quick else FIT_LIMIT_S:g} s and to tol {TOL:g}; the clock stands still "
        "while a gap is computed. CS01 1 makes a fixed number of passes. kernlab tells no gaps on "
        "its way: its points are runs with different tolerances. The table gives the end of each "
        "curve.",
    )
    for case in runner.options.cases(KERNEL_CASES, USUAL, QUICK):
        traced = [runner.measure(entry, once=True) for entry in curves(runner, case)]
        runs = kernlab(runner, case)
        section.tables.append(
            table(
                [*traced, *runs],
                [
                    Column("data", lambda m: m.entry.case.name),
                    SOLVER,
                    Column("tol", lambda m: m.get("tol") or m.entry.solver.get("tol"), "g"),
                    SECONDS,
                    CPU,
                    GAP,
                    NOTE,
                ],
            )
        )
        n = next((m.get("n") for m in traced if m.done), 0)
        section.figures[f"convergence_{case.name}"] = draw(
            {m.entry.label: list(m.get("curve")) for m in traced if m.done},
            {"kernlab spoc-svc": ends(runs)} if any(m.done for m in runs) else {},
            f"{case.name}, C = {case.C:g}, gamma = {case.kernel['gamma']:g}",
            f"{n} examples; one thread",
        )
    return section


def curves(runner: Runner, case: Case) -> list[Entry]:
    """Return the entries that are seen at checkpoints: ours, and the papers'."""
    limit = QUICK_LIMIT_S if runner.options.quick else FIT_LIMIT_S
    ours = runner.options.solver(
        CRAMMER_SINGER, C=case.C, tol=TOL / 10, gap_tol=None, time_limit=limit
    )
    found = [entry(case, "ours", ours, runner.options.quick)]
    for label, name in PAPERS.items():
        solver: dict[str, Any] = resolve([f"solver={name}"])["solver"]
        solver |= {"C": case.C, "time_limit": limit}
        solver |= {"passes": 50} if name == "baseline" else {"tol": TOL}
        found.append(entry(case, label, solver, runner.options.quick))
    return found


def entry(case: Case, label: str, solver: dict[str, Any], quick: bool) -> Entry:
    """Return the entry that traces a solver, on fewer examples for a quick look."""
    where = case.with_rows(QUICK_ROWS) if quick else case
    return Entry("convergence", label, where, solver, "tracing.trace")


def kernlab(runner: Runner, case: Case) -> list[Measured]:
    """Measure kernlab with every tolerance, if it is asked for."""
    if "kernlab" not in runner.options.peers:
        return []
    where = case.with_rows(QUICK_ROWS) if runner.options.quick else case
    solver = {"_target_": CRAMMER_SINGER["_target_"], "C": case.C}
    found = Entry("convergence", "kernlab spoc-svc", where, solver, "kernlab.fit")
    if missing("kernlab"):
        return [runner.skip(found, missing("kernlab"))]
    told = {"machine": "spoc-svc", "cache_mb": CACHE_MB}
    return [
        runner.measure(replace(found, arguments={**told, "tol": tol}), once=True) for tol in TOLS
    ]


def ends(runs: list[Measured]) -> list[tuple[float, float]]:
    """Return (seconds, gap) of runs that are done, by time."""
    return sorted((m.get("seconds"), m.get("gap")) for m in runs if m.done)
