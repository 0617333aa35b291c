"""Our estimators as the benchmark measures them."""

from collections.abc import Mapping
from typing import Any

from mcbench.bench.cases import Case
from mcbench.bench.entry import Entry
from mcbench.bench.options import Options

CACHE_MB = 1000  # for every solver that has a cache, the peers' included
TOL = 1e-3  # of the peers
LOOSE = 0.1  # of ours, in margin units: the gap, which is what is compared, decides
GAP = 0.01  # the largest relative duality gap that counts

CRAMMER_SINGER: dict[str, Any] = {
    "_target_": "mcbench.CrammerSingerSVC",
    "solver": "block",
    "cache_size": CACHE_MB,
    "tol": LOOSE,
    "gap_tol": GAP,
}
WESTON_WATKINS: dict[str, Any] = {
    "_target_": "mcbench.WestonWatkinsSVC",
    "solver": "block",
    "cache_size": CACHE_MB,
    "tol": LOOSE,
    "gap_tol": GAP,
}
LINEAR: dict[str, Any] = {"_target_": "mcbench.CrammerSingerSVC", "solver": "dual_cd"}

ONE_VS_ONE: dict[str, Any] = {"_target_": "sklearn.svm.SVC", "cache_size": CACHE_MB, "tol": TOL}


def by_threads(
    options: Options,
    section: str,
    case: Case,
    solver: Mapping[str, Any],
    measure: str = "fitting.fit",
    arguments: Mapping[str, Any] | None = None,
) -> list[Entry]:
    """Return one entry of ours for each number of threads asked for."""
    return [
        Entry(section, "ours", case, solver, measure, arguments or {}, threads=threads)
        for threads in options.thread_counts
    ]
