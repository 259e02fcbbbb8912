"""The tray icon of Windows and macOS, by pystray; and of Linux where no panel speaks D-Bus (i3bar, polybar, tint2).

There it has a menu with PyGObject only; without one, a click on the icon opens the window.
"""

import logging
import os
import queue
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from app.desktop.clipboard import copy
from app.desktop.preflight import answers, has_session
from app.desktop.tray.icon import Item, TrayState, act, default_of
from app.desktop.tray.pictures import picture
from app.desktop.tray.signals import held_back

log = logging.getLogger(__name__)

SIZE = 48
TIP_UNITS, TITLE_UNITS, TEXT_UNITS = 127, 63, 255
"""Of UTF-16, in Windows' NOTIFYICONDATA: a longer tooltip, title or text would not be shown at all."""


def backend() -> Any:
    """The library, as it is for this desktop.

    Raises:
        ImportError: it is not installed, finds no desktop, or no panel that would show its icon.
    """
    # Asked first: where no display answers, importing it raises whatever Xlib and GTK raise.
    if sys.platform == "linux" and not (has_session() and answers()):
        raise ImportError("there is no display")
    try:
        module: Any = import_module("pystray")
    except ValueError as error:  # PyGObject's, without AppIndicator's library; pystray then leaves GTK itself untried
        log.info("pystray goes without AppIndicator: %s", error)
        module = _with_gtk()
    # Without GTK it asks for a panel once, when the icon is drawn.
    if not module.Icon.HAS_MENU and not takes_windows():
        raise ImportError("no panel takes its window")
    return module


def takes_windows() -> bool:
    """Whether a panel of X11 takes the windows of icons at this moment (freedesktop.org's System Tray Protocol)."""
    if not os.environ.get("DISPLAY"):
        return False
    try:
        module: Any = import_module("Xlib.display")  # pystray's own
        errors: Any = import_module("Xlib.error")
    except ImportError as error:
        log.info("X11 was not asked for a panel: %s", error)
        return False
    try:
        display = module.Display()
        try:
            selection = display.intern_atom(f"_NET_SYSTEM_TRAY_S{display.get_default_screen()}")
            return bool(display.get_selection_owner(selection))
        finally:
            display.close()
    except (errors.DisplayError, errors.ConnectionClosedError, OSError) as error:
        log.info("X11 was not asked for a panel: %s", error)
        return False


def _with_gtk() -> Any:
    os.environ["PYSTRAY_BACKEND"] = "gtk"
    try:
        return import_module("pystray")
    except ValueError as error:
        raise ImportError(f"pystray cannot use GTK ({error})") from error
    finally:
        del os.environ["PYSTRAY_BACKEND"]


class PystrayTray:
    """An icon of pystray's.

    Args:
        items: the menu, top to bottom.
        module: pystray.
        system: as `sys.platform` says it.
    """

    def __init__(self, items: Sequence[Item], module: Any, system: str = sys.platform) -> None:
        self._module = module
        self._on_loop: Callable[[Callable[[], None]], None] = lambda order: order()
        self._default = default_of(items)
        options: dict[str, Any] = {}
        if system == "darwin":
            from app.desktop.tray.mac_loop import mac_loop  # noqa: PLC0415 - of one system

            loop = mac_loop(self.stop, self._open)
            self._on_loop, options = loop.do, {"darwin_nsapplication": loop}
        self._pictures = {state: _loaded(state) for state in TrayState}
        menu = module.Menu(*(self._line(item) for item in items))
        self._icon: Any = module.Icon("bigmind", self._pictures[TrayState.READY], "BigMind", menu, **options)
        if not module.Icon.HAS_MENU:
            _hear_clicks(self._icon)
            _keep_threads_apart(self._icon)
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._runs = self._is_refused = False
        self._stopped = threading.Event()

    def run(self) -> None:
        """Show the icon and serve its menu until `stop`."""
        if self._stopped.is_set():
            return
        heard, told = socket.socketpair()
        told.setblocking(False)
        threading.Thread(target=self._stop_at_a_signal, args=(heard,), name="tray: signals", daemon=True).start()
        try:
            # Nothing more on this thread: a handler that ran amid Xlib's own code would wait for its locks for ever.
            with held_back(lambda: None, told.fileno()):
                self._run_icon()
                self._runs = False
                # A panel of X11 that ends takes the icon along, and its loop; but not BigMind.
                self._stopped.wait()
        except RuntimeError as error:  # GLib's, at the end, from a desktop that shows no notifications
            if not self._stopped.is_set():
                raise
            log.info("pystray ended: %s", error)
        finally:
            self._runs = False
            told.close()

    def stop(self) -> None:
        """Take the icon away and have `run` return."""
        self._stopped.set()
        self._later(self._icon.stop)

    def show(self, state: TrayState, tooltip: str) -> None:
        """Have the icon show `state` and say `tooltip`."""
        self._later(lambda: self._draw(state, tooltip))

    def notify(self, title: str, text: str) -> None:
        """Show a notification of the desktop, where the library can."""
        if self._icon.HAS_NOTIFICATION:
            self._orders.put(lambda: self._notify(title, text))  # that takes a while, and draws nothing of ours

    def refresh(self) -> None:
        """Ask the labels and check marks anew."""
        self._later(self._icon.update_menu)

    def copy(self, text: str) -> bool:
        """Put `text` on the clipboard; whether that could be done."""
        return copy(text)

    @property
    def is_visible(self) -> bool:
        """Whether the icon is shown."""
        return self._runs and bool(self._icon.visible)

    def _run_icon(self) -> None:
        try:
            self._icon.run(setup=self._begin)
        except OSError as error:  # Windows makes no window for it, as where nobody has a desktop: BigMind goes on
            log.warning("no tray icon: %s", error)
            self._is_refused, self._runs = True, False
            self._stopped.wait()
            # pystray's thread for `_begin` waits for the loop, and would keep the process.
            self._icon._mark_ready()  # noqa: SLF001 - it has no other name

    def _line(self, item: Item) -> Any:
        if item.is_separator:
            return self._module.Menu.SEPARATOR

        # pystray counts what its callbacks take, and refuses any but these.
        def label(_line: Any) -> str:
            return item.text()

        def chosen(_icon: Any, _line: Any) -> None:
            act(item, self.refresh)

        def checked(_line: Any) -> bool:
            return item.checked is not None and item.checked()

        return self._module.MenuItem(
            label,
            chosen,
            checked=None if item.checked is None else checked,
            default=item.is_default,
            enabled=item.action is not None,
        )

    def _begin(self, icon: Any) -> None:
        """Show it, and do what came earlier; on a thread that pystray starts when its loop runs."""
        if self._is_refused:
            return
        self._on_loop(lambda: self._appear(icon))
        # One of our own, which ends with the process: an order to a loop that has just ended waits for ever.
        threading.Thread(target=self._obey, name="tray: orders", daemon=True).start()

    def _appear(self, icon: Any) -> None:
        icon.visible = True
        self._runs = True

    def _open(self) -> None:
        if self._default is not None:
            act(self._default, self.refresh)

    def _obey(self) -> None:
        while True:
            order = self._orders.get()
            try:
                order()
            except Exception:
                log.exception("the tray icon could not do what it was told")

    def _stop_at_a_signal(self, heard: socket.socket) -> None:
        """Python's handlers run when the toolkit's loop has returned; so a thread has it return."""
        with heard:
            if heard.recv(1):
                self.stop()

    def _later(self, order: Callable[[], None]) -> None:
        """Do it in its turn, now or once the loop runs; on macOS, on the loop's own thread."""
        self._orders.put(lambda: self._on_loop(order))

    def _notify(self, title: str, text: str) -> None:
        try:
            self._icon.notify(fitting(text, TEXT_UNITS), fitting(title, TITLE_UNITS))
        except (OSError, RuntimeError) as error:
            log.info("the desktop shows no notification: %s", error)

    def _draw(self, state: TrayState, tooltip: str) -> None:
        self._icon.icon = self._pictures[state]
        self._icon.title = fitting(tooltip, TIP_UNITS)


def fitting(text: str, units: int, system: str = sys.platform) -> str:
    """A text as far as there is room for it, by UTF-16, which Windows counts.

    Args:
        text: what is to be shown.
        units: how many of UTF-16 there is room for there.
        system: as `sys.platform` says it.
    """
    written = text.encode("utf-16-le", "surrogatepass")
    if system != "win32" or len(written) <= 2 * units:
        return text
    return written[: 2 * (units - 1)].decode("utf-16-le", "ignore") + "…"


def _hear_clicks(icon: Any) -> None:
    """Ask the X server for the clicks on the icon: pystray 0.19.5 answers them, and asks for all else only."""
    x: Any = import_module("Xlib.X")
    window = icon._window  # noqa: SLF001 - it has no other name
    window.change_attributes(event_mask=x.ExposureMask | x.StructureNotifyMask | x.ButtonPressMask)


class _DisplayOfThread:
    """Two connections to X in the place of one: the loop's, and one by which all other threads send it their orders.

    python-xlib 0.33 loses what two threads send at once: it leaves a request in its queue, or waits for an answer that
    the other thread has taken, for ever.
    """

    def __init__(self, of_loop: Any, of_others: Any) -> None:
        self._of_loop = of_loop
        self._of_others = of_others

    def __getattr__(self, name: str) -> Any:
        is_loop = threading.current_thread() is threading.main_thread()
        return getattr(self._of_loop if is_loop else self._of_others, name)


def _keep_threads_apart(icon: Any) -> None:
    """Let no thread but the loop's send by its connection."""
    module: Any = import_module("Xlib.display")
    icon._display = _DisplayOfThread(icon._display, module.Display())  # noqa: SLF001 - it has no other name


def _loaded(state: TrayState) -> Any:
    from PIL import Image  # noqa: PLC0415 - 3 MB, for pystray only

    with Image.open(picture(state, SIZE)) as file:  # which else stays open until the picture is drawn
        return file.copy()
