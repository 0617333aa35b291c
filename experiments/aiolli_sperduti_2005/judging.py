"""When a measured error agrees with the paper's, and when errors fall: the same for all items."""

from itertools import pairwise

import pandas as pd

from mcbench.statistics import percent_interval

FALLS = (
    "the error falls: with most prototypes it is below the 99 % interval of the error with fewest, "
    "and no step to more prototypes takes it above the interval of the one before"
)


def disagreement(what: str, ours: float, paper: float, n: int) -> list[str]:
    """Why an error (per cent) does not agree with the paper's on n test examples; [] if it does."""
    high = percent_interval(paper, n)[1]
    if ours <= high:
        return []
    return [f"{what}: {ours:.2f} % is above the interval of {paper:.2f} % (up to {high:.2f} %)"]


def not_falling(what: str, errors: "pd.Series[float]", n: int) -> list[str]:
    """Where errors (per cent), in the order of the prototypes, do not fall as `FALLS` says."""
    failed: list[str] = []
    if len(errors) < 2:
        return failed
    first, last = errors.index[0], errors.index[-1]
    if errors[last] >= percent_interval(errors[first], n)[0]:
        failed.append(
            f"{what}: {errors[last]:.2f} % at q = {last} is not clearly below "
            f"{errors[first]:.2f} % at q = {first}"
        )
    for fewer, more in pairwise(errors.index):
        if errors[more] > percent_interval(errors[fewer], n)[1]:
            failed.append(
                f"{what}: the error rises from {errors[fewer]:.2f} % at q = {fewer} to "
                f"{errors[more]:.2f} % at q = {more}"
            )
    return failed


def beyond_the_least(what: str, errors: "pd.Series[float]") -> str:
    """Where more prototypes than those of the least error (per cent) do no good; "" if nowhere."""
    least, last = int(errors.to_numpy().argmin()), len(errors) - 1
    if errors.iloc[least] == errors.iloc[last]:
        return ""
    return (
        f"{what}: the least error is {errors.iloc[least]:.2f} % at q = {errors.index[least]}, with "
        f"{errors.iloc[last]:.2f} % at q = {errors.index[last]}"
    )


def one_number(what: str, errors: "pd.Series[float]") -> list[str]:
    """Why nothing can fall, where there is one number of prototypes only."""
    return [f"{what}: one number of prototypes, so nothing falls"] if len(errors) < 2 else []


def seeds_of(seeds: "pd.Series[int]") -> str:
    """How many seeds errors are means of, in words."""
    numbers = sorted(set(map(int, seeds)))
    if numbers == [1]:
        return "one seed"
    return f"means of {' to '.join(map(str, dict.fromkeys((numbers[0], numbers[-1]))))} seeds"
