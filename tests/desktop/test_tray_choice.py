"""Which tray a desktop gets, and what happens when panels come and go, or there is none."""

import signal
from contextlib import ExitStack

import pytest

from app.desktop.tray.none import NoTray
from tests.desktop.display import session_bus, xembed_panel
from tests.desktop.panel import Panel, panel_on
from tests.desktop.tray_client import desktop, tray_process

pytestmark = pytest.mark.xdist_group("tray")


def test_a_panel_on_the_bus_is_served_there(display: str, bus: str, panel: Panel) -> None:
    panel.begin()
    with tray_process("chosen", desktop(display, bus)) as tray:
        assert tray.kind == "DBusTray"
        tray.until_visible(visible=True)
        assert tray.loaded("PySide6") == []


def test_the_icon_comes_with_a_panel_that_starts_later_goes_with_it_and_comes_again(
    display: str, bus: str, panel: Panel
) -> None:
    with tray_process("chosen", desktop(display, bus)) as tray:
        assert tray.kind == "DBusTray"
        assert tray.ask("visible", is_visible=True) is False

        panel.begin()
        tray.until_visible(visible=True)
        panel.click("Open BigMind")
        assert tray.hear("did") == "open"

        panel.end()
        tray.until_visible(visible=False)

        panel.begin()
        panel.click("Quit BigMind")
        assert tray.hear("did") == "quit"


def test_without_a_panel_it_is_not_visible_and_nothing_breaks(display: str, bus: str) -> None:
    with tray_process("chosen", desktop(display, bus)) as tray:
        tray.order(show="busy", tooltip="Working")
        tray.order(notify=["Nobody", "hears it"])
        tray.order(clients=2)
        assert tray.ask("visible", is_visible=True) is False
        assert tray.end() == 0


def test_a_panel_of_x11_alone_is_served_by_qt(display: str, bus: str) -> None:
    with xembed_panel(display), tray_process("chosen", desktop(display, bus)) as tray:
        assert tray.kind == "QtTray"
        tray.until_visible(visible=True)
        tray.process.send_signal(signal.SIGTERM)
        assert tray.hear("ended") == "stopped"


def test_without_a_bus_qt_waits_for_a_panel_of_x11(display: str) -> None:
    with tray_process("chosen", desktop(display, "")) as tray:
        assert tray.kind == "QtTray"
        assert tray.ask("visible", is_visible=True) is False

        with xembed_panel(display):
            tray.until_visible(visible=True)
        assert tray.end() == 0


@pytest.mark.parametrize("bus_address", ["", "unix:path=/nonexistent"])
def test_without_a_desktop_there_is_none_and_the_reasons_are_said(bus_address: str) -> None:
    with tray_process("chosen", desktop("", bus_address)) as tray:
        assert tray.kind == "NoTray"
        assert tray.ask("visible", is_visible=True) is False
        assert tray.ask("copied", copy="text") is False
        assert tray.end() == 0
        said = tray.process.stderr.read()
    for reason in ("no tray icon over D-Bus", "no tray icon by Qt", "no tray icon by pystray", "no tray icon on this"):
        assert reason in said


def test_a_display_that_does_not_answer_breaks_nothing() -> None:
    with tray_process("chosen", desktop(":1234", "")) as tray:
        assert tray.kind == "NoTray"
        assert tray.ask("copied", copy="text") is False
        assert tray.end() == 0


def test_the_server_outlives_the_desktop_session(display: str) -> None:
    with ExitStack() as session, ExitStack() as process:
        bus = session.enter_context(session_bus(display))
        panel = session.enter_context(panel_on(bus))
        panel.begin()
        tray = process.enter_context(tray_process("dbus", desktop(display, bus)))
        tray.until_visible(visible=True)

        session.close()

        tray.until_visible(visible=False)
        tray.order(show="busy", tooltip="Working")
        tray.order(clients=1)
        tray.order(notify=["Nobody", "hears it"])
        assert tray.end() == 0


def test_no_tray_waits_until_it_is_stopped_and_returns_at_once_after_it() -> None:
    tray = NoTray()
    tray.stop()
    tray.run()
