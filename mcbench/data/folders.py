"""The two folders that may hold data files: the user's own, and the cache of downloads."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_warned: set[str] = set()


def data_folder() -> Path | None:
    """Folder named by ``MCBENCH_DATA``, None where it is unset or does not exist."""
    value = os.environ.get("MCBENCH_DATA", "").strip()
    if not value:
        return None
    folder = Path(value).expanduser()
    if folder.is_dir():
        return folder
    if value not in _warned:
        _warned.add(value)
        print(f"mcbench: MCBENCH_DATA={value} is not a folder and is ignored", file=sys.stderr)
    return None


def cache_folder() -> Path:
    """Folder of downloaded files: ``MCBENCH_CACHE``, else the operating system's cache."""
    value = os.environ.get("MCBENCH_CACHE", "").strip()
    if value:
        return Path(value).expanduser()
    import pooch

    return Path(pooch.os_cache("mcbench"))


def candidates(path: str) -> list[str]:
    """Names under which a file may lie: compressed or not, whichever the registry says."""
    plain = path.removesuffix(".gz")
    return list(dict.fromkeys([path, plain, plain + ".gz", plain + ".Z"]))


def find(folder: Path, path: str) -> Path | None:
    """Return the file below `folder` that holds `path`, None where there is none."""
    for name in candidates(path):
        if (folder / name).is_file():
            return folder / name
    return None


def present(path: str) -> Path | None:
    """Return the local copy of a file that would be read, unchecked; None where there is none."""
    folder = data_folder()
    found = find(folder, path) if folder is not None else None
    return found or find(cache_folder(), path)
