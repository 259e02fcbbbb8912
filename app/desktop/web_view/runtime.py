"""What the window needs of Windows: without it pywebview would show the pages in Internet Explorer, which cannot.

From learn.microsoft.com: "Distribute your app and the WebView2 Runtime", "Determine which .NET Framework versions are
installed"; and from webview.platforms.winforms, which looks in the same places.
"""

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

FRAMEWORK = r"SOFTWARE\Microsoft\NET Framework Setup\NDP\v4\Full"
RELEASE_OF_4_6_2 = 394802
RUNTIME = r"Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
OLDEST = (86, 0, 622, 0)
NO_FRAMEWORK = "Windows lacks .NET Framework 4.6.2 or newer, which Windows Update brings"
NO_RUNTIME = "Windows lacks Microsoft's WebView2 Runtime: winget install Microsoft.EdgeWebView2Runtime"


def why_no_web_view(registry: Any = None) -> str:
    """What is missing, with what brings it; empty when nothing is.

    Args:
        registry: `winreg`, or what behaves like it.
    """
    found = registry or import_module("winreg")
    release = _value(found, found.HKEY_LOCAL_MACHINE, FRAMEWORK, "Release")
    if not isinstance(release, int) or release < RELEASE_OF_4_6_2:
        return NO_FRAMEWORK
    return "" if any(version >= OLDEST for version in _runtimes(found)) else NO_RUNTIME


def _runtimes(registry: Any) -> Iterator[tuple[int, ...]]:
    """The versions that are installed, for everybody or for this person; 0.0.0.0 is one that was removed."""
    for root, place in (
        (registry.HKEY_LOCAL_MACHINE, rf"SOFTWARE\WOW6432Node\{RUNTIME}"),
        (registry.HKEY_LOCAL_MACHINE, rf"SOFTWARE\{RUNTIME}"),
        (registry.HKEY_CURRENT_USER, rf"Software\{RUNTIME}"),
    ):
        with suppress(ValueError):
            yield tuple(int(part) for part in str(_value(registry, root, place, "pv")).split("."))


def _value(registry: Any, root: Any, place: str, name: str) -> object:
    try:
        with registry.OpenKey(root, place) as key:
            return registry.QueryValueEx(key, name)[0]
    except OSError:
        return None
