"""Open a text file, compressed or not."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path
from typing import IO

_OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def open_text(path: Path) -> IO[str]:
    """Open for reading; ``.gz``, ``.bz2`` and ``.xz`` are expanded."""
    opener = _OPENERS.get(path.suffix.lower())
    if opener is None:
        return path.open(encoding="utf-8-sig", newline="")
    return opener(path, "rt", encoding="utf-8-sig", newline="")  # type: ignore[operator]


def inner_suffix(path: Path) -> str:
    """Suffix of the name in lower case, without that of a compression."""
    name = Path(path.stem) if path.suffix.lower() in _OPENERS else path
    return name.suffix.lower()
