"""How a data set is described in the registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .canonical import Canonical
from .folders import present
from .hashing import array_hash, combined_hash, matrix_hash
from .remote import RemoteFile
from .splits import Split


@dataclass(frozen=True)
class Part:
    """A run of the canonical rows, with the SHA-256 of its canonical X and y.

    The hashes are None where nobody has published the data in a form that could be hashed here.
    """

    name: str
    rows: int
    X: str | None
    y: str | None


@dataclass(frozen=True)
class Recipe:
    """One way to get the canonical rows from files.

    Attributes
    ----------
    files : tuple of RemoteFile
        What is needed.
    read : callable
        Makes the canonical rows of the files' contents, given in the same order.
    exact : bool
        The files' hashes vouch for the arrays. Where False the arrays are hashed at each load.
    """

    files: tuple[RemoteFile, ...]
    read: Callable[[Sequence[bytes]], Canonical]
    exact: bool = True


@dataclass(frozen=True)
class DatasetInfo:
    """A data set of the registry.

    Attributes
    ----------
    name, title : str
        Key and name for people.
    n_features, n_classes : int
        Size, beside the number of rows in `parts`.
    labels : str
        What the class labels mean.
    parts : tuple of Part
        The canonical rows, in order.
    splits : tuple of Split
        The named splits, the default first.
    licence, source : str
        Terms of use as far as stated, and where the data come from.
    papers : tuple of str
        Keys of the papers that use the data.
    extra : mapping of str to str
        SHA-256 of further integer arrays (published splits, writer series), as int64.
    recipes : tuple of Recipe
        Ways to get the data; empty for an embedded set.
    stand_in : str or None
        What the data stand in for.
    note : str
        What a user should know about them.
    """

    name: str
    title: str
    n_features: int
    n_classes: int
    labels: str
    parts: tuple[Part, ...]
    splits: tuple[Split, ...]
    licence: str
    source: str
    papers: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
    recipes: tuple[Recipe, ...] = ()
    stand_in: str | None = None
    note: str = ""

    @property
    def embedded(self) -> bool:
        """Whether the data come with the package."""
        return not self.recipes

    @property
    def rows(self) -> int:
        """Number of canonical rows."""
        return sum(part.rows for part in self.parts)

    @property
    def split_names(self) -> tuple[str, ...]:
        """Names of the splits, the default first."""
        return tuple(split.name for split in self.splits)

    @property
    def content_hash(self) -> str | None:
        """Hash of the canonical arrays, None where it is known only once the data are read."""
        lines = self._known_lines()
        if any(sha is None for _, _, sha in lines):
            return None
        return combined_hash((part, array, sha or "") for part, array, sha in lines)

    def available(self) -> bool:
        """Whether the data can be loaded without a download."""
        return self.embedded or any(
            all(present(file.path) is not None for file in recipe.files) for recipe in self.recipes
        )

    def array_hashes(self, data: Canonical) -> list[tuple[str, str, str]]:
        """Hash the canonical arrays as they are: (part, array, SHA-256) for each."""
        lines, start = [], 0
        for part in self.parts:
            rows = slice(start, start + part.rows)
            lines.append((part.name, "X", matrix_hash(data.X[rows])))
            lines.append((part.name, "y", array_hash(data.y[rows], "<i8")))
            start += part.rows
        return lines + [("extra", key, array_hash(data.extra[key], "<i8")) for key in self.extra]

    def differences(self, data: Canonical) -> list[str]:
        """Say in which arrays `data` differ from what the registry knows; empty when right."""
        shape = (self.rows, self.n_features)
        if data.X.shape != shape or data.y.shape != shape[:1]:
            return [f"X has the shape {data.X.shape}, not {shape}"]
        return [
            f"{array} of the part {part!r} has the SHA-256 {found}, not {known}"
            for (part, array, known), (_, _, found) in zip(
                self._known_lines(), self.array_hashes(data), strict=True
            )
            if known is not None and known != found
        ]

    def _known_lines(self) -> list[tuple[str, str, str | None]]:
        lines: list[tuple[str, str, str | None]] = []
        for part in self.parts:
            lines += [(part.name, "X", part.X), (part.name, "y", part.y)]
        return lines + [("extra", key, sha) for key, sha in self.extra.items()]
