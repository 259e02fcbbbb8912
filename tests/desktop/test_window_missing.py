"""Where there can be no window one line says why, and the server runs alone; why nothing runs is told in a window."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, expect

from app.desktop.control import PersonsDesktop
from app.desktop.preflight import WINDOW_LIBRARIES, Library, why_not_loaded
from app.desktop.window import IMPOSSIBLE
from app.desktop.window_process import WindowEvents, WindowProcess
from bigmind.local.program import again
from tests.desktop.windowed import BIGMIND, SECONDS, desktop, engine_of, is_over, on_screen
from tests.support import environment, running_server

pytestmark = pytest.mark.xdist_group("window")

SHUT_OUT = """
import sys
class ShutOut:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "PySide6":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, ShutOut())
"""

UNLOADABLE = """
import sys
class Unloadable:
    def find_spec(self, name, path=None, target=None):
        if name == "PySide6.QtNetwork":
            raise ImportError("libodd.so.2: cannot open shared object file: No such file")
sys.meta_path.insert(0, Unloadable())
"""


@contextmanager
def alone(home: Path, around: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    """`bigmind app` until it has said all; what it said to standard error, and its greeting."""
    home.parent.mkdir(exist_ok=True)
    process = subprocess.Popen([BIGMIND, "app"], env=around, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        greeting = list(takewhile(lambda line: not line.startswith("Ctrl+C"), process.stdout))
        yield process.stderr.readline(), greeting
        process.terminate()
        assert process.wait(SECONDS) == 0
        assert process.stderr.read() == ""
        assert is_over(home, process.pid)
    finally:
        process.kill()
        process.wait(SECONDS)
        process.stdout.close()
        process.stderr.close()


def test_without_a_session_the_server_runs_alone(home: Path) -> None:
    with alone(home, environment(home)) as (why, greeting):
        assert why == (
            "BigMind: no window (there is no desktop session (neither DISPLAY nor WAYLAND_DISPLAY is set)). "
            "The server runs alone.\n"
        )
        assert "is ready" in greeting[0]
        assert "sign-in?code=" in greeting[1]


def test_with_a_dead_display_the_server_runs_alone(home: Path) -> None:
    with alone(home, environment(home, DISPLAY=":4999", QTWEBENGINE_DISABLE_SANDBOX="1")) as (why, _):
        assert why == "BigMind: no window (the display :4999 does not answer). The server runs alone.\n"


def test_a_server_whose_session_has_ended_has_no_window_and_the_next_session_opens_its_own(
    home: Path, display: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = WindowProcess(home, WindowEvents(lambda: None, lambda: None, lambda _: None, lambda: None))
    ours = PersonsDesktop(window, "http://127.0.0.1:1", is_there=True)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", display)
    assert ours.has_window()
    monkeypatch.setenv("DISPLAY", ":9983")
    assert not ours.has_window()


def test_without_the_extra_the_line_says_how_to_install_it(home: Path, tmp_path: Path, managed_display: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(SHUT_OUT)
    around = environment(home, DISPLAY=managed_display, PYTHONPATH=str(tmp_path), QTWEBENGINE_DISABLE_SANDBOX="1")
    with alone(home, around) as (why, _):
        assert why.startswith('BigMind: no window (BigMind\'s window is not installed: pip install "bigmind[desktop]")')


def test_as_root_the_line_says_to_be_somebody_else(home: Path, managed_display: str) -> None:
    with alone(home, environment(home, DISPLAY=managed_display)) as (why, _):
        assert "does not run as root: start BigMind as a normal user" in why


def test_the_windows_own_process_says_why_and_ends_before_qt_is_loaded(home: Path) -> None:
    done = subprocess.run(
        again("window"),
        env=environment(home, DISPLAY=":4999", QTWEBENGINE_DISABLE_SANDBOX="1"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (IMPOSSIBLE, "impossible the display :4999 does not answer\n")


def test_a_missing_library_is_named_with_the_line_that_installs_it() -> None:
    missing = Library("libsurely-not-there.so.7", "libsurely7", "surely", "surely")
    said = why_not_loaded((*WINDOW_LIBRARIES, missing))
    assert said.startswith("the system lacks libsurely-not-there.so.7: sudo ")
    assert said.endswith((" install libsurely7", " surely"))


def test_a_library_that_no_list_names_is_told_too(home: Path, tmp_path: Path, managed_display: str) -> None:
    """As `libgssapi_krb5.so.2` was: what Qt's modules are linked against changes with each of its releases."""
    (tmp_path / "sitecustomize.py").write_text(UNLOADABLE)
    around = environment(home, DISPLAY=managed_display, PYTHONPATH=str(tmp_path), QTWEBENGINE_DISABLE_SANDBOX="1")
    home.mkdir(parents=True)
    done = subprocess.run(
        again("window"),
        env=around,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == IMPOSSIBLE
    assert done.stdout.startswith("impossible a part of it cannot be loaded: ")
    assert "QtNetwork" in done.stdout


def test_a_server_in_the_background_runs_alone_where_there_is_no_desktop(server) -> None:
    about = server.call("server_status")
    assert (about["desktop"], about["start_at_login"]) == (False, None)
    assert "the server alone: there is no desktop session" in (server.home / "logs" / "server.log").read_text()


def test_a_server_in_the_background_has_a_window_to_show_where_there_is_a_desktop(
    home: Path, managed_display: str
) -> None:
    home.parent.mkdir(exist_ok=True)
    with running_server(home, **desktop(home, managed_display)) as server:
        about = server.call("server_status")
        assert (about["desktop"], about["start_at_login"]) == (True, False)
        server.call("server_start_at_login", enabled=True)
        assert server.call("server_status")["start_at_login"] is True
        assert list((home.parent / "person" / ".config" / "autostart").iterdir())
        assert server.stop() == 0
    assert is_over(home, server.process.pid)


def test_a_broken_settings_file_is_told_in_a_window_where_nobody_reads_a_terminal(
    home: Path, managed_display: str, playwright: Playwright
) -> None:
    home.mkdir(0o700, parents=True)
    (home / "settings.toml").write_text("mode = '<b>x</b>'\n")
    told = told_in_a_window(playwright, desktop(home, managed_display), code=2)
    assert "<b>x</b>" in told
    assert told in (home / "logs" / "server.log").read_text()


def test_a_taken_port_is_told_in_a_window_too(home: Path, managed_display: str, playwright: Playwright) -> None:
    home.parent.mkdir(exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        told = told_in_a_window(playwright, desktop(home, managed_display, BIGMIND_PORT=str(port)), "--hidden")
    assert told.startswith(f"Port {port} is taken")
    assert told in (home / "logs" / "server.log").read_text()


def told_in_a_window(playwright: Playwright, around: dict[str, str], *arguments: str, code: int = 1) -> str:
    """What `bigmind app` writes to standard error, and shows in a window until that is closed; it ends with `code`."""
    process = subprocess.Popen([BIGMIND, "app", *arguments], env=around, stderr=subprocess.PIPE, text=True)
    try:
        browser = engine_of(playwright, around, process)
        page = browser.contexts[0].pages[0]
        expect(page.get_by_role("heading")).to_have_text("BigMind does not run")
        told = page.get_by_role("paragraph").inner_text()
        browser.close()
        on_screen(around, "wmctrl", "-c", "BigMind does not run")
        assert process.wait(SECONDS) == code
        assert process.stderr.read() == f"{told}\n"
    finally:
        process.kill()
        process.wait(SECONDS)
        process.stderr.close()
    return told
