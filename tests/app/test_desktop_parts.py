"""What the window and the icon are made of, in so far as it needs no desktop: it holds on every system."""

import pytest

from app.desktop.preflight import WINDOW_LIBRARIES, Installer, install_line, session_libraries
from app.desktop.tray.icon import TrayState
from app.desktop.tray.none import NoTray
from app.desktop.tray.pictures import SIZES, pixels
from app.desktop.web_view.view import WindowPlace
from app.desktop.window import FIRST, FRAME, on_screen

SMALL = WindowPlace(0, 0, 1024, 600)
FITS = (1024, 600 - FRAME)


def test_every_state_looks_different() -> None:
    for at, _size in enumerate(SIZES):
        assert len({pixels(state)[at][2] for state in TrayState}) == len(TrayState)


@pytest.mark.parametrize(
    ("installer", "line"),
    [
        (Installer.APT, "sudo apt-get install libxcb-icccm4 libxcb-xkb1"),
        (Installer.DNF, "sudo dnf install xcb-util-wm libxcb"),
        (Installer.PACMAN, "sudo pacman -S xcb-util-wm libxcb"),
        (None, "sudo apt-get install libxcb-icccm4 libxcb-xkb1"),
    ],
)
def test_each_distribution_has_its_own_line(installer: Installer | None, line: str) -> None:
    two = [each for each in WINDOW_LIBRARIES if each.soname in {"libxcb-icccm.so.4", "libxcb-xkb.so.1"}]
    assert install_line(two, installer) == line


def test_a_session_of_wayland_alone_asks_for_two_more() -> None:
    asked = {each.soname for each in session_libraries({"WAYLAND_DISPLAY": "wayland-0"})}
    assert asked - {each.soname for each in WINDOW_LIBRARIES} == {"libwayland-cursor.so.0", "libwayland-egl.so.1"}
    for session in ({"DISPLAY": ":0"}, {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}):
        assert session_libraries(session) == WINDOW_LIBRARIES


def test_no_tray_waits_until_it_is_stopped_and_returns_at_once_after_it() -> None:
    tray = NoTray()
    tray.stop()
    tray.run()


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        (WindowPlace(0, 0, *FIRST), WindowPlace(0, 0, *FITS)),
        (WindowPlace(10, 20, 1180, 860), WindowPlace(10, 20, *FITS)),
        (WindowPlace(2000, 100, 1180, 860, maximised=True), WindowPlace(0, 0, *FITS, maximised=True)),
        (WindowPlace(700, 20, 600, 500), WindowPlace(700, 20, 600, 500)),
    ],
)
def test_a_window_is_no_larger_than_the_screen_it_is_on(left: WindowPlace, shown: WindowPlace) -> None:
    assert on_screen(left, [SMALL]) == shown
