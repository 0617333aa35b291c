"""USPS: handwritten digits of 16x16 pixels from envelopes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..canonical import Canonical
from ..definition import DatasetInfo, Part, Recipe
from ..parse import number_table
from ..remote import Mirror, RemoteFile
from ..splits import Block, BlockSplit


def _file(part: str, sha256: str, size: int) -> RemoteFile:
    name = f"zip.{part}.gz"
    hosts = (
        "https://hastie.su.domains/ElemStatLearn/datasets/",
        "https://web.stanford.edu/~hastie/ElemStatLearn/datasets/",
        "https://raw.githubusercontent.com/tdhock/2023-08-deep-learning/main/data/",
    )
    return RemoteFile(f"usps/{name}", sha256, size, tuple(Mirror(host + name) for host in hosts))


FILES = (
    _file(
        "train",
        "abc9f5c75b997cabe66b5d01727d5a681c69298e1641a8d37b55433a52129dc0",
        14_512_253,
    ),
    _file(
        "test",
        "6bde17b4f1cd68e0630cd2751d6495b5795d9165ab2dc4a0be8b7002b732f4cc",
        2_029_542,
    ),
)


def read(contents: Sequence[bytes]) -> Canonical:
    """Make the canonical rows of the two tables: digit, then 256 grey values."""
    table = np.concatenate([number_table(content) for content in contents])
    return Canonical(table[:, 1:], table[:, 0].astype(np.int64))


DATASET = DatasetInfo(
    name="usps",
    title="USPS",
    n_features=256,
    n_classes=10,
    labels="0 to 9",
    parts=(
        Part(
            "train",
            7291,
            X="46de94974cd3a88bb45ab10d68e4587a8d5b383f8960e4031da7f1c598432760",
            y="d2205a402e10ef9785bcb548e666f1fdc5d719287eac6d14327f77964ca173c1",
        ),
        Part(
            "test",
            2007,
            X="dfa2d3e18a19c374e7a397a8b14d2f7a67508f644aa8d36255a7a10277f9865b",
            y="83d5538087f38b4aa9a64e4c69e47ae24d1b4eaa601c3d41c4a32d7c2739d831",
        ),
    ),
    splits=(
        BlockSplit(
            "7291/2007", Block(0, 7291), Block(7291, 9298), note="ESL's zip.train and zip.test"
        ),
    ),
    licence="none stated; made available by the neural network group at AT&T (ESL)",
    source="zip.train and zip.test of The Elements of Statistical Learning",
    papers=("crammer_singer_2001", "aiolli_sperduti_2005"),
    recipes=(Recipe(FILES, read),),
)
