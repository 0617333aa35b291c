"""What an item of a paper gets to see: its runs, and which are missing."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from mcbench.store import Store

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Results:
    """The runs of one item in one profile.

    Attributes
    ----------
    profile : str
        The profile.
    frame : DataFrame
        One row per run that is done, columns with dotted names: `error.test`, `time.fit`,
        `config.solver_name`, ... The column `part` names the grid that a run comes from. An
        item's `following` sees the runs of its file's grids, all else sees those that follow too.
    missing : list of (overrides, reason)
        The runs that are not there.
    lost : list of (overrides, reason)
        Those of them that could be there: their data and solvers are, but they failed or were not
        executed. What was found without them decides nothing.
    """

    profile: str
    frame: "pd.DataFrame"
    store: Store = field(repr=False)
    missing: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    lost: list[tuple[tuple[str, ...], str]] = field(default_factory=list)

    def trace(self, run_id: str) -> "pd.DataFrame":
        """Return the trace of a run, one row per checkpoint."""
        return self.store.trace(run_id)

    def part(self, name: str) -> "pd.DataFrame":
        """Return the runs of the grids whose `_part` has this name."""
        return self.frame[self.frame["part"] == name]

    def wrong(self, run_id: str) -> np.ndarray:
        """Return which test examples a run gives another class than theirs, in their order.

        Raises
        ------
        LookupError
            When the run has kept no predictions.
        """
        kept = self.store.predictions(run_id)
        if kept.empty:
            raise LookupError(f"run {run_id} has kept no predictions")
        return np.asarray(kept["y"] != kept["predicted"])
