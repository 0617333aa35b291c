"""Files from mirrors that are down, slow, truncated, corrupt and finally right."""

from __future__ import annotations

import gzip
import hashlib
import io
import socket
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mcbench.data import DataUnavailable, download, load
from mcbench.data.fetch import obtain
from mcbench.data.remote import Mirror, RemoteFile

CONTENT = b"1 2 3\n" * 2000
SHA = hashlib.sha256(CONTENT).hexdigest()


BOMB = gzip.compress(b"0" * 5_000_000)


class QuietServer(ThreadingHTTPServer):
    def handle_error(self, *arguments: object) -> None:
        """A client that hangs up is no news."""


class Server:
    """A web server on this machine that misbehaves in the way that the path says."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.release = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.requests.append(self.path)
                server.answer(self, self.path.split("/")[1])

            def log_message(self, *arguments: object) -> None:
                pass

        self.http = QuietServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def url(self, how: str, name: str = "table.txt") -> str:
        return f"http://127.0.0.1:{self.http.server_port}/{how}/{name}"

    def answer(self, to: BaseHTTPRequestHandler, how: str) -> None:
        body, promised, headers = CONTENT, None, {}
        if how == "slow":
            self.release.wait(5)
            return
        if how == "missing":
            to.send_error(404)
            return
        if how == "truncated":
            promised, body = len(body), body[:5000]
        elif how == "short":
            body = body[:5000]
        elif how == "corrupt":
            body = b"9" + body[1:]
        elif how == "page":
            body = b"<html>This page has moved.</html>"
        elif how == "gz":
            body = gzip.compress(body)
        elif how == "badgz":
            body = gzip.compress(body)[:-20]
        elif how == "expanded":  # a .gz that the server declares as an encoding
            body, headers = gzip.compress(body), {"Content-Encoding": "gzip"}
        elif how == "zip":
            stream = io.BytesIO()
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("../../outside.txt", "no")
                archive.writestr("folder/table.txt.gz", gzip.compress(body))
            body = stream.getvalue()
        elif how == "large":
            body = b"0" * 400_000
        elif how == "bomb":
            body = BOMB
        to.send_response(200)
        to.send_header("Content-Length", str(promised or len(body)))
        for key, value in headers.items():
            to.send_header(key, value)
        to.end_headers()
        if how == "drip":
            for i in range(0, len(body), 200):
                if self.release.wait(0.05):
                    return
                to.wfile.write(body[i : i + 200])
                to.wfile.flush()
            return
        to.wfile.write(body)

    def close(self) -> None:
        self.release.set()
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(download, "CONNECT_TIMEOUT", 5.0)
    monkeypatch.setattr(download, "READ_TIMEOUT", 10.0)
    running = Server()
    yield running
    running.close()


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def a_file(*mirrors: Mirror, path: str = "set/table.txt.gz", limit: int = 20_000) -> RemoteFile:
    return RemoteFile(path, SHA, limit, mirrors)


def test_every_way_to_fail_then_the_right_one(
    server: Server, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    down = f"http://127.0.0.1:{closed_port()}/table.txt"
    ways = ["truncated", "short", "corrupt", "missing", "page", "badgz"]
    file = a_file(
        Mirror(down), *(Mirror(server.url(way)) for way in ways), Mirror(server.url("gz"))
    )

    assert obtain(file) == CONTENT

    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 + len(ways)
    assert "no connection" in lines[0]
    assert "SHA-256" in lines[2]
    assert "SHA-256" in lines[3]
    assert "HTTP 404" in lines[4]
    for line, url in zip(lines, [down, *map(server.url, ways)], strict=True):
        assert url in line
        assert "set/table.txt.gz" in line

    kept = tmp_path / "cache" / "set" / "table.txt.gz"
    assert gzip.decompress(kept.read_bytes()) == CONTENT
    assert [p.name for p in kept.parent.iterdir()] == ["table.txt.gz"]

    before = len(server.requests)
    assert obtain(file) == CONTENT
    assert len(server.requests) == before
    assert capsys.readouterr().err == ""


def test_a_slow_server_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "READ_TIMEOUT", 0.3)
    file = a_file(Mirror(server.url("slow")))
    with pytest.raises(DataUnavailable, match="no answer in time"):
        obtain(file)
    # and not waited for again a moment later
    with pytest.raises(DataUnavailable, match="did not answer a moment ago"):
        obtain(a_file(Mirror(server.url("right"))))
    download._silent.clear()
    monkeypatch.setattr(download, "READ_TIMEOUT", 10.0)
    assert obtain(a_file(Mirror(server.url("right")))) == CONTENT


def test_a_dripping_server_is_given_up(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(download, "SLOWEST", 1e6)
    monkeypatch.setattr(download, "GRACE", 0.2)
    file = a_file(Mirror(server.url("drip")), Mirror(server.url("right")))
    assert obtain(file) == CONTENT
    assert "slower than" in capsys.readouterr().err


@pytest.mark.parametrize("how", ["right", "gz", "expanded"])
def test_compression_is_seen_in_the_content(server: Server, how: str) -> None:
    assert obtain(a_file(Mirror(server.url(how)))) == CONTENT


def test_a_zip_archive_leaves_nothing_behind(server: Server, tmp_path: Path) -> None:
    mirror = Mirror(server.url("zip", "all.zip"), member="table.txt.gz")
    assert obtain(a_file(mirror)) == CONTENT
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files == [tmp_path / "cache" / "set" / "table.txt.gz"]


@pytest.mark.parametrize("how", ["large", "bomb"])
def test_too_much_is_refused(server: Server, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "LARGEST", 100_000)
    with pytest.raises(DataUnavailable, match="larger than"):
        obtain(a_file(Mirror(server.url(how))))


def test_the_end_of_the_list_says_what_to_do(server: Server) -> None:
    mirrors = Mirror(server.url("corrupt")), Mirror(server.url("missing"))
    with pytest.raises(DataUnavailable) as caught:
        obtain(a_file(*mirrors))
    text = str(caught.value)
    assert text.startswith("table.txt.gz cannot be had")
    assert mirrors[0].url in text
    assert mirrors[1].url in text
    assert "MCBENCH_DATA" in text
    assert "set/table.txt.gz" in text
    assert SHA in text


@pytest.mark.parametrize("damage", ["truncated", "other", "empty"])
def test_a_corrupt_cache_is_discarded_and_fetched_once_more(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    kept = tmp_path / "cache" / "set" / "table.txt.gz"
    kept.parent.mkdir(parents=True)
    good = gzip.compress(CONTENT)
    kept.write_bytes({"truncated": good[:40], "other": gzip.compress(b"1"), "empty": b""}[damage])

    assert obtain(a_file(Mirror(server.url("right")))) == CONTENT

    assert len(server.requests) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert str(kept) in line
    assert "discarded" in line
    assert gzip.decompress(kept.read_bytes()) == CONTENT


def test_a_corrupt_cache_without_mirrors_is_an_error(tmp_path: Path) -> None:
    kept = tmp_path / "cache" / "set" / "table.txt"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"wrong")
    with pytest.raises(DataUnavailable, match="is wrong"):
        obtain(a_file())
    assert not kept.exists()


def test_the_users_folder_comes_first(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCBENCH_DATA", str(tmp_path))
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "table.txt").write_bytes(CONTENT)  # also uncompressed
    assert obtain(a_file(Mirror(server.url("right")))) == CONTENT
    assert server.requests == []
    assert not (tmp_path / "cache").exists()


def test_a_wrong_file_of_the_user_is_reported_and_left_alone(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MCBENCH_DATA", str(tmp_path))
    (tmp_path / "set").mkdir()
    own = tmp_path / "set" / "table.txt.gz"
    own.write_bytes(b"wrong")
    assert obtain(a_file(Mirror(server.url("right")))) == CONTENT
    assert own.read_bytes() == b"wrong"
    assert f"{own} is wrong and is ignored" in capsys.readouterr().err

    with pytest.raises(DataUnavailable, match="is wrong"):
        obtain(a_file(path="set/table.txt.gz", limit=10))


def test_a_folder_that_does_not_exist_is_said_once(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MCBENCH_DATA", str(tmp_path / "nowhere"))
    for _ in range(2):
        assert obtain(a_file(Mirror(server.url("right")))) == CONTENT
    assert capsys.readouterr().err.count("is not a folder") == 1


def test_a_cache_that_cannot_be_written(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MCBENCH_CACHE", str(tmp_path / "file"))
    assert obtain(a_file(Mirror(server.url("right")))) == CONTENT
    assert "could not be written" in capsys.readouterr().err


def test_load_without_data_names_file_mirrors_and_place() -> None:
    with pytest.raises(DataUnavailable) as caught:
        load("mnist")
    text = str(caught.value)
    for piece in ("mnist", "train-images-idx3-ubyte.gz", "https://", "MCBENCH_DATA"):
        assert piece in text
