"""Landsat satellite image: six kinds of soil from 3x3 pixels in four bands."""

from __future__ import annotations

from ..definition import DatasetInfo, Part
from ..splits import Block, BlockSplit

DATASET = DatasetInfo(
    name="satimage",
    title="Satimage",
    n_features=36,
    n_classes=6,
    labels="1, 2, 3, 4, 5, 7 (6 does not occur)",
    parts=(
        Part(
            "train",
            4435,
            X="ba1d3b038026e9434ef6cccc111503b50376b445a6ffa204168b714e768f3acc",
            y="56d14e44f99cff60031d21b793f64441b01202480c0f5e3c26cca24160bd220c",
        ),
        Part(
            "test",
            2000,
            X="fdbbd00b72d5254602934c8313a22ba28db0f4b10eba97ff9feccd56bb12043c",
            y="c28fdd122b471ba64ad67e71cebe3fedc58cfc2aaaac3bfe611c5dded34206dd",
        ),
    ),
    splits=(
        BlockSplit(
            "4435/2000", Block(0, 4435), Block(4435, 6435), note="Statlog's sat.trn and sat.tst"
        ),
    ),
    licence="CC BY 4.0 (UCI)",
    source="UCI statlog/satimage, https://doi.org/10.24432/C55887",
    papers=("crammer_singer_2001", "hsu_lin_2002"),
)
