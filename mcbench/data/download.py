"""Download one address, with limits on time and size."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from .remote import Mirror
from .unpack import unpack

CONNECT_TIMEOUT = 10.0
"""Seconds to wait for a connection."""
READ_TIMEOUT = 30.0
"""Seconds to wait for the next bytes."""
SLOWEST = 1024.0
"""Bytes a second below which a download is given up, once the grace has passed."""
GRACE = 30.0
"""Seconds for which a download may be slower."""
LARGEST = 1 << 26
"""Bytes that a download may always have, since an archive holds more than the file wanted."""
OWN = ("127.0.0.1", "localhost", "::1")
"""This machine: what is fetched from it crosses no network."""
FORGET_AFTER = 300.0
"""Seconds for which a server that did not answer is not asked again."""

_silent: dict[str, float] = {}


class DownloadError(Exception):
    """A mirror failed. The message is the reason in a few words."""


def download(mirror: Mirror, limit: int) -> bytes:
    """Return the content that a mirror gives, uncompressed.

    Parameters
    ----------
    mirror : Mirror
        Where to get it.
    limit : int
        Largest content in bytes.

    Raises
    ------
    DownloadError
        For whatever reason there is no content.
    """
    import requests

    check_address(mirror.url)
    server = urlsplit(mirror.url).netloc
    if time.monotonic() < _silent.get(server, 0.0):
        raise DownloadError("the server did not answer a moment ago")
    try:
        return unpack(_retrieve(mirror.url, max(2 * limit, LARGEST)), limit, mirror.member)
    except requests.Timeout as error:
        _silent[server] = time.monotonic() + FORGET_AFTER
        raise DownloadError("no answer in time") from error
    except requests.HTTPError as error:
        code = error.response.status_code if error.response is not None else "error"
        raise DownloadError(f"HTTP {code}") from error
    except requests.exceptions.ChunkedEncodingError as error:
        raise DownloadError("the connection broke off") from error
    except requests.ConnectionError as error:
        if _timed_out(error):
            raise DownloadError("no answer in time") from error
        _silent[server] = time.monotonic() + FORGET_AFTER
        raise DownloadError("no connection") from error
    except requests.TooManyRedirects as error:
        raise DownloadError("sent elsewhere too often") from error
    except requests.RequestException as error:
        raise DownloadError(f"{type(error).__name__}") from error
    except (ValueError, OSError) as error:
        raise DownloadError(str(error)) from error


def check_address(url: str, sent_by: str | None = None) -> None:
    """Raise a `DownloadError` for an address that is not https.

    Plain http is for this machine only, and no other server may send there.

    Parameters
    ----------
    url : str
        The address.
    sent_by : str or None
        The address that redirected to it.
    """
    parts = urlsplit(url)
    here = parts.hostname in OWN and (sent_by is None or urlsplit(sent_by).hostname in OWN)
    if parts.scheme != "https" and not (parts.scheme == "http" and here):
        how = "it sends to" if sent_by else "the address is"
        raise DownloadError(f"only https will do, and {how} {parts.scheme}://{parts.netloc}")


def _follow(response: Any, *_: object, **__: object) -> None:
    """Look at an answer before `requests` goes where it sends."""
    if response.is_redirect:
        target = urljoin(response.url, response.headers["location"])
        check_address(target, sent_by=response.url)


def _retrieve(url: str, limit: int) -> bytes:
    """Let pooch download `url` to a temporary file, and read that."""
    import pooch

    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel("ERROR")  # pooch would suggest to add a hash to the code
    try:
        with tempfile.TemporaryDirectory(prefix="mcbench-") as folder, _Meter(url, limit) as meter:
            fetch = pooch.HTTPDownloader(
                progressbar=meter,
                chunk_size=4096,
                timeout=(CONNECT_TIMEOUT, READ_TIMEOUT),
                hooks={"response": _follow},
            )
            path = pooch.retrieve(url, None, fname="file", path=folder, downloader=fetch)
            return Path(path).read_bytes()
    finally:
        logger.setLevel(level)


def _timed_out(error: BaseException) -> bool:
    """Whether a read that timed out is behind a connection error."""
    return "timed out" in str(error).lower()


class _Meter:
    """Watches a download for pooch: gives up when it is too slow or too large, shows progress."""

    def __init__(self, url: str, limit: int) -> None:
        self.total = 0
        self._limit = limit
        self._label = url.rsplit("/", 1)[-1]
        self._received = 0
        self._start = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> _Meter:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task(self._label, total=None)
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, size: int) -> None:
        """Count bytes. Called by pooch for each piece, and once more at the end with `total`."""
        self._received += size  # pooch counts whole pieces, also for the last one
        seconds = time.monotonic() - self._start
        if self._received > self._limit:
            raise ValueError(f"larger than {self._limit >> 20} MB")
        if seconds > GRACE and self._received < SLOWEST * seconds:
            raise ValueError(f"slower than {SLOWEST:.0f} bytes a second")
        if self._bar is not None:
            total = self.total or None
            self._bar.update(self._task, completed=self._received, total=total)

    def reset(self) -> None:
        """Start counting anew; pooch calls it before it reports the total."""
        self._received = 0

    def close(self) -> None:
        """Nothing to do: `__exit__` ends the display."""
