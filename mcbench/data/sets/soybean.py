"""Soybean diseases: 19 diseases from 35 observations of the plant."""

from __future__ import annotations

from ..definition import DatasetInfo, Part
from ..splits import Block, BlockSplit, CrossValidation, Holdout

DATASET = DatasetInfo(
    name="soybean",
    title="Soybean",
    n_features=35,
    n_classes=19,
    labels="position in the sorted list of UCI's 19 names",
    parts=(
        Part(
            "train",
            307,
            X="c39129ca735ce7c372780586a35369d449b3637f25a911d036858fea3043e227",
            y="3b9aefea23b5e1b876adfe5f8fc50405248b4f81155799a827114ee69b50ec37",
        ),
        Part(
            "test",
            376,
            X="81678e2717d836cec36fcea3a5a17636f3a9decc2fc00fdb2d046b1a0e62b54c",
            y="9d423b01c55d8b0d8cb5984b45a930025505a1564cbd6caffc2d963535baf3a5",
        ),
    ),
    splits=(
        CrossValidation(10),
        BlockSplit(
            "307/376",
            Block(0, 307),
            Block(307, 683),
            note="UCI's soybean-large.data and soybean-large.test",
        ),
        Holdout("90/10", 0.1, folds=10),
    ),
    licence="CC BY 4.0 for all of UCI (not stated for this set)",
    source="UCI soybean (large), https://archive.ics.uci.edu/dataset/90/soybean+large",
    papers=("weston_watkins_1998",),
    note="attributes are codes of categories; a missing value is -1",
)
