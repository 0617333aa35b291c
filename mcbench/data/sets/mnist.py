"""MNIST: handwritten digits of 28x28 pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..canonical import Canonical
from ..definition import DatasetInfo, Part, Recipe
from ..parse import idx
from ..remote import Mirror, RemoteFile
from ..splits import Block, BlockSplit


def _file(name: str, sha256: str, size: int) -> RemoteFile:
    return RemoteFile(
        f"mnist/{name}.gz",
        sha256,
        size,
        (
            Mirror(f"https://storage.googleapis.com/cvdf-datasets/mnist/{name}.gz"),
            Mirror(f"https://ossci-datasets.s3.amazonaws.com/mnist/{name}.gz"),
        ),
    )


FILES = (
    _file(
        "train-images-idx3-ubyte",
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
        47_040_016,
    ),
    _file(
        "train-labels-idx1-ubyte",
        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
        60_008,
    ),
    _file(
        "t10k-images-idx3-ubyte",
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
        7_840_016,
    ),
    _file(
        "t10k-labels-idx1-ubyte",
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
        10_008,
    ),
)


def read(contents: Sequence[bytes]) -> Canonical:
    """Make the 70000 canonical rows of the four files: pixels as uint8, row by row."""
    train, train_labels, test, test_labels = (idx(content) for content in contents)
    return Canonical(
        np.concatenate([train.reshape(len(train), -1), test.reshape(len(test), -1)]),
        np.concatenate([train_labels, test_labels]).astype(np.int64),
    )


DATASET = DatasetInfo(
    name="mnist",
    title="MNIST",
    n_features=784,
    n_classes=10,
    labels="0 to 9",
    parts=(
        Part(
            "train",
            60000,
            X="c63b9d3c1852d4cceeb2e88495fcf71b28c9c7a217df3ffb45e59d3ed7ad8fdc",
            y="e474323ac02fc156161b0bbb1f8c9cfeb327a74bcd9f9680a8385269a24f566c",
        ),
        Part(
            "test",
            10000,
            X="8eea5bedbc86985a1b6fad96bd5156f8c39ab805c0b33f13e301f855d096ef11",
            y="2fd8de6bdb8d11780b4b96dc57847bcfe6953f7c32aa48bfcd8237c3b7847243",
        ),
    ),
    splits=(
        BlockSplit("60000/10000", Block(0, 60000), Block(60000, 70000), note="as distributed"),
        BlockSplit(
            "5000/10000",
            Block(0, 60000, size=5000),
            Block(60000, 70000),
            note="Crammer & Singer 2001 do not state their rows: the first 5000, or a draw",
        ),
    ),
    licence="CC BY-SA 3.0 (as stated by Keras); LeCun and Cortes hold the copyright",
    source="MNIST (LeCun, Cortes, Burges), http://yann.lecun.com/exdb/mnist/",
    papers=("crammer_singer_2001",),
    recipes=(Recipe(FILES, read),),
)
