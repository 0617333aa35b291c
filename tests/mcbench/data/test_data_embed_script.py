"""The script that rebuilds the embedded sets reads R's format; see `--check` for the whole."""

from __future__ import annotations

import importlib.util
import lzma
import struct
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "embed_data.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("embed_data", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["embed_data"] = module
    spec.loader.exec_module(module)
    return module


def ints(*values: int) -> bytes:
    return struct.pack(f">{len(values)}i", *values)


def chars(text: str) -> bytes:
    return ints(0x40009, len(text)) + text.encode()


def symbol(text: str) -> bytes:
    return ints(1) + chars(text)


def strings(*texts: str) -> bytes:
    return ints(16, len(texts)) + b"".join(map(chars, texts))


NIL = ints(254)


def a_frame() -> bytes:
    """data.frame(size = c(1.5, -2), kind = factor(c("b", NA), levels = c("a", "b")))"""
    size = ints(14, 2) + struct.pack(">2d", 1.5, -2.0)
    kind = ints(13 | 0x300, 2, 2, -(2**31))
    kind += ints(0x402) + symbol("levels") + strings("a", "b")
    kind += ints(0x402) + symbol("class") + strings("factor") + NIL
    frame = ints(19 | 0x300, 2) + size + kind
    frame += ints(0x402) + symbol("names") + strings("size", "kind")
    frame += ints(0x402) + ints((2 << 8) | 255) + strings("data.frame") + NIL  # symbol 2: class
    return b"RDX2\nX\n" + ints(2, 0x20600, 0x20300) + ints(0x402) + symbol("Mine") + frame + NIL


def test_a_data_frame(script: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "Mine.rda"
    path.write_bytes(lzma.compress(a_frame()))
    columns = script.frame(path, "Mine")
    assert list(columns) == ["size", "kind"]
    assert script.numbers(columns["size"]).tolist() == [1.5, -2.0]
    assert script.texts(columns["kind"]) == ["b", None]


def test_wrong_files(script: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"not an \.rda file"):
        script.read_rda(b"RDX3\nX\n")
    with pytest.raises(ValueError, match="end too early"):
        script.read_rda(a_frame()[:-30])
    with pytest.raises(ValueError, match="version 3"):
        script.read_rda(b"RDX2\nX\n" + ints(3, 0, 0))


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([0.0, 255.0], "u1"),
        ([-1.0, 5.0], "i1"),
        ([-300.0, 5.0], "<i2"),
        ([70000.0], "<i4"),
        ([0.5], "<f4"),
        ([0.1], "<f8"),
    ],
)
def test_smallest_type(script: ModuleType, values: list[float], dtype: str) -> None:
    small = script.smallest(np.array(values))
    assert small.dtype == np.dtype(dtype)
    assert small.tolist() == values


def test_sets_of_scikit_learn_are_as_registered(script: ModuleType) -> None:
    from mcbench.data import datasets

    for name, data in script.from_sklearn().items():
        assert datasets()[name].differences(data) == []
