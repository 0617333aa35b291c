"""What every outer loop tells about itself between its slices."""

import numpy as np

from ..snapshot import joined, part_of

from .reduced_problem cimport ReducedProblem
from .row_cache cimport RowCache
from .state cimport State


cdef class Loop:
    """Base of the outer loops: parts, counters and the state of the solution.

    Attributes
    ----------
    status : {"running", "converged", "stalled", "passes"}
    n_iter : int
        Examples optimized (for the baseline: visited).
    last : int
        The example of the last iteration, -1 before the first.
    level : float
        The threshold in force.
    """

    def __init__(self, State state, RowCache cache, ReducedProblem reduced):
        self.state, self.cache, self.reduced = state, cache, reduced
        self.last = -1
        self.status = "running"

    def snapshot(self):
        """The state of a loop that is running (`solvers.snapshot`)."""
        parts = joined(
            solution=self.state.snapshot(), cache=self.cache.snapshot(),
            reduced=self.reduced.counted(),
        )
        return {"level": self.level, "last": self.last, "n_iter": self.n_iter, **parts}

    def restore(self, state):
        """Go on from a state."""
        self.level, self.last, self.n_iter = state["level"], state["last"], state["n_iter"]
        self.state.restore(part_of(state, "solution"))
        self.cache.restore(part_of(state, "cache"))
        self.reduced.count_from(part_of(state, "reduced"))
        self.status = "running"

    @property
    def coefficients(self):
        """The n x k coefficients a, a view of the solver's own."""
        return np.asarray(self.state.a)

    @property
    def scores(self):
        """The n x k running scores f, a view of the solver's own."""
        return np.asarray(self.state.f).T

    def scale(self, double t):
        """Multiply the solution by t > 0 (`solvers.hard_margin`)."""
        self.state.scale(t)

    @property
    def n_active(self):
        """The number of examples with a non-zero coefficient."""
        return int(np.count_nonzero(self.state.support))

    @property
    def n_rows(self):
        """Kernel rows computed."""
        return self.cache.rows.n_rows

    @property
    def n_hits(self):
        """Kernel rows found in the cache."""
        return self.cache.n_hits

    @property
    def n_inner(self):
        """Iterations of the optimizer of the reduced problem."""
        return self.reduced.n_inner

    @property
    def n_pair_steps(self):
        """Two-variable steps taken by the optimizer of the reduced problem."""
        return self.reduced.n_pair_steps

    @property
    def kernel_seconds(self):
        """Seconds spent on kernel values."""
        return self.cache.rows.seconds
