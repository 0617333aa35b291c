"""The canonical rows of a registered data set, verified, from wherever they can be had."""

from __future__ import annotations

from ._types import DataUnavailable
from .canonical import Canonical
from .definition import DatasetInfo, Recipe
from .embedded import read_embedded
from .fetch import obtain
from .folders import present


def read_canonical(info: DatasetInfo, *, rehash: bool = False) -> Canonical:
    """Return the rows of a data set.

    Parameters
    ----------
    info : DatasetInfo
        The data set.
    rehash : bool
        Hash the arrays even where the hashes of the files vouch for them.

    Raises
    ------
    DataUnavailable
        When the data cannot be had, or are not what the registry says.
    """
    if info.embedded:
        try:
            data = read_embedded(info.name)
        except (OSError, ValueError, KeyError) as error:
            raise DataUnavailable(
                f"{info.name}: the embedded file cannot be read ({error}); install mcbench again."
            ) from error
        differences = info.differences(data)
        if differences:
            raise DataUnavailable(
                f"{info.name}: the embedded file is damaged ({differences[0]}); "
                "install mcbench again."
            )
        return data

    failures = []
    for recipe in sorted(info.recipes, key=_absent):
        try:
            contents = [obtain(file) for file in recipe.files]
        except DataUnavailable as error:
            failures.append(str(error))
            continue
        data = recipe.read(contents)
        differences = [] if recipe.exact and not rehash else info.differences(data)
        if not differences:
            return data
        failures.append(f"{recipe.files[0].path} does not hold the expected data: {differences[0]}")
    raise DataUnavailable(f"{info.name}: {' '.join(failures)}")


def _absent(recipe: Recipe) -> int:
    """Number of files that would have to be downloaded."""
    return sum(present(file.path) is None for file in recipe.files)
