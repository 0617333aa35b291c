"""Wine: three cultivars from thirteen chemical measurements."""

from __future__ import annotations

from ..definition import DatasetInfo, Part
from ..splits import CrossValidation, Holdout

DATASET = DatasetInfo(
    name="wine",
    title="Wine",
    n_features=13,
    n_classes=3,
    labels="cultivar 1 to 3",
    parts=(
        Part(
            "all",
            178,
            X="8edcf3903afd97c64d51e0212eb10b213f7943da650574d1c055b836c5c35d37",
            y="5ac337ead8da4d7dae808bc3160e114180d6fcf4069867d4224dc81ec6be28c8",
        ),
    ),
    splits=(CrossValidation(10), Holdout("90/10", 0.1, folds=10)),
    licence="CC BY 4.0 (UCI)",
    source="UCI wine, https://doi.org/10.24432/C5PC7J",
    papers=("hsu_lin_2002", "weston_watkins_1998"),
    note="rows are sorted by class",
)
