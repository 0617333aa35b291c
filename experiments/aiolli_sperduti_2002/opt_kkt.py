"""The reduced problem: steps of opt_kkt cost O(k), sweeps of all_pairs O(k^2)."""

import warnings
from collections.abc import Mapping, Sequence
from statistics import median
from time import thread_time
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from sklearn.exceptions import ConvergenceWarning
from solvers.core.two_variable import AllPairs, OptKKT

from experiments.aiolli_sperduti_2002.judging import concluded
from mcbench import CrammerSingerSVC
from mcbench.claims import Claim
from mcbench.results import Results
from mcbench.style import line, stamp

TITLE = "AS05 figures 5 and 6: the cost of a step of opt_kkt and of a sweep of all_pairs"
OPTIMIZERS = {"opt_kkt": OptKKT, "all_pairs": AllPairs}
#: A round of the cheap one is short, and is timed so many times as often.
ROUNDS = {"opt_kkt": 20, "all_pairs": 1}

LABELS = {"opt_kkt": "opt_kkt, a step", "all_pairs": "all_pairs, a sweep"}

#: How far a measured exponent may be from 1, above, and from 2. O(k) is an upper bound: what a step
#: costs whatever k is makes the exponent of small k smaller. A sweep does go over all pairs.
WITHIN = 0.25

#: Numbers of classes from which on the exponent is fitted: below, a call's fixed costs show.
LARGE = 50

RANDOM, LETTER = "random", "letter"


class Example(NamedTuple):
    """A reduced problem: K_pp, scores less the margin, coefficients, label and C."""

    A: float
    g: np.ndarray
    a: np.ndarray
    y: int
    C: float


def random_problems(
    *, k: int, problems: int, repeats: int, seed: int, **other: Any
) -> Mapping[str, float]:
    """Time both optimizers on random reduced problems.

    Parameters
    ----------
    k : int
        Number of classes.
    problems : int
        Reduced problems: normal scores of deviation 0.2, coefficients 0, K_pp = C = 1.
    repeats : int
        How often they are timed.
    seed : int
        Of the problems.

    Returns
    -------
    mapping
        As for `costs`.
    """
    del other  # data and configuration: the problems are made here
    rng = np.random.default_rng([seed, k])
    g = 0.2 * rng.normal(size=(problems, k))
    y = rng.integers(k, size=problems)
    g[np.arange(problems), y] -= 1.0
    given = [Example(1.0, g[i], np.zeros(k), int(y[i]), 1.0) for i in range(problems)]
    return costs(given, repeats)


def of_training(
    *, data: Any, C: float, gamma: float, problems: int, repeats: int, **other: Any
) -> Mapping[str, float]:
    """Time both optimizers on reduced problems met half-way through a training.

    Parameters
    ----------
    data : Data
        Its training part is fitted until as many examples as half of it have been optimized.
    C, gamma : float
        Of the machine and of its RBF kernel.
    problems : int
        The examples of the largest violation at that point.
    repeats : int
        How often they are timed.

    Returns
    -------
    mapping
        As for `costs`.
    """
    del other
    X, y = data.X_train, np.unique(data.y_train, return_inverse=True)[1]
    machine = CrammerSingerSVC(
        C, kernel="rbf", gamma=gamma, solver="pattern", tol=1e-6, max_iter=len(y) // 2
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it is stopped on purpose
        machine.fit(X, data.y_train)
    g = machine.decision_function(X)
    g[np.arange(len(y)), y] -= 1.0
    a = np.zeros_like(g)
    a[machine.support_] = machine.dual_coef_
    bound = np.zeros_like(a)
    bound[np.arange(len(y)), y] = C
    violation = g.max(axis=1) - np.where(a < bound, g, np.inf).min(axis=1)
    worst = np.argsort(-violation, kind="stable")[:problems]
    return costs([Example(1.0, g[i], a[i], int(y[i]), C) for i in worst], repeats)


def costs(given: Sequence[Example], repeats: int, tol: float = 1e-6) -> dict[str, float]:
    """Time both optimizers on reduced problems.

    A call on a problem that is solved already takes one step (or sweep), besides what every call
    costs. The price of a step is therefore taken from the difference of the two times, divided by
    the steps that it stands for. Seconds are the thread's CPU seconds.

    Parameters
    ----------
    given : sequence of Example
        The problems, of one number of classes.
    repeats : int
        How often they are timed; the medians count.
    tol : float
        Accuracy in scores, phi_V = tol^2 / (2 K_pp).

    Returns
    -------
    mapping
        ``k``, ``problems``, and for each optimizer ``<name>.step``: seconds a step or sweep;
        ``<name>.problem``: seconds a problem, calls included; ``<name>.steps`` and
        ``<name>.pair_steps`` a problem.
    """
    k, n = len(given[0].g), len(given)
    found: dict[str, float] = {"k": k, "problems": n}
    for name, optimizer in OPTIMIZERS.items():
        counter = optimizer(k)
        solved = [_solved(counter, problem, tol) for problem in given]
        steps, pair_steps = counter.n_inner, counter.n_pair_steps
        again = optimizer(k)
        _seconds(again, solved, tol)
        whole, more = [], []
        for _ in range(ROUNDS[name] * repeats):
            whole.append(_seconds(optimizer(k), given, tol))
            more.append(whole[-1] - _seconds(optimizer(k), solved, tol))
        price = median(more) / (steps - again.n_inner)
        found |= {
            f"{name}.step": price,
            f"{name}.problem": median(whole) / n,
            f"{name}.steps": steps / n,
            f"{name}.pair_steps": pair_steps / n,
        }
    return found


def _solved(optimizer: Any, problem: Example, tol: float) -> Example:
    """The problem at its solution, where the scores have followed the coefficients."""
    a = optimizer(*problem, tol)
    return problem._replace(a=a, g=problem.g + problem.A * (a - problem.a))


def _seconds(optimizer: Any, given: Sequence[Example], tol: float) -> float:
    start = thread_time()
    for problem in given:
        optimizer(*problem, tol)
    return thread_time() - start


def prices(results: Results, part: str) -> pd.DataFrame:
    """One row for each run of a part, by the number of classes."""
    frame = results.frame
    if frame.empty:
        return frame
    return frame[frame["part"] == part].sort_values("measured.k")


def exponent(runs: pd.DataFrame, name: str) -> float:
    """The slope of log seconds against log k over the large k, by least squares; nan if none."""
    large = runs[runs["measured.k"] >= LARGE]
    if large["measured.k"].nunique() < 2:
        return float("nan")
    seconds = np.log(large[f"measured.{name}.step"].astype(float))
    return float(np.polyfit(np.log(large["measured.k"].astype(float)), seconds, 1)[0])


def figures(results: Results) -> dict[str, Figure]:
    """Seconds a step against k, with the fitted lines; open markers: letter's problems."""
    figure = Figure(figsize=(4.6, 3.9), layout="constrained")
    axes = figure.subplots()
    runs, letter = prices(results, RANDOM), prices(results, LETTER)
    for number, (name, label) in enumerate(LABELS.items()):
        style = line(number)
        k, seconds = runs["measured.k"], 1e6 * runs[f"measured.{name}.step"]
        axes.plot(k, seconds, **{**style, "linestyle": "none"})
        axes.plot(
            letter["measured.k"],
            1e6 * letter[f"measured.{name}.step"],
            **{**style, "linestyle": "none", "markerfacecolor": "white", "markersize": 8},
        )
        slope, large = exponent(runs, name), k >= LARGE
        if np.isfinite(slope):
            middle = np.exp(np.mean(np.log(seconds[large]) - slope * np.log(k[large])))
            axes.plot(
                k[large],
                middle * k[large] ** slope,
                label=f"{label}: $k^{{{slope:.2f}}}$",
                **{**style, "marker": None},
            )
    axes.set(xscale="log", yscale="log", xlabel="number of classes $k$", ylabel="time [µs]")
    axes.legend()
    stamp(
        figure,
        profile=results.profile,
        runs=list(results.frame["id"]),
        note=f"random reduced problems; open markers: letter's (k = 26); lines fitted to k >= "
        f"{LARGE}",
    )
    return {"opt_kkt": figure}


def tables(results: Results) -> dict[str, pd.DataFrame]:
    """What a step and a problem cost."""
    rows = [
        {
            "problems": run["part"],
            "k": int(run["measured.k"]),
            "optimizer": name,
            "µs a step or sweep": 1e6 * run[f"measured.{name}.step"],
            "steps or sweeps a problem": run[f"measured.{name}.steps"],
            "pair steps a problem": run[f"measured.{name}.pair_steps"],
            "µs a problem": 1e6 * run[f"measured.{name}.problem"],
            "run": run["id"],
        }
        for part in (RANDOM, LETTER)
        for _, run in prices(results, part).iterrows()
        for name in OPTIMIZERS
    ]
    return {"opt_kkt": pd.DataFrame(rows)}


def claims(results: Results) -> list[Claim]:
    """The exponents, and that on letter a step costs less than a sweep."""
    ours, failed, lacking, runs = [], [], [], []
    random, letter = prices(results, RANDOM), prices(results, LETTER)
    slopes = {name: exponent(random, name) for name in OPTIMIZERS} if len(random) else {}
    if slopes and np.isfinite(list(slopes.values())).all() and len(letter):
        runs = [*random["id"], *letter["id"]]
        ours += [f"{name}: k^{slope:.2f}" for name, slope in slopes.items()]
        if not slopes["opt_kkt"] <= 1 + WITHIN:
            failed.append(f"opt_kkt grows as k^{slopes['opt_kkt']:.2f}, faster than k")
        if not abs(slopes["all_pairs"] - 2) <= WITHIN:
            failed.append(f"all_pairs grows as k^{slopes['all_pairs']:.2f}, not k^2")
        for _, run in letter.iterrows():
            step = run["measured.all_pairs.step"] / run["measured.opt_kkt.step"]
            whole = run["measured.all_pairs.problem"] / run["measured.opt_kkt.problem"]
            ours.append(
                f"letter (k = {int(run['measured.k'])}): a sweep costs as much as {step:.0f} steps "
                f"of opt_kkt, a whole problem {whole:.1f} times as much"
            )
            if not step > 1:
                failed.append(f"on letter a sweep costs only {step:.2f} times as much as a step")
    else:
        lacking = ["run missing: two numbers of random classes, at least 50, and letter are needed"]
    return [
        Claim(
            id="as-optkkt",
            item="opt_kkt",
            statement="The conditions by which opt_kkt takes its next step are checked in time "
            "linear in the number of classes; all_pairs goes over all pairs.",
            paper_value="O(k) a step; O(k^2) a sweep",
            trust="S, in words",
            check=f"CPU seconds on random problems, fitted over k = {LARGE} to 200, grow at most "
            f"as k^{1 + WITHIN} for a step of opt_kkt and as k^2, within {WITHIN}, for a sweep of "
            "all_pairs; on letter a step costs less than a sweep",
            **concluded(results, ours, failed, runs, lacking),
        )
    ]
