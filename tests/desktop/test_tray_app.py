"""BigMind itself, led by its tray menu over D-Bus, as a panel leads it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import pytest

from tests.desktop.display import session_bus
from tests.desktop.panel import Panel, panel_on
from tests.desktop.screen import screen_of
from tests.desktop.windowed import App, app, desktop, is_over
from tests.support import have_ended

pytestmark = pytest.mark.xdist_group("tray")

LABELS = [
    "Open BigMind",
    "—",
    "New backup now",
    "Copy MCP address",
    "Connected clients (0)",
    "—",
    "Pause (read-only mode)",
    "Check health",
    "Start at login",
    "—",
    "Quit BigMind",
]
FACT = {"category": "decision", "fact": "The door is shut", "confidence": 0.9}


@dataclass
class InTray:
    """BigMind in the tray, without a window, and the panel that shows it."""

    app: App
    panel: Panel


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory, managed_display: str) -> Iterator[InTray]:
    """One for all tests that leave it as they found it."""
    home = tmp_path_factory.mktemp("hidden") / "home"
    with session_bus(managed_display) as bus, panel_on(bus) as panel:
        panel.begin()
        around = desktop(home, managed_display, DBUS_SESSION_BUS_ADDRESS=bus)
        with app(home, around, "--hidden") as running:
            panel.until(lambda: panel.icons)
            yield InTray(running, panel)


def test_the_window_is_closed_and_brought_back_from_the_menu_and_quit_ends_everything(
    tmp_path: Path, bus: str, panel: Panel, managed_display: str
) -> None:
    panel.begin()
    around = desktop(tmp_path / "home", managed_display, DBUS_SESSION_BUS_ADDRESS=bus)
    with app(tmp_path / "home", around) as running, screen_of(managed_display) as screen:
        (first,) = screen.until_windows(1)
        process = running.window()
        assert panel.labels() == LABELS

        screen.close_window(first)
        psutil.wait_procs([process], 30)
        assert running.window() is None
        assert running.call("server_status")["pid"] == running.process.pid

        screen.until_windows(0)
        panel.click("Open BigMind")
        screen.until_windows(1)
        everything = [
            psutil.Process(running.process.pid),
            *psutil.Process(running.process.pid).children(recursive=True),
        ]
        assert running.window() in everything

        panel.click("Quit BigMind")
        assert running.process.wait(60) == 0
        assert have_ended(everything, 10)
        assert is_over(running.home, running.process.pid)


def test_a_paused_memory_refuses_to_change_until_it_is_resumed(hidden: InTray) -> None:
    hidden.panel.click("Pause")
    hidden.panel.until_read(lambda: hidden.panel.line("Pause").checked is True)
    hidden.panel.until_read(lambda: hidden.panel.icon("Status") == "NeedsAttention")
    with hidden.app.http() as http:
        refused = http.post("/api/v1/memory_store_fact", json=FACT)
        read = http.post("/api/v1/memory_list_facts", json={})

        hidden.panel.click("Pause")
        hidden.panel.until_read(lambda: hidden.panel.line("Pause").checked is False)
        hidden.panel.until_read(lambda: hidden.panel.icon("Status") == "Active")
        accepted = http.post("/api/v1/memory_store_fact", json=FACT)

    assert (refused.status_code, read.status_code, accepted.status_code) == (503, 200, 200)
    assert "paused" in refused.text
    assert read.json()["facts"] == []


def test_the_clients_that_called_are_counted_when_the_menu_opens(hidden: InTray) -> None:
    assert hidden.panel.line("Connected").label == "Connected clients (0)"

    with hidden.app.http("bridge") as http:
        http.post("/api/v1/memory_list_facts", json={}).raise_for_status()

    hidden.panel.open_menu()
    assert hidden.panel.line("Connected").label == "Connected clients (1)"


def test_the_address_for_clients_is_told_where_nothing_takes_it_to_the_clipboard(hidden: InTray) -> None:
    hidden.panel.click("Copy MCP address")

    hidden.panel.until(lambda: ("The MCP address", f"{hidden.app.address}/mcp") in hidden.panel.notifications)


def test_a_backup_is_made_and_said(hidden: InTray) -> None:
    hidden.panel.click("New backup now")

    hidden.panel.until(lambda: "A backup was made" in [title for title, _ in hidden.panel.notifications])
    assert list((hidden.app.home / "backups").iterdir())


def test_a_code_for_a_browser_is_shown_in_a_notification_and_nowhere_else(hidden: InTray) -> None:
    def told() -> list[str]:
        return [title for title, _ in hidden.panel.notifications if title.startswith("Sign-in code: ")]

    with httpx.Client(base_url=hidden.app.address, trust_env=False) as browser:

        def post(**fields: str) -> httpx.Response:
            token = re.search(r'name="form_token" value="([^"]+)"', browser.get("/sign-in").text)
            assert token is not None
            return browser.post("/sign-in", data={**fields, "form_token": token[1]})

        assert post(show="code").status_code == 303
        code = hidden.panel.until(told)[0].removeprefix("Sign-in code: ")
        assert post(code=code).headers["location"] == "/"
        assert browser.get("/profile").status_code == 200
    log = (hidden.app.home / "logs" / "server.log").read_text()
    assert "tray icon over D-Bus" in log
    assert code not in log
    assert code.replace(" ", "") not in log


def test_start_at_login_is_turned_on_and_off(hidden: InTray) -> None:
    entry = Path(hidden.app.around["XDG_CONFIG_HOME"]) / "autostart" / "bigmind.desktop"

    hidden.panel.click("Start at login")
    hidden.panel.until_read(lambda: hidden.panel.line("Start at login").checked is True)
    assert str(hidden.app.home) in entry.read_text()
    assert hidden.app.call("server_status")["start_at_login"] is True

    hidden.panel.click("Start at login")
    hidden.panel.until_read(lambda: hidden.panel.line("Start at login").checked is False)
    assert not entry.exists()


def test_no_toolkit_is_loaded_where_a_panel_listens_on_the_bus(hidden: InTray) -> None:
    loaded = Path(f"/proc/{hidden.app.process.pid}/maps").read_text(encoding="utf-8")

    assert "PySide6" not in loaded
    assert "dbus_fast" in loaded
