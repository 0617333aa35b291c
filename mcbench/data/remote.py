"""A file of a data set: what it is called, how it is recognised, where it can be had."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Mirror:
    """A public address of a file.

    Attributes
    ----------
    url : str
        Where it is. Compression (gzip, compress) is recognised from the content.
    member : str or None
        Name of the file inside the zip archive that `url` gives.
    """

    url: str
    member: str | None = None


@dataclass(frozen=True)
class RemoteFile:
    """A file to be found locally or downloaded.

    Attributes
    ----------
    path : str
        Place below the data folder, ``/`` between folders. Ends in ``.gz`` where kept compressed.
    sha256 : str or None
        SHA-256 of the uncompressed content; None where no hash has been published.
    limit : int
        The content has at most this many bytes.
    mirrors : tuple of Mirror
        Addresses, tried in this order.
    check : callable or None
        Raises ValueError for a wrong content. It is what stands in for a missing hash.
    hint : str
        What a user who lacks the file should know.
    """

    path: str
    sha256: str | None
    limit: int
    mirrors: tuple[Mirror, ...] = ()
    check: Callable[[bytes], None] | None = None
    hint: str = ""
