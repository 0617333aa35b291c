"""No test here sees the user's data, and none reaches beyond this machine."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from mcbench.data import download

_OWN = os.environ.get("MCBENCH_DATA", "")
_LOCAL = {"127.0.0.1", "localhost", "::1"}


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    resolve = socket.getaddrinfo

    def local_only(host: str, *rest: object, **options: object) -> object:
        if host not in _LOCAL:
            raise socket.gaierror(f"the tests must not ask for {host}")
        return resolve(host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", local_only)
    monkeypatch.delenv("MCBENCH_DATA", raising=False)
    monkeypatch.setenv("MCBENCH_CACHE", str(tmp_path / "cache"))
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    download._silent.clear()


@pytest.fixture
def data_folder(isolated: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that MCBENCH_DATA named when the tests were started."""
    folder = Path(_OWN).expanduser()
    if not _OWN or not (folder / "MANIFEST.json").is_file():
        pytest.skip("MCBENCH_DATA names no folder with a MANIFEST.json")
    monkeypatch.setenv("MCBENCH_DATA", str(folder))
    return folder
