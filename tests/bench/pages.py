"""What a page takes in a store of many years: by itself, with four browsers at once, and while an import runs."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from http.client import HTTPConnection
from itertools import islice, repeat
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from tests.bench.report import Table, milliseconds, percentile, ratio, verdict
from tests.bench.wire import cpu_seconds
from tests.portable.generator import SMALL, Sizes, fill
from tests.support import Server, running_server
from tests.ui.serving import opened, serving
from ui.pages import PAGES

LIFE = Sizes(sessions=5_000, chunks=100_000, facts=2_000)
IMPORTED = Sizes(sessions=2_000, chunks=16_000, facts=1_500, hypotheses=300, knowledge=200)
TIMES, BROWSERS = 50, 4
MOST_P95, MOST_IMPORTING, SLOW = 0.150, 1.0, 0.060
NAMED = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=/)[0-9]+")
PART = re.compile(r'hx-get="(/[^"]+)"')
LISTED = re.compile(r'href="(/(?:sessions|facts|hypotheses|knowledge)/[0-9a-f-]{36})"')


@dataclass
class Browser:
    """One kept-alive connection that is signed in."""

    port: int
    cookie: str = ""
    _http: HTTPConnection | None = None

    def get(self, path: str) -> tuple[float, str]:
        """The seconds from asking to the last byte, and the page."""
        self._http = self._http or HTTPConnection("127.0.0.1", self.port, timeout=60)
        begin = perf_counter()
        self._http.request("GET", path, headers={"Cookie": self.cookie})
        answer = self._http.getresponse()
        text = answer.read().decode()
        seconds = perf_counter() - begin
        self.cookie = self.cookie or (answer.getheader("Set-Cookie") or "").partition(";")[0]
        assert answer.status in {200, 303}, f"{path}: {answer.status} {text[:300]}"
        return seconds, text

    def close(self) -> None:
        if self._http is not None:
            self._http.close()


@dataclass
class Measured:
    """One page, or a part of one."""

    name: str
    path: str
    bytes: int
    alone: list[float] = field(default_factory=list)
    together: list[float] = field(default_factory=list)
    importing: list[float] = field(default_factory=list)
    cpu: float = 0.0


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Every page and every part that a page asks for."""
    life, more, times = (SMALL, SMALL, 3) if quick else (LIFE, IMPORTED, TIMES)
    file = _exported(folder, more)
    fill(folder / "home", life)
    with running_server(folder / "home") as server:
        found = _found(signed_in(server))
        for each in found:
            _alone(server, each, times)
        _together(server, found, times)
        with _importing(server, file) as is_over:
            _during(server, found, is_over)
    yield _times(found, life)
    slow = [each for each in found if percentile(each.alone, 0.95) > SLOW]
    if slow:
        yield _queries(folder / "home", slow)


def signed_in(server: Server) -> Browser:
    """A browser after its sign-in."""
    browser = Browser(server.port)
    browser.get(server.call("server_sign_in_link")["url"].removeprefix(server.address))
    return browser


def _exported(folder: Path, sizes: Sizes) -> Path:
    fill(folder / "other", sizes, seed=2)
    file = folder / "life.json"
    with running_server(folder / "other") as server, server.http() as http:
        answer = http.post("/api/v1/memory_export", json={"output_path": str(file)}, timeout=900)
        assert answer.status_code == 200, answer.text
    return file


def _found(browser: Browser) -> list[Measured]:
    """The pages, one of each thing that they list, and what each of these asks for later."""
    found: dict[str, Measured] = {}
    waiting = [*(entry.path for entry in PAGES), "/search?q=decided", "/facts?text=the", "/sessions?text=the"]
    for path in waiting:
        kind = NAMED.sub("…", path.partition("?")[0]) + ("?" if "?" in path else "")
        if kind in found:
            continue
        _, text = browser.get(path)
        found[kind] = Measured(kind, path, len(text.encode()))
        parts = [unescape(each) for each in PART.findall(text)]
        waiting += [each for each in parts if not each.startswith(("/jobs", "/events"))]
        waiting += islice(dict.fromkeys(LISTED.findall(text)), 3)
    browser.close()
    return list(found.values())


def _alone(server: Server, page: Measured, times: int) -> None:
    browser = signed_in(server)
    browser.get(page.path)
    cpu = cpu_seconds(server.process.pid)
    page.alone = [browser.get(page.path)[0] for _ in range(times)]
    page.cpu = (cpu_seconds(server.process.pid) - cpu) / times
    browser.close()


def _together(server: Server, found: list[Measured], times: int) -> None:
    """Four browsers at once, all at the same page."""
    browsers = [signed_in(server) for _ in range(BROWSERS)]
    with ThreadPoolExecutor(BROWSERS) as pool:
        for page in found:
            runs = pool.map(_often, browsers, repeat(page.path), repeat(max(1, times // BROWSERS)))
            page.together = [seconds for run in runs for seconds in run]
    for browser in browsers:
        browser.close()


def _often(browser: Browser, path: str, times: int) -> list[float]:
    return [browser.get(path)[0] for _ in range(times)]


@contextmanager
def _importing(server: Server, file: Path) -> Iterator[Callable[[], bool]]:
    """An import, begun; yields whether it is over."""
    over, failed = Event(), []

    def run() -> None:
        with server.http() as http:
            answer = http.post("/api/v1/memory_import", json={"path": str(file)}, timeout=900)
        if answer.status_code != 200:
            failed.append(answer.text)
        over.set()

    thread = Thread(target=run)
    thread.start()
    yield over.is_set
    thread.join()
    assert not failed, failed


def _during(server: Server, found: list[Measured], is_over: Callable[[], bool]) -> None:
    browser = signed_in(server)
    while not is_over():
        for page in found:
            page.importing.append(browser.get(page.path)[0])
            if is_over():
                break
    browser.close()


def _times(found: list[Measured], life: Sizes) -> Table:
    table = Table(
        f"Pages over {life.sessions:,} sessions, {life.chunks:,} moments, {life.facts:,} facts",
        (
            "page",
            "KB",
            "p50 / p95 ms",
            "× smallest",
            "CPU ms",
            f"{BROWSERS} at once",
            "during an import",
            "targets",
        ),
    )
    smallest = min(percentile(each.alone, 0.5) for each in found)
    for each in sorted(found, key=lambda each: -percentile(each.alone, 0.95)):
        times = [_spread(seconds) for seconds in (each.together, each.importing)]
        alone, importing = (percentile(seconds or [0.0], 0.95) for seconds in (each.alone, each.importing))
        table.add(
            f"`{each.name}`",
            f"{each.bytes / 1_000:.0f}",
            _spread(each.alone),
            ratio(percentile(each.alone, 0.5), smallest),
            f"{1_000 * each.cpu:.0f}",
            *times,
            f"{verdict(1_000 * alone, 1_000 * MOST_P95, ' ms')}, {verdict(importing, MOST_IMPORTING, ' s')}",
        )
    table.notes.append("From asking to the last byte, over loopback, with the client's own share; `?`: with a filter.")
    return table


def _spread(seconds: list[float]) -> str:
    if not seconds:
        return "—"
    return f"{milliseconds(percentile(seconds, 0.5))} / {milliseconds(percentile(seconds, 0.95))} ({len(seconds)})"


def _queries(home: Path, slow: list[Measured]) -> Table:
    """What SQLite takes longest for, on the pages that are slow."""
    table = Table(
        f"The longest statements of pages over {SLOW * 1_000:.0f} ms", ("page", "statements", "ms", "statement")
    )
    with opened(home) as memory, serving(*memory) as running, _traced() as statements:
        browser = Browser(running.port)
        browser.get(running.link().removeprefix(running.url))
        for page in slow:
            browser.get(page.path)
            statements.clear()
            browser.get(page.path)
            for seconds, text in sorted(statements, reverse=True)[:3]:
                table.add(f"`{page.name}`", len(statements), milliseconds(seconds), f"`{' '.join(text.split())[:160]}`")
        browser.close()
    return table


@contextmanager
def _traced() -> Iterator[list[tuple[float, str]]]:
    """Every statement of this process, with the seconds until its first row."""
    statements: list[tuple[float, str]] = []

    def before(_c: Any, _cursor: Any, _text: str, _given: Any, context: Any, _many: bool) -> None:
        context.began = perf_counter()

    def after(_c: Any, _cursor: Any, text: str, _given: Any, context: Any, _many: bool) -> None:
        statements.append((perf_counter() - context.began, text))

    event.listen(Engine, "before_cursor_execute", before)
    event.listen(Engine, "after_cursor_execute", after)
    yield statements
    event.remove(Engine, "before_cursor_execute", before)
    event.remove(Engine, "after_cursor_execute", after)
