"""Asking for a newer version: nobody until a person says whom, once, and without a word about who asks."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from bigmind import VERSION
from bigmind.core.errors import BigMindError
from bigmind.core.newer_version import NewerVersion, is_newer
from bigmind.host import Host
from bigmind.server.update_look import UpdateLook
from bigmind.settings.live import LiveSettings
from bigmind.settings.parsers import wanted_updates
from tests.support import running_server


class Releases(HTTPServer):
    """Whoever is asked; keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.answer: object = {"version": "99.1"}
        self.asked: list[dict[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/latest.json"


class Asked(BaseHTTPRequestHandler):
    server: Releases

    def do_GET(self) -> None:
        self.server.asked.append(dict(self.headers))
        body = json.dumps(self.server.answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing to a terminal."""


@pytest.fixture
def releases() -> Iterator[Releases]:
    server = Releases()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def looked(home: Path, **variables: str) -> Host:
    host = Host(settings=LiveSettings(home, variables))
    UpdateLook(lambda: host, "1.4").look()
    return host


def test_nobody_is_asked_unless_a_person_says_whom(tmp_path: Path, releases: Releases) -> None:
    assert looked(tmp_path).newer.number == ""
    assert looked(tmp_path, BIGMIND_UPDATES="off").newer.number == ""
    assert releases.asked == []


@pytest.mark.parametrize("answer", [{"version": "1.5"}, {"tag_name": "v1.5", "name": "something"}])
def test_a_newer_version_is_noted_and_nothing_is_said_of_who_asks(
    tmp_path: Path, releases: Releases, answer: object
) -> None:
    releases.answer = answer
    assert looked(tmp_path, BIGMIND_UPDATES=releases.url).newer.number == "1.5"
    [sent] = releases.asked
    assert set(sent) <= {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"}
    assert sent["User-Agent"] == "BigMind"


@pytest.mark.parametrize(
    "answer", [{"version": "1.4"}, {"version": "1.3.9"}, {"version": "2.0rc1"}, {}, [], {"version": 2}]
)
def test_what_is_no_newer_release_is_no_news(tmp_path: Path, releases: Releases, answer: object) -> None:
    releases.answer = answer
    assert looked(tmp_path, BIGMIND_UPDATES=releases.url).newer.number == ""


def test_who_does_not_answer_is_no_trouble(tmp_path: Path, releases: Releases) -> None:
    releases.shutdown()
    releases.server_close()
    assert looked(tmp_path, BIGMIND_UPDATES=releases.url).newer.number == ""


@pytest.mark.parametrize(
    ("version", "than", "newer"),
    [
        ("0.2", "0.1.0", True),
        ("0.10.0", "0.9.9", True),
        ("v1.0", "0.9", True),
        ("0.1.0", "0.1", False),
        ("0.1", "0.1.0", False),
        ("1.0-beta", "0.9", False),
        ("", "0.9", False),
    ],
)
def test_versions_are_compared_by_their_numbers(version: str, than: str, *, newer: bool) -> None:
    assert is_newer(version, than) is newer


def test_the_same_version_is_news_once() -> None:
    newer = NewerVersion()
    assert [newer.note("2.0", "1.0"), newer.note("2.0", "1.0"), newer.note("2.1", "1.0")] == [True, False, True]


@pytest.mark.parametrize(
    "text", ["http://example.com/x", "ftp://example.com", "on", "https://", "https://ada@example.com"]
)
def test_only_an_address_that_others_cannot_change_on_its_way_is_asked(text: str) -> None:
    with pytest.raises(BigMindError, match="https address"):
        wanted_updates("updates", text)


def test_health_tells_of_it_and_is_well(home: Path, releases: Releases) -> None:
    with running_server(home) as server:
        assert releases.asked == []
        server.call("settings_change", updates=releases.url)
        assert server.call("memory_health_check")["ok"] is True
    host = looked(home)
    assert host.settings.now().updates == releases.url
    assert host.newer.number == "99.1"
    assert not is_newer(VERSION, host.newer.number)
