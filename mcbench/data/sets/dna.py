"""Primate splice junctions: 60 positions of DNA as 180 binary attributes."""

from __future__ import annotations

from ..definition import DatasetInfo, Part
from ..splits import Block, BlockSplit

DATASET = DatasetInfo(
    name="dna",
    title="DNA",
    n_features=180,
    n_classes=3,
    labels="1 ei, 2 ie, 3 neither",
    parts=(
        Part(
            "train",
            2000,
            X="7c80e9bd2d18d8905f3dcc2d19d5c2d3bf622850e6b17987445146504e9c4b07",
            y="c9063760dfb07813cfbb17a1df233edd56d011b552a6d93a0612b14cfa0d7efd",
        ),
        Part(
            "test",
            1186,
            X="23e3ec811b44e5b0b6e5c33eac71e746e2bca513e80629ae40a79457059d5e58",
            y="f8ab995bdc964b7451238cee075969d4bb136af58956f76881c57840ce89f96c",
        ),
    ),
    splits=(BlockSplit("2000/1186", Block(0, 2000), Block(2000, 3186), note="Statlog's split"),),
    licence="none stated by Statlog or LIBSVM",
    source="Statlog, as in LIBSVM's dna.scale and dna.scale.t",
    papers=("hsu_lin_2002",),
    note="binary and three quarters zeros: not to be scaled",
)
