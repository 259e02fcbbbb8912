"""Linux: Qt WebEngine through pywebview, with what pywebview 6.2 gets wrong there mended.

- `navigator.clipboard.writeText` never settles, and downloads fail: permissions and downloads are handled here.
- A renderer that dies leaves a blank window for ever: it is loaded again.
- Links may lead anywhere, and into new windows: only BigMind's own pages are shown, the rest is the browser's.
- A bridge from the page into Python is injected into every page: it is left out, nothing uses it.
- On some distributions the sandbox is switched off: it stays on.
"""

import logging
import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QColor, QKeySequence, QShortcut
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEngineNewWindowRequest,
    QWebEnginePage,
    QWebEnginePermission,
    QWebEngineProfile,
    QWebEngineSettings,
)
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QMessageBox, QWidget

from app.desktop.web_view.view import ViewHooks, WindowPlace

log = logging.getLogger(__name__)

RELOAD_MILLISECONDS = 300
MOST_CRASHES = 3
CRASHES_SECONDS = 60.0
MOST_LEFT = 5
LEFT_SECONDS = 10.0
ZOOM_STEP = 1.1
ZOOM_KEYS = {"Ctrl++": ZOOM_STEP, "Ctrl+=": ZOOM_STEP, "Ctrl+-": 1 / ZOOM_STEP, "Ctrl+0": 0.0}
"""By how much each makes the page larger; 0 is back to its own size. Browsers know these, a bare view does not."""
BROWSER_SCHEMES = frozenset({"http", "https", "mailto"})
FLAGS = "QTWEBENGINE_CHROMIUM_FLAGS"
UNSAVED = "Unsaved changes"
PATIENCE_MILLISECONDS = 10_000
"""For a page that is asked whether the window may close: one that hangs does not keep it open for longer."""
CRASHED = """<!doctype html><meta charset="utf-8"><title>BigMind</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem}
:root{color-scheme:light dark}</style><h1>This window keeps failing</h1>
<p>Its web view ended four times within a minute. Your memory is safe: another process keeps it, and goes on serving
your assistants.</p><p>Close this window and open it again. If it fails again, run <code>bigmind open</code> in a
terminal to see the pages in your browser; the reason stands in <code>logs/window.log</code> of the data folder.</p>"""

Attribute = QWebEngineSettings.WebAttribute
ATTRIBUTES = {
    Attribute.JavascriptCanAccessClipboard: True,  # to write; reading would still ask, and is denied
    Attribute.JavascriptCanPaste: False,
    Attribute.JavascriptCanOpenWindows: False,
    Attribute.LocalContentCanAccessFileUrls: False,
    Attribute.LocalContentCanAccessRemoteUrls: False,
    Attribute.HyperlinkAuditingEnabled: False,
    Attribute.PluginsEnabled: False,
    Attribute.WebGLEnabled: False,
    Attribute.DnsPrefetchEnabled: False,
}


class Page(QWebEnginePage):
    """A page that goes nowhere but to BigMind, grants nothing, and comes back after a crash.

    pywebview makes it, in place of its own class of this name.
    """

    hooks: ClassVar[ViewHooks]

    def __init__(self, parent: Any, profile: QWebEngineProfile) -> None:
        super().__init__(profile, parent.webview)
        self._view: QWidget = parent.webview
        self._crashes: list[float] = []
        self._left: list[float] = []
        self._close: Callable[[], object] | None = None
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MILLISECONDS)
        self._patience.timeout.connect(self._let_close)
        self.windowCloseRequested.connect(self._let_close)
        for attribute, value in ATTRIBUTES.items():
            self.settings().setAttribute(attribute, value)
        self.renderProcessTerminated.connect(self._died)
        self.newWindowRequested.connect(self._new_window)
        self.permissionRequested.connect(QWebEnginePermission.deny)
        self.loadFinished.connect(self._loaded)

    def acceptNavigationRequest(  # noqa: N802 - Qt's name
        self,
        url: QUrl | str,
        type: QWebEnginePage.NavigationType,  # noqa: A002 - Qt's name
        isMainFrame: bool,  # noqa: N803 - Qt's name
    ) -> bool:
        """Whether to go there."""
        del isMainFrame
        address = url if isinstance(url, str) else url.toString()
        if self.hooks.is_ours(address):
            return True
        if type is QWebEnginePage.NavigationType.NavigationTypeTyped and address.startswith("data:"):
            return True  # our own HTML, before and after there are pages
        if type is QWebEnginePage.NavigationType.NavigationTypeLinkClicked:
            self._leave(address)
        else:
            log.warning("a page may not go to %s", QUrl(address).host() or address[:20])
        return False

    def javaScriptConfirm(self, securityOrigin: QUrl | str, msg: str) -> bool:  # noqa: N802, N803 - Qt's names
        """Whether to leave a page that holds words which were not saved; no page of BigMind asks anything else."""
        del securityOrigin, msg  # an address, and that a script asks: nothing that a person knows
        self._patience.stop()
        buttons = QMessageBox.StandardButton
        what = "Leave this page" if self._close is None else "Close this window"
        asked = f"You have unsaved changes. {what} and discard them?"
        answer = QMessageBox.question(self._view, UNSAVED, asked, buttons.Discard | buttons.Cancel, buttons.Cancel)
        if answer != buttons.Discard:
            self._close = None
        return answer == buttons.Discard

    def leave_for_good(self, close: Callable[[], object]) -> None:
        """Have it ask the person where it holds words that were not saved.

        Args:
            close: closes the window; called later, unless the person stays.
        """
        self._close = close
        self._patience.start()
        self.triggerAction(QWebEnginePage.WebAction.RequestClose)

    def _let_close(self) -> None:
        """Nothing holds it. A script of the page that wants it closed is not heard."""
        self._patience.stop()
        if self._close is not None:
            self._close()

    def setWebChannel(self, a0: QWebChannel, /, worldId: int | None = 0) -> None:  # noqa: N802, N803 - Qt's names
        """No bridge from the page into Python."""

    def _new_window(self, request: QWebEngineNewWindowRequest) -> None:
        address = request.requestedUrl().toString()
        if self.hooks.is_ours(address):
            self.setUrl(address)
        elif request.isUserInitiated():
            self._leave(address)

    def _leave(self, address: str) -> None:
        """To the person's browser; Qt takes for a click what a script does too, so not many at once."""
        now = monotonic()
        self._left = [each for each in self._left if now - each < LEFT_SECONDS]
        if QUrl(address).scheme() in BROWSER_SCHEMES and len(self._left) < MOST_LEFT:
            self._left.append(now)
            self.hooks.leave(address)

    def _loaded(self, well: bool) -> None:
        if well and self.hooks.is_ours(self.url().toString()):
            self.hooks.loaded()

    def _died(self, status: QWebEnginePage.RenderProcessTerminationStatus, code: int) -> None:
        if status is QWebEnginePage.RenderProcessTerminationStatus.NormalTerminationStatus:
            return
        now = monotonic()
        self._crashes = [each for each in self._crashes if now - each < CRASHES_SECONDS] + [now]
        log.error("the renderer ended (%s, %d), %d times within a minute", status.name, code, len(self._crashes))
        # Not from within the signal: the page is in pieces there.
        if len(self._crashes) > MOST_CRASHES:
            QTimer.singleShot(RELOAD_MILLISECONDS, lambda: self.setHtml(CRASHED))
        else:
            QTimer.singleShot(RELOAD_MILLISECONDS, lambda: self.triggerAction(QWebEnginePage.WebAction.Reload))


class Raiser(QObject):
    """Takes a wish from any thread to Qt's."""

    wished = Signal()


class QtView:
    """pywebview's Qt, mended."""

    gui: str | None = "qt"
    _is_left = False

    def prepare(self, hooks: ViewHooks) -> None:
        """Load Qt, and put our page in the place of pywebview's."""
        chosen = os.environ.get(FLAGS)
        driver: Any = import_module("webview.platforms.qt")
        _set(FLAGS, chosen)  # a distribution on which pywebview would switch the sandbox off
        driver.environ_append = _nothing  # grants camera and microphone unasked
        driver.BrowserView.WebPage = Page
        driver.BrowserView.on_load_finished = _nothing  # injects its bridge
        Page.hooks = hooks
        self._application = QApplication.instance() or QApplication(["BigMind"])
        self._application.setApplicationName("BigMind")
        QApplication.setDesktopFileName("bigmind")

    def is_dark(self) -> bool:
        """As the desktop tells applications."""
        return QApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark

    def screens(self) -> list[WindowPlace]:
        """Those of the desktop."""
        found = [each.availableGeometry() for each in QApplication.screens()]
        return [WindowPlace(each.x(), each.y(), each.width(), each.height()) for each in found]

    def attach(self, window: Any) -> None:
        """Downloads, the menu of the right button, the keys that zoom, and being brought forward."""
        main: Any = window.native
        view: Any = main.webview
        view.page().setBackgroundColor(QColor(window.background_color))  # else white, until a page is there
        view.page().profile().downloadRequested.connect(partial(_download, main))
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(partial(_menu, view))
        for keys, factor in ZOOM_KEYS.items():
            QShortcut(QKeySequence(keys), main).activated.connect(partial(_zoom, view, factor))
        self._raiser = Raiser()
        self._raiser.wished.connect(lambda: _forward(main), Qt.ConnectionType.QueuedConnection)

    def place(self, window: Any) -> WindowPlace | None:
        """Where its frame is, and how large it is within."""
        main: Any = window.native
        inner, outer = main.normalGeometry(), main.pos()
        maximised = bool(main.isMaximized())
        if maximised:
            outer = inner.topLeft()
        return WindowPlace(outer.x(), outer.y(), inner.width(), inner.height(), maximised)

    def bring_forward(self, window: Any) -> None:
        """Show it, as large as it was."""
        del window
        self._raiser.wished.emit()

    def may_close(self, window: Any) -> bool:
        """Asked of the page, which closes the window itself when it is left."""
        main: Any = window.native
        if self._is_left:
            return True
        main.webview.page().leave_for_good(partial(self._leave, main))
        return False

    def _leave(self, main: Any) -> None:
        self._is_left = True
        main.close()

    def background(self, window: Any) -> str:
        """The colour near the lower right corner, where there is rarely anything else."""
        view: Any = window.native.webview
        image: Any = view.grab().toImage()
        return str(image.pixelColor(image.width() - 24, image.height() - 4).name())


def _nothing(*_: Any) -> None:
    """What pywebview does there is not wanted."""


def _set(variable: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(variable, None)
    else:
        os.environ[variable] = value


def _zoom(view: Any, factor: float) -> None:
    """Qt itself keeps it between a quarter and five times."""
    view.setZoomFactor(view.zoomFactor() * factor if factor else 1.0)


def _forward(main: Any) -> None:
    state = main.windowState() & ~Qt.WindowState.WindowMinimized
    main.setWindowState(state | Qt.WindowState.WindowActive)
    main.show()
    main.raise_()
    main.activateWindow()


def _download(main: Any, download: QWebEngineDownloadRequest) -> None:
    """Ask where to; nothing is written before a person said so."""
    wanted = str(_downloads() / Path(download.downloadFileName()).name)
    path, _ = QFileDialog.getSaveFileName(main, "Save", wanted)
    if not path:
        download.cancel()
        return
    download.setDownloadDirectory(str(Path(path).parent))
    download.setDownloadFileName(Path(path).name)
    download.accept()


def _downloads() -> Path:
    from PySide6.QtCore import QStandardPaths  # noqa: PLC0415 - for downloads only

    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation) or Path.home())


def _menu(view: Any, point: QPoint) -> None:
    """What can be done with text, and nothing of a developer's."""
    action = QWebEnginePage.WebAction
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for each in (action.Cut, action.Copy, action.Paste, action.SelectAll):
        menu.addAction(view.page().action(each))
    menu.popup(view.mapToGlobal(point))
