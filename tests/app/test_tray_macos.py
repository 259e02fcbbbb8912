"""The tray of macOS as far as that goes elsewhere: pystray's own code, on an AppKit that notes who touches it."""

import importlib
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from app.desktop.tray import Item, TrayState
from app.desktop.tray.with_pystray import PystrayTray


class Touched:
    """Anything of AppKit's: calls give it back, and note where they come from another thread than the main one."""

    elsewhere: list[str]

    def __getattr__(self, name: str) -> Any:
        def called(*_: object) -> Any:
            if threading.current_thread() is not threading.main_thread():
                Touched.elsewhere.append(name)
            return self

        return called

    def __call__(self, *_: object) -> "Touched":
        return self


def anything(_: object) -> Touched:
    return Touched()


def as_it_is(_: object) -> Callable[[Any], Any]:
    return lambda function: function


class Application:
    """NSApplication with its loop, in which other threads' orders are done."""

    def __init__(self) -> None:
        self.orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.policy, self.delegate, self.is_terminated, self._runs = 0, Touched(), False, False

    def setActivationPolicy_(self, policy: int) -> None:  # noqa: N802 - as AppKit calls it
        self.policy = policy

    def setDelegate_(self, delegate: Any) -> None:  # noqa: N802 - as AppKit calls it
        self.delegate = delegate

    def run(self) -> None:
        self._runs = True
        while self._runs:
            self.orders.get(timeout=5)()

    def stop_(self, _sender: object) -> None:
        self._runs = False

    def postEvent_atStart_(self, _event: object, _is_first: bool) -> None:  # noqa: N802 - as AppKit calls it
        self.orders.put(lambda: None)

    def terminate_(self, _sender: object) -> None:
        self.is_terminated, self._runs = True, False


class Base:
    """NSObject."""

    @classmethod
    def alloc(cls) -> Any:
        return cls()

    def init(self) -> Any:
        return self


class Mac:
    """What stands in for the system."""

    def __init__(self) -> None:
        self.application, self.handlers = Application(), dict[int, Any]()
        self.pystray: Any = None

    def call_after(self, what: Callable[..., None], *given: Any) -> None:
        self.application.orders.put(lambda: what(*given))

    def modules(self) -> Iterator[ModuleType]:
        """AppKit, and what pystray's code for macOS imports beside it."""
        appkit, foundation, objc, tools, signals, helper = map(
            ModuleType,
            ("AppKit", "Foundation", "objc", "PyObjCTools", "PyObjCTools.MachSignals", "PyObjCTools.AppHelper"),
        )
        bar = SimpleNamespace(thickness=lambda: 22, statusItemWithLength_=anything, removeStatusItem_=anything)
        appkit.__dict__.update(
            NSApplication=SimpleNamespace(sharedApplication=lambda: self.application),
            NSStatusBar=SimpleNamespace(systemStatusBar=lambda: bar),
            NSObject=Base,
            __getattr__=anything,
        )
        foundation.__dict__.update(NSObject=Base, __getattr__=anything)
        objc.__dict__.update(namedSelector=as_it_is)
        signals.__dict__.update(signal=self.handlers.__setitem__, getsignal=self.handlers.get)
        helper.__dict__.update(callAfter=self.call_after)
        tools.__dict__.update(MachSignals=signals, AppHelper=helper)
        yield from (appkit, foundation, objc, tools, signals, helper)


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mac]:
    made = Mac()
    Touched.elsewhere = []
    kept = {name: sys.modules.pop(name) for name in [*sys.modules] if name.partition(".")[0] == "pystray"}
    monkeypatch.setenv("PYSTRAY_BACKEND", "dummy")
    for each in made.modules():
        monkeypatch.setitem(sys.modules, each.__name__, each)
    library = importlib.import_module("pystray")
    icon = importlib.import_module("pystray._darwin").Icon
    made.pystray = SimpleNamespace(Icon=icon, Menu=library.Menu, MenuItem=library.MenuItem)
    yield made
    for name in [name for name in sys.modules if name.partition(".")[0] == "pystray"]:
        del sys.modules[name]
    sys.modules.update(kept)


def test_the_icon_is_touched_on_the_main_thread_alone(mac: Mac) -> None:
    tray = PystrayTray([Item("Open BigMind", lambda: None, is_default=True)], mac.pystray, "darwin")

    runs = threading.Event()
    mac.application.orders.put(runs.set)

    def work() -> None:
        runs.wait(5)
        tray.show(TrayState.BUSY, "Backing up")
        tray.refresh()
        tray.stop()

    threading.Thread(target=work).start()
    tray.run()

    assert Touched.elsewhere == []


def test_finder_that_opens_the_running_app_again_gets_its_window(mac: Mac) -> None:
    opened = threading.Event()
    tray = PystrayTray(
        [Item("Quit", lambda: None), Item("Open BigMind", opened.set, is_default=True)], mac.pystray, "darwin"
    )

    def work() -> None:
        mac.application.orders.put(
            lambda: mac.application.delegate.applicationShouldHandleReopen_hasVisibleWindows_(None, False)
        )
        opened.wait(5)
        tray.stop()

    threading.Thread(target=work).start()
    tray.run()

    assert opened.is_set()
    assert mac.application.policy == 1, "an icon in the Dock for what has no window"


def test_ctrl_c_ends_the_tray_and_not_the_process(mac: Mac) -> None:
    tray = PystrayTray([Item("Open BigMind", lambda: None, is_default=True)], mac.pystray, "darwin")
    mac.application.orders.put(lambda: mac.handlers[signal.SIGINT](signal.SIGINT))

    tray.run()

    assert not mac.application.is_terminated


def test_the_signal_that_ends_it_reaches_its_handler_once_the_loop_has_ended(mac: Mac) -> None:
    tray = PystrayTray([Item("Open BigMind", lambda: None, is_default=True)], mac.pystray, "darwin")
    caught: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: caught.append(number))
    mac.application.orders.put(lambda: os.kill(os.getpid(), signal.SIGTERM))
    try:
        tray.run()
    finally:
        signal.signal(signal.SIGTERM, before)

    assert caught == [signal.SIGTERM]
