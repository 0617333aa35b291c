"""Vehicle silhouettes: four models of cars from shape features."""

from __future__ import annotations

from ..definition import DatasetInfo, Part
from ..splits import CrossValidation

DATASET = DatasetInfo(
    name="vehicle",
    title="Vehicle",
    n_features=18,
    n_classes=4,
    labels="0 bus, 1 opel, 2 saab, 3 van",
    parts=(
        Part(
            "all",
            846,
            X="5d549b80abb6a5fb231b5616172799b0077fbeab7ce692d489c5409fa15c3d39",
            y="bf17e0c8a44165630aaa717587fb6921ae341dd2677474fbb741feddaf869d38",
        ),
    ),
    splits=(CrossValidation(10),),
    licence="CC BY 4.0 for all of UCI (not stated for this set)",
    source="UCI statlog/vehicle, files xaa.dat to xai.dat in this order",
    papers=("hsu_lin_2002",),
)
