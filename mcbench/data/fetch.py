"""Get a file: from the user's folder, from the cache, else from the first mirror that works."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ._types import DataUnavailable
from .download import DownloadError, download
from .folders import cache_folder, data_folder, find
from .remote import RemoteFile
from .unpack import unpack


def say(line: str) -> None:
    """Tell the user, on stderr."""
    print(f"mcbench: {line}", file=sys.stderr, flush=True)


def obtain(file: RemoteFile, *, report: Callable[[str], None] = say) -> bytes:
    """Return the verified content of a file.

    Looks into the folder named by ``MCBENCH_DATA``, then into the cache, then asks each mirror. A
    wrong file of the user's is reported and left alone; a wrong file of the cache is discarded and
    fetched anew.

    Parameters
    ----------
    file : RemoteFile
        The file wanted.
    report : callable
        Told what failed, one line each.

    Raises
    ------
    DataUnavailable
        When no copy and no mirror gives the right content.
    """
    failures: list[str] = []
    folder = data_folder()
    for place in (folder, cache_folder()):
        path = find(place, file.path) if place is not None else None
        if path is None:
            continue
        try:
            return read(path, file)
        except (OSError, ValueError) as error:
            failures.append(f"{path} is wrong ({error})")
            if place is folder:
                report(f"{path} is wrong and is ignored: {error}")
            else:
                report(f"{path} is wrong, is discarded and fetched again: {error}")
                with contextlib.suppress(OSError):  # a cache that is read-only
                    path.unlink()

    for mirror in file.mirrors:
        try:
            content = download(mirror, file.limit)
            verify(content, file)
        except (DownloadError, ValueError) as error:
            failures.append(f"{mirror.url} ({error})")
            report(f"{file.path}: {mirror.url} failed: {error}")
            continue
        _keep(content, file, report)
        return content
    raise DataUnavailable(explain(file, failures))


def read(path: Path, file: RemoteFile) -> bytes:
    """Return the content of a local copy, verified; ValueError when it is wrong."""
    content = unpack(path.read_bytes(), file.limit)
    verify(content, file)
    return content


def verify(content: bytes, file: RemoteFile) -> None:
    """Raise ValueError when `content` is not the content of `file`."""
    if file.sha256 is not None:
        found = hashlib.sha256(content).hexdigest()
        if found != file.sha256:
            raise ValueError(
                f"the content has the SHA-256 {found[:12]}..., not {file.sha256[:12]}..."
            )
    if file.check is not None:
        file.check(content)


def explain(file: RemoteFile, failures: list[str]) -> str:
    """Say which file is missing, what was tried, and how to place it by hand."""
    name = file.path.rsplit("/", 1)[-1]
    tried = "; ".join(failures) if failures else "it has no mirror"
    digest = f" (SHA-256 of the uncompressed content: {file.sha256})" if file.sha256 else ""
    folder = data_folder()
    if folder is not None:
        where = f"put it at {folder / file.path}"
    else:
        where = f"set MCBENCH_DATA to a folder of yours and put it there as {file.path}"
    hint = f" Note: {file.hint}." if file.hint else ""
    return f"{name} cannot be had. Tried: {tried}. By hand: {where}{digest}.{hint}"


def _keep(content: bytes, file: RemoteFile, report: Callable[[str], None]) -> None:
    """Store a verified content in the cache; a cache that cannot be written is only reported."""
    target = cache_folder() / file.path
    blob = gzip.compress(content, 6, mtime=0) if file.path.endswith(".gz") else content
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".part-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(blob)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        report(f"{target} could not be written ({error}); the file is used and not kept")
