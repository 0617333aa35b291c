"""Runs in one file: written the same each time, and unpacked with distrust.

An archive (zip or tar.gz) holds `runs/<name>/<file>` and `MANIFEST.json`, the size and the SHA-256
of each of these files. Nothing else is accepted: no other names, no links, no folders, nothing
twice, no file that is larger than it says.
"""

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from mcbench.errors import UserError
from mcbench.files import atomic, to_json, writing
from mcbench.record import CONFIG, FILE, PREDICTIONS, TRACE

MANIFEST = "MANIFEST.json"
FORMAT = "mcbench runs, version 1"
SUFFIXES = (".zip", ".tar.gz")

#: What of a run goes into an archive.
FILES = (CONFIG, PREDICTIONS, FILE, TRACE)

#: Bytes of one file at most.
LARGEST = 2**30

#: All files together have at most so many bytes, and so many times those of the archive: tables are
#: compressed already, and records do not shrink a hundredfold.
SMALL, FOLD = 2**26, 100

_MEMBER = re.compile(rf"runs/([0-9a-f]{{16}}(?:@[0-9a-f]{{8}})?)/({'|'.join(FILES)})")
_DAMAGE = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, struct.error, EOFError, OSError, ValueError,
    RuntimeError, NotImplementedError, OverflowError,
)  # fmt: skip

Manifest = dict[str, dict[str, Any]]


def check_target(path: Path) -> None:
    """Raise a `UserError` for a file that no archive can be written to."""
    if not path.name.endswith(SUFFIXES):
        raise UserError(f"{path} is no name for an archive: end it with {' or '.join(SUFFIXES)}.")
    if os.path.lexists(path):
        raise UserError(f"{path} exists already: choose another name, or move it away.")


def pack(folders: Iterable[Path], path: Path) -> None:
    """Write an archive of runs; the same runs give the same bytes.

    Parameters
    ----------
    folders : iterable of Path
        The runs' folders.
    path : Path
        The archive, whose name says of what kind it is.

    Raises
    ------
    UserError
        When the name is of no kind, the file exists, or it cannot be written.
    """
    check_target(path)
    manifest: Manifest = {}
    with writing(path.parent, "choose another FILE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic(path) as fresh, _writer(fresh, path.suffix == ".zip") as add:
            for folder in sorted(folders, key=lambda item: item.name):
                for name in FILES:
                    if (folder / name).is_file():
                        member = f"runs/{folder.name}/{name}"
                        content = (folder / name).read_bytes()
                        manifest[member] = _described(content)
                        add(member, content)
            found = to_json({"format": FORMAT, "files": manifest}, indent=1)
            add(MANIFEST, f"{found}\n".encode())


def unpack(path: Path, folder: Path) -> None:
    """Unpack an archive into an empty folder, as `<name>/<file>`, and verify it by its manifest.

    Raises
    ------
    UserError
        When it is no archive of runs, damaged, or holds what an archive of runs does not.
    """
    room = shutil.disk_usage(folder).free
    likely = SMALL + FOLD * path.stat().st_size
    found: Manifest = {}
    listed: Any = None
    try:
        for name, size, stream in _members(path):
            if name == MANIFEST and listed is None:
                listed = json.loads(_bounded(stream, size))
                continue
            match = _MEMBER.fullmatch(name)
            if match is None or name in found:
                raise _refused(path, f"it holds {name!r}" + (" twice" if match else ""))
            room -= size
            if room < 0:
                raise _refused(path, f"there is no room for it on the disk of {folder}")
            likely -= size
            if likely < 0:
                raise _refused(path, "it unpacks to far more than runs would")
            content = _bounded(stream, size)
            found[name] = _described(content)
            with writing(folder):
                (folder / match[1]).mkdir(exist_ok=True)
                (folder / match[1] / match[2]).write_bytes(content)
    except UserError:
        raise
    except _DAMAGE as error:
        why = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise _refused(path, f"it cannot be read as an archive ({why})") from error
    if not isinstance(listed, dict) or listed.get("format") != FORMAT:
        raise _refused(path, f"it has no {MANIFEST} of this version")
    if listed.get("files") != found:
        wrong = sorted(_differing(listed.get("files"), found))
        raise _refused(path, f"{wrong[0]} is not as its {MANIFEST} says")


def _refused(path: Path, why: str) -> UserError:
    return UserError(f"Nothing is taken from {path}: {why}. Have it exported again.")


def _described(content: bytes) -> dict[str, Any]:
    return {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}


def _differing(listed: Any, found: Manifest) -> set[str]:
    """Return the files of which manifest and content say different things."""
    if not isinstance(listed, dict):
        return {MANIFEST}
    names = {*map(str, listed), *found}
    return {name for name in names if listed.get(name) != found.get(name)}


def _bounded(stream: IO[bytes], size: int) -> bytes:
    """Read a member, and not a byte more than it says to have."""
    if not 0 <= size <= LARGEST:
        raise ValueError(f"a file of {size} bytes")
    content = stream.read(size)
    if len(content) != size or stream.read(1):
        raise ValueError(f"a file that has not the {size} bytes it says")
    return content


@contextmanager
def _writer(path: Path, as_zip: bool) -> Iterator[Callable[[str, bytes], None]]:
    """Give a function that adds a file, with nothing of the time and the user in it."""
    if as_zip:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:

            def add(name: str, content: bytes) -> None:
                info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, 3
                info.external_attr = (stat.S_IFREG | 0o644) << 16
                archive.writestr(info, content)

            yield add
        return
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar,
    ):

        def add_to_tar(name: str, content: bytes) -> None:
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(content), 0o644
            tar.addfile(info, io.BytesIO(content))

        yield add_to_tar


class _Reader(gzip.GzipFile):
    """Refuses to fill the memory with what a header asks for."""

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= LARGEST:
            raise ValueError(f"a part of {size} bytes")
        return super().read(size)


def _members(path: Path) -> Iterator[tuple[str, int, IO[bytes]]]:
    """Yield name, size and content of the regular files in an archive; refuse all else."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                kind = stat.S_IFMT(info.external_attr >> 16)
                if info.is_dir() or kind not in (0, stat.S_IFREG):
                    raise ValueError(f"{info.filename!r} is no file")
                with archive.open(info) as stream:
                    yield info.filename, info.file_size, stream
        return
    with _Reader(path) as packed, tarfile.open(fileobj=packed, mode="r:") as tar:
        for member in tar:
            if not member.isreg() or member.sparse is not None:
                raise ValueError(f"{member.name!r} is no file")
            content = tar.extractfile(member)
            assert content is not None
            yield member.name, member.size, content
