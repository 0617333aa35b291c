"""Crammer & Singer's machine, RBF kernel, against kernlab and one-vs-one machines."""

from mcbench.bench.cases import KERNEL_CASES, Case
from mcbench.bench.comparison import RULE, Peer, compare, compared_table
from mcbench.bench.entry import Entry
from mcbench.bench.ours import CACHE_MB, CRAMMER_SINGER, ONE_VS_ONE, TOL, by_threads
from mcbench.bench.peers import PEERS
from mcbench.bench.report import Section
from mcbench.bench.runner import Runner

SUMMARY = "Crammer & Singer's machine against kernlab and one-vs-one"
USUAL = ("satimage", "letter", "usps", "mnist_20000")
QUICK = ("satimage", "usps")


def run(runner: Runner) -> Section:
    """Measure every case."""
    options = runner.options
    cases = options.cases(KERNEL_CASES, USUAL, QUICK)
    compared = [
        compare(runner, peers(runner, case), lambda gap, case=case: ours(runner, case, gap))  # type: ignore[misc]
        for case in cases
    ]
    rows = [row for one in compared for row in one.rows]
    return Section(
        "Crammer & Singer's machine",
        f'RBF kernel, {settings(cases)}. {RULE} kernlab\'s "spoc-svc" is the core of BSVM on the '
        "same problem; the one-vs-one machines solve another problem and are given for scale, with "
        f"the same C. tol {TOL:g} for the peers, a cache of {CACHE_MB} MB for all.",
        [compared_table(rows, compared, options.thread_counts)],
    )


def settings(cases: list[Case]) -> str:
    """Return the kernels and Cs of the cases in words."""
    return "; ".join(f"{c.name} C = {c.C:g}, gamma = {c.kernel['gamma']:g}" for c in cases)


def ours(runner: Runner, case: Case, gap: float) -> list[Entry]:
    """Return our entries, to be stopped at a gap."""
    solver = runner.options.solver(CRAMMER_SINGER, C=case.C, gap_tol=gap)
    return by_threads(runner.options, "crammer_singer", case, solver)


def peers(runner: Runner, case: Case) -> list[Peer]:
    """Return the peers asked for."""
    name = "crammer_singer"
    problem = {"_target_": CRAMMER_SINGER["_target_"], "C": case.C}
    told = {"tol": TOL, "cache_mb": CACHE_MB}
    found = [
        Peer(
            "kernlab",
            Entry(
                name,
                "kernlab spoc-svc",
                case,
                problem,
                "kernlab.fit",
                {"machine": "spoc-svc", **told},
            ),
            same=True,
        ),
        Peer(
            "scikit-learn",
            Entry(name, PEERS["scikit-learn"], case, {**ONE_VS_ONE, "C": case.C}),
            same=False,
        ),
        Peer(
            "onedal",
            Entry(
                name,
                PEERS["onedal"],
                case,
                problem,
                "onedal.fit",
                told,
                threads=runner.options.threads,
            ),
            same=False,
        ),
    ]
    return [peer for peer in found if peer.name in runner.options.peers]
