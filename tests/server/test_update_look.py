"""Asking for a newer version: nobody until a person says whom, once, and without a word about who asks."""

import json
import ssl
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

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
        self.leads_to = ""

    @property
    def url(self) -> str:
        scheme = "https" if isinstance(self.socket, ssl.SSLSocket) else "http"
        return f"{scheme}://127.0.0.1:{self.server_port}/latest.json"

    def encrypt(self, folder: Path) -> Path:
        """Answer with a certificate of its own from now on; where that lies.

        It says all that RFC 5280 asks of one that signs itself: Python takes no other since 3.13.
        """
        key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
        name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "releases")]), datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
            .sign(key, hashes.SHA256())
        )
        file = folder / "certificate.pem"
        file.write_bytes(
            certificate.public_bytes(Encoding.PEM)
            + key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        return file


class Asked(BaseHTTPRequestHandler):
    server: Releases

    def do_GET(self) -> None:
        self.server.asked.append(dict(self.headers))
        if self.server.leads_to:
            self.send_response(302)
            self.send_header("Location", self.server.leads_to)
            self.end_headers()
            return
        body = json.dumps(self.server.answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing to a terminal."""


@contextmanager
def serving(server: Releases) -> Iterator[Releases]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def releases() -> Iterator[Releases]:
    with serving(Releases()) as server:
        yield server


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


def test_an_answer_that_comes_without_encryption_counts_for_nothing(
    tmp_path: Path, releases: Releases, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Releases()
    monkeypatch.setenv("SSL_CERT_FILE", str(asked.encrypt(tmp_path)))
    monkeypatch.setattr(urllib.request, "_opener", None)  # it keeps certificates since Python 3.12
    with serving(asked):
        assert looked(tmp_path, BIGMIND_UPDATES=asked.url).newer.number == "99.1"
        asked.leads_to = releases.url
        assert looked(tmp_path, BIGMIND_UPDATES=asked.url).newer.number == ""
    assert len(releases.asked) == 1
