"""All data sets by name."""

from __future__ import annotations

from collections.abc import Sequence

from .definition import DatasetInfo
from .sets import (
    digits,
    dna,
    glass,
    ida,
    iris,
    isolet,
    letter,
    mnist,
    nist,
    satimage,
    segment,
    shuttle,
    soybean,
    usps,
    vehicle,
    vowel,
    wine,
)
from .suggest import unknown

_ALL = (
    letter.DATASET,
    satimage.DATASET,
    shuttle.DATASET,
    mnist.DATASET,
    usps.DATASET,
    nist.DATASET,
    isolet.DATASET,
    vowel.DATASET,
    glass.DATASET,
    iris.DATASET,
    wine.DATASET,
    vehicle.DATASET,
    segment.DATASET,
    dna.DATASET,
    soybean.DATASET,
    digits.DATASET,
    *ida.DATASETS,
)


def datasets() -> dict[str, DatasetInfo]:
    """Return the data sets of the registry by name.

    Examples
    --------
    >>> from mcbench.data import datasets
    >>> datasets()["letter"].split_names
    ('15000/5000', '16000/4000', '5000/4000')
    """
    return {info.name: info for info in _ALL}


def lookup(name: object) -> DatasetInfo:
    """Return one data set; ValueError names the others when there is none of that name."""
    known = datasets()
    if not isinstance(name, str) or name not in known:
        raise unknown("data set", name, [*known, "file"])
    return known[name]


def select(names: Sequence[str]) -> list[DatasetInfo]:
    """Return the data sets of these names, all of them when there are no names."""
    return [lookup(name) for name in names] if names else list(_ALL)
