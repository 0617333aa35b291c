"""Handwritten digits of 8x8 pixels, the small set that comes with scikit-learn."""

from __future__ import annotations

from ..definition import DatasetInfo, Part
from ..splits import CrossValidation, Holdout

DATASET = DatasetInfo(
    name="digits",
    title="Digits",
    n_features=64,
    n_classes=10,
    labels="0 to 9",
    parts=(
        Part(
            "all",
            1797,
            X="20def7f70a702f0af9732fbba4375e147a7d54fe70d8c45569b8e7c1c7010c10",
            y="a3c91c262eddcf7ba8f0e37507c30284493c9b20412ffe4af30d536401f7ba21",
        ),
    ),
    splits=(CrossValidation(10), Holdout("90/10", 0.1, folds=10)),
    licence="CC BY 4.0 (UCI)",
    source="UCI optdigits, test part, as in scikit-learn, https://doi.org/10.24432/C50P49",
)
