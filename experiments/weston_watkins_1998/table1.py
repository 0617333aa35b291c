"""Table 1: error and non-zero coefficients of four machines, hard margin, RBF kernel."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import GroupKFold, StratifiedKFold, StratifiedShuffleSplit

from experiments.weston_watkins_1998.machines import coefficients, train
from experiments.weston_watkins_1998.published import METHODS, TABLE1, TRUST
from experiments.weston_watkins_1998.soybean import NOTE, papers_rows
from mcbench.claims import Claim
from mcbench.paper_table import PaperTable
from mcbench.results import Results
from mcbench.selection import chosen
from mcbench.statistics import binomial_interval, corrected_resampled_t, mcnemar
from mcbench.verdict import conclude

TITLE = "Table 1: test error and non-zero coefficients of four machines, C = inf, RBF kernel"
CAPTION = (
    "sigma is not stated in the paper: chosen for each split, the same for all machines, by "
    "cross-validation of the quadratic machine on its training part, of vowel without two "
    "speakers at a time. The paper has ten splits, of "
    f"vowel a test set. All attributes are scaled to [-1, 1] but soybean's; {NOTE}."
)
VALIDATION, TEST = "validation", "test"
QP, LP = "qp-mc-sv", "lp-mc-sv"
TARGET = f"{__name__}.tested"
SHARE = 0.1  # of the rows, for the test
SPLITS = 10
HAS_TEST_SET = "vowel"
SPEAKER = 66  # rows of vowel that each speaker has, one after the other
LEVEL = 0.05
ERROR, COUNT = "%err", "svs"
PAPERS = ("paper_error", "paper_count")

Parts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def parts(data: Any, seed: int) -> Parts:
    """Training and test part: those of the data; of soybean, random ones of the paper's rows."""
    if data.name != "soybean":
        return data.X_train, data.y_train, data.X_test, data.y_test
    X, y = papers_rows(data.X_train, data.y_train)
    splitter = StratifiedShuffleSplit(1, test_size=SHARE, random_state=seed)
    fitted, held = next(splitter.split(X, y))
    return X[fitted], y[fitted], X[held], y[held]


def validated(
    *,
    data: Any,
    gammas: list[float],
    machines: list[str],
    folds: int,
    seed: int,
    **other: Any,
) -> Mapping[str, Any]:
    """Cross-validate the kernel's width on the training part.

    Parameters
    ----------
    data : Data
    gammas : list of float
        The values of sigma to try.
    machines : list of str
        Those whose mean error counts.
    folds : int
        Of the cross-validation.
    seed : int
        Of the folds, and of the split.

    Returns
    -------
    mapping
        ``gammas``, and their mean ``errors`` over folds and machines.
    """
    del other
    X, y, _, _ = parts(data, seed)
    held = divided(data.name, X, y, folds, seed)

    def error(gamma: float) -> float:
        return float(
            np.mean(
                [
                    np.mean(train(name, X[a], y[a], gamma=gamma).model.predict(X[b]) != y[b])
                    for a, b in held
                    for name in machines
                ]
            )
        )

    return {"gammas": list(gammas), "errors": [error(gamma) for gamma in gammas]}


def divided(
    name: str, X: np.ndarray, y: np.ndarray, folds: int, seed: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """The parts of a cross-validation, stratified by class.

    The test part of vowel has speakers of its own, so its cross-validation leaves out whole ones.
    """
    if name == HAS_TEST_SET:
        return list(GroupKFold(folds).split(X, y, np.arange(len(y)) // SPEAKER))
    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():  # a class with fewer examples than folds is a known fact
        warnings.filterwarnings("ignore", message="The least populated class")
        return list(splitter.split(X, y))


def tested(*, data: Any, machine: str, gamma: float, seed: int, **other: Any) -> Mapping[str, Any]:
    """Train one machine on the training part and test it.

    Parameters
    ----------
    data : Data
    machine : str
        As in the table.
    gamma : float
        The paper's sigma.
    seed : int
        Of the split.

    Returns
    -------
    mapping
        Sizes, ``wrong`` (places of the test examples it has wrong), ``train_wrong`` (their number
        in training), ``coefficients`` (how many are not zero), ``C``, and how the fit ended.
    """
    del other
    X, y, X_test, y_test = parts(data, seed)
    made = train(machine, X, y, gamma=gamma)
    model = made.model
    return {
        "machine": machine,
        "gamma": gamma,
        "C": str(made.C),
        "n_train": len(y),
        "n_test": len(y_test),
        "n_features": X.shape[1],
        "n_classes": len(np.unique(y)),
        "wrong": np.flatnonzero(model.predict(X_test) != y_test).tolist(),
        "train_wrong": int(np.sum(model.predict(X) != y)),
        "coefficients": coefficients(machine, model, y),
        "support": len(model.support_),
        "status": str(model.status_),
        "gap": float(model.duality_gap_),
    }


def following(results: Results) -> list[dict[str, Any]]:
    """Test all machines with the sigma of the least validation error, for each split."""
    tried = [
        {"run": number, "gamma": gamma, "error": error}
        for number, row in enumerate(results.part(VALIDATION).to_dict("records"))
        for gamma, error in zip(row["measured.gammas"], row["measured.errors"], strict=True)
    ]
    runs = results.part(VALIDATION).to_dict("records")
    best = chosen(pd.DataFrame(tried), by=["run"], parameter="gamma", value="error")
    return [
        {
            "_part": TEST,
            "dataset": runs[row["run"]]["dataset"],
            "dataset.split": runs[row["run"]]["config.dataset.split"],
            "dataset.scaling": runs[row["run"]]["config.dataset.scaling"],
            "seed": int(runs[row["run"]]["seed"]),
            "measure": [
                {"_target_": TARGET, "machine": name, "gamma": float(row["gamma"])}
                for name in METHODS
            ],
        }
        for row in best
    ]


def points(results: Results) -> pd.DataFrame:
    """One row for each set and machine, over its splits; errors in per cent."""
    runs = results.part(TEST)
    rows = [_point(name, machine, group) for name, machine, group in _groups(runs)]
    if not rows:
        return pd.DataFrame(columns=["name", "machine", "runs"])
    order = [*TABLE1, *(row["name"] for row in rows)]
    rows.sort(key=lambda row: (order.index(row["name"]), METHODS.index(row["machine"])))
    return pd.DataFrame(rows).astype(dict.fromkeys(PAPERS, float))


def _groups(runs: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    if len(runs):
        for (name, machine), group in runs.groupby(["data.name", "measured.machine"]):
            yield str(name), str(machine), group.sort_values("seed")


def _point(name: str, machine: str, group: pd.DataFrame) -> dict[str, Any]:
    errors = _errors(group)
    paper_error, paper_count = TABLE1.get(name, {}).get(machine, (None, None))
    first = group.iloc[0]
    n = int(group["measured.n_test"].sum())
    high = None if paper_error is None else 100 * binomial_interval(paper_error / 100, n)[1]
    soft = pd.to_numeric(group["measured.C"]) < np.inf
    return {
        "name": name,
        "data": first["data.title"],
        "n_train": int(first["measured.n_train"]),
        "n_test": int(first["measured.n_test"]),
        "tests": n,
        "n_features": int(first["measured.n_features"]),
        "n_classes": int(first["measured.n_classes"]),
        "machine": machine,
        "error": float(errors.mean()),
        "sd": float(errors.std(ddof=1)),
        "paper_error": paper_error,
        "high": high,
        "count": float(group["measured.coefficients"].mean()),
        "count_sd": float(group["measured.coefficients"].std(ddof=1)),
        "paper_count": paper_count,
        "support": float(group["measured.support"].mean()),
        "train_wrong": int(group["measured.train_wrong"].sum()),
        "soft": int(soft.sum()),
        "gammas": sorted({float(gamma) for gamma in group["measured.gamma"]}),
        "splits": len(group),
        "gap": float(group["measured.gap"].max()),
        "runs": tuple(group["id"]),
    }


def _errors(group: pd.DataFrame) -> "pd.Series[float]":
    """Test errors in per cent."""
    return 100 * group["measured.wrong"].map(len) / group["measured.n_test"]


def differences(results: Results) -> pd.DataFrame:
    """Each machine's error against that of the quadratic one, in points, with a test of it.

    Over several splits the corrected resampled t-test, on a single test set McNemar's.
    """
    found = {(name, machine): group for name, machine, group in _groups(results.part(TEST))}
    rows = []
    for (name, machine), group in found.items():
        ours = found.get((name, QP))
        if machine == QP or ours is None:
            continue
        both = group.merge(ours, on="seed", suffixes=("", "_qp"))
        n_train, n_test = (int(both[f"measured.n_{part}"].iloc[0]) for part in ("train", "test"))
        if len(both) > 1:
            gaps = 100 * (both["measured.wrong"].map(len) - both["measured.wrong_qp"].map(len))
            test = corrected_resampled_t((gaps / both["measured.n_test"]).tolist(), n_train, n_test)
            mean, p, sentence = test.mean, test.p, test.sentence()
        else:
            masks = (
                _mask(both[f"measured.{key}"].iloc[0], n_test) for key in ("wrong", "wrong_qp")
            )
            paired = mcnemar(*masks)
            mean, p, sentence = 100 * paired.difference, paired.p, paired.sentence()
        rows.append(
            {
                "data": group["data.title"].iloc[0],
                "machine": machine,
                "error - that of qp-mc-sv [points]": mean,
                "p": p,
                "test": sentence,
                "runs": " ".join([*both["id"], *both["id_qp"]]),
            }
        )
    columns = ["data", "machine", "error - that of qp-mc-sv [points]", "p", "test", "runs"]
    return pd.DataFrame(rows, columns=columns)


def _mask(places: Sequence[int], n: int) -> list[bool]:
    inside = {int(place) for place in places}
    return [i in inside for i in range(n)]


def tables(results: Results) -> dict[str, PaperTable]:
    """The paper's table with ours above each row, its details, and what differences are worth."""
    pairs = differences(results)
    significant = {
        (row["data"], row["machine"]) for row in pairs.to_dict("records") if row["p"] < LEVEL
    }
    table, marks = _printed(points(results), significant)
    errors, counts = ([f"{name} {what}" for name in METHODS] for what in (ERROR, COUNT))
    best = (errors, counts) if len(table) else ()
    digits = {**dict.fromkeys(errors, 2), **dict.fromkeys(counts, 0)}
    marked = f"{CAPTION} *: differs from qp-mc-sv at {100 * LEVEL:.0f} %."
    return {
        "table1": PaperTable(table, marked, best=best, decimals=digits, marks=marks),
        "table1_details": PaperTable(_details(results), CAPTION),
        "table1_differences": PaperTable(pairs, CAPTION),
    }


def _printed(
    table: pd.DataFrame, significant: set[tuple[str, str]]
) -> tuple[pd.DataFrame, dict[tuple[int, str], str]]:
    """Two rows for each set in the paper's layout, and the marks of significant differences."""
    rows: list[dict[str, Any]] = []
    marks = {}
    for name, machines in _complete(table).items():
        first = machines[QP]
        for whose, error, count in (("ours", "error", "count"), ("paper", *PAPERS)):
            if whose == "paper" and name not in TABLE1:
                continue
            row = {"data": first["data"], "values": whose} | (
                _sizes(first) if whose == "ours" else dict.fromkeys(_sizes(first), None)
            )
            for machine in METHODS:
                row[f"{machine} {ERROR}"] = float(machines[machine][error])
                row[f"{machine} {COUNT}"] = float(machines[machine][count])
                if whose == "ours" and (first["data"], machine) in significant:
                    marks[len(rows), f"{machine} {ERROR}"] = "*"
            found = " ".join(run for machine in METHODS for run in machines[machine]["runs"])
            rows.append({**row, "runs": found if whose == "ours" else "-"})
    return pd.DataFrame(rows), marks


def _sizes(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "points": str(row["n_train"] + (row["n_test"] if row["splits"] > 1 else 0)),
        "attributes": str(row["n_features"]),
        "classes": str(row["n_classes"]),
        "splits": str(row["splits"]),
    }


def _details(results: Results) -> pd.DataFrame:
    """One row for each set and machine."""
    return pd.DataFrame(
        [
            {
                "data": row["data"],
                "machine": row["machine"],
                "error [%]": row["error"],
                "sd": row["sd"],
                "paper's error": row["paper_error"],
                "agrees up to": row["high"],
                "non-zeros": row["count"],
                "their sd": row["count_sd"],
                "paper's non-zeros": row["paper_count"],
                "support vectors": row["support"],
                "training errors": row["train_wrong"],
                "fits with C = 1e6": row["soft"],
                "sigma": ", ".join(f"{gamma:g}" for gamma in row["gammas"]),
                "splits": row["splits"],
                "largest gap": row["gap"],
                "runs": " ".join(row["runs"]),
            }
            for row in points(results).to_dict("records")
        ]
    )


def claims(results: Results) -> list[Claim]:
    """Fewer coefficients, and the paper's errors."""
    table = points(results)
    known = table[table["name"].isin(TABLE1)]
    sets = _complete(known)
    failed = [sentence for name, rows in sets.items() for sentence in _failures(name, rows)]
    sparser = [name for name, rows in sets.items() if rows[LP]["count"] < rows[QP]["count"]]
    if sets and 2 * len(sparser) <= len(sets):
        failed.append(f"lp-mc-sv has fewer non-zeros than qp-mc-sv on {len(sparser)} sets only")
    absent = [name for name in TABLE1 if name not in sets]
    notes = [f"not in these runs: {', '.join(absent)}"] if absent else []
    few = [f"{name} {rows[QP]['splits']}" for name, rows in sets.items() if _fewer(name, rows)]
    notes += [f"fewer splits than the paper's ten: {', '.join(few)}"] if few else []
    verdict, reason = conclude(results, bool(sets), failed, "; ".join(notes))
    return [
        Claim(
            id="ww98-table1",
            item="table1",
            statement="The quadratic machine is about as good as the binary schemes with fewer "
            "non-zero coefficients; the linear program has fewer still.",
            paper_value="; ".join(
                f"{name}: "
                + ", ".join(f"{m} {error:g} % / {count}" for m, (error, count) in row.items())
                for name, row in TABLE1.items()
            ),
            trust=f"{TRUST}; sigma, the splits and the encoding of soybean are not stated",
            check="over the splits, qp-mc-sv has fewer non-zero coefficients on average than 1-a-a "
            "and 1-a-1 on every set, lp-mc-sv fewer than qp-mc-sv on more than half of them; every "
            "mean error is inside the exact binomial 99 % interval of the paper's on as many tests "
            "as all splits have together, or better",
            ours="; ".join(
                f"{name}: "
                + ", ".join(
                    f"{m} {rows[m]['error']:.2f} % / {rows[m]['count']:.0f}" for m in METHODS
                )
                for name, rows in sets.items()
            )
            or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(run for runs in known["runs"] for run in runs),
        )
    ]


def _complete(table: pd.DataFrame) -> dict[str, dict[str, dict[str, Any]]]:
    """The rows of the sets that have all machines, by set and machine."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in table.to_dict("records"):
        found.setdefault(row["name"], {})[row["machine"]] = {str(key): row[key] for key in row}
    return {name: rows for name, rows in found.items() if set(METHODS) <= set(rows)}


def _failures(name: str, rows: dict[str, dict[str, Any]]) -> list[str]:
    """What does not hold on one set."""
    failed = [
        f"{name}: qp-mc-sv has {rows[QP]['count']:.0f} non-zeros, {scheme} "
        f"{rows[scheme]['count']:.0f}"
        for scheme in ("1-a-a", "1-a-1")
        if not rows[QP]["count"] < rows[scheme]["count"]
    ]
    return failed + [
        f"{name}, {machine}: {row['error']:.2f} %{_spread(row['sd'])} is above the interval of "
        f"{row['paper_error']:.2f} % (up to {row['high']:.2f} %)"
        for machine, row in rows.items()
        if row["error"] > row["high"]
    ]


def _spread(sd: float) -> str:
    return f" (sd {sd:.2f})" if sd == sd else ""


def _fewer(name: str, rows: dict[str, dict[str, Any]]) -> bool:
    return name != HAS_TEST_SET and any(row["splits"] < SPLITS for row in rows.values())
