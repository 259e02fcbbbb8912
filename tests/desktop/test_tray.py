"""The tray as a panel sees it, over D-Bus."""

import signal
from collections.abc import Iterator

import pytest

from app.desktop.tray.icon import TrayState
from app.desktop.tray.pictures import pixels
from tests.desktop.panel import Panel
from tests.desktop.tray_client import TrayProcess, desktop, tray_process

pytestmark = pytest.mark.xdist_group("tray")

LABELS = ["Open BigMind", "—", "Connected clients (0)", "Pause (read-only mode)", "snakecase & more", "Quit BigMind"]


@pytest.fixture
def tray(display: str, bus: str, panel: Panel) -> Iterator[TrayProcess]:
    """A tray that the panel shows."""
    panel.begin()
    with tray_process("dbus", desktop(display, bus)) as started:
        panel.until(lambda: panel.icons)
        yield started


@pytest.mark.usefixtures("tray")
def test_the_menu_has_its_lines_in_order_and_says_what_can_be_chosen(panel: Panel) -> None:
    lines = panel.lines()

    assert ["—" if line.is_separator else line.label for line in lines] == LABELS
    assert [line.enabled for line in lines if not line.is_separator] == [True, True, True, False, True]
    assert [line.checked for line in lines if line.checked is not None] == [False]


def test_what_is_chosen_is_done_on_a_thread_of_its_own(tray: TrayProcess, panel: Panel) -> None:
    panel.click("Open BigMind")
    assert tray.hear("on_main") is False

    panel.click("Quit BigMind")
    assert tray.hear("did") == "quit"


def test_a_click_on_the_icon_does_the_default(tray: TrayProcess, panel: Panel) -> None:
    panel.activate()

    assert tray.hear("did") == "open"


@pytest.mark.usefixtures("tray")
def test_a_check_mark_turns_by_itself_when_its_line_was_chosen(panel: Panel) -> None:
    panel.click("Pause")
    panel.until_read(lambda: panel.line("Pause").checked is True)

    panel.click("Pause")
    panel.until_read(lambda: panel.line("Pause").checked is False)


def test_a_label_is_asked_anew_when_the_tray_is_told_so(tray: TrayProcess, panel: Panel) -> None:
    assert panel.line("Connected").label == "Connected clients (0)"

    tray.order(clients=3)

    panel.until_read(lambda: panel.line("Connected").label == "Connected clients (3)")


def test_a_label_is_asked_anew_when_the_menu_opens(tray: TrayProcess, panel: Panel) -> None:
    assert panel.line("Connected").label == "Connected clients (0)"
    tray.ask("done", clients_unsaid=7)

    panel.open_menu()

    assert panel.line("Connected").label == "Connected clients (7)"


@pytest.mark.parametrize("state", list(TrayState))
def test_a_state_has_its_own_picture_in_every_size_and_its_tooltip(
    tray: TrayProcess, panel: Panel, state: TrayState
) -> None:
    tray.order(show=state, tooltip=f"BigMind is {state}")

    panel.until_read(lambda: f"BigMind is {state}" in panel.icon("ToolTip"))

    shown = [(width, height, bytes(argb)) for width, height, argb in panel.icon("IconPixmap")]
    assert shown == [(width, height, argb) for width, height, argb in pixels(state)]


def test_a_notification_reaches_the_desktop(tray: TrayProcess, panel: Panel) -> None:
    tray.order(notify=["The backup is done", "3 MB, checked"])

    panel.until(lambda: panel.notifications)

    assert panel.notifications == [("The backup is done", "3 MB, checked")]


def test_it_says_that_a_person_can_see_it(tray: TrayProcess) -> None:
    tray.until_visible(visible=True)


def test_it_ends_when_it_is_told_to(tray: TrayProcess) -> None:
    assert tray.end() == 0
    assert tray.hear("ended") == "stopped"


def test_sigterm_ends_it_at_once_while_nothing_else_happens(tray: TrayProcess, panel: Panel) -> None:
    assert panel.labels() == LABELS  # its loop runs

    tray.process.send_signal(signal.SIGTERM)

    assert tray.hear("ended") == "stopped"
    assert tray.process.wait(20) == 0


@pytest.mark.parametrize("kind", ["dbus", "chosen"])
def test_what_a_signals_handler_raises_comes_out_of_run(kind: str, display: str, bus: str, panel: Panel) -> None:
    panel.begin()
    with tray_process(kind, desktop(display, bus), "raising") as tray:
        assert panel.labels() == LABELS

        tray.process.send_signal(signal.SIGTERM)

        assert tray.hear("ended") == "KeyboardInterrupt"
