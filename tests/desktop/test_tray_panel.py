"""The icon and its open menu in real panels, by mouse; the pictures stay in tests/artefacts/tray."""

import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from tests.desktop.display import session_bus, window_manager, x_server, xfce_panel
from tests.desktop.screen import Box, Screen, colours, same, screen_of
from tests.desktop.tray_client import desktop, tray_process
from tests.desktop.windowed import app
from tests.desktop.windowed import desktop as session_of

ARTEFACTS = Path(__file__).parents[1] / "artefacts" / "tray"
KINDS = [("chosen", "DBusTray"), ("pystray", "PystrayTray")]
SYSTEM_PACKAGES = Path("/usr/lib/python3/dist-packages")
"""Where Debian puts PyGObject, which is no package of ours."""
RIGHT = 3
LEFT = 1
FIRST_LINE = 16
"""So far below a menu's upper edge is its first line."""
TRAY_COLOUR = "#6f69e6"
"""Of packaging/icons.py; nothing else on these screens has it."""
LEGIBLE = 16
TRIES, MENU_SECONDS = 6, 5.0
TEXT_COLOURS, ICON_COLOURS = 10, 3
"""A blank area has one colour, or two; edges of letters and of a round icon have more."""


def with_gtk(folder: Path) -> dict[str, str]:
    """An environment in which Python finds the system's PyGObject, and nothing else of the system's packages."""
    built_for_this_python = f"_gi.{sysconfig.get_config_var('SOABI')}*.so"
    if not list((SYSTEM_PACKAGES / "gi").glob(built_for_this_python)):
        pytest.skip(f"PyGObject is for the system's Python, and {sys.version.split()[0]} is another")
    (folder / "gi").symlink_to(SYSTEM_PACKAGES / "gi")
    return {"PYTHONPATH": str(folder)}


@pytest.mark.xdist_group("tray")
@pytest.mark.parametrize(("wanted", "kind"), KINDS)
def test_a_real_panel_shows_the_icon_and_its_menu_and_a_line_is_chosen_by_mouse(
    wanted: str, kind: str, tmp_path: Path
) -> None:
    more = with_gtk(tmp_path) if wanted == "pystray" else {}
    with (
        session_with_panel(tmp_path) as (display, bus, screen),
        tray_process(wanted, {**desktop(display, bus), **more}) as tray,
    ):
        assert tray.kind == kind
        menu = photographed_menu(screen, kind)

        choose(screen, (menu[0] + 40, menu[1] + FIRST_LINE))
        assert tray.hear("did") == "open"


@pytest.mark.xdist_group("tray")
def test_a_real_panel_shows_the_menu_of_bigmind_itself(tmp_path: Path) -> None:
    with session_with_panel(tmp_path) as (display, bus, screen):
        around = session_of(tmp_path / "home", display, DBUS_SESSION_BUS_ADDRESS=bus)
        with app(tmp_path / "home", around, "--hidden") as running:
            menu = photographed_menu(screen, "bigmind")

            choose(screen, (menu[0] + 40, menu[3] - FIRST_LINE))  # Quit
            assert running.process.wait(60) == 0


@pytest.mark.xdist_group("tray")
def test_an_icon_without_a_menu_opens_the_window_by_a_click(tmp_path: Path) -> None:
    with (
        session_with_panel(tmp_path) as (display, _, screen),
        tray_process("pystray", desktop(display, "")) as tray,
    ):
        icon = box_of(screen.until(lambda seen: is_legible(box_of(seen)) and is_quiet(screen, seen)))
        screen.click(centre(icon), LEFT)
        assert tray.hear("did") == "open"


@contextmanager
def session_with_panel(home: Path) -> Iterator[tuple[str, str, Screen]]:
    """A desktop with a panel: its DISPLAY, the address of its bus, its screen."""
    with (
        x_server() as display,
        session_bus(display) as bus,
        window_manager(display),
        xfce_panel(display, bus, home),
        screen_of(display) as screen,
    ):
        yield display, bus, screen


def photographed_menu(screen: Screen, name: str) -> Box:
    """Open the menu by a click on the icon, and keep a picture of both. Returns where the menu is.

    A click is lost while the panel is still being arranged, or falls on something else. Another click may close a menu
    that was only slow to open: then one more opens it. A menu that is painted has outlived every click before it.
    """
    for _ in range(TRIES):
        icon = box_of(screen.until(lambda seen: is_legible(box_of(seen)) and is_quiet(screen, seen)))
        screen.click(centre(icon), RIGHT)
        if menu := screen.opened(least=100, seconds=MENU_SECONDS):
            seen = screen.seen(lambda now: is_painted(screen, now, menu), MENU_SECONDS)
            if seen is not None and is_within(box_of(seen), icon):
                ARTEFACTS.mkdir(parents=True, exist_ok=True)
                seen.save(ARTEFACTS / f"{name}.png")
                assert colours(seen, icon) > ICON_COLOURS
                return menu
        screen.escape()
    raise AssertionError(f"no menu opened after {TRIES} clicks on the icon")


def choose(screen: Screen, line: tuple[int, int]) -> None:
    """Click on a line of a menu once it shows that the mouse is there: before that, a click may be lost."""
    around = (line[0] - 20, line[1] - 4, line[0] + 20, line[1] + 4)
    before = screen.picture().crop(around)
    screen.point(line)
    screen.until(lambda now: not same(now.crop(around), before))
    screen.click(line, LEFT)


def is_painted(screen: Screen, now: Image.Image, menu: Box) -> bool:
    return colours(now, menu) > TEXT_COLOURS and is_quiet(screen, now)


def is_legible(box: Box | None) -> bool:
    return box is not None and box[2] - box[0] >= LEGIBLE


def box_of(picture: Image.Image) -> Box | None:
    """Where the icon stands: around all that has its colour."""
    colour = Image.new("RGB", picture.size, TRAY_COLOUR)
    far = ImageChops.difference(picture, colour).convert("L").point(lambda distance: 0 if distance > 2 else 255)
    return far.getbbox()


def is_within(box: Box | None, place: Box) -> bool:
    """Whether what stood at a place is still there, as far as a menu leaves it to be seen."""
    if box is None:
        return True
    return place[0] <= box[0] and place[1] <= box[1] and box[2] <= place[2] and box[3] <= place[3]


def centre(box: Box) -> tuple[int, int]:
    return (box[0] + box[2]) // 2, (box[1] + box[3]) // 2


def is_quiet(screen: Screen, now: Image.Image) -> bool:
    """Whether the next look sees the same."""
    return same(now, screen.picture())
