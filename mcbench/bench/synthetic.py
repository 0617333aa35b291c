"""Generated problems, all with a seed: text-like, many classes, badly conditioned."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from mcbench.data import Data
from mcbench.identity import digest

TOPIC_WORDS = 200
TOPIC_SHARE = 0.3
MISLABELLED = 0.05
ZIPF = 0.8
SPARE = 1.6  # words drawn for each one kept: repeated ones are counted, not kept twice


def generate(generator: dict[str, Any]) -> Data:
    """Return the problem that `_target_`, a function of this module, makes of its arguments."""
    arguments = dict(generator)
    functions: dict[str, Callable[..., Data]] = {
        "text_like": text_like,
        "clusters": clusters,
        "scaled_points": scaled_points,
    }
    return functions[str(arguments.pop("_target_"))](**arguments)


def text_like(
    n: int, d: int, *, density: float, k: int = 20, test: int = 2000, seed: int = 0
) -> Data:
    """Return documents as rows of word counts, of unit length, in CSR.

    A document has Poisson(density d) different words. Three tenths of the words are of its class's
    topic, 200 words drawn for each class; the others follow a law of Zipf with exponent 0.8 over
    all d words. Entries are the logarithm of 1 + the number of occurrences, in rows of Euclidean
    length 1; 5 % of the labels are drawn anew, so that no machine separates the classes.

    Parameters
    ----------
    n, test : int
        Documents to train and to test on.
    d, k : int
        Words and classes.
    density : float
        Share of non-zero entries.
    seed : int
        Of all draws.
    """
    draw = np.random.default_rng(seed)
    rows = n + test
    y = draw.integers(k, size=rows)
    lengths = np.clip(draw.poisson(density * d, size=rows), 1, d)
    tokens = np.ceil(SPARE * lengths).astype(np.int64)
    row = np.repeat(np.arange(rows), tokens)

    law = np.cumsum(np.arange(1.0, d + 1.0) ** -ZIPF)
    order = draw.permutation(d)
    words = order[np.searchsorted(law / law[-1], draw.random(len(row)))]
    topics = draw.integers(d, size=(k, TOPIC_WORDS))
    about = draw.random(len(row)) < TOPIC_SHARE
    words[about] = topics[y[row[about]], draw.integers(TOPIC_WORDS, size=int(about.sum()))]

    X = sp.csr_array((np.ones(len(row)), (row, words)), shape=(rows, d))
    X.sum_duplicates()
    X = _first(X, lengths, draw)
    X.data = np.log1p(X.data)
    squares = np.add.reduceat(X.data**2, X.indptr[:-1])
    X.data /= np.repeat(np.sqrt(squares), np.diff(X.indptr))
    wrong = draw.random(rows) < MISLABELLED
    y[wrong] = draw.integers(k, size=int(wrong.sum()))
    return _data(f"text-like, {d} words", X, y, n, seed)


def clusters(
    n: int, d: int, k: int, *, spread: float = 0.5, test: int = 2000, seed: int = 0
) -> Data:
    """Return k classes of three Gaussian clusters each, with centres uniform in [-1, 1]^d.

    Parameters
    ----------
    n, test : int
        Examples to train and to test on; every class has at least one.
    d, k : int
        Attributes and classes.
    spread : float
        Standard deviation of each attribute within a cluster.
    seed : int
        Of all draws.
    """
    draw = np.random.default_rng(seed)
    rows = n + test
    y = np.concatenate([np.arange(k), draw.integers(k, size=rows - k)])
    centres = draw.uniform(-1.0, 1.0, size=(k, 3, d))
    X = centres[y, draw.integers(3, size=rows)] + spread * draw.normal(size=(rows, d))
    return _data(f"{k} classes of clusters", X, y, n, seed)


def scaled_points(n: int, d: int, *, k: int = 3, scale: float = 100.0, seed: int = 0) -> Data:
    """Return n normal points in d dimensions times `scale`, with labels that mean nothing.

    The curvature of the dual under a linear kernel is of the order of scale^2, and the rank of
    the kernel is d: descent on one example at a time hardly moves.
    """
    draw = np.random.default_rng(seed)
    y = np.concatenate([np.arange(k), draw.integers(k, size=n - k)])
    return _data(f"{n} points times {scale:g}", scale * draw.normal(size=(n, d)), y, n, seed)


def _first(X: sp.csr_array, lengths: np.ndarray, draw: np.random.Generator) -> sp.csr_array:
    """Keep `lengths` entries of each row, drawn at random; all of a row that has fewer."""
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    order = np.lexsort((draw.random(X.nnz), rows))  # shuffles within each row
    place = np.arange(X.nnz) - X.indptr[rows]
    kept = np.sort(order[place < lengths[rows]])
    counts = np.bincount(rows[kept], minlength=X.shape[0])
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return sp.csr_array((X.data[kept], X.indices[kept].astype(np.int32), starts), shape=X.shape)


def _data(title: str, X: Any, y: np.ndarray, n: int, seed: int) -> Data:
    """Return the first n rows as the training part, and the others as the test part."""
    name = title.partition(",")[0]
    key = digest([title, X.shape, n, seed])
    return Data(
        name=name,
        title=title,
        split=f"{n}/{X.shape[0] - n}",
        fold=None,
        draw="seeded",
        scaling="none",
        seed=seed,
        stand_in=None,
        X_train=X[:n],
        y_train=y[:n],
        X_test=X[n:],
        y_test=y[n:],
        train_index=np.arange(n),
        test_index=np.arange(n, X.shape[0]),
        content_hash=key,
        licence="none needed",
        source="mcbench.bench.synthetic",
    )
