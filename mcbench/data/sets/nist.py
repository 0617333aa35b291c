"""Stand-in for the NIST digits of Aiolli & Sperduti: MNIST digits by census employees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..canonical import Canonical
from ..definition import DatasetInfo, Recipe
from ..parse import idx
from ..remote import Mirror, RemoteFile
from ..splits import SeriesDraw
from . import mnist

TRAIN_ROWS, TEST_ROWS = 60000, 10000


def _labels(part: str, sha256: str) -> RemoteFile:
    name = f"qmnist-{part}-labels-idx2-int.gz"
    return RemoteFile(
        f"qmnist/{name}",
        sha256,
        1_920_012,
        (
            Mirror(f"https://raw.githubusercontent.com/facebookresearch/qmnist/master/{name}"),
            Mirror(f"https://github.com/facebookresearch/qmnist/raw/main/{name}"),
        ),
    )


LABELS = (
    _labels(
        "train",
        "bb1b6e1ec7b04fd5696f1ed50b5f58f8ef195118edd5c93c81783df9740b8ac5",
    ),
    _labels(
        "test",
        "92d0ccb8c25f9c6534270fb4be7e1d24a1c6d315edfc8a638bfbd31c70f362dd",
    ),
)


def read(contents: Sequence[bytes]) -> Canonical:
    """Make the rows of MNIST, with the NIST series hsf of each digit."""
    base = mnist.read(contents[:4])
    # QMNIST's training labels are MNIST's, in order; so are the first 10000 of its test labels.
    table = np.concatenate([idx(contents[4])[:TRAIN_ROWS], idx(contents[5])[:TEST_ROWS]])
    if not np.array_equal(table[:, 0], base.y):
        raise ValueError("the QMNIST labels do not belong to these MNIST digits")
    return Canonical(base.X, base.y, {"hsf": table[:, 1].astype(np.int64)})


DATASET = DatasetInfo(
    name="nist",
    title="NIST (stand-in)",
    n_features=784,
    n_classes=10,
    labels="0 to 9",
    parts=mnist.DATASET.parts,
    splits=(
        SeriesDraw(
            "5000/5705",
            series="hsf",
            largest=3,
            n_train=5000,
            n_test=5705,
            note="a seeded draw of 10705 digits from NIST SD-3, as many as the papers had",
        ),
    ),
    licence=f"{mnist.DATASET.licence}; QMNIST labels: BSD",
    source="MNIST, and the labels of QMNIST (Yadav and Bottou 2019), "
    "https://github.com/facebookresearch/qmnist",
    papers=("aiolli_sperduti_2002", "aiolli_sperduti_2005"),
    extra={"hsf": "3d4114c6f99c18e4be138eb593b22e0b1f06df03f5071f0e961cded66a6dd727"},
    recipes=(Recipe(mnist.FILES + LABELS, read),),
    stand_in="stand-in for the papers' 10705 digits of NIST-3, which were never published: MNIST "
    "digits that QMNIST traces to NIST SD-3 (series hsf_0 to hsf_3)",
)
