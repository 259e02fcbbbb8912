"""The pages are loaded when somebody asks for one, and not before what bears no loading on other threads is there."""

import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from litestar import Litestar, get

from bigmind.http.asgi import Scope
from tests.support import running_server
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


SHUT_OUT = """
import sys
class ShutOut:
    def find_spec(self, name, path=None, target=None):
        if name == "ui.shell":
            raise ModuleNotFoundError("No module named 'streamable'", name=name)
sys.meta_path.insert(0, ShutOut())
"""


@get("/")
async def page() -> str:
    return "a page"


@contextmanager
def pages(
    *, is_told: bool = False, fails: bool = False, most_seconds: float = 60, wait: Callable[[], object] = lambda: None
) -> Generator[tuple[LazyPages, list[str]]]:
    """Lazy pages, and what was done to them; `wait` is called while they are built."""
    done: list[str] = []

    def build() -> LoadedPages:
        done.append("built")
        wait()
        if fails:
            raise ImportError("half of it is missing")
        return LoadedPages(Litestar([page], openapi_config=None), lambda: done.append("closed"))

    made = LazyPages(build, done.append, is_told=is_told, most_seconds=most_seconds)
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


def test_they_are_there_where_what_they_compile_has_no_folder(tmp_path: Path) -> None:
    (tmp_path / "templates").touch()
    run = [sys.executable, "-c", CLIENTS_ALONE, str(tmp_path)]
    told = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == ["", "jinja2 ui.app ui.render ui.shell"]


def test_they_are_built_once_for_many_that_ask_at_once() -> None:
    may_go_on = threading.Event()
    with pages(wait=may_go_on.wait) as (application, done):
        told: list[tuple[int, bytes]] = []

        async def ask() -> None:
            told.append(await asked(application))

        async def ask_often() -> None:
            async with anyio.create_task_group() as tasks:
                for _ in range(20):
                    tasks.start_soon(ask)
                await anyio.wait_all_tasks_blocked()
                may_go_on.set()

        anyio.run(ask_often)
        assert (told, done) == ([(200, b"a page")] * 20, ["built"])
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
    is_built = threading.Event()
    with pages(is_told=True, wait=is_built.set) as (application, done):
        application.begin()
        assert done == []
        application.allow()
        assert is_built.wait(60)
        assert anyio.run(asked, application) == (200, b"a page")
        application.begin()
        assert done == ["built"]


def test_where_leave_to_load_never_comes_pages_are_there_all_the_same() -> None:
    with pages(is_told=True, most_seconds=0.01) as (application, _):
        assert anyio.run(asked, application) == (200, b"a page")


def test_pages_that_cannot_be_loaded_are_refused_without_the_reason_which_is_noted_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pages(fails=True) as (application, done):
        for _ in range(3):
            status, body = anyio.run(asked, application)
            assert (status, b"pages cannot be loaded" in body, b"half of it" in body) == (500, True, False)
        application.begin()
        assert done == ["built", "ImportError: half of it is missing"]
        assert caplog.text.count("the pages cannot be loaded") == 1


def test_who_waits_when_it_ends_is_told_so() -> None:
    with pages(is_told=True) as (application, done):
        status, body = answered_after(application, done, application.close)
        assert (status, b"BigMind is ending." in body, done) == (503, True, [])


def test_what_was_being_loaded_when_it_ended_is_closed() -> None:
    is_begun, may_go_on = threading.Event(), threading.Event()

    def wait() -> None:
        is_begun.set()
        may_go_on.wait()

    with pages(wait=wait) as (application, done):
        application.begin()
        assert is_begun.wait(60)
        application.close()
        may_go_on.set()
        application.load()
        assert done == ["built", "closed"]


def test_a_server_without_pages_serves_clients_tells_nobody_why_and_health_the_reason(
    home: Path, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(SHUT_OUT)
    with (
        running_server(home, PYTHONPATH=str(tmp_path)) as server,
        httpx.Client(base_url=f"http://127.0.0.1:{server.port}") as browser,
    ):
        for _ in range(2):
            answer = browser.get("/", headers={"accept": "text/html"})
            assert (answer.status_code, answer.json()["code"]) == (500, "internal")
            assert "streamable" not in answer.text
        [found] = [each for each in server.call("memory_health_check")["findings"] if each["code"] == "part_failed"]
        assert "What is missing is the pages: ModuleNotFoundError: No module named 'streamable'." in found["meaning"]
        assert server.stop() == 0
