"""The window: a process of its own that exists only while it is open. pywebview has its main thread, as systems demand.

It is led by a pipe. The core writes lines: `open <address>` loads a page, `show` brings the window forward; the end of
the pipe, also by the core's death, ends the window. It answers in lines: `loaded` when a page of BigMind is there,
`closing` when the person closes it, and `impossible <why>`, before it exits with 3, where there can be none.
"""

import faulthandler
import gc
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import urlsplit

from app.desktop.browser import open_page
from app.desktop.preflight import why_no_window
from app.desktop.web_view import native_view
from app.desktop.web_view.view import DARK, LIGHT, NativeView, ViewHooks, WindowPlace
from bigmind.paths import asset, data_folder, write_private_file

log = logging.getLogger(__name__)

FAILED, IMPOSSIBLE = 1, 3
"""Exit codes: something went wrong; there can be no window here."""
TITLE = "BigMind"
ICON = "icons/bigmind-256.png"
LEAST = (360, 480)
FIRST = (1180, 860)
ENDING_SECONDS = 4.0
REMEMBERED = "window.json"
GRIP = 60
"""Pixels of it that must be on a screen, so that it can be taken hold of."""
FRAME = 40
"""Pixels of a screen's height that are left to the window's own frame."""
COLOUR = re.compile("#[0-9a-f]{6}")


def main() -> int:
    """Show the window until it is closed. Returns the process's exit code."""
    gc.disable()  # until a page is there: what is imported stays, and looking through it for garbage takes 20 ms
    told, tell = _pipes()
    faulthandler.enable()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    if why := why_no_window():
        _say(tell, f"impossible {why}")
        return IMPOSSIBLE
    quiet_engine()
    try:
        Window(native_view(), data_folder(), tell).run(told)
    except ImportError as error:  # of a library of the system that no list names
        log.exception("the window cannot be loaded")
        _say(tell, f"impossible a part of it cannot be loaded: {' '.join(str(error).split())}")
        return IMPOSSIBLE
    except Exception:  # the edge of the process: its log is where anybody will look
        log.exception("the window failed")
        return FAILED
    return 0


def quiet_engine() -> None:
    """Which Qt it is, and that it keeps to itself what is no fault; where nobody has set that."""
    os.environ.setdefault("QT_API", "pyside6")
    os.environ.setdefault("QTWEBENGINE_CHROMIUM_FLAGS", "--log-level=3")
    os.environ.setdefault("QT_LOGGING_RULES", "qt.webengine*=false;qt.vulkan*=false;default.warning=false")


def _pipes() -> tuple[TextIO, TextIO]:
    """The two ends of the leash, taken from the standard streams so that no process of the web view holds them too."""
    told = os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8")
    tell = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), sys.stdin.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return told, tell


def _say(tell: TextIO, line: str) -> None:
    with suppress(OSError):  # the core is gone; so is the window, in a moment
        tell.write(f"{line}\n")
        tell.flush()


class Window:
    """The one window of its process."""

    def __init__(self, native: NativeView, home: Path, tell: TextIO) -> None:
        self._native = native
        self._file = home / REMEMBERED
        self._tell = tell
        self._lock = threading.Lock()
        self._origin = self._address = ""
        self._window: Any = None
        self._is_ending = False

    def run(self, told: Iterable[str]) -> None:
        """Show it; returns when it is closed."""
        threading.Thread(target=self._obey, args=(told,), name="leash", daemon=True).start()
        webview: Any = import_module("webview")  # heavy; after the preflight
        self._native.prepare(ViewHooks(self.is_ours, open_page, self._loaded))
        place, background = self._remembered()
        with self._lock:
            self._window = webview.create_window(
                TITLE,
                self._address or None,
                html=None if self._address else f"<body bgcolor='{background}'>",  # until the server answers
                width=place.width,
                height=place.height,
                x=place.x if place.x or place.y else None,
                y=place.y if place.x or place.y else None,
                maximized=place.maximised,
                min_size=LEAST,
                background_color=background,
                text_select=True,
                zoomable=True,
            )
        self._window.events.before_show += lambda: self._native.attach(self._window)
        self._window.events.closing += self._closing
        webview.start(gui=self._native.gui, private_mode=True, icon=str(asset(ICON)))

    def is_ours(self, address: str) -> bool:
        """Whether an address is a page of the server that this window was opened for."""
        parts = urlsplit(address)
        return bool(self._origin) and f"{parts.scheme}://{parts.netloc}" == self._origin

    def _loaded(self) -> None:
        """A page of BigMind is there."""
        _say(self._tell, "loaded")
        gc.enable()

    def _obey(self, told: Iterable[str]) -> None:
        """Do what the core says, and close when it is gone."""
        for line in told:
            verb, _, address = line.strip().partition(" ")
            if verb == "open":
                self._open(address)
            elif verb == "show" and self._window is not None:
                self._native.bring_forward(self._window)
        self._is_ending = True
        # Where it hangs, nothing is lost by ending it hard: everything is the core's.
        last = threading.Timer(ENDING_SECONDS, os._exit, (0,))
        last.daemon = True
        last.start()
        if self._window is None:
            os._exit(0)  # nothing is there yet that could be closed
        self._window.destroy()

    def _open(self, address: str) -> None:
        parts = urlsplit(address)
        with self._lock:
            self._origin = f"{parts.scheme}://{parts.netloc}"
            self._address = address
            window = self._window
        if window is not None:
            window.load_url(address)

    def _closing(self) -> bool:
        """Whether it closes now. On the thread of the window, while it still stands."""
        if not self._is_ending and not self._native.may_close(self._window):
            return False
        _say(self._tell, "closing")
        place = self._native.place(self._window)
        if place is not None and place.width >= LEAST[0] and place.height >= LEAST[1]:
            kept = {**asdict(place), "background": self._native.background(self._window)}
            write_private_file(self._file, json.dumps(kept))
        return True

    def _remembered(self) -> tuple[WindowPlace, str]:
        """Where to put it, and in which colour it begins: as it was left, if the desktop is still so large."""
        default = DARK if self._native.is_dark() else LIGHT
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            background = str(kept.pop("background")) or default
            x, y, width, height = (int(kept[name]) for name in ("x", "y", "width", "height"))
            place = WindowPlace(x, y, width, height, maximised=kept["maximised"] is True)
        except (OSError, ValueError, KeyError, TypeError):
            return on_screen(WindowPlace(0, 0, *FIRST), self._native.screens()), default
        return on_screen(place, self._native.screens()), background if COLOUR.fullmatch(background) else default


def on_screen(place: WindowPlace, screens: list[WindowPlace]) -> WindowPlace:
    """The same place where its upper left part is on a screen; else in the middle of one. No larger than the screen."""
    for each in screens:
        if each.x <= place.x < each.x + each.width - GRIP and each.y <= place.y < each.y + each.height - GRIP:
            return _within(each, place)
    if not screens:
        return replace(place, x=0, y=0)
    return replace(_within(screens[0], place), x=0, y=0)


def _within(screen: WindowPlace, place: WindowPlace) -> WindowPlace:
    return replace(place, width=min(place.width, screen.width), height=min(place.height, screen.height - FRAME))
