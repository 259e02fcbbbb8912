"""What macOS asks of a tray beside its icon.

AppKit's things are touched on the main thread alone: newer systems end a process that sets the menu of an icon on
another one. And Finder, the Dock and Launchpad start no second BigMind beside one that runs: they ask that one to open
again, and only what they are answered by shows a window.
"""

import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any

log = logging.getLogger(__name__)

WITHOUT_DOCK = 1
"""NSApplicationActivationPolicyAccessory: an icon in the menu bar and none in the Dock, which the window alone has."""


class MacLoop:
    """The application's loop as pystray uses it: in the place of its NSApplication, which it asks for nothing else.

    Args:
        appkit: the module AppKit.
        helper: the module PyObjCTools.AppHelper.
        end: ends BigMind; what pystray does at a SIGINT instead would end the process amid its work.
        opened: shows the window.
    """

    def __init__(self, appkit: Any, helper: Any, end: Callable[[], None], opened: Callable[[], None]) -> None:
        self._application = appkit.NSApplication.sharedApplication()
        self._after = helper.callAfter
        self._end = end
        self._delegate = _delegate(appkit.NSObject, opened)  # held here: the application does not hold it

    def do(self, order: Callable[[], None]) -> None:
        """Have it done on the main thread, soon; from any thread."""
        self._after(_guarded, order)

    def run(self) -> None:
        """Serve until `stop_`."""
        self._application.setActivationPolicy_(WITHOUT_DOCK)
        self._application.setDelegate_(self._delegate)
        self._application.run()

    def stop_(self, _sender: object) -> None:
        """Have `run` return with the next event."""
        self._application.stop_(None)

    def postEvent_atStart_(self, event: object, is_first: bool) -> None:  # noqa: N802 - as AppKit calls it
        """That event."""
        self._application.postEvent_atStart_(event, is_first)

    def terminate_(self, _sender: object) -> None:
        """End BigMind in its own order."""
        self._end()


def mac_loop(end: Callable[[], None], opened: Callable[[], None]) -> MacLoop:
    """That of this process; see `MacLoop`."""
    return MacLoop(import_module("AppKit"), import_module("PyObjCTools.AppHelper"), end, opened)


def _delegate(base: Any, opened: Callable[[], None]) -> Any:
    class BigMindDelegate(base):
        def applicationShouldHandleReopen_hasVisibleWindows_(self, _asked: object, _has: object) -> bool:  # noqa: N802
            opened()
            return False

    return BigMindDelegate.alloc().init()


def _guarded(order: Callable[[], None]) -> None:
    try:
        order()
    except Exception:  # what came out of here would come into AppKit's loop
        log.exception("the tray icon could not do what it was told")
