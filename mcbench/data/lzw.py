"""Decoder of the Unix ``compress`` format (``.Z``), in which UCI keeps some of its files.

The format: the bytes 1f 9d, a byte of flags (low five bits: the largest code width; top bit:
block mode, in which code 256 clears the table), then codes of 9 bits and more, the lowest bit
first. Codes are written in groups of eight; when the width changes, the rest of the group is
padding.
"""

from __future__ import annotations

MAGIC = b"\x1f\x9d"
_CLEAR = 256


def decompress(blob: bytes, limit: int) -> bytes:
    """Expand the content of a ``.Z`` file.

    Parameters
    ----------
    blob : bytes
        The whole file.
    limit : int
        Refuse to expand to more than this many bytes.
    """
    if blob[:2] != MAGIC or len(blob) < 3:
        raise ValueError("not a .Z file")
    max_bits, block_mode = blob[2] & 0x1F, bool(blob[2] & 0x80)
    if not 10 <= max_bits <= 16:  # with 9 the writers disagree
        raise ValueError(f"a .Z file with codes of {max_bits} bits cannot be read")

    first_free = _CLEAR + 1 if block_mode else _CLEAR
    table = [bytes((i,)) for i in range(256)] + [b""] * (first_free - 256)
    out: list[bytes] = []
    written = 0
    previous = b""
    width = 9
    position = group = 3 * 8  # in bits; `group` is where the present width began
    end = len(blob) * 8

    while position + width <= end:
        byte = position >> 3
        window = int.from_bytes(blob[byte : byte + 4], "little")
        code = (window >> (position & 7)) & ((1 << width) - 1)
        position += width

        if block_mode and code == _CLEAR:
            position = _next_group(position, group, width)
            group, width, previous = position, 9, b""
            del table[first_free:]
            continue
        if code < len(table):
            entry = table[code]
        elif code == len(table) and previous:
            entry = previous + previous[:1]
        else:
            raise ValueError("a damaged .Z file: a code without meaning")
        if previous and len(table) < 1 << max_bits:
            table.append(previous + entry[:1])
        out.append(entry)
        written += len(entry)
        if written > limit:
            raise ValueError(f"expands to more than {limit} bytes")
        previous = entry
        if width < max_bits and len(table) >= 1 << width:
            position = _next_group(position, group, width)
            group, width = position, width + 1
    return b"".join(out)


def _next_group(position: int, group: int, width: int) -> int:
    """Skip the padding: codes of one width fill groups of eight codes, that is `width` bytes."""
    size = width * 8
    return group + -(-(position - group) // size) * size
