"""Files in and out over HTTP, as the page's script sends and fetches them."""

import os
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from html import unescape

import httpx

from bigmind.paths import scratch_folder
from bigmind.portable.format.document import header
from bigmind.portable.format.records import FactRecord
from tests.ui.serving import Running

HTMX = {"HX-Request": "true"}
MEGABYTE = 1024 * 1024
NOW = datetime(2026, 3, 30, 9, tzinfo=UTC)


def form_token(client: httpx.Client) -> str:
    return re.search(r'name="form_token" value="([0-9a-f]{64})"', client.get("/portable").text)[1]


def an_export(count: int, words: str = "The vendor's file is Windows-1252") -> bytes:
    """An export that holds so many facts."""
    facts = (
        FactRecord(
            id=f"0190aaaa-0000-4000-8000-{number:012}",
            session=None,
            project=None,
            client="a test",
            category="decision",
            text=f"{words}, number {number}",
            confidence=0.9,
            created_at=NOW,
            updated_at=NOW,
            deprecated_at=None,
            deprecation_reason="",
            history=[],
        ).model_dump_json()
        for number in range(count)
    )
    told = header(NOW, "a test").model_dump_json(by_alias=True)
    return f'{{"header": {told}, "facts": [{",".join(facts)}]}}'.encode()


def send(client: httpx.Client, token: str, content: object, name: str = "memory.json", **more: str) -> httpx.Response:
    headers = {"Content-Type": "application/octet-stream", "BigMind-File-Name": name, "BigMind-Form-Token": token}
    return client.post("/uploads", content=content, headers=headers | more)


def act(client: httpx.Client, name: str, token: str, **fields: object) -> httpx.Response:
    return client.post(f"/actions/{name}", data={"form_token": token, **fields}, headers=HTMX, timeout=60)


def followed(client: httpx.Client, answer: httpx.Response) -> list[str]:
    """Each thing that a job said of itself until it was over."""
    pages = [answer.text]
    while following := re.search(r'hx-get="(/jobs/[^"]+)"', pages[-1]):
        pages.append(client.get(following[1], headers=HTMX).text)
    return [unescape(page) for page in pages]


def begun(server: Running, client: httpx.Client, token: str, size: int, promised: int) -> socket.socket:
    """A file of which so many bytes were sent, and more are promised."""
    cookie = f"{server.cookie}={client.cookies[server.cookie]}"
    head = (
        f"POST /uploads HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {cookie}\r\n"
        f"BigMind-Form-Token: {token}\r\n"
        f"Content-Type: application/octet-stream\r\nContent-Length: {promised}\r\n\r\n"
    )
    sending = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    sending.sendall(head.encode() + b"x" * size)
    return sending


@contextmanager
def deaf_server() -> Iterator[int]:
    """A server that hears what is sent, and ends the connection without an answer; its port."""

    def hear() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:  # it was closed
                return
            with connection:
                connection.recv(MEGABYTE)

    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=hear)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(20)


def passing(server: Running) -> list[str]:
    """Files that were sent, or wait to be fetched."""
    return sorted(name for _, _, names in os.walk(scratch_folder(server.mind.store.home)) for name in names)


def until(condition: object, tries: int = 20_000) -> bool:
    """Whether it becomes true; asks the server's disk again and again."""
    return any(condition() for _ in range(tries))  # type: ignore[operator]
