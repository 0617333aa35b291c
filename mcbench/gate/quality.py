"""Checks of what a solver finds: its objective against a certified optimum, and its errors."""

from typing import Any

import numpy as np

from mcbench.gate.candidate import Candidate, CannotSay, Fitted, Wrong, bound, data_of
from mcbench.gate.manners import decided
from mcbench.judge import Judge, certifiable, full_solution, weights_primal
from solvers.certificate import Problem
from solvers.problems import CrammerSinger, WestonWatkins

#: The largest relative duality gap, and infeasibility in units of C, that count as solved.
GAP = 0.01
FEASIBLE = 1e-3

#: The accuracy of a fit that has to show what it can reach.
FINE = 1e-3

LARGE_C = 4096.0


def objective(candidate: Candidate) -> str:
    """Reach the optimum of the problem that it states."""
    data = data_of("iris")
    tol = candidate.config["solver"].get("tol")
    fitted = candidate.fit(
        data.X_train, data.y_train, **({} if tol is None else {"tol": min(float(tol), FINE)})
    )
    return _solved(candidate, fitted, data)


def iris(candidate: Candidate) -> str:
    """Err on iris about as much as a reference."""
    return _near(candidate, data_of("iris"))


def dna(candidate: Candidate) -> str:
    """Err on dna about as much as a reference."""
    return _near(candidate, data_of("dna", 400))


def many_classes(candidate: Candidate) -> str:
    """Tell 26 classes apart."""
    return _near(candidate, data_of("letter", 520))


def two_classes(candidate: Candidate) -> str:
    """Tell two classes apart."""
    data = data_of("iris")
    train, test = (y != np.unique(data.y_train)[0] for y in (data.y_train, data.y_test))
    X, y, Z = data.X_train[train], data.y_train[train], data.X_test[test]
    fitted = candidate.fit(X, y)
    found = _bounded(candidate, fitted, X, y, Z, data.y_test[test])
    if hasattr(fitted.model, "decision_function"):
        decided(fitted, Z, 2)
    return found


def unscaled(candidate: Candidate) -> str:
    """Come to an end on attributes of very different sizes."""
    return _near(candidate, data_of("wine", scaling="none"))


def large_c(candidate: Candidate) -> str:
    """Fit the training set with a large C, or say that it did not converge."""
    if not candidate.has("C"):
        raise CannotSay("it has no parameter C")
    data = data_of("iris")
    fitted = candidate.fit(data.X_train, data.y_train, C=LARGE_C)
    changed = {**candidate.config, "solver": {**candidate.config["solver"], "C": LARGE_C}}
    large = Candidate(changed)
    X, y = data.X_train, data.y_train
    said = f"C = {LARGE_C:g}, training set: {_bounded(large, fitted, X, y, X, y)}"
    if certifiable(fitted.model) and hasattr(fitted.model, "dual_coef_"):
        found = _judge(large, fitted, data).certificate(_solution(fitted, data))
        said += f", gap {found['gap']:.1e}, violation {found['violation']:.1e}"
        tol = float(candidate.config["solver"].get("tol") or 0.0)
        if found["gap"] > GAP and found["violation"] > 1.1 * tol and not fitted.unfinished:
            raise Wrong(f"{said}: more than tol = {tol:g}, and it warns of nothing")
    return said


def _solved(candidate: Candidate, fitted: Fitted, data: Any) -> str:
    """Value what the solver found, from scratch, and compare it with our optimum."""
    if not certifiable(fitted.model):
        raise CannotSay("it states no problem(): its errors are compared instead")
    problem = fitted.model.problem()
    optimum = _optimum(candidate, problem, fitted.model, data)
    if hasattr(fitted.model, "weights_"):
        primal = weights_primal(fitted.model, data.X_train, data.y_train)
        if optimum is None:
            raise CannotSay("there is no reference for its problem")
        excess = (primal - optimum["dual"]) / optimum["primal"]
        if not -1e-6 <= excess <= GAP:
            raise Wrong(f"its primal value is {primal:.6g}, the optimum {optimum['primal']:.6g}")
        return f"primal {primal:.6g}, the optimum {optimum['primal']:.6g}"
    if not hasattr(fitted.model, "dual_coef_"):
        raise CannotSay("it has no dual_coef_ and no weights_")
    found = _judge(candidate, fitted, data).certificate(_solution(fitted, data))
    if found["infeasibility"] > FEASIBLE * getattr(problem, "C", 1.0):
        raise Wrong(f"its coefficients miss a constraint by {found['infeasibility']:.2g}")
    if optimum is not None:
        slack = 1e-3 * optimum["primal"]
        if found["dual"] > optimum["primal"] + slack or found["primal"] < optimum["dual"] - slack:
            raise Wrong(
                f"primal {found['primal']:.6g} and dual {found['dual']:.6g} are not those of the "
                f"problem that it states, whose optimum is {optimum['primal']:.6g}"
            )
    if found["gap"] > GAP and not fitted.unfinished:
        raise Wrong(f"its gap is {found['gap']:.2g}, and it warns of nothing")
    if found["gap"] > GAP:
        raise CannotSay(f"gap {found['gap']:.2g}, and it says so: {fitted.unfinished[:80]}")
    beside = f", our optimum {optimum['primal']:.6g}" if optimum is not None else ""
    return f"gap {found['gap']:.1e}, primal {found['primal']:.6g}{beside}"


def _optimum(
    candidate: Candidate, problem: Problem, model: Any, data: Any
) -> dict[str, float] | None:
    """Return primal and dual of our own solution of a problem, None for others than two."""
    from mcbench.config import resolve

    bias = getattr(model, "bias", "none")
    if isinstance(problem, CrammerSinger):
        own = {**resolve(["solver=block"])["solver"], "C": problem.C, "bias": bias}
    elif isinstance(problem, WestonWatkins):
        own = {**resolve(["solver=ww"])["solver"], "C": problem.C, "bias": problem.bias}
        own["margin"] = problem.margin
    else:
        return None
    reference = Candidate({**candidate.config, "solver": own})
    fitted = reference.fit(data.X_train, data.y_train, tol=1e-5)
    return _judge(reference, fitted, data).certificate(_solution(fitted, data))


def _near(candidate: Candidate, data: Any) -> str:
    """Err nearer to a reference than to guessing."""
    fitted = candidate.fit(data.X_train, data.y_train)
    return _bounded(candidate, fitted, data.X_train, data.y_train, data.X_test, data.y_test)


def _bounded(candidate: Candidate, fitted: Fitted, X: Any, y: Any, Z: Any, z: Any) -> str:
    error = fitted.error(Z, z)
    if not np.isin(fitted.predict(Z), y).all():
        raise Wrong("it predicts what is no class of the training set")
    reference = candidate.reference(X, y).error(Z, z)
    limit = bound(reference, z)
    text = f"error {100 * error:.1f} %, that of a reference {100 * reference:.1f} %"
    if error <= max(limit, reference):
        return text
    if fitted.unfinished:
        raise CannotSay(f"{text}, and it says that it did not converge")
    raise Wrong(f"{text}: at most {100 * limit:.1f} % was expected")


def _judge(candidate: Candidate, fitted: Fitted, data: Any) -> Judge:
    bias = getattr(fitted.model, "bias", "none")
    return Judge(data, candidate.config["kernel"], fitted.model.problem(), bias)


def _solution(fitted: Fitted, data: Any) -> Any:
    return full_solution(fitted.model, len(data.y_train))
