"""Table 3: training time, test time and unique support vectors."""

from typing import Any

import pandas as pd

from experiments.hsu_lin_2002.judging import conclude, not_run
from experiments.hsu_lin_2002.points import CHOSEN, PUBLISHED, chosen_grids, fits
from experiments.hsu_lin_2002.published import LARGE, METHODS, REMEMBERED, SMALL, TABLE3
from experiments.hsu_lin_2002.table2 import grid_note, selected
from mcbench.claims import Claim
from mcbench.paper_table import PaperTable
from mcbench.results import Results

TITLE = "Table 3: training and test seconds, and unique support vectors, at the chosen parameters"
PAIRWISE = ("ovo", "dag")
VALUES = {"train": "training [s]", "test": "test [s]", "vectors": "unique support vectors"}


def following(results: Results) -> list[dict[str, Any]]:
    """Train with the parameters that the grids chose: the runs of table 2."""
    return chosen_grids(results)


def machines(results: Results, reported: pd.DataFrame) -> pd.DataFrame:
    """The machine of each data set and method that table 2 reports, with its times.

    Parameters
    ----------
    results : Results
    reported : DataFrame
        What table 2 reports (`table2.selected`).

    Returns
    -------
    DataFrame
        The columns of `points.fits`; small sets: means over the ten folds.
    """
    trained = fits(results.part(CHOSEN))
    small = trained[trained["folds"] > 0]
    where = ["data", "method", "log2_C", "log2_gamma"]
    large = pd.concat([trained[trained["folds"] == 0], fits(results.part(PUBLISHED))])
    large = large.drop_duplicates(where)
    reported = reported[reported["data"].isin(LARGE)]
    large = large.merge(reported[where], on=where)
    order = {name: place for place, name in enumerate([*SMALL, *LARGE, *METHODS])}
    return pd.concat([small, large], ignore_index=True).sort_values(
        ["data", "method"], key=lambda column: column.map(order), ignore_index=True
    )


def by_set(found: pd.DataFrame) -> dict[str, dict[str, dict[str, Any]]]:
    """The machines of each data set by their method."""
    sets: dict[str, dict[str, dict[str, Any]]] = {}
    for row in found.to_dict("records"):
        sets.setdefault(str(row["data"]), {})[row["method"]] = {str(k): v for k, v in row.items()}
    return sets


def tables(results: Results) -> dict[str, pd.DataFrame | PaperTable]:
    """One table for each quantity, in the paper's layout, the paper's own (M) beside ours."""
    reported = selected(results)
    found = machines(results, reported)
    note = f"{grid_note(results, reported)}; paper: {REMEMBERED}, a Pentium III"
    result: dict[str, pd.DataFrame | PaperTable] = {}
    for value, title in VALUES.items():
        rows = []
        for data, cells in by_set(found).items():
            row: dict[str, Any] = {"data": data}
            for method, name in METHODS.items():
                row[name] = float(cells[method][value]) if method in cells else None
            for method, name in METHODS.items():
                if value != "test":
                    row[f"paper (M): {name}"] = _published(data, method, value)
            row["runs"] = " ".join(run for cell in cells.values() for run in cell["runs"])
            rows.append(row)
        names = list(METHODS.values())
        result[f"table3_{value}"] = PaperTable(
            pd.DataFrame(rows),
            note=f"{title[0].upper()}{title[1:]}; {note}",
            best=(names,) if rows else (),
        )
    return result


def _published(data: str, method: str, value: str) -> float | None:
    known = TABLE3.get(data, {}).get(method)
    return float(known[value == "vectors"]) if known else None


def claims(results: Results) -> list[Claim]:
    """Which methods train and test fastest, and which need few support vectors."""
    reported = selected(results)
    found = machines(results, reported)
    known = found.dropna(subset=["train", "test", "vectors"])
    sets = {name: cells for name, cells in by_set(known).items() if set(METHODS) <= set(cells)}
    failed, fast, slow = [], [], []
    for data, cells in sets.items():
        train = {method: cell["train"] for method, cell in cells.items()}
        fastest = min(train, key=train.__getitem__)
        if fastest in PAIRWISE:
            fast.append(data)
        else:
            failed.append(
                f"{data}: {METHODS[fastest]} trains fastest, in {train[fastest]:.3g} s (OAO or DAG "
                f"{min(train[method] for method in PAIRWISE):.3g} s)"
            )
        dag, ovo = (cells[method]["test"] for method in ("dag", "ovo"))
        if dag >= ovo:
            slow.append(f"{data}: {dag / ovo:.2f}" if ovo else data)
    if 2 * len(slow) >= len(sets) > 0:
        failed.append(
            f"DAG tests slower than OAO on {len(slow)} of {len(sets)} sets (time ratio "
            f"{', '.join(slow)})"
        )
    large = [data for data in sets if data in LARGE]
    more = [data for data in large if sets[data]["ww"]["vectors"] >= sets[data]["ovo"]["vectors"]]
    failed += [
        f"{data}: WW has {sets[data]['ww']['vectors']:.0f} support vectors, OAO "
        f"{sets[data]['ovo']['vectors']:.0f}"
        for data in more
    ]
    ours = [
        f"OAO or DAG trains fastest on {len(fast)} of {len(sets)} sets",
        f"DAG tests faster than OAO on {len(sets) - len(slow)} of {len(sets)}",
        f"WW has fewer support vectors than OAO on {len(large) - len(more)} of {len(large)} large "
        "sets",
    ]
    note = "; ".join(
        filter(
            None,
            [
                grid_note(results, reported[reported["data"].isin(list(sets))]),
                not_run(results, (*SMALL, *LARGE), set(sets)),
            ],
        )
    )
    if sets:
        note = f"CS and WW are solved by mcbench, OAO, DAG and OAA by LIBSVM; {note}"
    verdict, reason = conclude(results, bool(sets), failed, note)
    return [
        Claim(
            id="hl02-table3",
            item="table3",
            statement="OAO and DAG train fastest; DAG tests a little faster than OAO; on the large "
            "sets WW has fewer support vectors than OAO.",
            paper_value="its text; the numbers of its table are remembered",
            trust=f"the statements S; {REMEMBERED}",
            check="on every set the least training time is that of OAO or DAG; DAG's test time is "
            "below OAO's on most sets; WW has fewer unique support vectors than OAO on every "
            "large set",
            ours="; ".join(ours) if sets else "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(run for runs in found["runs"] for run in runs),
        )
    ]
