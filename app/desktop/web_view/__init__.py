"""What differs between the web views of the systems: one module each, behind one small interface."""

import sys

from app.desktop.web_view.view import NativeView


def native_view() -> NativeView:
    """That of this system."""
    if sys.platform == "linux":
        from app.desktop.web_view.qt import QtView  # noqa: PLC0415 - loads Qt

        return QtView()
    if sys.platform == "win32":
        from app.desktop.web_view.windows import WindowsView  # noqa: PLC0415 - has its name for Windows set

        return WindowsView()
    from app.desktop.web_view.view import PlainView  # noqa: PLC0415 - macOS: nothing to mend is known

    return PlainView()
