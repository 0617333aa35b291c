"""Letter image recognition: 26 capital letters from 20 fonts."""

from __future__ import annotations

from ..definition import DatasetInfo, Part
from ..splits import Block, BlockSplit

DATASET = DatasetInfo(
    name="letter",
    title="Letter",
    n_features=16,
    n_classes=26,
    labels="A to Z as 1 to 26",
    parts=(
        Part(
            "all",
            20000,
            X="692f7bb7abde2df4d93a3251c561b91d3e6a76a1110ac657679550e1d35921d0",
            y="506de2c6672de3a8498787f683a92d9ada15d634ada02e585517a5269f3374d4",
        ),
    ),
    splits=(
        BlockSplit(
            "15000/5000",
            Block(0, 15000),
            Block(15000, 20000),
            note="Hsu & Lin 2002 (the sizes of LIBSVM's letter.scale), in UCI's order",
        ),
        BlockSplit(
            "16000/4000",
            Block(0, 16000),
            Block(16000, 20000),
            note="the split of UCI's documentation",
        ),
        BlockSplit(
            "5000/4000",
            Block(0, 16000, size=5000),
            Block(16000, 20000),
            note="Crammer & Singer 2001 do not state their rows; 4000 is the size of UCI's test "
            "part, so the test part is the last 4000 rows, and the training part the first 5000 "
            "rows or a draw from the first 16000",
        ),
    ),
    licence="CC BY 4.0 (UCI)",
    source="UCI letter-recognition (Slate 1991), https://doi.org/10.24432/C5ZP40",
    papers=("crammer_singer_2001", "hsu_lin_2002", "aiolli_sperduti_2005"),
)
