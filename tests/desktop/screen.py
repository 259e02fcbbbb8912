"""What stands on an X server's screen, and a hand at its mouse."""

import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from PIL import Image, ImageChops
from Xlib import XK, X
from Xlib.display import Display
from Xlib.error import BadDrawable
from Xlib.ext import xtest
from Xlib.protocol.event import ClientMessage
from Xlib.protocol.rq import Event

Box = tuple[int, int, int, int]
ALL_PLANES = 0xFFFFFFFF
SECONDS = 60.0


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

    def seen(self, holds: Callable[[Image.Image], bool], seconds: float) -> Image.Image | None:
        """Look again and again until the picture is as wanted; None when it does not come to be in that time."""
        deadline = monotonic() + seconds
        while not holds(now := self.picture()):
            if monotonic() > deadline:
                return None
        return now

    def until(self, holds: Callable[[Image.Image], bool]) -> Image.Image:
        """The same, where it has to come to be."""
        seen = self.seen(holds, SECONDS)
        assert seen is not None, f"the screen did not come to look as wanted within {SECONDS:.0f} seconds"
        return seen

    def point(self, at: tuple[int, int]) -> None:
        """Move the mouse there."""
        xtest.fake_input(self._display, X.MotionNotify, x=at[0], y=at[1])
        self._display.sync()

    def click(self, at: tuple[int, int], button: int) -> None:
        """Press and let go of a button of the mouse. What opened before that is no longer told."""
        while self._display.pending_events():
            self._display.next_event()
        self.point(at)
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
        until_after_events(self._display, lambda: len(self.windows()) == count, f"{count} windows")
        return self.windows()

    def close_window(self, number: int) -> None:
        """Ask a window to close, as its button does."""
        atom = self._display.intern_atom("_NET_CLOSE_WINDOW")
        window = self._display.create_resource_object("window", number)
        asked = ClientMessage(window=window, client_type=atom, data=(32, [X.CurrentTime, 2, 0, 0, 0]))
        self._root.send_event(asked, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._display.flush()

    def opened(self, least: int, seconds: float) -> Box | None:
        """Wait for a window of `least` pixels at least, each way, to open. Returns its box; None when none does."""
        deadline = monotonic() + seconds
        while event := event_before(self._display, deadline):
            if event.type != X.MapNotify:
                continue
            try:
                place = event.window.get_geometry()
            except BadDrawable:
                continue  # it is gone again
            if min(place.width, place.height) >= least and place.width < self._root.get_geometry().width:
                return place.x, place.y, place.x + place.width, place.y + place.height
        return None


def event_before(display: Display, deadline: float) -> Event | None:
    """The next event of an X server; None when the time is over."""
    while not display.pending_events():
        left = deadline - monotonic()
        if left <= 0:
            return None
        select.select([display], [], [], left)
    return display.next_event()


def until_after_events(display: Display, holds: Callable[[], bool], wanted: str) -> None:
    """Ask again after each event of an X server until it holds."""
    deadline = monotonic() + SECONDS
    while not holds():
        assert event_before(display, deadline) is not None, f"not within {SECONDS:.0f} seconds: {wanted}"


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
