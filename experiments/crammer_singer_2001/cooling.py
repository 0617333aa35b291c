"""Section 7, cooling: the three schemes against a fixed accuracy."""

import pandas as pd
from matplotlib.figure import Figure

from experiments.crammer_singer_2001 import fig6
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.verdict import conclude

TITLE = "Section 7: three schemes of cooling against a fixed accuracy"
SCHEMES = ("exponential", "linear", "logarithmic")


def figures(results: Results) -> dict[str, Figure]:
    """All four thresholds."""
    return fig6.draw(results, list(fig6.NAMES), "cooling")


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """How many times fewer iterations each scheme needs."""
    titles = [fig6.title_of(run) for _, run in results.frame.iterrows()]
    rows = [
        {
            "data": title,
            **{name: ratios.get(name) for name in SCHEMES},
            "runs": " ".join(results.frame["id"][[one == title for one in titles]]),
        }
        for title, ratios in measured(results).items()
    ]
    return {"cooling": pd.DataFrame(rows)}


def measured(results: Results) -> dict[str, dict[str, float]]:
    """The speed-up of each scheme on each data set that has all four runs."""
    return {
        title: fig6.speedups(traces)
        for title, traces in (fig6.curves(results) if len(results.frame) else {}).items()
        if set(fig6.NAMES) <= set(traces)
    }


def _cooled(traces: dict[str, pd.DataFrame], name: str) -> str:
    """How soon the threshold of a scheme is the fixed accuracy, in words."""
    level, fixed = (traces[one].get("level") for one in (name, "fixed"))
    if level is None or fixed is None or not (level <= fixed.iloc[-1]).any():
        return ""
    cooled = traces[name].loc[level <= fixed.iloc[-1], "iteration"].iloc[0]
    return f": its threshold is the fixed accuracy from iteration {cooled:.0f} on"


def claims(results: Results) -> list[Claim]:
    """All schemes improve the rate, the logarithmic one most."""
    found = measured(results)
    traces = fig6.curves(results) if found else {}
    failed = []
    for title, ratios in found.items():
        failed += [
            f"{title}: {name} cooling is not faster (x {ratios[name]:.4g}"
            f"{_cooled(traces[title], name)})"
            for name in SCHEMES
            if ratios[name] <= 1
        ]
        best = max(SCHEMES, key=lambda name: ratios[name])
        if best != "logarithmic":
            failed.append(f"{title}: {best} cooling is the best")
    verdict, reason = conclude(results, bool(found), failed)
    return [
        Claim(
            id="cs01-cooling",
            item="cooling",
            statement="All three schemes improve the objective in fewer iterations, especially the "
            "logarithmic one.",
            paper_value="all three; logarithmic best",
            trust="text",
            check="each scheme reaches the last Q of the fixed accuracy in fewer iterations, the "
            "logarithmic one in the fewest; on every data set",
            ours="; ".join(
                f"{title}: " + ", ".join(f"{name} x {ratios[name]:.4g}" for name in SCHEMES)
                for title, ratios in found.items()
            )
            or "-",
            verdict=verdict,
            reason=reason,
            runs=tuple(results.frame["id"]),
        )
    ]
