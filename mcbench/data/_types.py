"""What `load` returns, and the error that says that a data set cannot be had."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

Matrix: TypeAlias = Any
"""An ndarray or a scipy.sparse.csr_matrix; SciPy has no type hints."""


class DataUnavailable(RuntimeError):  # noqa: N818  (a state of the world, not a mistake)
    """The data cannot be had here: no local copy, and no mirror that answers.

    The message names the file, the mirrors that were tried and how to place the file by hand.
    """


@dataclass(frozen=True, eq=False)
class Data:
    """A data set, split and scaled, ready to train on.

    Attributes
    ----------
    name, title : str
        Key in the registry and name for people.
    split : str
        Name of the split, for example ``"15000/5000"`` or ``"10-fold"``.
    fold : int or None
        Which fold or realisation of the split; None where the split has none.
    draw : str
        ``"first"`` or ``"seeded"``: how rows were chosen where the split leaves a choice.
    scaling : str
        Preprocessing of the attributes, as in `mcbench.data.scaling`.
    seed : int
        Seed of every draw made by `load`.
    stand_in : str or None
        What the data stand in for. To be shown wherever results on them are shown.
    X_train, X_test : ndarray or csr_matrix of float64, shape (n, n_features)
        Attributes. `X_test` has no rows where the split has no test part.
    y_train, y_test : ndarray of int64
        Class labels as published.
    train_index, test_index : ndarray of int64
        Positions in the canonical rows of the data set (all its parts, one after the other).
    content_hash : str
        SHA-256 of the canonical arrays: independent of mirror, file format, split and scaling.
    licence, source : str
        Terms of use as far as stated, and where the data come from.
    label_names : tuple of str
        Names of the classes 0, 1, ... where a file's labels were text, else empty.
    folds : int
        How many folds or realisations the split has; 0 where it has none.
    validation : float or None
        Share of the training part that stands in the place of the test part; None where the test
        part is the split's.
    """

    name: str
    title: str
    split: str
    fold: int | None
    draw: str
    scaling: str
    seed: int
    stand_in: str | None
    X_train: Matrix
    y_train: np.ndarray
    X_test: Matrix
    y_test: np.ndarray
    train_index: np.ndarray
    test_index: np.ndarray
    content_hash: str
    licence: str
    source: str
    label_names: tuple[str, ...] = ()
    folds: int = 0
    validation: float | None = None

    @property
    def n_train(self) -> int:
        """Number of training examples."""
        return int(self.X_train.shape[0])

    @property
    def n_test(self) -> int:
        """Number of test examples."""
        return int(self.X_test.shape[0])

    @property
    def n_features(self) -> int:
        """Number of attributes."""
        return int(self.X_train.shape[1])

    @cached_property
    def n_classes(self) -> int:
        """Number of classes that occur in the training or the test part."""
        return len(np.union1d(self.y_train, self.y_test))

    @cached_property
    def density(self) -> float:
        """Share of the training part's entries that are not zero."""
        if self.X_train.shape[0] * self.X_train.shape[1] == 0:
            return 0.0
        if sparse.issparse(self.X_train):
            filled = self.X_train.count_nonzero()
        else:
            filled = np.count_nonzero(self.X_train)
        return float(filled / (self.X_train.shape[0] * self.X_train.shape[1]))

    @cached_property
    def split_hash(self) -> str:
        """SHA-256 of the row numbers of the training and the test part."""
        digest = hashlib.sha256()
        for index in (self.train_index, self.test_index):
            digest.update(f"{len(index)}\n".encode())
            digest.update(np.ascontiguousarray(index, dtype="<i8").tobytes())
        return digest.hexdigest()

    @property
    def summary(self) -> str:
        """One line for people: what the data are and how they were split and scaled."""
        text = f"{self.title}, {self.n_train}/{self.n_test} ({self.split}"
        if self.fold is not None:
            text += f" {self.fold}"
        if self.validation is not None:
            text += f", validation {self.validation}"
        text += f"), scaling {self.scaling}"
        return f"{text}; {self.stand_in}" if self.stand_in else text
