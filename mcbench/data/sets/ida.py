"""Six two-class sets of the IDA benchmark (Raetsch), each with published realisations.

The canonical rows are those of the first realisation, training part first. A realisation is given
by row numbers; among equal rows, which cannot be told apart, they are taken in order.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial

import numpy as np

from ..canonical import Canonical
from ..definition import DatasetInfo, Part, Recipe
from ..remote import Mirror, RemoteFile
from ..splits import Realisations

_REALISATIONS = 10

_MATLAB = RemoteFile(
    "ida/benchmarks.mat",
    "47c19e4bc4716edc4077cfa5ea61edf4d02af4ec51a0ecfe035626ae8b561c75",
    1 << 25,
    (
        Mirror(
            "https://github.com/tdiethe/gunnar_raetsch_benchmark_datasets/raw/master/benchmarks.mat"
        ),
        Mirror(
            "https://raw.githubusercontent.com/tdiethe/gunnar_raetsch_benchmark_datasets/master/"
            "benchmarks.mat"
        ),
    ),
)


def read_npz(contents: Sequence[bytes]) -> Canonical:
    """Read rows and row numbers from an archive of NumPy arrays."""
    with np.load(io.BytesIO(contents[0]), allow_pickle=False) as arrays:
        return Canonical(
            arrays["X"],
            arrays["y"].astype(np.int64),
            {key: arrays[key].astype(np.int64) for key in ("train", "test")},
        )


def read_matlab(contents: Sequence[bytes], name: str) -> Canonical:
    """Read one set from benchmarks.mat, where train and test count rows of x and t from 1."""
    from scipy.io import loadmat

    key = name.replace("-", "_")
    record = loadmat(io.BytesIO(contents[0]), variable_names=[key])[key][0, 0]
    x, t = np.asarray(record["x"], dtype=np.float64), record["t"].ravel().astype(np.int64)
    splits = [
        (record["train"][i].astype(np.int64) - 1, record["test"][i].astype(np.int64) - 1)
        for i in range(_REALISATIONS)
    ]
    order = np.concatenate(splits[0])
    X, y = x[order], t[order]
    places: dict[bytes, list[int]] = {}
    for place in range(len(X)):
        places.setdefault(_identity(X[place], y[place]), []).append(place)
    train, test = [], []
    for rows, other_rows in splits:
        taken: dict[bytes, int] = {}
        numbers = []
        for row in np.concatenate([rows, other_rows]):
            key_of_row = _identity(x[row], t[row])
            nth = taken.get(key_of_row, 0)
            taken[key_of_row] = nth + 1
            numbers.append(places[key_of_row][nth])
        train.append(numbers[: len(rows)])
        test.append(numbers[len(rows) :])
    return Canonical(X, y, {"train": np.array(train), "test": np.array(test)})


def _identity(row: np.ndarray, label: np.integer) -> bytes:
    """What makes two examples equal."""
    return row.tobytes() + bytes((int(label) & 0xFF,))


def _dataset(
    key: str, title: str, n_features: int, part: Part, file: tuple[str, int], train: str, test: str
) -> DatasetInfo:
    own = RemoteFile(f"ida/{key}.npz", *file)
    return DatasetInfo(
        name="ida_" + key.replace("-", "_"),
        title=f"IDA {title.lower()}",
        n_features=n_features,
        n_classes=2,
        labels="-1, 1",
        parts=(part,),
        splits=(
            Realisations(
                "realisations",
                _REALISATIONS,
                note="the first ten published realisations, in their row order",
            ),
        ),
        licence="MIT for the repackaging (Diethe); the originals come from UCI, DELVE and Statlog",
        source="IDA benchmark (Raetsch), "
        "https://github.com/tdiethe/gunnar_raetsch_benchmark_datasets",
        extra={"train": train, "test": test},
        recipes=(
            Recipe((own,), read_npz),
            Recipe((_MATLAB,), partial(read_matlab, name=key), exact=False),
        ),
        note="standardised as distributed",
    )


DATASETS = (
    _dataset(
        "banana",
        "Banana",
        2,
        Part(
            "all",
            5300,
            X="2099a819881afd6d072a97fcd3d5baeb7de5c894cd832baa3cc529464680f0e4",
            y="7edbd6596a2c226da5e92423d0088240fbb3a1e9e0407a52c99965bef9553eaf",
        ),
        file=("3aceb89dd5e8317814669076d5db1c04aa763d0b59388183c5486ebdaa0a4e04", 175_839),
        train="fbd493ee881be1d985a026a98ef34835fc0ba11442706151d313ab8bd108c5bf",
        test="26f742bea61f2518b9ba4ec530b220fa76177290b310cc3d599b6f5907f02be6",
    ),
    _dataset(
        "breast-cancer",
        "Breast cancer",
        9,
        Part(
            "all",
            277,
            X="20501175f07b004e8a0a94160968f21bc51cce476bbd19750c3ae75395d0f9c8",
            y="315979c40917c1921cf2e4a6e3bf88703c3d4627a4b3469cdc04f8a480cbccd2",
        ),
        file=("25d54b31db3e6223a775e98199931da2b75bd5c3716cb6046a5cda310ea79841", 6_379),
        train="3a7262796ff261ea3d2824dea8b2671563d54d694a373b1600d30c26b5085f18",
        test="53662c8c57d4401cd59e883f8d7e372004ea76d11a92341c58c37f6b4f5bd1df",
    ),
    _dataset(
        "german",
        "German credit",
        20,
        Part(
            "all",
            1000,
            X="0e03c0f9be1fefd5d06ad42358e6beb948e3a799ece1bfd22116ff997d6ae32e",
            y="79da02db18a79918cff721ac05424cf10cf18fd522f243e3c0b5e699249bfd50",
        ),
        file=("d95dd7573a935761fc7f72638506c596e6c405ade5c55e96301450c602d786f6", 38_572),
        train="4f3b7d18382ced39ce38f3c967287c35c660954384a58174b1ae334495da105e",
        test="a3d20e9bb386169a001f4e3a0b6a91f0fdfe2ea13029b447775853e5d90af778",
    ),
    _dataset(
        "image",
        "Image",
        18,
        Part(
            "all",
            2310,
            X="d2b64405faae06deda38b67304038ebcdde13d85ccee099bed3659f1b0155dc7",
            y="b91e89dfcffdea1e0ec5202245597a9c1f869367c246aa5c5444a448d108b408",
        ),
        file=("b60fada00f53d8651a8f92c18b21f324c0e8f10440d38c1cf704acfbc9fecd61", 254_741),
        train="2146a743aef2afa4f198dd87fca1e95115d4b5144013221eb850753c7979241f",
        test="176643881741de454f14f9539fe9045653c5b15c3b5ba5ad0370d86cc09bf7f6",
    ),
    _dataset(
        "titanic",
        "Titanic",
        3,
        Part(
            "all",
            2201,
            X="07063bdf9f8e1e0bf4d690a66518e6ad6d49d300aeca4539230e5c39242e282a",
            y="9ac051f305ee83e7d8c9c44f93f3dd53066becc631343d3eb37028847337e39a",
        ),
        file=("14589aba0215c6e321a7c778a811d4aa20a8a99a20e9c5bd91a75aac732dfb18", 36_335),
        train="219586283fb055cfa42d28ab2ac13ba8c63a055993aa64575ce8585dbea7ad58",
        test="1711009abf315ed99a84bde5067d83bffda5a1be92a9fbe3e970eae6f8e49b3b",
    ),
    _dataset(
        "waveform",
        "Waveform",
        21,
        Part(
            "all",
            5000,
            X="83bc70c1ca085ee66d0fdab5174443a579cd9d1ba060d32359246901e935d73f",
            y="e888148dc29e7c836484840c3d98237f7d74e5093c60ea5780d2fac36e0a49f8",
        ),
        file=("95495cda9c08faf0708de38b4abf08e56f132a41e1db898f96f119af04d47def", 733_071),
        train="e37f2b30282990ac3a5c3701506a54147d7cd63b04c1d91923f65a3b72ebfa42",
        test="bb86fd145381fa3d8f415a82d7f50425461c9563f023ec176671e9049b1dad6d",
    ),
)
