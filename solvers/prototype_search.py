"""The searches for the assignments of a multi-prototype machine (AS05 section 6).

With the assignments pi of examples to prototypes given, the problem is convex; which assignments
are the best is a combinatorial question. `static` leaves them as they are, `greedy` improves them
until none of them can be improved (section 6.1), `annealed` draws them by a falling temperature
(section 6.2, figure 11) and ends with `greedy`.

The algorithms go on in stages, between which the clock may be looked at and the state written down:
a pass at a temperature, what comes after it, the problem for given assignments. What a search keeps
from one stage to the next are attributes (`STATE`), not variables.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from .problems.multi_prototype import Layout
from .prototype_passes import Passes, kept
from .snapshot import Snapshot, joined, part_of, put, told

RISE = 1e-3  # of the primal: what its accuracy may hide
TIGHTEST = 1e-10  # margin units
BLOCK = 4096  # examples whose scores are computed together

#: What a search remembers beside its models, the passes and the random generator.
STATE = (
    *("algorithm", "stage", "number", "T", "E", "n_sweeps", "below", "look_after", "ended"),
    *("level", "n_changes", "temperatures", "energies", "slacks", "changed"),
)


@dataclass
class Best:
    """The model of the lowest primal seen."""

    primal: float
    own: np.ndarray
    coefficients: sp.csr_array

    def snapshot(self) -> Snapshot:
        """The model as arrays and plain values."""
        a = self.coefficients
        arrays = {"own": self.own, "data": a.data, "indices": a.indices, "indptr": a.indptr}
        return {"primal": self.primal, **{name: item.copy() for name, item in arrays.items()}}

    @classmethod
    def of(cls, state: Mapping[str, Any], shape: tuple[int, int]) -> Best:
        """The model that `snapshot` gave."""
        data, indices, indptr, own = (
            state[name].copy() for name in ("data", "indices", "indptr", "own")
        )
        return cls(state["primal"], own, sp.csr_array((data, indices, indptr), shape))


@dataclass(frozen=True)
class Schedule:
    """How the assignments are searched.

    Attributes
    ----------
    search : {"static", "greedy", "annealed"}
    temperature : float
        T0.
    tau : float
        T(t) = T0 (1 - tau)^t.
    n_init : int
        Starts.
    max_passes : int
        Passes over the training set at one temperature, at most.
    given : ndarray of shape (n,) or None
        Assignments of the first start; drawn if None.
    """

    search: str
    temperature: float
    tau: float
    n_init: int
    max_passes: int
    given: np.ndarray | None = None


class PrototypeSearch:
    """A search as a loop (`solvers.drive.Loop`).

    Parameters
    ----------
    passes : Passes
        The descent for given assignments.
    layout : Layout
        Which prototypes belong to which class.
    y : intp ndarray of shape (n,)
        Labels 0 .. k-1.
    C, tol : float
    schedule : Schedule
    random : RandomState
        Draws assignments.

    Attributes
    ----------
    best : Best
        What the machine becomes.
    n_changes : int
        Assignments changed since the start.
    temperatures, energies, slacks : list of float
        One entry for each temperature: T, the primal E(pi) after its passes, and the sum of slacks.
    level : float
        The temperature.
    algorithm : {"annealed", "greedy", "static"}
        What is under way; an annealed search is so to the end of its last greedy part.
    stage : {"begin", "sweep", "swept", "solve"}
        What comes next of it.
    number : int
        The present start.
    T, E, n_sweeps : float, float, int
        The temperature, the primal to get below, and the passes made at it.
    below, look_after : float, int
        The primal at which to stop solving, and the visits after which to look at it next.
    ended : str
        How the best of the starts so far ended.
    """

    def __init__(
        self,
        passes: Passes,
        layout: Layout,
        y: np.ndarray,
        *,
        C: float,
        tol: float,
        schedule: Schedule,
        random: np.random.RandomState,
    ) -> None:
        self.passes, self.layout, self.y, self.C, self.tol = passes, layout, y, C, tol
        self.changed = np.arange(len(y))  # since the last solution
        self.schedule, self.random = schedule, random
        self.members = [np.flatnonzero(y == c) for c in range(len(layout.counts))]
        self.base = layout.starts[y]  # the first prototype of each example's class
        self.xi = np.full((len(y), int(layout.counts.max())), np.inf)
        self.norm = 0.0
        self.status, self.level, self.n_changes = "running", 0.0, 0
        self.temperatures: list[float] = []
        self.energies: list[float] = []
        self.slacks: list[float] = []
        self.until, self.stop = 0, 0.0
        self.start(schedule.given)
        self.best = self.mine
        self.algorithm, self.stage, self.number = schedule.search, "begin", 0
        self.T = self.E = self.below = np.inf
        self.n_sweeps = self.look_after = 0
        self.ended = "converged"

    # The loop, as those who run it see it.

    def run(self, until: int, seconds: float) -> str:
        """Go on to iteration ``until``, to the end, or for about ``seconds``."""
        self.until, self.stop = until, time.perf_counter() + seconds
        self.status = "running"
        while self.status == "running" and self.passes.n_iter < until:
            self.status = self.go_on()
            if time.perf_counter() >= self.stop:
                break
        return self.status

    def resume(self, f: np.ndarray) -> None:  # noqa: ARG002
        """Go on from the best model, its scores made afresh."""
        self.take(self.best)
        self.solve_again()

    def tighten(self, tightest: float) -> bool:
        """Ask for a tenth of the tolerance, unless that is below ``tightest``; go on then."""
        if not self.passes.tighten(tightest):
            return False
        self.solve_again()
        return True

    def solve_again(self) -> None:
        """Solve more exactly what the search has found."""
        self.algorithm = "static" if self.schedule.search == "static" else "greedy"
        self.stage, self.status = "begin", "running"

    def snapshot(self) -> Snapshot:
        """The state between two stages, or within one."""
        drawn: Any = self.random.get_state()
        _, key, *rest = drawn
        random = dict(zip(("position", "has_gauss", "gauss"), rest, strict=True), key=key.copy())
        models = {"mine": self.mine.snapshot(), "passes": self.passes.snapshot(), "random": random}
        if self.best is not self.mine:
            models["best"] = self.best.snapshot()
        own = {"own": self.passes.own.copy(), "same": self.best is self.mine}
        return {**told(self, STATE), **own, **joined(**models)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a state."""
        put(self, STATE, state)
        for name in ("temperatures", "energies", "slacks"):
            setattr(self, name, list(state[name]))
        random = part_of(state, "random")
        drawn = (random[name] for name in ("key", "position", "has_gauss", "gauss"))
        self.random.set_state(("MT19937", *drawn))
        shape = (len(self.y), len(self.layout.classes))
        self.passes.own[:] = state["own"]
        self.passes.restore(part_of(state, "passes"))
        self.mine = Best.of(part_of(state, "mine"), shape)
        self.best = self.mine if state["same"] else Best.of(part_of(state, "best"), shape)
        self.look()  # what a stage begins with
        self.status = "running"

    @property
    def coefficients(self) -> np.ndarray:
        """The n x R coefficients of the best model."""
        return self.best.coefficients.toarray()

    @property
    def n_active(self) -> int:
        """The number of examples with a non-zero coefficient."""
        return int(np.count_nonzero(np.diff(self.best.coefficients.indptr)))

    def __getattr__(self, name: str) -> Any:
        """Counters are those of the passes."""
        if name in ("n_iter", "last", "n_rows", "n_hits", "n_inner", "kernel_seconds"):
            return getattr(self.passes, name)
        raise AttributeError(name)

    # The algorithms.

    def go_on(self) -> str:
        """One stage, or as much of it as there is time for; "running", or how the search ended."""
        if self.stage == "begin":
            return self.begin()
        if self.stage == "sweep":
            if self.passes.finish_pass(self.until, self.seconds()):
                self.stage = "swept"
            return "running"
        if self.stage == "swept":
            return self.anneal()
        return self.solve()

    def begin(self) -> str:
        """Begin an algorithm from the present model."""
        self.E = self.primal()
        if self.algorithm == "annealed":
            self.T = self.schedule.temperature
            return self.next_temperature()
        return self.start_solving(-np.inf if self.algorithm == "static" else self.E)

    # AS05 figure 11, from several starts; each ends with the greedy search.

    def next_temperature(self) -> str:
        """Begin the passes at a temperature; below the coldest, differences of tol decide alone."""
        if self.C * self.tol < self.T:
            self.level, self.n_sweeps = self.T, 0
            return self.start_sweep()
        self.level = 0.0
        self.take(self.mine)
        self.E = self.primal()
        return self.start_solving(self.E)

    def start_sweep(self) -> str:
        """Begin a pass of optimizing all examples."""
        self.passes.start_pass()
        self.stage = "sweep"
        return "running"

    def anneal(self) -> str:
        """After a pass: one more, or other assignments and the next temperature."""
        self.look()
        self.n_sweeps += 1
        if not self.primal() < self.E and self.n_sweeps < self.schedule.max_passes:
            return self.start_sweep()
        self.keep()
        self.note()
        changed = self.assign(self.drawn(self.T))
        self.E = self.primal()
        self.restore_feasibility(changed)
        self.T *= 1.0 - self.schedule.tau
        return self.next_temperature()

    def next_start(self, status: str) -> str:
        """After the greedy search from one start."""
        if self.best is self.mine:
            self.ended = status
        self.number += 1
        if self.number < self.schedule.n_init:
            self.start(None)
            return self.begin()
        self.take(self.best)
        return self.ended

    # AS05 section 6.1: lower the primal, assign by least slack, again and again.

    def improve(self, status: str) -> str:
        """After the problem for given assignments: assign by least slack, and solve again.

        It ends where the static problem is solved to ``tol`` and no example has a prototype with a
        slack smaller by more than that: a stationary point.
        """
        if (  # the duality gap alone hides the fall
            status == "converged"
            and self.primal() > self.mine.primal * (1.0 + RISE)
            and self.passes.tighten(TIGHTEST)
        ):
            return self.start_solving(-np.inf)
        self.keep(rise=RISE)
        changed = self.assign(self.nearest())
        if len(changed):
            self.E = self.primal()
            self.restore_feasibility(changed)
        elif status != "running":
            return self.next_start(status) if self.algorithm == "annealed" else status
        else:
            self.E = -np.inf
        return self.start_solving(self.E)

    # AS05 figure 3: until all psi are below the tolerance, or the primal is below a value.

    def start_solving(self, below: float) -> str:
        """Begin to solve the problem for the assignments as they are."""
        self.below = below
        self.passes.start_solving(self.changed)
        self.changed = self.changed[:0]
        self.look_after = self.passes.n_visits + len(self.y)
        self.stage = "solve"
        return "running"

    def solve(self) -> str:
        """Go on with it to the end of a pass.

        It ends as "converged"; "stalled" where rounding lets nothing move; "running" where only
        the primal was reached.
        """
        status = self.passes.solve(self.until, self.seconds())
        ended = status != "running"
        if ended:
            self.look()
        # At the end of passes, not of slices: the clock must not decide what is found.
        elif (
            self.below > -np.inf and self.passes.paused and self.passes.n_visits >= self.look_after
        ):
            self.look_after = self.passes.n_visits + len(self.y)  # a look costs a pass
            self.look()
            ended = self.primal() < self.below
        if not ended:
            return "running"
        if self.algorithm == "static":
            self.keep(rise=np.inf)
            return status
        return self.improve(status)

    def seconds(self) -> float:
        """What is left of the present slice."""
        return self.stop - time.perf_counter()

    # Their parts.

    def start(self, given: np.ndarray | None) -> None:
        """All coefficients zero, assignments as given or drawn."""
        n, R = len(self.y), len(self.layout.classes)
        drawn = self.base + self.random.randint(self.layout.counts[self.y])
        self.passes.own[:] = drawn if given is None else given
        self.passes.put(sp.csr_array((n, R)), rough=self.schedule.search == "annealed")
        self.look()
        self.mine = self.model()

    def model(self) -> Best:
        """The present model."""
        return Best(self.primal(), self.passes.own.copy(), kept(self.passes.coefficients))

    def look(self) -> None:
        """The slacks xi_i^r of all examples for the prototypes r of their classes, and ||M||^2."""
        for members, (low, high) in zip(self.members, pairwise(self.layout.starts), strict=True):
            for start in range(0, len(members), BLOCK):
                rows = members[start : start + BLOCK]
                f = self.passes.scores(rows)
                others = np.full(len(rows), -np.inf)
                for part in (f[:, :low], f[:, high:]):
                    if part.shape[1]:
                        np.maximum(others, part.max(axis=1), out=others)
                short_by = others[:, np.newaxis] + 1.0 - f[:, low:high]
                self.xi[rows, : high - low] = np.maximum(short_by, 0.0)
        self.norm = self.passes.squared_norm()

    def slack(self) -> float:
        """sum_i xi_i^{pi_i}, by the scores last looked at."""
        own = self.passes.own - self.base
        return float(self.xi[np.arange(len(own)), own].sum())

    def primal(self) -> float:
        """E(pi) = 1/2 ||M||^2 + C sum_i xi_i^{pi_i}, by the scores last looked at."""
        return 0.5 * self.norm + self.C * self.slack()

    def drawn(self, T: float) -> np.ndarray:
        """Assignments by the law p_i(s) ~ exp(-C (xi_i^s - min_r xi_i^r) / T) (AS05 eq. 17)."""
        excess = self.xi - self.xi.min(axis=1, keepdims=True)
        upto = np.exp(-self.C / T * excess).cumsum(axis=1)
        u = self.random.random_sample(len(self.y)) * upto[:, -1]
        chosen = np.count_nonzero(upto <= u[:, np.newaxis], axis=1)
        return self.base + np.minimum(chosen, self.layout.counts[self.y] - 1)

    def nearest(self) -> np.ndarray:
        """The prototypes of least slack; the present ones where these are not worse by ``tol``."""
        own = self.passes.own - self.base
        rows = np.arange(len(own))
        least = self.xi.argmin(axis=1)
        better = self.xi[rows, least] < self.xi[rows, own] - self.tol
        return self.base + np.where(better, least, own)

    def assign(self, own: np.ndarray) -> np.ndarray:
        """Change the assignments; the examples whose assignment changed."""
        changed = np.flatnonzero(own != self.passes.own)
        self.passes.own[:] = own
        self.n_changes += len(changed)
        return changed

    def restore_feasibility(self, changed: np.ndarray) -> None:
        """a_i = 0 where the assignment changed: feasible again (AS05 section 6.1)."""
        self.passes.drop(changed)
        self.changed = np.union1d(self.changed, changed)

    def keep(self, rise: float = 0.0) -> None:
        """Remember this model if its primal is the lowest, but for a relative ``rise``."""
        primal = self.primal()
        if rise < np.inf and primal > self.mine.primal * (1.0 + rise):
            return
        replaced, self.mine = self.mine, self.model()
        if self.best is replaced or primal < self.best.primal:
            self.best = self.mine

    def take(self, model: Best) -> None:
        """Go on from a model."""
        self.passes.own[:] = model.own
        self.passes.put(model.coefficients, rough=False)
        self.changed = np.arange(len(self.y))
        self.look()
        model.primal = self.primal()

    def note(self) -> None:
        """Add to the trace."""
        self.temperatures.append(self.level)
        self.energies.append(self.primal())
        self.slacks.append(self.slack())
