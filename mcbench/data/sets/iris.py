"""Fisher's iris: three species from four lengths, as at UCI."""

from __future__ import annotations

from ..definition import DatasetInfo, Part
from ..splits import CrossValidation, Holdout

DATASET = DatasetInfo(
    name="iris",
    title="Iris",
    n_features=4,
    n_classes=3,
    labels="0 setosa, 1 versicolor, 2 virginica",
    parts=(
        Part(
            "all",
            150,
            X="58280bb559506628655ae68c493688079f736a0f3142f8b526ee3983cae22030",
            y="734737f11162991213afc3a96aa5e8823b2d9cdcfb8992df1e85a0bae44b2395",
        ),
    ),
    splits=(CrossValidation(10), Holdout("90/10", 0.1, folds=10)),
    licence="CC BY 4.0 (UCI)",
    source="UCI iris (Fisher 1936), https://doi.org/10.24432/C56C76",
    papers=("hsu_lin_2002", "weston_watkins_1998"),
    note="as at UCI, which the papers used: rows 35 and 38 (from 1) read 4.9,3.1,1.5,0.1, where "
    "Fisher's table and scikit-learn have 4.9,3.1,1.5,0.2 and 4.9,3.6,1.4,0.1",
)
