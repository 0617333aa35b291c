"""Load a data set by name, or a file of the user's: find it, split it, scale it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from ._types import Data, Matrix
from .assemble import from_arrays
from .definition import DatasetInfo
from .draws import sample
from .files import load_file
from .hashing import combined_hash
from .read import read_canonical
from .registry import lookup
from .scaling import SCALINGS, scale
from .splits import (
    FIRST_OR_SEEDED,
    BlockSplit,
    Choice,
    CrossValidation,
    SeriesDraw,
    Split,
    keep_back,
)
from .suggest import unknown


def load(
    name: str,
    *,
    split: str | None = None,
    train_size: int | None = None,
    validation: float | None = None,
    draw: str | None = None,
    scaling: str = "none",
    fold: int | None = None,
    seed: int = 0,
    path: str | None = None,
    test_path: str | None = None,
    label: str | int | None = None,
    arrays: Sequence[object] | None = None,
) -> Data:
    """Load a data set, split and scaled.

    Parameters
    ----------
    name : str
        A name of the registry (`datasets`), or ``"file"`` for a file of your own.
    split : str or None
        A named split of the data set; None takes its first one. For ``"file"``: ``"given"`` (what
        the file or `test_path` gives), a stratified ``"80/20"`` in per cent, or ``"10-fold"``.
    train_size : int or None
        Train on so many rows of the split's training part; None trains on all.
    validation : float or None
        Share, between 0 and 1, of the training part (after `train_size`) that takes the place of
        the test part, so that hyperparameters are chosen without a look at the test part. The
        rest is trained on. Drawn by the seed, stratified by class; a class with a single example
        stays in training. None leaves both parts as they are.
    draw : {"first", "seeded"} or None
        Which rows, where `train_size` or the split leaves a choice: the first ones in published
        order, or a seeded draw without replacement. None takes the split's default: ``"first"``,
        except where a split is a draw by nature.
    scaling : {"none", "range", "unit_variance", "div255"}
        Preprocessing, learned from the training rows.
    fold : int or None
        Fold or realisation, from 0, of a split that has several. With None the seeds 0, 1, ...
        walk through the folds: `seed` mod k is the fold, and `seed` div k shuffles.
    seed : int
        Seed of every draw.
    path, test_path : str or None
        File of the user's, and a separate test file, for ``"file"`` only.
    label : str, int or None
        Column that holds the label, for ``"file"`` only.
    arrays : sequence or None
        Data of your own in memory, ``X, y`` or ``X_train, y_train, X_test, y_test``, which are
        then called `name`. The splits are those of ``"file"``.

    Returns
    -------
    Data
        Training and test part with their row numbers, the content hash and the licence.

    Raises
    ------
    ValueError
        For a name or number that is not allowed; the message says what is.
    DataUnavailable
        When the data cannot be had here.

    Examples
    --------
    >>> from mcbench.data import load
    >>> data = load("letter", split="5000/4000", scaling="range")
    >>> data.X_train.shape, data.X_test.shape, data.n_classes
    ((5000, 16), (4000, 16), 26)
    """
    _check_values(train_size, validation, draw, scaling, seed)
    label_names: tuple[str, ...] = ()
    if arrays is not None:
        _only_for_files(path=path, test_path=test_path, label=label)
        info, canonical, label_names = from_arrays(name, arrays, split)
        chosen = info.splits[0]
    elif name == "file":
        info, canonical, label_names = load_file(path, test_path, label, split)
        chosen = info.splits[0]
    else:
        _only_for_files(path=path, test_path=test_path, label=label)
        info = lookup(name)
        chosen = _choose(info, split)

    drawn = _draw(name, chosen, draw)
    number, shuffle = _fold(name, chosen, fold, seed)
    if arrays is None and name != "file":
        canonical = read_canonical(info)

    train, test = chosen.rows(canonical, Choice(number or 0, drawn, shuffle))
    if train_size is not None:
        train = _shorten(train, train_size, canonical.y, drawn, seed, f"{name} ({chosen.name})")
    if validation is not None:
        parts = keep_back(canonical.y[train], validation, seed, f"{name} ({chosen.name})")
        train, test = (train[part] for part in parts)
    X_train, X_test = scale(scaling, _floats(canonical.X[train]), _floats(canonical.X[test]))
    return Data(
        name=info.name,
        title=info.title,
        split=chosen.name,
        fold=number,
        draw=drawn,
        scaling=scaling,
        seed=seed,
        stand_in=info.stand_in,
        X_train=X_train,
        y_train=canonical.y[train],
        X_test=X_test,
        y_test=canonical.y[test],
        train_index=train,
        test_index=test,
        content_hash=info.content_hash or combined_hash(info.array_hashes(canonical)),
        licence=info.licence,
        source=info.source,
        label_names=label_names,
        folds=chosen.folds,
        validation=validation,
    )


def check_request(
    name: str,
    *,
    split: str | None = None,
    train_size: int | None = None,
    validation: float | None = None,
    draw: str | None = None,
    scaling: str = "none",
    fold: int | None = None,
    seed: int = 0,
    path: str | None = None,
    test_path: str | None = None,
    label: str | int | None = None,
) -> None:
    """Raise the ValueError that `load` would raise, as far as it is known without the data.

    The parameters are those of `load`.
    """
    _check_values(train_size, validation, draw, scaling, seed)
    if name == "file":
        return
    _only_for_files(path=path, test_path=test_path, label=label)
    info = lookup(name)
    chosen = _choose(info, split)
    _draw(name, chosen, draw)
    _fold(name, chosen, fold, seed)
    most = _most_training_rows(info, chosen)
    if train_size is not None and train_size > most:
        raise ValueError(
            f"train_size={train_size} is more than the {most} training rows of "
            f"{name} ({chosen.name})"
        )


def _check_values(
    train_size: int | None, validation: float | None, draw: str | None, scaling: str, seed: int
) -> None:
    """Raise ValueError for what no data set allows."""
    if scaling not in SCALINGS:
        raise unknown("scaling", scaling, SCALINGS)
    if draw is not None and draw not in FIRST_OR_SEEDED:
        raise unknown("draw", draw, FIRST_OR_SEEDED)
    _natural("seed", seed)
    if seed >= 2**32:
        raise ValueError(f"seed must be below 2^32, not {seed}")
    if train_size is not None:
        _natural("train_size", train_size, least=1)
    if validation is not None:
        _share("validation", validation)


def _draw(name: str, split: Split, draw: str | None) -> str:
    """Return the rule that takes rows, the split's default for None."""
    drawn = split.draws[0] if draw is None else draw
    if drawn not in split.draws:
        raise ValueError(
            f"the split {split.name!r} of {name} is a draw by nature: draw must be "
            f"{' or '.join(map(repr, split.draws))}, not {draw!r}"
        )
    return drawn


def _most_training_rows(info: DatasetInfo, split: Split) -> int:
    """Return how many training rows a split can have at most."""
    if isinstance(split, BlockSplit):
        block = split.train
        rows = block.stop - block.start
        return rows if block.size is None else min(rows, block.size)
    if isinstance(split, CrossValidation):
        rows = info.rows if split.size is None else min(split.size, info.rows)
        return rows - rows // split.folds
    if isinstance(split, SeriesDraw):
        return split.n_train
    return info.rows


def _choose(info: DatasetInfo, split: str | None) -> Split:
    """Return the split of that name, the first one for None."""
    if split is None:
        return info.splits[0]
    for candidate in info.splits:
        if candidate.name == split:
            return candidate
    raise unknown(f"split of {info.name}", split, info.split_names)


def _fold(name: str, split: Split, fold: int | None, seed: int) -> tuple[int | None, int]:
    """Return the fold and the seed that shuffles."""
    if not split.folds:
        if fold is not None:
            raise ValueError(f"the split {split.name!r} of {name} has no folds; leave fold out")
        return None, seed
    if fold is None:
        return seed % split.folds, seed // split.folds
    _natural("fold", fold)
    if fold >= split.folds:
        raise ValueError(
            f"the split {split.name!r} of {name} has the folds 0 to {split.folds - 1}, not {fold}"
        )
    return fold, seed


def _shorten(
    rows: np.ndarray, size: int, y: np.ndarray, draw: str, seed: int, what: str
) -> np.ndarray:
    """Take `size` of the training rows."""
    if size > len(rows):
        raise ValueError(f"train_size={size} is more than the {len(rows)} training rows of {what}")
    taken = sample(rows, size, draw, seed, 2)
    if len(np.unique(y[taken])) < 2 <= len(np.unique(y[rows])):
        raise ValueError(
            f"train_size={size} with draw={draw!r} takes rows of a single class of {what}; "
            "use more rows, or draw='seeded', since the rows may be sorted by class"
        )
    return taken


def _floats(X: Matrix) -> Matrix:
    """Float64 in C order."""
    if sparse.issparse(X):
        return sparse.csr_matrix(X, dtype=np.float64)
    return np.ascontiguousarray(X, dtype=np.float64)


def _natural(what: str, value: object, least: int = 0) -> None:
    """Raise ValueError when `value` is not an integer of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{what} must be an integer of at least {least}, not {value!r}")


def _share(what: str, value: object) -> None:
    """Raise ValueError when `value` is not a number between 0 and 1, both excluded."""
    if not isinstance(value, float) or not 0 < value < 1:
        raise ValueError(f"{what} must be a number between 0 and 1, both excluded, not {value!r}")


def _only_for_files(**given: object) -> None:
    """Raise ValueError when something was given that only a user's file takes."""
    for key, value in given.items():
        if value is not None:
            raise ValueError(f"{key} is for name='file' only; leave it out or use name='file'")
