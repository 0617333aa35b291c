"""Learning vector quantization: Kohonen's LVQ2.1 as his LVQ_PAK applies it."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .certificate import BLOCK_VALUES
from .core.lvq import LVQ1, LVQ21, OLVQ1, Phase
from .training import classes_of
from .validation import check_choice, check_number

INITIALIZATIONS = ("even", "proportional")
FIRST_PHASES = ("olvq1", "lvq1", "none")


class LVQ21Classifier(ClassifierMixin, BaseEstimator):
    """Nearest codeword, with codewords trained by LVQ2.1.

    A codebook m_1 .. m_p, each codeword with a class, gives x the class of its nearest codeword.
    LVQ2.1 takes one example (x, y) at a time and looks at the two nearest codewords, at the
    Euclidean distances d_1 and d_2. If one of them, m_i, has the class y and the other, m_j, has
    not, and if x is in the window around the border between them,

        min(d_1 / d_2, d_2 / d_1) > (1 - w) / (1 + w),

    it moves both: m_i <- m_i + alpha(t) (x - m_i), m_j <- m_j - alpha(t) (x - m_j).
    The rate alpha(t) falls linearly from `learning_rate` to 0, and there the fit ends: LVQ2.1
    minimizes no objective whose value could say that it has converged.

    As the authors of LVQ_PAK advise, the codewords begin as examples that their neighbours
    classify correctly, OLVQ1 (or LVQ1) brings them near their places, and LVQ2.1 does no more
    than the fine tuning. The baseline of AS05 table 1.

    Parameters
    ----------
    prototypes_per_class : int, default=1
        Codewords of each class; a class with fewer examples has as many codewords as examples.
    window : float, default=0.3
        The relative width w of the window, between 0 and 1.
    learning_rate : float, default=0.03
        alpha(0) of LVQ2.1, between 0 and 1.
    n_iter : int, default=100
        Steps of LVQ2.1 for each codeword of the codebook.
    first_phase : {"olvq1", "lvq1", "none"}, default="olvq1"
        What comes before LVQ2.1. LVQ1 moves the nearest codeword, towards x if the classes agree
        and away from it if not, by a rate that falls linearly to 0; OLVQ1 does so with a rate of
        its own for each codeword, alpha <- alpha / (1 + s alpha) with s = 1 or -1.
    first_learning_rate : float, default=0.3
        The first rate of this phase, between 0 and 1; LVQ1 wants less than 0.1.
    first_n_iter : int, default=40
        Its steps for each codeword.
    initialization : {"even", "proportional"}, default="even"
        The same number of codewords for each class; or the same number in all, shared out in
        proportion to the examples of the classes, at least one for each.
    n_neighbors : int, default=5
        An example becomes a first codeword if no other class has more votes than its own among
        so many neighbours, itself left out; where a class has too few of these, others serve too.
    random_state : int, RandomState instance or None, default=None
        Draws the first codewords and the order of the examples, a new one for each pass.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        The codewords, sorted by class.
    prototype_classes_ : ndarray of shape (n_prototypes,)
        Their classes as indices into `classes_`.
    n_iter_ : int
        Steps of both phases.
    n_moves_ : int
        Steps of LVQ2.1 whose example was in the window.
    fit_time_ : float
        Seconds of the fit.
    status_ : "completed"
        All steps are done.

    Notes
    -----
    A sparse matrix is accepted and made dense: codewords have no zeros to save.

    The defaults are usual ones of LVQ_PAK. With many features the distances to the two nearest
    codewords differ by little, nearly every x is in such a window, and LVQ2.1, which has nothing
    that holds codewords back, drives them away from their classes: narrow it there. On usps (256
    features) a window of 0.05 with a rate of 0.1 and 1000 steps is far better.

    AS05 describes LVQ2.1 by the nearest codeword of class y and the nearest of all others. That
    is the same wherever one of the two nearest has the class y and the other has not; elsewhere
    the rule above, which is Kohonen's, moves nothing.

    References
    ----------
    T. Kohonen, "The self-organizing map", Proceedings of the IEEE 78, 1990.
    T. Kohonen, J. Hynninen, J. Kangas, J. Laaksonen, K. Torkkola, "LVQ_PAK: The Learning Vector
    Quantization Program Package", Technical Report A30, Helsinki University of Technology, 1996.
    AS05: F. Aiolli and A. Sperduti, "Multiclass Classification with Multi-Prototype Support
    Vector Machines", Journal of Machine Learning Research 6, 2005.

    Examples
    --------
    >>> from mcbench import LVQ21Classifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> codebook = LVQ21Classifier(prototypes_per_class=5, random_state=0).fit(X, y)
    >>> codebook.prototypes_.shape, bool(codebook.score(X, y) > 0.9)
    ((15, 4), True)
    """

    solver_version: ClassVar[str] = "1"

    def __init__(
        self,
        prototypes_per_class: int = 1,
        *,
        window: float = 0.3,
        learning_rate: float = 0.03,
        n_iter: int = 100,
        first_phase: str = "olvq1",
        first_learning_rate: float = 0.3,
        first_n_iter: int = 40,
        initialization: str = "even",
        n_neighbors: int = 5,
        random_state: Any = None,
    ) -> None:
        self.prototypes_per_class = prototypes_per_class
        self.window = window
        self.learning_rate = learning_rate
        self.n_iter = n_iter
        self.first_phase = first_phase
        self.first_learning_rate = first_learning_rate
        self.first_n_iter = first_n_iter
        self.initialization = initialization
        self.n_neighbors = n_neighbors
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of this estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def check_parameters(self) -> None:
        """Refuse parameters that make no sense, before any work.

        Raises
        ------
        ValueError
            With the allowed values.
        """
        for name in ("prototypes_per_class", "n_iter", "first_n_iter", "n_neighbors"):
            check_number(name, getattr(self, name), at_least=1, integer=True)
        for name in ("window", "learning_rate", "first_learning_rate"):
            value = getattr(self, name)
            check_number(name, value, above=0)
            if value >= 1:
                raise ValueError(f"{name}={value!r} is not less than 1")
        check_choice("first_phase", self.first_phase, FIRST_PHASES)
        check_choice("initialization", self.initialization, INITIALIZATIONS)
        check_random_state(self.random_state)

    def fit(self, X: Any, y: Any) -> LVQ21Classifier:
        """Train the codebook.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            Labels of any kind, at least two different ones.
        """
        self.check_parameters()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, order="C")
        X = _dense(X)
        check_classification_targets(y)
        classes, indices = classes_of(y)
        if np.abs(X).max() > 1e150:
            raise ValueError("X has values above 1e150, whose squares overflow: scale the data")
        random = check_random_state(self.random_state)

        started = time.perf_counter()
        shares = self._shares(np.bincount(indices))
        owners = np.repeat(np.arange(len(classes)), shares)
        prototypes = X[first_codewords(X, indices, shares, self.n_neighbors, random)]
        phases = self._phases(prototypes, owners)
        for phase in phases:
            while phase.done < phase.steps:
                phase.run(X, indices, random.permutation(len(X)))
        self.fit_time_ = time.perf_counter() - started
        self.n_iter_ = sum(phase.done for phase in phases)
        self.n_moves_ = phases[-1].moves
        self.status_ = "completed"
        self.prototypes_, self.prototype_classes_ = prototypes, owners
        self.classes_ = classes  # last: from here on it is fitted
        return self

    def _shares(self, sizes: np.ndarray) -> np.ndarray:
        """How many codewords each class gets, from its number of examples."""
        wanted = np.full(len(sizes), int(self.prototypes_per_class))
        if self.initialization == "proportional":
            total = wanted.sum()
            exact = total * sizes / sizes.sum()
            wanted = np.maximum(np.floor(exact).astype(int), 1)
            left = max(total - wanted.sum(), 0)
            wanted[np.argsort(wanted - exact, kind="stable")[:left]] += 1
        return np.minimum(wanted, sizes)

    def _phases(self, prototypes: np.ndarray, owners: np.ndarray) -> list[Phase]:
        """What is done, in order; the last one is LVQ2.1."""
        p = len(prototypes)
        rate, steps = float(self.first_learning_rate), int(self.first_n_iter) * p
        first = {
            "olvq1": lambda: [OLVQ1(prototypes, owners, rate, steps, np.full(p, rate))],
            "lvq1": lambda: [LVQ1(prototypes, owners, rate, steps)],
            "none": list,
        }[self.first_phase]
        tuning = LVQ21(
            prototypes, owners, float(self.learning_rate), int(self.n_iter) * p, float(self.window)
        )
        return [*first(), tuning]

    def decision_function(self, X: Any) -> np.ndarray:
        """Minus the squared distance to the nearest codeword of each class.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`, for two classes also; the largest one names the
            class that `predict` gives.
        """
        check_is_fitted(self, "classes_")
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
        starts = np.searchsorted(self.prototype_classes_, np.arange(len(self.classes_)))
        result = np.empty((X.shape[0], len(self.classes_)))
        step = max(1, BLOCK_VALUES // len(self.prototypes_))
        for start in range(0, X.shape[0], step):
            distances = cdist(_dense(X[start : start + step]), self.prototypes_, "sqeuclidean")
            result[start : start + step] = -np.minimum.reduceat(distances, starts, axis=1)
        return result

    def predict(self, X: Any) -> np.ndarray:
        """The class of the nearest codeword of each example.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        scores = self.decision_function(X)
        return self.classes_[scores.argmax(axis=1)]


def first_codewords(
    X: np.ndarray,
    y: np.ndarray,
    shares: np.ndarray,
    n_neighbors: int,
    random: np.random.RandomState,
) -> np.ndarray:
    """Draw the examples that the codewords begin as.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    y : int ndarray of shape (n,)
        Labels as indices 0 .. k-1.
    shares : int ndarray of shape (k,)
        Codewords of each class, not more than it has examples.
    n_neighbors : int
        Neighbours that vote on whether an example is classified correctly.
    random : RandomState

    Returns
    -------
    int ndarray of shape (shares.sum(),)
        Indices of different examples, sorted by class. In each class those that are classified
        correctly come first; others are there only if these are too few.
    """
    chosen = []
    for label, share in enumerate(shares):
        drawn = random.permutation(np.flatnonzero(y == label))
        good: list[int] = []
        poor: list[int] = []
        block = max(16, min(2 * share, BLOCK_VALUES // len(X)))
        for start in range(0, len(drawn), block):
            candidates = drawn[start : start + block]
            correct = _correct(X, y, candidates, n_neighbors)
            good.extend(candidates[correct])
            poor.extend(candidates[~correct])
            if len(good) >= share:
                break
        chosen += [*good, *poor][:share]
    return np.array(chosen)


def _correct(X: np.ndarray, y: np.ndarray, candidates: np.ndarray, k: int) -> np.ndarray:
    """Whether the k nearest other examples give each candidate its own class, ties allowed."""
    distances = cdist(X[candidates], X, "sqeuclidean")
    distances[np.arange(len(candidates)), candidates] = np.inf
    k = min(k, len(X) - 1)
    nearest = np.argpartition(distances, k - 1, axis=1)[:, :k]
    votes = np.stack([np.bincount(row, minlength=y.max() + 1) for row in y[nearest]])
    return votes[np.arange(len(candidates)), y[candidates]] == votes.max(axis=1)


def _dense(X: Any) -> np.ndarray:
    return X if isinstance(X, np.ndarray) else X.toarray()
