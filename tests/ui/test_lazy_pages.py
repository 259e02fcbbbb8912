"""The pages are loaded when somebody asks for one, and not before what bears no loading on other threads is there."""

import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from litestar import Litestar, get

from bigmind.http.asgi import Scope
from ui.lazy_pages import LazyPages, LoadedPages

CLIENTS_ALONE = """
import sys
from pathlib import Path
from app.assembly import assemble
from bigmind.people.sign_in_codes import SignIn
from bigmind.wiring import open_mind
mind = open_mind(Path(sys.argv[1]), "ada")
assembled = assemble(mind, SignIn(mind.store), 8080, "key", templates=Path(sys.argv[1]) / "templates")
names = {"jinja2", "nh3", "ui.app", "ui.shell", "ui.render", "pydantic.v1", "attr"}
print(*sorted(names & set(sys.modules)))
assembled.pages.load()
print(*sorted(names & set(sys.modules)))
assembled.close()
mind.close()
"""


@get("/")
async def page() -> str:
    return "a page"


@contextmanager
def pages(*, is_told: bool = False, fails: int = 0) -> Generator[tuple[LazyPages, list[str]]]:
    """Lazy pages, and what was done to them: the first `fails` times they cannot be built."""
    done: list[str] = []

    def build() -> LoadedPages:
        done.append("built")
        if len(done) <= fails:
            raise ImportError("half of it is missing")
        return LoadedPages(Litestar([page], openapi_config=None), lambda: done.append("closed"))

    made = LazyPages(build, is_told=is_told)
    yield made, done
    made.close()


async def asked(application: LazyPages) -> tuple[int, bytes]:
    """Status and body of what it answers to a request for the page."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "raw_path": b"/",
        "root_path": "",
        "query_string": b"",
        "headers": [],
        "state": {},
        "scheme": "http",
        "http_version": "1.1",
        "extensions": {},
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
        "asgi": {"version": "3.0"},
    }
    await application(scope, receive, send)
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent)


def test_a_server_that_clients_alone_use_loads_no_pages(tmp_path: Path) -> None:
    run = [sys.executable, "-c", CLIENTS_ALONE, str(tmp_path / "home")]
    told = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == ["", "jinja2 ui.app ui.render ui.shell"]


def test_they_are_built_once_for_many_that_ask_at_once() -> None:
    with pages() as (application, done):
        assert done == []

        async def ask_often() -> None:
            async with anyio.create_task_group() as tasks:
                for _ in range(20):
                    tasks.start_soon(asked, application)
            assert await asked(application) == (200, b"a page")

        anyio.run(ask_often)
        assert done == ["built"]
    assert done == ["built", "closed"]


def answered_after(application: LazyPages, done: list[str], then: Callable[[], None]) -> tuple[int, bytes]:
    """What a request is answered that waits until `then` is called."""
    told: list[tuple[int, bytes]] = []

    async def ask_early() -> None:
        async with anyio.create_task_group() as tasks:

            async def ask() -> None:
                told.append(await asked(application))

            tasks.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            assert (told, done) == ([], [])
            then()

    anyio.run(ask_early)
    return told[0]


def test_who_asks_before_they_may_be_loaded_waits() -> None:
    with pages(is_told=True) as (application, done):
        assert answered_after(application, done, application.allow) == (200, b"a page")


def test_what_a_window_loads_for_itself_is_served_though_requests_may_load_nothing_yet() -> None:
    with pages(is_told=True) as (application, done):
        loaded = application.load()
        assert application.load() is loaded
        assert anyio.run(asked, application) == (200, b"a page")
        assert done == ["built"]


def test_they_are_loaded_beside_a_window_that_starts() -> None:
    with pages(is_told=True) as (application, done):
        application.begin()
        assert done == []
        application.allow()
        assert anyio.run(asked, application) == (200, b"a page")
        application.begin()
        assert done == ["built"]


def test_pages_that_cannot_be_loaded_say_so_and_are_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    with pages(fails=1) as (application, _):
        status, body = anyio.run(asked, application)
        assert (status, b"ImportError: half of it is missing" in body) == (500, True)
        assert "the pages cannot be loaded" in caplog.text
        assert anyio.run(asked, application) == (200, b"a page")


def test_who_waits_when_it_ends_is_told_so() -> None:
    with pages(is_told=True) as (application, done):
        status, body = answered_after(application, done, application.close)
        assert (status, b"BigMind is ending." in body, done) == (503, True, [])


def test_what_was_being_loaded_when_it_ended_is_closed() -> None:
    with pages() as (application, done):
        application.close()
        application.load()
        assert done == ["built", "closed"]
