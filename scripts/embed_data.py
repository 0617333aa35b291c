#!/usr/bin/env python3
"""Rebuild the data sets that come with mcbench (mcbench/data/embedded/*.npz).

Seven come from the Debian package r-cran-mlbench (the R package mlbench 2.1-3), three from
scikit-learn. Each is compared with the content hashes of the registry before it is written.

    python scripts/embed_data.py                      download the package with apt-get
    python scripts/embed_data.py --from FILE.deb      a package that is already here
    python scripts/embed_data.py --from FOLDER        a folder with Letter...rda and so on
    python scripts/embed_data.py --check              compare with what is embedded, write nothing

Needs dpkg-deb for a .deb, and apt-get to download one; nothing beyond mcbench's own dependencies.
"""

from __future__ import annotations

import argparse
import lzma
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mcbench.data import datasets
from mcbench.data.canonical import Canonical
from mcbench.data.embedded import read_embedded

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "mcbench" / "data" / "embedded"
PACKAGE = "r-cran-mlbench"

SATIMAGE_CLASSES = {
    "red soil": 1,
    "cotton crop": 2,
    "grey soil": 3,
    "damp grey soil": 4,
    "vegetation stubble": 5,
    "very damp grey soil": 7,
}
SHUTTLE_CLASSES = {
    "Rad.Flow": 1,
    "Fpv.Close": 2,
    "Fpv.Open": 3,
    "High": 4,
    "Bypass": 5,
    "Bpv.Close": 6,
    "Bpv.Open": 7,
}


# ------------------------------------------------------------------------------------------------
# R's serialization, as far as a data frame needs it


@dataclass
class RObject:
    """A value of R with its attributes."""

    value: Any
    attributes: dict[str, Any] = field(default_factory=dict)


class RReader:
    """Reads R's binary serialization, version 2, big-endian ("XDR")."""

    NIL, REFERENCE = 254, 255
    SYMBOL, PAIRLIST, CHARACTERS = 1, 2, 9
    LOGICAL, INTEGER, REAL, STRINGS, LIST = 10, 13, 14, 16, 19
    MISSING = -(2**31)

    def __init__(self, blob: bytes) -> None:
        self.blob, self.at = blob, 0
        self.symbols: list[str] = []

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        piece = self.blob[self.at : self.at + size]
        if len(piece) != size:
            raise ValueError("the R data end too early")
        self.at += size
        return piece

    def integer(self) -> int:
        """Read one integer."""
        return int(struct.unpack(">i", self.take(4))[0])

    def array(self, dtype: str) -> np.ndarray:
        """Read a vector: its length, then its values."""
        size = self.integer()
        return np.frombuffer(self.take(size * np.dtype(dtype).itemsize), dtype)

    def item(self) -> Any:
        """Read one object."""
        flags = self.integer()
        kind = flags & 0xFF
        has_attributes, has_tag = bool(flags & 0x200), bool(flags & 0x400)
        if kind == self.NIL:
            return None
        if kind == self.REFERENCE:
            return self.symbols[(flags >> 8) - 1]
        if kind == self.SYMBOL:
            name = str(self.item())
            self.symbols.append(name)
            return name
        if kind == self.PAIRLIST:
            if has_attributes:
                self.item()
            tag = self.item() if has_tag else ""
            pairs = {tag: self.item()}
            return pairs | (self.item() or {})
        if kind == self.CHARACTERS:
            size = self.integer()
            return None if size == -1 else self.take(size).decode("latin-1")
        if kind in (self.LOGICAL, self.INTEGER):
            value: Any = self.array(">i4")
        elif kind == self.REAL:
            value = self.array(">f8")
        elif kind in (self.STRINGS, self.LIST):
            value = [self.item() for _ in range(self.integer())]
        else:
            raise ValueError(f"objects of R's type {kind} cannot be read")
        return RObject(value, self.item() if has_attributes else {})


def read_rda(blob: bytes) -> dict[str, RObject]:
    """Read the objects of an .rda file by name."""
    if blob[:6] == b"\xfd7zXZ\x00":
        blob = lzma.decompress(blob)
    if blob[:7] != b"RDX2\nX\n":
        raise ValueError("not an .rda file of version 2 in binary form")
    reader = RReader(blob[7:])
    version = reader.integer()
    reader.take(8)  # the versions of R that wrote it and can read it
    if version != 2:
        raise ValueError(f"serialization version {version} cannot be read")
    return dict(reader.item())


# ------------------------------------------------------------------------------------------------
# From R's data frames to the canonical rows


def frame(rda: Path, name: str) -> dict[str, RObject]:
    """Columns of the data frame `name` in an .rda file."""
    table = read_rda(rda.read_bytes())[name]
    return dict(zip(table.attributes["names"].value, table.value, strict=True))


def texts(column: RObject) -> list[str | None]:
    """Texts of a factor, None where missing."""
    levels = column.attributes["levels"].value
    return [None if code == RReader.MISSING else levels[code - 1] for code in column.value]


def numbers(column: RObject) -> np.ndarray:
    """Numbers of a column; of a factor those that its texts say, -1 where missing."""
    if "levels" in column.attributes:
        return np.array([-1.0 if text is None else float(text) for text in texts(column)])
    return np.asarray(column.value, dtype=np.float64)


def rows(columns: dict[str, RObject], target: str, code: Callable[[str], int]) -> Canonical:
    """Make canonical rows: all columns but `target` are attributes."""
    X = np.column_stack([numbers(column) for key, column in columns.items() if key != target])
    return Canonical(X, np.array([code(str(text)) for text in texts(columns[target])]))


def position(columns: dict[str, RObject], target: str) -> Callable[[str], int]:
    """Code of a text: its position among the sorted texts."""
    names = sorted({str(text) for text in texts(columns[target])})
    return names.index


def from_mlbench(folder: Path) -> dict[str, Canonical]:
    """Read the seven sets of mlbench."""
    letter = frame(folder / "LetterRecognition.rda", "LetterRecognition")
    satimage = frame(folder / "Satellite.rda", "Satellite")
    shuttle = frame(folder / "Shuttle.rda", "Shuttle")
    vehicle = frame(folder / "Vehicle.rda", "Vehicle")
    dna = frame(folder / "DNA.rda", "DNA")
    glass = frame(folder / "Glass.rda", "Glass")
    soybean = frame(folder / "Soybean.rda", "Soybean")
    return {
        "letter": rows(letter, "lettr", lambda text: ord(text) - 64),
        "satimage": rows(satimage, "classes", SATIMAGE_CLASSES.__getitem__),
        "shuttle": rows(shuttle, "Class", SHUTTLE_CLASSES.__getitem__),
        "vehicle": rows(vehicle, "Class", position(vehicle, "Class")),
        "dna": rows(dna, "Class", {"ei": 1, "ie": 2, "n": 3}.__getitem__),
        "glass": rows(glass, "Type", int),
        "soybean": rows(soybean, "Class", position(soybean, "Class")),
    }


def from_sklearn() -> dict[str, Canonical]:
    """Take the three sets of scikit-learn.

    iris gets back the two rows in which UCI's file, which the papers used, differs from Fisher's
    table; wine gets back the labels 1 to 3.
    """
    from sklearn.datasets import load_digits, load_iris, load_wine

    iris, wine, digits = load_iris(), load_wine(), load_digits()
    flowers = iris.data.copy()
    for row, fisher in ((34, [4.9, 3.1, 1.5, 0.2]), (37, [4.9, 3.6, 1.4, 0.1])):
        if flowers[row].tolist() != fisher:
            raise ValueError(f"row {row} of scikit-learn's iris is not Fisher's: {flowers[row]}")
        flowers[row] = [4.9, 3.1, 1.5, 0.1]
    return {
        "iris": Canonical(flowers, iris.target),
        "wine": Canonical(wine.data, wine.target + 1),
        "digits": Canonical(digits.data, digits.target),
    }


# ------------------------------------------------------------------------------------------------
# Writing


def smallest(array: np.ndarray) -> np.ndarray:
    """Return the array in the smallest data type that holds every value exactly."""
    for dtype in ("u1", "i1", "<i2", "<i4", "<f4"):
        with np.errstate(all="ignore"):
            small = array.astype(dtype)
        if np.array_equal(small, array):
            return small
    return array.astype("<f8")


def rda_folder(source: Path | None, scratch: Path) -> Path:
    """Return a folder with the .rda files: the one given, or from a package, or downloaded."""
    if source is not None and source.is_dir():
        return source
    if source is None:
        subprocess.run(["apt-get", "download", PACKAGE], cwd=scratch, check=True)
        source = next(scratch.glob(f"{PACKAGE}_*.deb"))
    subprocess.run(["dpkg-deb", "-x", str(source), str(scratch / "unpacked")], check=True)
    return scratch / "unpacked" / "usr/lib/R/site-library/mlbench/data"


def main(arguments: list[str] | None = None) -> int:
    """Rebuild or check; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--from", dest="source", type=Path, help="a .deb, or a folder of .rda files"
    )
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    options = parser.parse_args(arguments)

    with tempfile.TemporaryDirectory() as scratch:
        found = from_mlbench(rda_folder(options.source, Path(scratch))) | from_sklearn()
    wrong, total = 0, 0
    for name, data in found.items():
        differences = datasets()[name].differences(data)
        if options.check and not differences:
            differences = datasets()[name].differences(read_embedded(name))
        if differences:
            wrong += 1
            print(f"{name}: {'; '.join(differences)}", file=sys.stderr)
            continue
        if not options.check:
            path = TARGET / f"{name}.npz"
            np.savez_compressed(path, X=smallest(data.X), y=smallest(data.y))
        size = (TARGET / f"{name}.npz").stat().st_size
        total += size
        print(f"{name}: {data.X.shape[0]} rows, as registered, {size} bytes")
    print(f"{len(found) - wrong} of {len(found)} data sets, {total} bytes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
