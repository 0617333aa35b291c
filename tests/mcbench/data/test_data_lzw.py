"""The decoder of ``.Z`` files against a file of ncompress and an encoder written here."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcbench.data.lzw import decompress

TEXT = b"0.5, -0.25, 1.\n" * 12 + bytes(range(256)) + b"abcabcabc" * 20
# `compress -b 10` of ncompress 4.2.4.6, of TEXT
NCOMPRESS = (
    "ADxOYT-0CzqD4R%13|=ap&(#FgDwyfT-Z<`L5LC+GIV(HU_y!<3woTm(W1zRA4@(Qsj=cplq6ktgxNAA#*{K",
    "oW&~;SW=sG91PmZhz`y|n2^1_~(7?e12oWSqpisfW1q>N9Y~awr!v_!{M2sL&!o&#_DO9Xr(Za<G7%^nbpi#",
    "rd4IDXi?BLPE#}6PugbX24#K;jONt7&M(!|LVC{d(Lp;E=l6)ah_Y~j+y%NH<V#Ec<R#>^QsY1FJ?)5gskIC",
    "136p;O1s9XxsT?BUbL&mTa61Pvlo$j~7~i4-kj)X32zNRcE>qEyM!B}|z#ZQ|6)(<e}&M2#X<%G4=TsZ_0E)",
    "ymZ?Sg~ZyqE*Y*EnK;D?c&wT*Dqkf2r~>Z#Tau8GRY{j3^UC*^9(f6NHYyJ)mU>4HrZ&i4L99*^9?xRh%*j3",
    "<(P90I_aph4m<6*^A0@m$TJT;_1JR{KKbag4?q3*^G|4F04bzsLk3CYkwzw2<dR4-sbrH-J}IS>R7P3llvZY",
    "m<(5SP",
)


def compress(data: bytes, max_bits: int, block_mode: bool = True) -> bytes:
    """A plain encoder; it clears its table when that is full, as compress may."""
    first = 257 if block_mode else 256
    out, pending, held = bytearray(b"\x1f\x9d"), 0, 0
    out.append(max_bits | (0x80 if block_mode else 0))
    width, in_group = 9, 0

    def put(code: int) -> None:
        nonlocal pending, held, in_group
        pending |= code << held
        held += width
        in_group = (in_group + 1) % 8
        while held >= 8:
            out.append(pending & 0xFF)
            pending, held = pending >> 8, held - 8

    def pad() -> None:
        nonlocal in_group
        while in_group:
            put(0)

    table = {bytes((i,)): i for i in range(256)}
    free, word = first, b""
    for value in data:
        longer = word + bytes((value,))
        if longer in table:
            word = longer
            continue
        put(table[word])
        word = bytes((value,))
        if free < 1 << max_bits:
            table[longer] = free
            free += 1
            # the decoder's table is one entry behind
            if free - 1 == 1 << width and width < max_bits:
                pad()
                width += 1
        elif block_mode:
            put(256)
            pad()
            table = {bytes((i,)): i for i in range(256)}
            free, width = first, 9
    if word:
        put(table[word])
    if held:
        out.append(pending & 0xFF)
    return bytes(out)


def test_a_file_of_ncompress() -> None:
    assert decompress(base64.b85decode("".join(NCOMPRESS)), 10_000) == TEXT


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.binary(min_size=1, max_size=60), min_size=1, max_size=40),
    st.integers(1, 60),
    st.integers(10, 16),
    st.booleans(),
)
def test_round_trip(pieces: list[bytes], times: int, max_bits: int, block_mode: bool) -> None:
    data = b"".join(pieces) * times
    assert decompress(compress(data, max_bits, block_mode), 1 << 24) == data


def test_long_input_with_many_clears() -> None:
    data = b"".join(b"%d,%d;" % (i * i, i % 17) for i in range(30_000))
    for max_bits in (10, 12, 16):
        assert decompress(compress(data, max_bits), 1 << 24) == data


def test_limits_and_damage() -> None:
    packed = compress(b"ab" * 5000, 16)
    with pytest.raises(ValueError, match="more than 100 bytes"):
        decompress(packed, 100)
    with pytest.raises(ValueError, match=r"not a \.Z file"):
        decompress(b"\x1f\x8b\x08", 100)
    with pytest.raises(ValueError, match="9 bits"):
        decompress(b"\x1f\x9d\x89\x00", 100)
    with pytest.raises(ValueError, match="without meaning"):
        decompress(packed[:3] + b"\xff" * 20, 100)
