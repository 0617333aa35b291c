"""Space shuttle: position of the radiators, four fifths of one class."""

from __future__ import annotations

from ..definition import DatasetInfo, Part
from ..splits import Block, BlockSplit

DATASET = DatasetInfo(
    name="shuttle",
    title="Shuttle",
    n_features=9,
    n_classes=7,
    labels="1 to 7",
    parts=(
        Part(
            "train",
            43500,
            X="45e3c4b200ed4284288ca1ab3f2f00fbb165f6e6ae54de778957bc8366ff91f4",
            y="6b867f71c91702613fc5c45d7adf9dfa6fad3a6e60fda84af7308d3e3ce4f852",
        ),
        Part(
            "test",
            14500,
            X="b7a313d49ce07f24e4cea3d271cee32520769c4ddc58f5e79d1565b0f4c10285",
            y="22a64d19d9379ef1206a7af2ddc8c858d7aec9f7fa1bcd376ad31994d670860f",
        ),
    ),
    splits=(
        BlockSplit(
            "43500/14500",
            Block(0, 43500),
            Block(43500, 58000),
            note="Statlog's shuttle.trn and shuttle.tst",
        ),
        BlockSplit(
            "5000/9000",
            Block(0, 43500, size=5000),
            Block(43500, 58000, size=9000),
            note="Crammer & Singer 2001 do not state their rows: the first ones of Statlog's "
            "training and test part, or draws from them",
        ),
    ),
    licence="CC BY 4.0 for all of UCI (not stated for this set)",
    source="UCI statlog/shuttle, https://doi.org/10.24432/C5WS31",
    papers=("crammer_singer_2001", "hsu_lin_2002"),
    note="the first attribute is time",
)
