"""Rules that split the canonical rows of a data set into a training and a test part."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .canonical import Canonical
from .draws import permutation, sample

Rows = tuple[np.ndarray, np.ndarray]

FIRST_OR_SEEDED = ("first", "seeded")


@dataclass(frozen=True)
class Choice:
    """What a run may choose about a split: the fold, the rule that takes rows, the seed."""

    fold: int
    draw: str
    seed: int


class Split(Protocol):
    """A named split."""

    @property
    def name(self) -> str:
        """Name, as used in the papers where they name it."""

    @property
    def note(self) -> str:
        """Where the split comes from and what had to be decided."""

    @property
    def folds(self) -> int:
        """Number of folds or realisations; 0 for a single split."""

    @property
    def draws(self) -> tuple[str, ...]:
        """Rules allowed for choosing rows, the default first."""

    def rows(self, data: Canonical, choice: Choice) -> Rows:
        """Return the row numbers of the training and the test part, in order."""


@dataclass(frozen=True)
class Block:
    """A run of canonical rows, ``start`` to ``stop - 1``, or `size` of them."""

    start: int
    stop: int
    size: int | None = None

    def rows(self, choice: Choice, stream: int) -> np.ndarray:
        """Row numbers of the block; `stream` keeps its draw independent of another block's."""
        rows = np.arange(self.start, self.stop, dtype=np.int64)
        if self.size is None:
            return rows
        return sample(rows, self.size, choice.draw, choice.seed, stream)


@dataclass(frozen=True)
class BlockSplit:
    """Training and test part are runs of rows, or draws from them."""

    name: str
    train: Block
    test: Block
    note: str = ""
    folds: int = 0
    draws: tuple[str, ...] = FIRST_OR_SEEDED

    def rows(self, data: Canonical, choice: Choice) -> Rows:  # noqa: ARG002
        """Return the row numbers of the training and the test part, in order."""
        return self.train.rows(choice, 0), self.test.rows(choice, 1)


@dataclass(frozen=True)
class CrossValidation:
    """Stratified, seeded k-fold cross-validation over the first `size` rows (all when None)."""

    folds: int
    size: int | None = None
    note: str = "the papers do not state their folds: stratified, shuffled by the seed"
    draws: tuple[str, ...] = FIRST_OR_SEEDED

    @property
    def name(self) -> str:
        """Name of the split."""
        return f"{self.folds}-fold"

    def rows(self, data: Canonical, choice: Choice) -> Rows:
        """Return the row numbers of the training and the test part, in order."""
        from sklearn.model_selection import StratifiedKFold

        y = data.y[: self.size]
        splitter = StratifiedKFold(self.folds, shuffle=True, random_state=choice.seed)
        with warnings.catch_warnings():  # a class with fewer examples than folds is a known fact
            warnings.filterwarnings("ignore", message="The least populated class")
            train, test = list(splitter.split(np.zeros((len(y), 1)), y))[choice.fold]
        return np.sort(train).astype(np.int64), np.sort(test).astype(np.int64)


@dataclass(frozen=True)
class Holdout:
    """Seeded, stratified random splits; `test_share` of the rows are kept for the test."""

    name: str
    test_share: float
    folds: int = 0
    note: str = "stratified, drawn by the seed"
    draws: tuple[str, ...] = FIRST_OR_SEEDED

    def rows(self, data: Canonical, choice: Choice) -> Rows:
        """Return the row numbers of the training and the test part, in order."""
        from sklearn.model_selection import StratifiedShuffleSplit

        classes, counts = np.unique(data.y, return_counts=True)
        if counts.min() < 2:
            raise ValueError(
                f"class {classes[counts.argmin()]} has a single example, and the stratified split "
                f"{self.name!r} needs two; give a test file, or use split='all'"
            )
        splitter = StratifiedShuffleSplit(
            max(1, self.folds), test_size=self.test_share, random_state=choice.seed
        )
        train, test = list(splitter.split(np.zeros((len(data.y), 1)), data.y))[choice.fold]
        return np.sort(train).astype(np.int64), np.sort(test).astype(np.int64)


def keep_back(y: np.ndarray, share: float, seed: int, what: str) -> Rows:
    """Divide training rows, stratified and drawn by the seed, to choose hyperparameters.

    Parameters
    ----------
    y : ndarray of int64, shape (n,)
        Their classes.
    share : float
        How much of them the second part gets, between 0 and 1. A class with a single example
        stays in the first part and does not count.
    seed : int
        Seed of the draw.
    what : str
        What the rows are, for messages.

    Returns
    -------
    kept, validation : ndarray of int64
        Positions in `y`, in order.

    Raises
    ------
    ValueError
        When a part would have fewer rows than there are classes, or a class none to train on.
    """
    from sklearn.model_selection import StratifiedShuffleSplit

    _, code, counts = np.unique(y, return_inverse=True, return_counts=True)
    rows = np.flatnonzero(counts[code] > 1)
    n_classes = max(1, len(np.unique(y[rows])))
    n_validation = math.ceil(share * len(rows))
    if min(n_validation, len(rows) - n_validation) < n_classes:
        raise ValueError(
            f"validation={share} divides {len(rows)} training rows of {what} into "
            f"{len(rows) - n_validation} and {n_validation}, and the stratified parts need "
            f"{n_classes} each, one for each class with two examples"
        )
    splitter = StratifiedShuffleSplit(1, test_size=share, random_state=seed)
    _, drawn = next(splitter.split(np.zeros((len(rows), 1)), y[rows]))
    validation = np.sort(rows[drawn])
    kept = np.setdiff1d(np.arange(len(y)), validation)
    lost = np.setdiff1d(y, y[kept])
    if len(lost):
        raise ValueError(
            f"validation={share} leaves no training example of class {lost[0]} of {what}; "
            "take a smaller share"
        )
    return kept, validation


@dataclass(frozen=True)
class Realisations:
    """The published train/test realisations that come with the data."""

    name: str
    folds: int
    note: str = "the first realisations as published"
    draws: tuple[str, ...] = FIRST_OR_SEEDED

    def rows(self, data: Canonical, choice: Choice) -> Rows:
        """Return the row numbers of the training and the test part, in order."""
        train, test = data.extra["train"][choice.fold], data.extra["test"][choice.fold]
        return train.astype(np.int64), test.astype(np.int64)


@dataclass(frozen=True)
class SeriesDraw:
    """A seeded draw from the rows whose value in ``extra[series]`` is at most `largest`."""

    name: str
    series: str
    largest: int
    n_train: int
    n_test: int
    note: str = ""
    folds: int = 0
    draws: tuple[str, ...] = ("seeded",)

    def rows(self, data: Canonical, choice: Choice) -> Rows:
        """Return the row numbers of the training and the test part, in order."""
        pool = np.flatnonzero(data.extra[self.series] <= self.largest).astype(np.int64)
        order = permutation(len(pool), choice.seed, 3)
        train = order[: self.n_train]
        test = order[self.n_train : self.n_train + self.n_test]
        return pool[np.sort(train)], pool[np.sort(test)]
