"""Crammer & Singer's linear machine against LIBLINEAR, at equal primal value."""

from mcbench.bench.cases import LINEAR_CASES, Case
from mcbench.bench.comparison import Peer, measure_peer
from mcbench.bench.entry import Entry
from mcbench.bench.measured import Measured, faster
from mcbench.bench.ours import LINEAR
from mcbench.bench.report import (
    CPU,
    DATA,
    ERROR,
    MEMORY,
    NOTE,
    SECONDS,
    SOLVER,
    THREADS,
    Column,
    Section,
    table,
)
from mcbench.bench.runner import Runner

SUMMARY = "the linear machine against LIBLINEAR, at equal primal value"
USUAL = ("usps", "letter", "mnist_60000", "text")
QUICK = ("satimage", "letter", "text_small")
TOLS = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)
PEER_TOL = 0.1


def run(runner: Runner) -> Section:
    """Measure every case."""
    cases = runner.options.cases(LINEAR_CASES, USUAL, QUICK)
    rows: list[Measured] = []
    ratios: dict[int, str] = {}
    for case in cases:
        theirs = peer(runner, case)
        own = as_good(runner, case, None if theirs is None else theirs.get("primal"))
        rows.append(own)
        if theirs is not None:
            rows.append(theirs)
            times = faster(theirs, own)
            reached = (own.get("primal") or 0.0) <= (theirs.get("primal") or 0.0)
            mark = "" if reached else " (primal not reached)"
            ratios[id(theirs)] = "" if times is None else f"{times:.3g}{mark}"
    tol = Column("tol", lambda m: m.get("tol") or m.entry.solver.get("tol"), "g")
    primal = Column("primal", "primal", ".7g")
    times_ours = Column("x ours", lambda m: ratios.get(id(m)))
    columns = [DATA, SOLVER, THREADS, SECONDS, CPU, MEMORY, tol, primal, ERROR, times_ours, NOTE]
    sparse = [c.generator for c in cases if c.generator]
    made = "".join(f"; text is {g['n']} x {g['d']}, {g['density']:.1%} non-zero" for g in sparse)
    return Section(
        "The linear machine",
        f"Linear kernel, C = 1, no bias, one thread{made}. LIBLINEAR is `-s 4 -e {PEER_TOL:g}`, "
        "its default; its seconds are those of its program less those of the same call ended after "
        "the first pass, so that reading the file and one pass are not counted. Ours has the "
        "largest tol of 1, 0.5, 0.2, 0.1, ... whose primal value, recomputed in float64 from the "
        "weights, is not above LIBLINEAR's.",
        [table(rows, columns)],
    )


def as_good(runner: Runner, case: Case, primal: float | None) -> Measured:
    """Measure ours with the largest tol that reaches a primal value, else with the smallest one.

    The tols before it are tried once each, and are no rows of the table.
    """
    if primal is None:
        return runner.measure(entry(runner, case, PEER_TOL))
    for tol in TOLS:
        own = runner.measure(entry(runner, case, tol), once=True)
        if not own.done or own.get("primal") <= primal:
            break
    return runner.measure(own.entry) if own.done and runner.options.repetitions > 1 else own


def entry(runner: Runner, case: Case, tol: float) -> Entry:
    """Return our entry with a tol."""
    solver = runner.options.solver(LINEAR, C=case.C, tol=tol)
    return Entry("linear", "ours", case, solver, arguments={"weights": True})


def peer(runner: Runner, case: Case) -> Measured | None:
    """Measure LIBLINEAR, if it is asked for."""
    if "liblinear" not in runner.options.peers:
        return None
    solver = {"_target_": LINEAR["_target_"], "C": case.C}
    entry = Entry("linear", "LIBLINEAR -s 4", case, solver, "liblinear.fit", {"tol": PEER_TOL})
    return measure_peer(runner, Peer("liblinear", entry, same=True))
