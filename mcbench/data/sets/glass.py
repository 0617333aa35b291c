"""Glass identification: kinds of glass from their chemistry."""

from __future__ import annotations

from ..definition import DatasetInfo, Part
from ..splits import CrossValidation, Holdout

DATASET = DatasetInfo(
    name="glass",
    title="Glass",
    n_features=9,
    n_classes=6,
    labels="1, 2, 3, 5, 6, 7 (4 does not occur; papers that count it say seven classes)",
    parts=(
        Part(
            "all",
            214,
            X="ec3bb3cbe02e01600db223bfebc8573a269585bfbf07dd37d7e4c25ec77396f6",
            y="c02d384350a4fada844ce290a699d003cf4a40ea10ed8fdee0ec6774c7ea9b39",
        ),
    ),
    splits=(CrossValidation(5), CrossValidation(10), Holdout("90/10", 0.1, folds=10)),
    licence="CC BY 4.0 for all of UCI (not stated for this set)",
    source="UCI glass, https://archive.ics.uci.edu/dataset/42/glass+identification",
    papers=("crammer_singer_2001", "hsu_lin_2002", "weston_watkins_1998"),
    note="rows are sorted by class; UCI's column of row numbers is left out",
)
