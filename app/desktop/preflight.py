"""Whether there can be a window, asked before Qt is loaded: Qt ends the whole process where it cannot start.

On Windows and macOS the window is the system's own: asked is whether the extra is installed, and whether anybody would
see it. Who asks AppKit for an icon without a session at the screen, as over ssh, may be ended.
"""

import ctypes
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from app.desktop.window_station import is_seen
from bigmind.local.program import how_to_add

NO_SESSION = "there is no desktop session (neither DISPLAY nor WAYLAND_DISPLAY is set)"
NOT_SEEN = "there is no desktop that anybody sees here, as in a service or over SSH"
NOBODY_AT_SCREEN = "there is no desktop session (this user is not logged in at the Mac's screen)"
AS_ROOT = "the window's browser engine does not run as root: start BigMind as a normal user"
_FRAMEWORK = "/System/Library/Frameworks/{0}.framework/{0}"
GLIBC_OF_2024 = (2, 39)
"""Of Ubuntu 24.04; Debian 13 has 2.41, Debian 12 2.36. Also in packaging/system_packages.py, which runs without us."""


@dataclass(frozen=True, slots=True)
class Library:
    """A library of the system that Qt loads, and the packages it is in.

    Attributes:
        soname: by which it is loaded.
        apt: of Debian and Ubuntu; where a release renamed it, the newer name stands behind a bar.
        dnf: of Fedora.
        pacman: of Arch.
    """

    soname: str
    apt: str
    dnf: str
    pacman: str


WINDOW_LIBRARIES = (
    Library("libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd"),
    Library("libGL.so.1", "libgl1", "libglvnd-glx", "libglvnd"),
    Library("libdbus-1.so.3", "libdbus-1-3", "dbus-libs", "dbus"),
    Library("libfontconfig.so.1", "libfontconfig1", "fontconfig", "fontconfig"),
    Library("libglib-2.0.so.0", "libglib2.0-0|libglib2.0-0t64", "glib2", "glib2"),
    Library("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    Library("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    Library("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    Library("libxcb-shape.so.0", "libxcb-shape0", "libxcb", "libxcb"),
    Library("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb", "libxcb"),
    Library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    Library("libnss3.so", "libnss3", "nss", "nss"),
    Library("libasound.so.2", "libasound2|libasound2t64", "alsa-lib", "alsa-lib"),
    Library("libXcomposite.so.1", "libxcomposite1", "libXcomposite", "libxcomposite"),
    Library("libXdamage.so.1", "libxdamage1", "libXdamage", "libxdamage"),
    Library("libXrandr.so.2", "libxrandr2", "libXrandr", "libxrandr"),
    Library("libXtst.so.6", "libxtst6", "libXtst", "libxtst"),
    Library("libxkbfile.so.1", "libxkbfile1", "libxkbfile", "libxkbfile"),
    Library("libgbm.so.1", "libgbm1", "mesa-libgbm", "mesa"),
    Library("libxcb-dri3.so.0", "libxcb-dri3-0", "libxcb", "libxcb"),
    Library("libgssapi_krb5.so.2", "libgssapi-krb5-2", "krb5-libs", "krb5"),
)
"""What Qt and its browser engine need."""

WAYLAND_LIBRARIES = (
    Library("libwayland-cursor.so.0", "libwayland-cursor0", "libwayland-cursor", "wayland"),
    Library("libwayland-egl.so.1", "libwayland-egl1", "libwayland-egl", "wayland"),
)
"""What they need beside that in a Wayland session that has no X server to fall back on."""


class Installer(Enum):
    """How a distribution installs packages: its command, and how the rest of the line begins."""

    APT = ("apt-get", "sudo apt-get install")
    DNF = ("dnf", "sudo dnf install")
    PACMAN = ("pacman", "sudo pacman -S")


def is_at_screen(load: Callable[[str], Any] = ctypes.CDLL) -> bool:
    """Whether this process is of a session at the screen of a Mac; True where the system does not say.

    Args:
        load: a library of the system by its path.
    """
    try:
        graphics, foundation = (load(_FRAMEWORK.format(name)) for name in ("CoreGraphics", "CoreFoundation"))
        graphics.CGSessionCopyCurrentDictionary.restype = ctypes.c_void_p
        found = graphics.CGSessionCopyCurrentDictionary()
        if found:
            foundation.CFRelease.argtypes = (ctypes.c_void_p,)
            foundation.CFRelease(found)
    except (OSError, AttributeError):
        return True
    return bool(found)


def _why_nobody_sees(system: str, at_screen: Callable[[], bool]) -> str:
    if system == "darwin":
        return "" if at_screen() else NOBODY_AT_SCREEN
    return NOT_SEEN if sys.platform == "win32" and not is_seen() else ""


def why_no_desktop(system: str = sys.platform, at_screen: Callable[[], bool] = is_at_screen) -> str:
    """Why there can be neither window nor tray, in words; empty when nothing speaks against them. Loads no toolkit.

    Args:
        system: as `sys.platform` says it.
        at_screen: asked on macOS alone.
    """
    if not has_extra():
        return f"BigMind's window is not installed: {how_to_add('bigmind[desktop]')}"
    if system != "linux":
        return _why_nobody_sees(system, at_screen)
    if not has_session():
        return NO_SESSION
    if os.geteuid() == 0 and os.environ.get("QTWEBENGINE_DISABLE_SANDBOX") != "1":
        return AS_ROOT
    if not answers():
        return f"the display {os.environ['DISPLAY']} does not answer"
    return ""


def why_no_window() -> str:
    """The same, and what the system lacks; loads its libraries, so it is for the window's own process."""
    if why := why_no_desktop():
        return why
    if sys.platform == "win32":
        from app.desktop.web_view.runtime import why_no_web_view  # noqa: PLC0415 - of one system

        return why_no_web_view()
    return why_not_loaded(session_libraries(os.environ)) if sys.platform == "linux" else ""


def session_libraries(session: Mapping[str, str]) -> tuple[Library, ...]:
    """What a window needs of the system in a session with these variables."""
    is_wayland_alone = session.get("WAYLAND_DISPLAY") and not session.get("DISPLAY")
    return (*WINDOW_LIBRARIES, *WAYLAND_LIBRARIES) if is_wayland_alone else WINDOW_LIBRARIES


def has_extra() -> bool:
    """Whether the extra `desktop` is installed."""
    try:
        if importlib.util.find_spec("webview") is None:
            return False
        if sys.platform != "linux":
            return True
        qt = importlib.util.find_spec("PySide6")
    except (ImportError, ValueError):  # shut out
        return False
    # Looked for by its file: asking for a part of PySide6 would load the whole.
    folders = (qt.submodule_search_locations or ()) if qt and importlib.util.find_spec("qtpy") else ()
    return any(any(Path(folder).glob("QtWebEngineWidgets.*")) for folder in folders)


def has_session() -> bool:
    """Whether there is a display to ask."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def is_still_there() -> bool:
    """Whether the display that there was can still be reached: a session may end before its programs do."""
    return sys.platform != "linux" or (has_session() and answers())


def answers() -> bool:
    """Whether the X server of DISPLAY can be reached; taken for granted in a Wayland session."""
    if os.environ.get("WAYLAND_DISPLAY"):
        return True
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # Qt brings none of its own: the check of the libraries names it
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    is_broken = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not is_broken


def why_not_loaded(libraries: tuple[Library, ...]) -> str:
    """Which libraries are missing, with the line that installs them; empty when none is."""
    missing = [each for each in libraries if not _loads(each.soname)]
    if not missing:
        return ""
    line = install_line(missing, _installer())
    return f"the system lacks {', '.join(each.soname for each in missing)}: {line}"


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def _installer() -> Installer | None:
    return next((each for each in Installer if shutil.which(each.value[0])), None)


def install_line(missing: list[Library], installer: Installer | None) -> str:
    """The command that installs what is missing, as the person would type it."""
    match installer:
        case Installer.APT | None:
            packages = [_apt_name(each.apt) for each in missing]
        case Installer.DNF:
            packages = [each.dnf for each in missing]
        case Installer.PACMAN:
            packages = [each.pacman for each in missing]
    return " ".join([(installer or Installer.APT).value[1], *dict.fromkeys(packages)])


def _apt_name(names: str) -> str:
    """The name in this release: from 2024 on those carry `t64` whose interface has a time in it, which grew then."""
    old, _, new = names.partition("|")
    return new if new and _is_of_2024() else old


def _is_of_2024() -> bool:
    """By the C library: Debian testing and unstable have no number, and what is made of Debian and Ubuntu its own."""
    library, version = platform.libc_ver()
    major, _, minor = version.partition(".")
    return library == "glibc" and (int(major), int(minor.partition(".")[0])) >= GLIBC_OF_2024
