"""Image segmentation: seven outdoor textures from 3x3 pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..canonical import Canonical
from ..definition import DatasetInfo, Part, Recipe
from ..parse import number_table
from ..remote import Mirror, RemoteFile
from ..splits import CrossValidation

FILE = RemoteFile(
    "segment/segment.dat.gz",
    sha256="d8985260e6e47056da89a4e4124c82ee88fd6072e0db139484c50ff4b390cd82",
    limit=368_314,
    mirrors=(
        Mirror(
            "https://archive.ics.uci.edu/ml/machine-learning-databases/statlog/segment/segment.dat"
        ),
        Mirror(
            "https://archive.ics.uci.edu/static/public/147/statlog+image+segmentation.zip",
            member="segment.dat",
        ),
    ),
)


def read(contents: Sequence[bytes]) -> Canonical:
    """Make the canonical rows: 19 attributes, then the class."""
    table = number_table(contents[0])
    return Canonical(table[:, :19], table[:, 19].astype(np.int64))


DATASET = DatasetInfo(
    name="segment",
    title="Segment",
    n_features=19,
    n_classes=7,
    labels="1 brickface, 2 sky, 3 foliage, 4 cement, 5 window, 6 path, 7 grass",
    parts=(
        Part(
            "statlog",
            2310,
            X="fd4e4f3af28db0d4b8a47ef758638b803e7a88ed2922171ce5ba621a3c08c15c",
            y="9b21a2a0fdee4ff76f9289a7b01877b8ede9636c23e8e865437949614954a967",
        ),
    ),
    splits=(CrossValidation(10),),
    licence="CC BY 4.0 for all of UCI (not stated for this set)",
    source="UCI statlog/segment, segment.dat",
    papers=("hsu_lin_2002",),
    recipes=(Recipe((FILE,), read),),
    note="the third attribute is constant",
)
