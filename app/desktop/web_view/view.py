"""The interface to a system's web view, and what pywebview gives on every system."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

LIGHT, DARK = "#f7f7f5", "#141518"
"""The pages' own backgrounds, of `ui/static/tokens.css`: shown until the first page of a new home is there."""


@dataclass(frozen=True, slots=True)
class WindowPlace:
    """Where a window was, in pixels of the desktop."""

    x: int
    y: int
    width: int
    height: int
    maximised: bool = False


@dataclass(frozen=True, slots=True)
class ViewHooks:
    """What the web view tells the window.

    Attributes:
        is_ours: whether an address is one of BigMind's own pages. With Qt nothing else is ever shown in the window;
            `PlainView` leaves it to pywebview, which sends links elsewhere and does not watch what a script does.
        leave: opens any other address in the person's browser.
        loaded: called whenever a page of ours is there.
    """

    is_ours: Callable[[str], bool]
    leave: Callable[[str], object]
    loaded: Callable[[], None]


class NativeView(Protocol):
    """What the systems do differently. `window` is pywebview's."""

    gui: str | None

    def prepare(self, hooks: ViewHooks) -> None:
        """Before pywebview starts: load and mend what it will use."""
        ...

    def is_dark(self) -> bool:
        """Whether the desktop is dark; after `prepare`."""
        ...

    def screens(self) -> list[WindowPlace]:
        """The screens there are; after `prepare`."""
        ...

    def attach(self, window: Any) -> None:
        """When the window exists, on its thread, before it is shown."""
        ...

    def place(self, window: Any) -> WindowPlace | None:
        """Where the window is; None when that cannot be told. On its thread."""
        ...

    def bring_forward(self, window: Any) -> None:
        """Show it in front of the others; from any thread."""
        ...

    def may_close(self, window: Any) -> bool:
        """Whether it may close now; if not, its page is asked, and closes it once it may. On its thread."""
        ...

    def background(self, window: Any) -> str:
        """The background of the page it shows, as `#rrggbb`; empty when not known. On its thread."""
        ...


class PlainView:
    """pywebview as it is."""

    gui: str | None = None

    def __init__(self) -> None:
        self._hooks: ViewHooks | None = None

    def prepare(self, hooks: ViewHooks) -> None:
        """Downloads and links to elsewhere are done right by pywebview here."""
        import webview  # noqa: PLC0415 - loads the system's web view

        webview.settings["ALLOW_DOWNLOADS"] = True
        webview.settings["ALLOW_FILE_URLS"] = False
        webview.settings["OPEN_EXTERNAL_LINKS_IN_BROWSER"] = True
        self._hooks = hooks

    def is_dark(self) -> bool:
        """Not asked: the first page decides."""
        return False

    def screens(self) -> list[WindowPlace]:
        """The screens that pywebview knows."""
        library: Any = import_module("webview")
        return [WindowPlace(each.x, each.y, each.width, each.height) for each in library.screens]

    def attach(self, window: Any) -> None:
        """Have it say when a page is there."""
        if self._hooks is not None:
            window.events.loaded += self._hooks.loaded

    def place(self, window: Any) -> WindowPlace | None:
        """As pywebview tells it."""
        return WindowPlace(window.x, window.y, window.width, window.height)

    def bring_forward(self, window: Any) -> None:
        """Show it, also from the taskbar."""
        window.show()
        window.restore()

    def may_close(self, window: Any) -> bool:
        """Always: asking the page would wait for ever, as below."""
        del window
        return True

    def background(self, window: Any) -> str:
        """Asking the page while its window closes would wait for ever on these systems."""
        del window
        return ""
