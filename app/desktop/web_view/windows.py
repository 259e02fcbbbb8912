"""Windows: WebView2, which pywebview drives well; the taskbar wants to be told whose window it is."""

import ctypes
from typing import Any

from app.desktop.web_view.view import PlainView, ViewHooks

APP_ID = "BigMind.BigMind"


class WindowsView(PlainView):
    """pywebview's own, under BigMind's name in the taskbar rather than Python's."""

    def prepare(self, hooks: ViewHooks) -> None:
        """Take the name before there is a window."""
        shell: Any = getattr(ctypes, "windll").shell32  # noqa: B009 - known to Windows only
        shell.SetCurrentProcessExplicitAppUserModelID(APP_ID)
        super().prepare(hooks)
