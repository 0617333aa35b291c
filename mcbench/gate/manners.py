"""Checks of how a solver behaves: labels, columns, seeds, sparse examples, limits, callbacks."""

import time
from typing import Any

import numpy as np
import scipy.sparse as sp

from mcbench.errors import pass_on_interrupt
from mcbench.gate.candidate import Candidate, CannotSay, Fitted, Wrong, data_of

#: Seconds beyond its time limit within which a fit has to end.
GRACE = 3.0
LIMIT = 0.05


def labels(candidate: Candidate) -> str:
    """Predict labels that were trained on, whatever they are: text, negative, with gaps."""
    data = data_of("iris")
    plain = candidate.fit(data.X_train, data.y_train).predict(data.X_test)
    kinds = {"numbers with gaps": [-3, 7, 100], "text": ["ant", "bee", "cow"]}
    for kind, names in kinds.items():
        classes = np.array(names)
        codes = np.searchsorted(np.unique(data.y_train), data.y_train)
        fitted = candidate.fit(data.X_train, classes[codes])
        predicted = fitted.predict(data.X_test)
        if not np.isin(predicted, classes).all():
            raise Wrong(f"trained on {kind}, it predicts {predicted[0]!r}, which is no class")
        order = getattr(fitted.model, "classes_", classes)
        if not np.array_equal(order, classes):
            raise Wrong(f"classes_ is {list(order)}: it must be the classes in order")
        expected = classes[np.searchsorted(np.unique(data.y_train), plain)]
        differ = int(np.sum(predicted != expected))
        if differ:
            raise Wrong(f"{differ} predictions change when the same classes are {kind}")
    return "numbers with gaps, text"


def shapes(candidate: Candidate) -> str:
    """Return one prediction for each example, also for a single one."""
    data = data_of("iris")
    fitted = candidate.fit(data.X_train, data.y_train)
    whole = fitted.predict(data.X_test)
    if fitted.predict(data.X_test[:1])[0] != whole[0]:
        raise Wrong("an example alone is given another class than among others")
    return f"({len(whole)},) and (1,)"


def columns(candidate: Candidate) -> str:
    """Have one column of decision values for each class, in order, and predict the largest."""
    data = data_of("iris")
    fitted = candidate.fit(data.X_train, data.y_train)
    return decided(fitted, data.X_test, 3)


def decided(fitted: Fitted, X: Any, k: int) -> str:
    """Compare decision values with predictions."""
    if not hasattr(fitted.model, "decision_function"):
        raise CannotSay("it has no decision_function")
    f = np.asarray(fitted.model.decision_function(X))
    predicted = fitted.predict(X)
    classes = np.asarray(getattr(fitted.model, "classes_", np.unique(predicted)))
    if k == 2 and f.shape == (len(X),):  # scikit-learn's way
        f = np.column_stack([-f, f])
    if f.shape != (X.shape[0], k):
        raise Wrong(f"decision_function has the shape {f.shape}: it must be ({X.shape[0]}, {k})")
    if not np.isfinite(f).all():
        raise Wrong("decision_function returns NaN or infinity")
    chosen = f[np.arange(len(f)), np.searchsorted(classes, predicted)]
    worse = int(np.sum(chosen < f.max(axis=1)))
    if worse:
        raise Wrong(
            f"for {worse} of {len(f)} examples the largest decision value is not that of the "
            "class that is predicted: the columns must be in the order of classes_"
        )
    return f"({X.shape[0]}, {k}), the largest decides"


def seeds(candidate: Candidate) -> str:
    """Give the same model twice for the same seed."""
    data = data_of("iris")
    first, second = (candidate.fit(data.X_train, data.y_train) for _ in range(2))
    differ = int(np.sum(first.predict(data.X_train) != second.predict(data.X_train)))
    if differ:
        raise Wrong(f"two fits with the same seed differ in {differ} predictions")
    if hasattr(first.model, "decision_function"):
        one, two = (fit.model.decision_function(data.X_train) for fit in (first, second))
        if not np.array_equal(one, two):
            raise Wrong("two fits with the same seed differ in their decision values")
    return "two fits, one model"


def sparse(candidate: Candidate) -> str:
    """Agree on dense and on sparse examples."""
    data = data_of("dna", 200)
    X, Z = sp.csr_matrix(data.X_train), sp.csr_matrix(data.X_test[:300])
    fitted = candidate.fit(data.X_train, data.y_train)
    dense = fitted.predict(data.X_test[:300])
    try:
        other = candidate.fit(X, data.y_train).predict(Z)
    except Exception as error:
        pass_on_interrupt(error)
        if claims_sparse(fitted.model):
            raise
        raise CannotSay(f"it takes no sparse examples ({type(error).__name__})") from error
    differ = int(np.sum(dense != other))
    if differ > 0.02 * len(dense):
        raise Wrong(f"{differ} of {len(dense)} predictions differ between dense and CSR examples")
    return f"{differ} of {len(dense)} predictions differ"


def claims_sparse(model: Any) -> bool:
    """Return whether an estimator says that it takes sparse examples."""
    tags = model.__sklearn_tags__() if hasattr(model, "__sklearn_tags__") else None
    return bool(tags is not None and tags.input_tags.sparse)


def time_limit(candidate: Candidate) -> str:
    """End in time, with a model or with an error that says so."""
    if not candidate.has("time_limit"):
        raise CannotSay("it has no parameter time_limit; protocol.limits.time_s ends the process")
    data = data_of("letter", 1500)
    start = time.perf_counter()
    how = "with a model"
    try:
        candidate.fit(data.X_train, data.y_train, time_limit=LIMIT).predict(data.X_test[:2])
    except TimeoutError:
        how = "with an error that says so"
    seconds = time.perf_counter() - start
    if seconds > LIMIT + GRACE:
        raise Wrong(f"told to end after {LIMIT:g} s, it took {seconds:.1f} s")
    return f"told to end after {LIMIT:g} s, it took {seconds:.2f} s, {how}"


def callbacks(candidate: Candidate) -> str:
    """Show its coefficients to a callback at the start and at the end, and stop when told to."""
    if not candidate.has("callback"):
        raise CannotSay("it has no parameter callback: there is no trace of its fits")
    data = data_of("iris")
    seen: list[tuple[int, Any]] = []

    def look(progress: Any) -> bool:
        seen.append((int(progress.iteration), np.shape(progress.dual_coef)))
        return False

    fitted = candidate.fit(data.X_train, data.y_train, callback=look)
    if len(seen) < 2:
        raise Wrong(f"the callback was called {len(seen)} times: it must be at start and end")
    iterations = [iteration for iteration, _ in seen]
    if iterations != sorted(iterations):
        raise Wrong("the iterations told to the callback do not rise")
    if any(shape[0] != len(data.y_train) for _, shape in seen):
        raise Wrong("progress.dual_coef must have a row for each training example")
    plain = candidate.fit(data.X_train, data.y_train)
    if (plain.predict(data.X_test) != fitted.predict(data.X_test)).any():
        raise Wrong("a callback that only looks changes the model")
    calls: list[int] = []

    def stop(_: Any) -> bool:
        calls.append(0)
        return True

    candidate.fit(data.X_train, data.y_train, callback=stop)
    if len(calls) > 2:  # the one that stops it, and the end
        raise Wrong(f"it goes on when the callback returns True: {len(calls)} more calls")
    return f"{len(seen)} calls, stops when told to"
