"""Which tray a desktop gets, and what happens when panels come and go, or there is none."""

import os
import signal
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from app.desktop.tray import with_dbus
from tests.desktop.display import session_bus, xfce_panel
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


def test_a_panel_that_takes_windows_alone_is_served_by_pystray(display: str, bus: str, tmp_path: Path) -> None:
    # The panel speaks D-Bus too, on another bus: the tray is not to hear it there.
    with (
        session_bus(display) as elsewhere,
        xfce_panel(display, elsewhere, tmp_path),
        tray_process("chosen", desktop(display, bus)) as tray,
    ):
        assert tray.kind == "PystrayTray"
        tray.until_visible(visible=True)
        tray.order(show="busy", tooltip="Working")
        tray.order(notify=["Nobody", "hears it"])
        tray.process.send_signal(signal.SIGTERM)
        assert tray.hear("ended") == "stopped"


def test_without_a_bus_a_panel_that_takes_windows_may_end_before_the_server(display: str, tmp_path: Path) -> None:
    with ExitStack() as process:
        with session_bus(display) as elsewhere, xfce_panel(display, elsewhere, tmp_path):
            tray = process.enter_context(tray_process("chosen", desktop(display, "")))
            assert tray.kind == "PystrayTray"
            tray.until_visible(visible=True)

        tray.order(show="busy", tooltip="Working")
        assert tray.end() == 0


def test_it_ends_also_when_it_was_told_so_by_a_thread_that_takes_long_to_send(
    display: str, bus: str, tmp_path: Path
) -> None:
    with (
        session_bus(display) as elsewhere,
        xfce_panel(display, elsewhere, tmp_path),
        tray_process("chosen", desktop(display, bus), "late") as tray,
    ):
        assert tray.kind == "PystrayTray"
        tray.until_visible(visible=True)
        assert tray.end() == 0


def test_what_is_copied_goes_to_the_program_that_keeps_the_clipboard(
    display: str, bus: str, panel: Panel, tmp_path: Path
) -> None:
    panel.begin()
    keeper = tmp_path / "xclip"
    keeper.write_text(f'#!/bin/sh\ncat > "{tmp_path}/$(echo "$@" | tr -d " ")"\n')
    keeper.chmod(0o700)
    around = desktop(display, bus)
    with tray_process("chosen", {**around, "PATH": f"{tmp_path}{os.pathsep}{around['PATH']}"}) as tray:
        assert tray.ask("copied", copy="http://127.0.0.1:7700/mcp · ä") is True
    assert (tmp_path / "-selectionclipboard-in").read_text() == "http://127.0.0.1:7700/mcp · ä"


def test_without_such_a_program_copying_says_that_it_was_not_done(display: str, bus: str, panel: Panel) -> None:
    panel.begin()
    with tray_process("chosen", desktop(display, bus)) as tray:
        assert tray.ask("copied", copy="text") is False


@pytest.mark.parametrize("bus_address", ["", "unix:path=/nonexistent"])
def test_without_a_desktop_there_is_none_and_the_reasons_are_said(bus_address: str) -> None:
    with tray_process("chosen", desktop("", bus_address)) as tray:
        assert tray.kind == "NoTray"
        assert tray.ask("visible", is_visible=True) is False
        assert tray.ask("copied", copy="text") is False
        assert tray.end() == 0
        said = tray.process.stderr.read()
    for reason in ("no tray icon over D-Bus", "no tray icon by pystray", "no tray icon on this"):
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


def test_a_bus_that_takes_a_connection_and_says_nothing_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bus"
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(path))
        silent.listen()
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={path}")
        monkeypatch.setattr(with_dbus, "MOST_SECONDS", 0.1)
        with pytest.raises(with_dbus.NO_BUS):
            with_dbus.panel_runs()
