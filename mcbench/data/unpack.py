"""From the bytes of a download or a local file to the content, in memory and bounded.

Nothing is written to disk, so that no archive can leave its folder, and nothing expands beyond
the size that the registry allows.
"""

from __future__ import annotations

import gzip
import io
import stat
import zipfile
import zlib

from . import lzw

_GZIP_MAGIC = b"\x1f\x8b"


def unpack(blob: bytes, limit: int, member: str | None = None) -> bytes:
    """Return the content of `blob`, uncompressed.

    Parameters
    ----------
    blob : bytes
        A file as it lies on a server or a disk. The compression is read from its first bytes: some
        servers send a ``.gz`` file expanded.
    limit : int
        Largest content in bytes; more raises ValueError.
    member : str or None
        The file wanted from a zip archive, found by its name whatever its folder.
    """
    try:
        if member is not None:
            blob = _member(blob, limit, member)
        if blob[:2] == _GZIP_MAGIC:
            with gzip.GzipFile(fileobj=io.BytesIO(blob)) as stream:
                blob = stream.read(limit + 1)
        elif blob[:2] == lzw.MAGIC:
            blob = lzw.decompress(blob, limit)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise ValueError(f"truncated or damaged: {error}") from error
    except (RuntimeError, NotImplementedError, UnicodeDecodeError) as error:  # encrypted, exotic
        raise ValueError(f"cannot be unpacked: {error}") from error
    if len(blob) > limit:
        raise ValueError(f"larger than {limit} bytes")
    return blob


def _member(blob: bytes, limit: int, name: str) -> bytes:
    """Read one file of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(blob)) as archive:
        for info in archive.infolist():
            if info.filename.rsplit("/", 1)[-1] == name and not _is_special(info):
                with archive.open(info) as stream:
                    return stream.read(limit + 1)
    raise ValueError(f"the archive holds no {name}")


def _is_special(info: zipfile.ZipInfo) -> bool:
    """Return whether an entry is no plain file: a link or a device, as Unix archives have them."""
    mode = info.external_attr >> 16
    return stat.S_IFMT(mode) not in (0, stat.S_IFREG)
