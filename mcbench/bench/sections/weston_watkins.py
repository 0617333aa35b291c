"""Weston & Watkins's machine, RBF kernel, against kernlab."""

from mcbench.bench.cases import KERNEL_CASES, Case
from mcbench.bench.comparison import RULE, Peer, compare, compared_table
from mcbench.bench.entry import Entry
from mcbench.bench.ours import CACHE_MB, TOL, WESTON_WATKINS, by_threads
from mcbench.bench.report import Section
from mcbench.bench.runner import Runner
from mcbench.bench.sections.crammer_singer import settings

SUMMARY = "Weston & Watkins's machine against kernlab"
USUAL = ("satimage", "letter", "usps", "mnist_20000")
QUICK = ("satimage",)
MARGIN = 2  # kernlab's; with 2 C it is the machine of margin 1 and C, all scores doubled


def run(runner: Runner) -> Section:
    """Measure every case."""
    options = runner.options
    cases = options.cases(KERNEL_CASES, USUAL, QUICK)
    compared = []
    unbiased = []
    for case in cases:
        compared.append(
            compare(runner, peers(runner, case), lambda gap, case=case: ours(runner, case, gap))  # type: ignore[misc]
        )
        solver = options.solver(WESTON_WATKINS, C=case.C, bias="none", margin=1)
        unbiased.append(
            runner.measure(Entry("weston_watkins", "ours, no bias, margin 1", case, solver))
        )
    rows = [row for one, more in zip(compared, unbiased, strict=True) for row in [*one.rows, more]]
    return Section(
        "Weston & Watkins's machine",
        f'RBF kernel, {settings(cases)}, where C is that of margin 1. kernlab\'s "kbb-svc" has a '
        "penalized bias and margin 2, and is given 2 C, which is the same machine; so is ours in "
        f"the rows that are compared. {RULE} tol {TOL:g} for kernlab, a cache of {CACHE_MB} MB for "
        "both.",
        [compared_table(rows, compared, options.thread_counts)],
    )


def ours(runner: Runner, case: Case, gap: float) -> list[Entry]:
    """Return our entries on kernlab's problem, to be stopped at a gap."""
    solver = runner.options.solver(
        WESTON_WATKINS, C=2 * case.C, bias="penalized", margin=MARGIN, gap_tol=gap
    )
    return by_threads(runner.options, "weston_watkins", case, solver)


def peers(runner: Runner, case: Case) -> list[Peer]:
    """Return kernlab, if it is asked for."""
    if "kernlab" not in runner.options.peers:
        return []
    problem = {
        "_target_": WESTON_WATKINS["_target_"],
        "C": 2 * case.C,
        "bias": "penalized",
        "margin": MARGIN,
    }
    told = {"machine": "kbb-svc", "tol": TOL, "cache_mb": CACHE_MB}
    entry = Entry("weston_watkins", "kernlab kbb-svc", case, problem, "kernlab.fit", told)
    return [Peer("kernlab", entry, same=True)]
