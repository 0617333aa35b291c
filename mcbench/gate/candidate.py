"""A solver that is being checked, and the small data sets that it is checked on."""

import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from mcbench.estimator import build, estimator_class, parameters
from mcbench.outcome import COMPLETE

if TYPE_CHECKING:
    from mcbench.data import Data

#: Seconds that a fit may take where the solver can be told so.
PATIENCE = 10.0

#: How far from a reference's error to that of guessing a machine may be.
WAY = 2 / 3


class Wrong(Exception):  # noqa: N818  (a verdict)
    """A check found something wrong; the message says what."""


class CannotSay(Exception):  # noqa: N818  (a verdict)
    """A check does not apply; the message says why."""


@dataclass(frozen=True)
class Fitted:
    """A solver after its fit.

    Attributes
    ----------
    model : estimator
    seconds : float
        What the fit took.
    unfinished : str
        How the fit says that it ended before its criteria were met; empty when it says nothing.
    """

    model: Any
    seconds: float
    unfinished: str = ""

    def predict(self, X: Any) -> np.ndarray:
        """Return predictions, which must be one for each example."""
        predicted = np.asarray(self.model.predict(X))
        if predicted.shape != (X.shape[0],):
            raise Wrong(
                f"predict returned the shape {predicted.shape} for {X.shape[0]} examples: it must "
                f"be ({X.shape[0]},)"
            )
        return predicted

    def error(self, X: Any, y: np.ndarray) -> float:
        """Return the share of examples that are given another class."""
        return float(np.mean(self.predict(X) != y))


@dataclass(frozen=True)
class Candidate:
    """A solver with its parameters and its kernel.

    Attributes
    ----------
    config : mapping
        The resolved configuration of a run with it.
    """

    config: Mapping[str, Any]
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Look up which parameters it has."""
        names = tuple(parameters(estimator_class(self.config["solver"])))
        object.__setattr__(self, "names", names)

    def has(self, name: str) -> bool:
        """Return whether it has a parameter of this name."""
        return name in self.names

    @property
    def C(self) -> float:  # noqa: N802
        """Its C, 1 where it has none."""
        return float(self.config["solver"].get("C", 1.0))

    def fit(self, X: Any, y: np.ndarray, callback: Any = None, **changes: Any) -> Fitted:
        """Fit a new estimator.

        Parameters
        ----------
        X, y : array
            The training set.
        callback : callable, optional
        **changes
            Parameters that differ, as far as it has them.
        """
        changes = {"time_limit": PATIENCE, **changes}
        own = {name: value for name, value in changes.items() if self.has(name)}
        model = build({**self.config, "solver": {**self.config["solver"], **own}}, callback)
        start = time.perf_counter()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y)
        seconds = time.perf_counter() - start
        said = [str(item.message) for item in caught if item.category is ConvergenceWarning]
        status = getattr(model, "status_", None)
        if not said and status is not None and status not in (*COMPLETE, "callback"):
            said = [f"its status is {status}"]
        return Fitted(model, seconds, said[0] if said else "")

    def reference(self, X: Any, y: np.ndarray) -> Fitted:
        """Fit our machine of Crammer & Singer, with the same kernel where that is ours."""
        from mcbench.config import resolve

        plain = resolve(["solver=block", f"solver.C={min(self.C, 1e6)}"])
        return Candidate({**self.config, "solver": plain["solver"]}).fit(X, y)


@cache
def data_of(name: str, size: int | None = None, scaling: str = "range") -> "Data":
    """Return a data set that comes with mcbench, or `size` examples of its training part."""
    from mcbench.data import load

    return load(name, train_size=size, draw="seeded" if size else None, scaling=scaling)


def bound(reference: float, y: np.ndarray) -> float:
    """Return the error that is two thirds of the way from a reference's to that of guessing.

    Guessing is to predict the commonest class. A machine whose classes are mixed up is beyond.
    """
    guessing = 1.0 - np.unique(y, return_counts=True)[1].max() / len(y)
    return reference + WAY * (guessing - reference)
