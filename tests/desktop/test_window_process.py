"""The core's end of the leash, with the real process at the other one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import psutil
import pytest

from app.desktop.control import PersonsDesktop
from app.desktop.window_process import WindowEvents, WindowProcess
from tests.desktop.windowed import SECONDS, desktop
from tests.support import Watched, running_server

pytestmark = pytest.mark.xdist_group("window")


class Heard:
    """What the window told."""

    def __init__(self) -> None:
        self.loaded, self.closed, self.crashing = threading.Event(), threading.Event(), threading.Event()
        self.why: list[str] = []

    def told(self) -> WindowEvents:
        return WindowEvents(self.loaded.set, self.closed.set, self.why.append, self.crashing.set)


class Shown:
    """A window that notes what it is brought forward on."""

    def __init__(self) -> None:
        self.pages: list[str] = []

    def show(self, page: str = "") -> None:
        self.pages.append(page)


def test_the_tray_opens_the_window_on_what_it_shows_and_leads_it_to_no_other_page() -> None:
    """Who clicked the icon was taken from what they read to the profile, and asked to discard what they had typed."""
    window = Shown()
    ours = PersonsDesktop(cast("WindowProcess", window), "http://127.0.0.1:1", is_there=True)
    assert ours.show_page("")
    assert ours.show_page("/health")
    assert window.pages == ["", "http://127.0.0.1:1/health"]


@contextmanager
def window_of_ours(
    home: Path, display: str, monkeypatch: pytest.MonkeyPatch, lived_seconds: float
) -> Iterator[tuple[WindowProcess, Heard]]:
    """A window onto a server without a desktop, that shows its first page."""
    home.parent.mkdir(exist_ok=True)
    for name, value in desktop(home, display).items():
        monkeypatch.setenv(name, value)
    heard = Heard()
    with running_server(home) as server:
        window = WindowProcess(home, heard.told(), lived_seconds)
        window.serve(lambda: server.call("server_sign_in_link")["url"])
        window.start()
        try:
            assert heard.loaded.wait(SECONDS)
            yield window, heard
        finally:
            window.close()


def test_a_window_that_is_killed_returns_by_itself(
    home: Path, managed_display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with window_of_ours(home, managed_display, monkeypatch, lived_seconds=0) as (window, heard):
        first = window.process_id
        heard.loaded.clear()
        psutil.Process(first).kill()
        assert heard.loaded.wait(SECONDS)
        assert window.process_id not in {None, first}
        assert not heard.crashing.is_set()
        ended = Watched([psutil.Process(window.process_id)])
    assert ended.have_ended()
    assert not heard.crashing.is_set()


def test_one_that_dies_young_does_not(home: Path, managed_display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with window_of_ours(home, managed_display, monkeypatch, lived_seconds=1_000) as (window, heard):
        psutil.Process(window.process_id).kill()
        assert heard.crashing.wait(SECONDS)
        assert window.process_id is None
        heard.loaded.clear()
        window.show()
        assert heard.loaded.wait(SECONDS)


def test_where_there_can_be_none_it_says_why(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir(0o700, parents=True)
    monkeypatch.setenv("DISPLAY", ":4999")
    monkeypatch.setenv("QTWEBENGINE_DISABLE_SANDBOX", "1")
    heard = Heard()
    window = WindowProcess(home, heard.told())
    window.start()
    assert heard.closed.wait(SECONDS)
    window.close()
    assert heard.why == ["the display :4999 does not answer"]
