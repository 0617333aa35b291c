"""Vowel: eleven steady vowels of English by fifteen speakers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..canonical import Canonical
from ..definition import DatasetInfo, Part, Recipe
from ..parse import number_table
from ..remote import Mirror, RemoteFile
from ..splits import Block, BlockSplit, CrossValidation

FILE = RemoteFile(
    "vowel/vowel-context.data",
    sha256="1e5c40bdd0b6705c75586eb23f5d9c3078e9588f48bc5c2c98da219fe83fff29",
    limit=73_565,
    mirrors=(
        Mirror(
            "https://archive.ics.uci.edu/ml/machine-learning-databases/undocumented/connectionist-bench/vowel/vowel-context.data"
        ),
        Mirror(
            "https://archive.ics.uci.edu/static/public/152/connectionist+bench+vowel+recognition+deterding+data.zip",
            member="vowel-context.data",
        ),
        Mirror(
            "https://raw.githubusercontent.com/Xammed/ECOC-Correlation-Testing/c7993bcc43991e717f733bebc73bcdb83df5b021/vowel-context.data"
        ),
    ),
)


def read(contents: Sequence[bytes]) -> Canonical:
    """Make the canonical rows: column 0 marks the test part, 3 to 12 are attributes, 13 is y."""
    table = number_table(contents[0])
    table = table[np.argsort(table[:, 0], kind="stable")]
    return Canonical(table[:, 3:13], table[:, 13].astype(np.int64))


DATASET = DatasetInfo(
    name="vowel",
    title="Vowel",
    n_features=10,
    n_classes=11,
    labels="0 to 10",
    parts=(
        Part(
            "train",
            528,
            X="7249d056b0dd67f7381f4f6055d3ce2615e33ad734738ceaf9a27f83b91fec90",
            y="23270f303e8948d3dd0e0ecb375bb31cb880627e559f1c9a45b34c85ef8ff5fd",
        ),
        Part(
            "test",
            462,
            X="0dc757434c40d5a76115069632570a83909b1a6f9523feb7ef53432b0a02b264",
            y="1883ea0c6dd5354f81b8735958e75c65f824f39ba06288c862e0f26a1125f061",
        ),
    ),
    splits=(
        BlockSplit(
            "528/462",
            Block(0, 528),
            Block(528, 990),
            note="by speaker, as marked in the file: 0 to 7 for training, 8 to 14 for the test",
        ),
        CrossValidation(
            10,
            size=528,
            note="Hsu & Lin 2002 cross-validate on the 528 training rows; their folds are not "
            "stated: stratified, shuffled by the seed",
        ),
    ),
    licence="CC BY 4.0 for all of UCI (not stated for this set)",
    source="UCI undocumented/connectionist-bench/vowel (Deterding)",
    papers=("crammer_singer_2001", "hsu_lin_2002", "weston_watkins_1998"),
    recipes=(Recipe((FILE,), read),),
)
