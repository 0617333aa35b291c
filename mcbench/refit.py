"""Fitting the solver of a recorded run again, on two attributes of its data."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mcbench.errors import UserError
from mcbench.record import Record


@dataclass(frozen=True, eq=False)
class Plane:
    """A model of two attributes, and the examples that it was trained on.

    Attributes
    ----------
    run : str
        The run whose solver and data these are.
    X : ndarray, shape (n, 2)
        Training examples.
    labels : ndarray of int
        Numbers of their classes in `names`.
    names : tuple of str
        The classes.
    attributes : tuple of int
        Which attributes of the data, from 1, `of` how many.
    of : int
        How many attributes the data have.
    region : callable
        Returns the numbers of the classes that the model gives to points.
    error : float
        Its error on the training examples, a share.
    """

    run: str
    X: np.ndarray
    labels: np.ndarray
    names: tuple[str, ...]
    attributes: tuple[int, int]
    of: int
    region: Callable[[np.ndarray], np.ndarray]
    error: float


def refit_all(
    records: Iterable[Record], attributes: Sequence[int] = (1, 2)
) -> tuple[dict[str, Plane], list[UserError]]:
    """Fit the solvers of runs again, as far as they can be.

    Parameters
    ----------
    records : iterable of Record
        The runs.
    attributes : two of int
        As for `refit`.

    Returns
    -------
    planes : dict of str to Plane
        By the run's identity.
    refused : list of UserError
        Why the others have none.

    Raises
    ------
    UserError
        The first reason, when no run can be fitted again.
    """
    planes, refused = {}, []
    for record in records:
        try:
            planes[record.id] = refit(record, attributes)
        except UserError as error:
            refused.append(error)
    if refused and not planes:
        raise refused[0]
    return planes, refused


def refit(record: Record, attributes: Sequence[int] = (1, 2)) -> Plane:
    """Fit the solver of a run on two attributes of its training examples.

    Parameters
    ----------
    record : Record
        A run that fitted a model.
    attributes : two of int
        Which attributes, from 1, in the order of the data.

    Raises
    ------
    UserError
        When the run fitted no model, its solver is not here or fails on two attributes, its data
        are others now, or have no such attributes.
    """
    from threadpoolctl import threadpool_limits

    from mcbench.dataset import load_data
    from mcbench.estimator import build

    config = record.config
    if config.get("measure"):
        raise UserError(f"Run {record.id} measured something and fitted no model: choose another.")
    data = load_data(config)
    if data is None:
        raise UserError(f"Run {record.id} is of no data: choose another.")
    n = data.X_train.shape[1]
    wrong = [number for number in attributes if not 1 <= number <= n]
    if wrong or len(set(attributes)) != 2:
        raise UserError(
            f"Regions are of two attributes of {n}, not of "
            f"{','.join(map(str, attributes))}: write --attributes 1,2."
        )
    known = (record.get("data") or {}).get("content_hash")
    if known not in (None, data.content_hash):
        raise UserError(
            f"The data of run {record.id} are not those that it was executed on: run it again."
        )
    X = data.X_train[:, [number - 1 for number in attributes]]
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X)
    classes = np.unique(data.y_train)
    model = build(config)
    with threadpool_limits(config["protocol"]["threads"]), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.fit(X, data.y_train)
            error = float(np.mean(model.predict(X) != data.y_train))
        except Exception as failure:  # somebody else's solver
            raise UserError(
                f"Run {record.id} has no regions: on two attributes its solver failed "
                f"({type(failure).__name__}: {failure})."
            ) from failure

    def region(points: np.ndarray) -> np.ndarray:
        return np.searchsorted(classes, model.predict(points))

    names = [data.label_names[k] if data.label_names else str(k) for k in classes]
    labels = np.searchsorted(classes, data.y_train)
    first, second = attributes
    return Plane(record.id, X, labels, tuple(names), (first, second), n, region, error)
