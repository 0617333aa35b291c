"""A machine of ours against other implementations on the same problems."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mcbench.bench.entry import Entry
from mcbench.bench.measured import Measured, faster
from mcbench.bench.ours import GAP as LARGEST_GAP
from mcbench.bench.peers import missing
from mcbench.bench.report import (
    CPU,
    DATA,
    ERROR,
    GAP,
    MEMORY,
    NOTE,
    SECONDS,
    SOLVER,
    SUPPORT,
    THREADS,
    Column,
    table,
)
from mcbench.bench.runner import Runner

RULE = (
    "Ours stops at a relative duality gap of 0.01, or at the gap that the peer reaches on the same "
    "problem where that is smaller; gaps are recomputed in float64 from the coefficients. The last "
    "columns say how many times as long as ours a peer takes: of CPU seconds where both have one "
    "thread, else of wall seconds. (gap) marks a ratio to a fit of ours with a larger gap."
)


@dataclass(frozen=True)
class Peer:
    """Another implementation.

    Attributes
    ----------
    name : str
        Its key in `mcbench.bench.peers`.
    entry : Entry
        What is measured.
    same : bool
        Whether it solves our problem, so that its gap binds ours.
    """

    name: str
    entry: Entry
    same: bool


@dataclass(frozen=True)
class Compared:
    """The measurements of one case: ours, by threads, and the peers'."""

    ours: Sequence[Measured]
    peers: Mapping[str, Measured]

    @property
    def rows(self) -> list[Measured]:
        """All of them, ours first."""
        return [*self.ours, *self.peers.values()]


def compare(
    runner: Runner, peers: Sequence[Peer], ours: Callable[[float], Sequence[Entry]]
) -> Compared:
    """Measure one case: the peers first, then ours to their gap.

    Parameters
    ----------
    runner : Runner
    peers : sequence of Peer
        Those asked for.
    ours : callable
        Our entries, given the relative gap at which to stop.
    """
    found = {peer.name: measure_peer(runner, peer) for peer in peers}
    gaps = [found[peer.name].get("gap") for peer in peers if peer.same]
    stop = min([LARGEST_GAP, *(gap for gap in gaps if gap is not None and gap > 0.0)])
    return Compared([runner.measure(entry) for entry in ours(stop)], found)


def measure_peer(runner: Runner, peer: Peer) -> Measured:
    """Measure a peer, or note why it cannot be."""
    reason = missing(peer.name)
    return runner.skip(peer.entry, reason) if reason else runner.measure(peer.entry)


def ratio_columns(compared: Sequence[Compared], thread_counts: Sequence[int]) -> list[Column]:
    """Return a column of ratios for each number of threads of ours."""

    def column(threads: int) -> Column:
        def cell(measured: Measured) -> str:
            for one in compared:
                if measured not in one.peers.values():
                    continue
                for own in one.ours:
                    if own.entry.threads == threads:
                        return ratio(measured, own)
            return ""

        return Column(f"x ours, {threads} thread{'s' if threads > 1 else ''}", cell)

    return [column(threads) for threads in thread_counts]


def compared_table(
    rows: Sequence[Measured], compared: Sequence[Compared], thread_counts: Sequence[int]
) -> str:
    """Return the table of the kernel machines: what each took and reached, and the ratios."""
    dual = Column("dual", "dual", ".7g")
    columns = [DATA, SOLVER, THREADS, SECONDS, CPU, MEMORY, dual, GAP, ERROR, SUPPORT]
    return table(rows, [*columns, *ratio_columns(compared, thread_counts), NOTE])


def ratio(peer: Measured, own: Measured) -> str:
    """Return how many times as long as ours the peer takes, as a cell of a table."""
    times = faster(peer, own)
    if times is None:
        return ""
    allowed = LARGEST_GAP if peer.get("gap") is None else peer.get("gap")
    mark = " (gap)" if (own.get("gap") or 0.0) > allowed * (1 + 1e-6) else ""
    return f"{times:.3g}{mark}"
