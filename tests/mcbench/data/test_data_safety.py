"""Downloads go over https alone, and nothing that is unpacked leaves memory or grows unbounded."""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from types import SimpleNamespace

import pytest

from mcbench.data import datasets, download
from mcbench.data.download import DownloadError, check_address
from mcbench.data.remote import Mirror
from mcbench.data.unpack import unpack

CONTENT = b"1 2 3\n" * 100


def answer(url, location=None):
    return SimpleNamespace(
        url=url,
        is_redirect=location is not None,
        headers={"location": location} if location else {},
        history=[],
    )


def files():
    return [
        file for info in datasets().values() for recipe in info.recipes for file in recipe.files
    ]


def test_every_address_is_https_and_every_content_is_verified():
    assert files()
    for file in files():
        for mirror in file.mirrors:
            check_address(mirror.url)
            assert mirror.url.startswith("https://")
        assert file.sha256 is not None or file.check is not None
        assert 0 < file.limit <= 1 << 28


@pytest.mark.parametrize(
    "url", ["http://example.org/x", "ftp://example.org/x", "file:///etc/passwd", "x", ""]
)
def test_another_address_is_refused_before_anything_is_asked(url):
    with pytest.raises(DownloadError, match="only https will do"):
        download.download(Mirror(url), 1000)


@pytest.mark.parametrize(
    "location",
    ["http://example.org/y", "//example.org:80/y", "ftp://example.org/y", "http://127.0.0.1/y"],
)
def test_a_redirect_away_from_https_is_refused(location):
    download._follow(answer("https://example.org/x"))
    download._follow(answer("https://example.org/x", "/elsewhere"))
    if location.startswith("//"):  # the scheme of the page: https
        download._follow(answer("https://example.org/x", location))
        return
    with pytest.raises(DownloadError, match="it sends to"):
        download._follow(answer("https://example.org/x", location))


def test_requests_asks_us_before_it_follows_a_redirect(monkeypatch):
    import threading
    from http.server import BaseHTTPRequestHandler, HTTPServer

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", "http://example.org/elsewhere")
            self.end_headers()

        def log_message(self, *arguments):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/x"
        with pytest.raises(DownloadError, match=r"it sends to http://example\.org"):
            download.download(Mirror(url), 1000)
    finally:
        server.shutdown()
        server.server_close()


def zipped(*members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return stream.getvalue()


@pytest.mark.parametrize("name", ["/etc/table.txt", "../../table.txt", "a/../../table.txt"])
def test_a_path_out_of_the_folder_writes_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert unpack(zipped((name, CONTENT, 0)), 10_000, "table.txt") == CONTENT
    assert not list(tmp_path.rglob("*"))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO])
def test_links_and_devices_are_no_files(kind):
    blob = zipped(("table.txt", b"/etc/passwd", kind | 0o777))
    with pytest.raises(ValueError, match=r"holds no table\.txt"):
        unpack(blob, 10_000, "table.txt")
    both = zipped(("a/table.txt", b"/etc/passwd", kind), ("b/table.txt", CONTENT, stat.S_IFREG))
    assert unpack(both, 10_000, "table.txt") == CONTENT


def test_bombs_are_not_expanded():
    zeros = b"0" * 20_000_000
    for blob, member in (
        (gzip.compress(zeros), None),
        (zipped(("table.txt", zeros, 0)), "table.txt"),
        (zipped(("table.txt", gzip.compress(zeros), 0)), "table.txt"),
    ):
        assert len(blob) < 100_000
        with pytest.raises(ValueError, match="larger than 10000 bytes"):
            unpack(blob, 10_000, member)


def test_an_archive_that_needs_a_password_is_one_sentence():
    blob = bytearray(zipped(("table.txt", CONTENT, 0)))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        blob[blob.index(mark) + offset] |= 1
    with pytest.raises(ValueError, match="cannot be unpacked"):
        unpack(bytes(blob), 10_000, "table.txt")


def test_other_archives_are_not_opened_at_all():
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("../table.txt"), io.BytesIO(b""))
    for blob in (stream.getvalue(), bz2.compress(CONTENT), lzma.compress(CONTENT)):
        assert unpack(blob, 100_000) == blob
        with pytest.raises(ValueError, match="damaged"):
            unpack(blob, 100_000, "table.txt")
