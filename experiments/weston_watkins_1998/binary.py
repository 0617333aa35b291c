"""Two classes: the quadratic machine is the binary support vector machine (section 5)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.svm import SVC

from mcbench import WestonWatkinsSVC
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.verdict import conclude

TITLE = (
    "Two classes: the quadratic machine against LIBSVM with the same C (equal examples, such as "
    "iris has, may share their coefficients in any way)"
)
WITHIN = 1e-5


def agreement(
    *, data: Any, C: float, kernel: str, gamma: float, classes: list[int], **other: Any
) -> Mapping[str, Any]:
    """Train both machines on two classes and compare them.

    Parameters
    ----------
    data : Data
        The training examples of two of its classes are used; scores are compared on both parts.
    C : float
        Of both machines.
    kernel : {"linear", "rbf"}
    gamma : float
        Of the RBF kernel.
    classes : list of two int
        Places of the two classes in the sorted labels.

    Returns
    -------
    mapping
        ``difference``: max |(f_2 - f_1)(x) / 2 - f(x)| over all examples of the two classes;
        ``weights``, for a linear kernel: the largest difference of a weight or the bias, else 0;
        ``coefficients``: the largest difference of a coefficient, divided by C; ``support`` and
        ``support_libsvm``: numbers of support vectors; ``unshared``: examples that are one in
        one of them only.
    """
    del other  # configuration and seed: nothing is drawn
    pair = np.unique(data.y_train)[list(classes)]
    train, test = np.isin(data.y_train, pair), np.isin(data.y_test, pair)
    X, y = data.X_train[train], data.y_train[train]
    points = np.concatenate([X, data.X_test[test]])

    multi = WestonWatkinsSVC(C, kernel=kernel, gamma=gamma, bias="exact", margin=2, tol=1e-9)
    multi.fit(X, y)
    binary = SVC(C=C, kernel=kernel, gamma=gamma, tol=1e-10).fit(X, y)

    half = np.array([-0.5, 0.5])  # u = w_2 = -w_1
    scores = multi.decision_function(points) @ half - binary.decision_function(points)
    ours, theirs = np.zeros(len(y)), np.zeros(len(y))
    ours[multi.support_] = multi.dual_coef_[:, 1]
    theirs[binary.support_] = binary.dual_coef_[0]
    weights = 0.0
    if kernel == "linear":
        plane = [*(half @ multi.coef_), half @ multi.intercept_]
        weights = float(np.abs(plane - np.append(binary.coef_[0], binary.intercept_)).max())
    return {
        "data": f"{data.title}, classes {pair[0]} and {pair[1]}",
        "kernel": kernel,
        "C": C,
        "n": len(y),
        "difference": float(np.abs(scores).max()),
        "weights": weights,
        "coefficients": float(np.abs(ours - theirs).max()) / C,
        "support": len(multi.support_),
        "support_libsvm": len(binary.support_),
        "unshared": len(np.setxor1d(multi.support_, binary.support_)),
    }


COLUMNS = {
    "data": "data",
    "kernel": "kernel",
    "C": "C",
    "n": "examples",
    "difference": "largest difference of a score",
    "weights": "of a weight or the bias",
    "coefficients": "of a coefficient / C",
    "support": "support vectors",
    "support_libsvm": "LIBSVM's",
    "unshared": "not shared",
}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """All comparisons."""
    if results.frame.empty:
        return {"binary": pd.DataFrame()}
    frame = results.frame.sort_values(["measured.data", "measured.kernel", "measured.C"])
    table = pd.DataFrame({title: frame[f"measured.{name}"] for name, title in COLUMNS.items()})
    whole = ["examples", "support vectors", "LIBSVM's", "not shared"]
    return {"binary": table.astype(dict.fromkeys(whole, int)).assign(run=frame["id"])}


def claims(results: Results) -> list[Claim]:
    """The same hyperplane and the same support vectors."""
    failed, worst = [], 0.0
    for row in results.frame.to_dict("records"):
        apart = max(row["measured.difference"], row["measured.weights"])
        worst = max(worst, apart)
        what = f"{row['measured.data']}, {row['measured.kernel']}, C = {row['measured.C']:g}"
        if not apart <= WITHIN:
            failed.append(f"{what}: the hyperplanes are {apart:.1e} apart")
        if row["measured.unshared"]:
            failed.append(f"{what}: {row['measured.unshared']:.0f} support vectors are not shared")
    found = len(results.frame) > 0
    verdict, reason = conclude(results, found, failed)
    return [
        Claim(
            id="ww98-k2",
            item="binary",
            statement="For k = 2 the machine is the binary support vector machine: the same "
            "hyperplane and the same support vectors.",
            paper_value="identical",
            trust="stated in the paper, with margin 1 in its formula; margin 2 is its machine",
            check="the same C, margin 2 and an exact bias: scores of all examples and, for a "
            "linear kernel, weights and bias within 1e-5 of LIBSVM's; the same examples are "
            "support vectors; in every case",
            ours=f"at most {worst:.1e} apart in {len(results.frame)} cases, "
            f"{results.frame['measured.unshared'].sum():.0f} support vectors not shared"
            if found
            else "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]
