"""What stands on an X server's screen, and a hand at its mouse."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PIL import Image, ImageChops
from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest
from Xlib.protocol.event import ClientMessage

Box = tuple[int, int, int, int]
ALL_PLANES = 0xFFFFFFFF


class Screen:
    """A connection to the X server of a test."""

    def __init__(self, name: str) -> None:
        self._display = Display(name)
        self._root = self._display.screen().root
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask | X.PropertyChangeMask)
        self._display.sync()

    def close(self) -> None:
        self._display.close()

    def picture(self) -> Image.Image:
        """The whole screen, without the pointer."""
        size = self._root.get_geometry()
        drawn = self._root.get_image(0, 0, size.width, size.height, X.ZPixmap, ALL_PLANES)
        return Image.frombytes("RGB", (size.width, size.height), drawn.data, "raw", "BGRX")

    def until(self, holds: Callable[[Image.Image], bool]) -> Image.Image:
        """Look again and again until the picture is as wanted."""
        while not holds(seen := self.picture()):
            pass
        return seen

    def click(self, at: tuple[int, int], button: int) -> None:
        """Press and let go of a button of the mouse."""
        xtest.fake_input(self._display, X.MotionNotify, x=at[0], y=at[1])
        for event in (X.ButtonPress, X.ButtonRelease):
            xtest.fake_input(self._display, event, button)
        self._display.sync()

    def escape(self) -> None:
        """Press Escape, which closes a menu."""
        key = self._display.keysym_to_keycode(XK.XK_Escape)
        for event in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(self._display, event, key)
        self._display.sync()

    def windows(self) -> list[int]:
        """The windows that the window manager manages, by number."""
        listed = self._root.get_full_property(self._display.intern_atom("_NET_CLIENT_LIST"), X.AnyPropertyType)
        return list(listed.value) if listed is not None else []

    def until_windows(self, count: int) -> list[int]:
        """Wait until there are so many of them."""
        while len(found := self.windows()) != count:
            self._display.next_event()
        return found

    def close_window(self, number: int) -> None:
        """Ask a window to close, as its button does."""
        atom = self._display.intern_atom("_NET_CLOSE_WINDOW")
        window = self._display.create_resource_object("window", number)
        asked = ClientMessage(window=window, client_type=atom, data=(32, [X.CurrentTime, 2, 0, 0, 0]))
        self._root.send_event(asked, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._display.flush()

    def opened(self, least: int) -> Box:
        """Wait for a window of `least` pixels at least, each way, to open. Returns its box."""
        while True:
            event = self._display.next_event()
            if event.type == X.MapNotify:
                place = event.window.get_geometry()
                if min(place.width, place.height) >= least and place.width < self._root.get_geometry().width:
                    return place.x, place.y, place.x + place.width, place.y + place.height


@contextmanager
def screen_of(name: str) -> Iterator[Screen]:
    """The screen of a DISPLAY for the length of a block."""
    screen = Screen(name)
    try:
        yield screen
    finally:
        screen.close()


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.difference(one, other).getbbox() is None


def colours(picture: Image.Image, box: Box) -> int:
    """How many colours stand in a box: one when it is blank."""
    return len(picture.crop(box).getcolors(1 << 24) or [])
