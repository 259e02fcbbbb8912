"""The environment that the core, the window and a workspace's commands start with: variables with a name here alone.

Whoever starts BigMind (an IDE, an agent's shell) hands down an environment of its own. What has no name here reaches
neither: nothing that has a loader, Python or the web view run another's code (LD_PRELOAD, DYLD_INSERT_LIBRARIES,
PYTHONPATH, QTWEBENGINE_REMOTE_DEBUGGING, QT_PLUGIN_PATH, WEBVIEW2_ADDITIONAL_BROWSER_ARGUMENTS), and no keys.

Imports almost nothing: the bridge starts the core.
"""

import sys
from collections.abc import Mapping, MutableMapping

_PERSON = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "LANG", "LANGUAGE", "TMPDIR", "TEMP", "TMP")
_PYTHON = (
    *("PYTHONUTF8", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED"),
    *("VIRTUAL_ENV", "__PYVENV_LAUNCHER__"),
)
"""Of Python's own those that choose no code."""

_CLIENTS = (
    *("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME"),
    *("CLINE_DIR", "CLINE_DATA_DIR", "CLINE_MCP_SETTINGS_PATH"),
)
"""Where IDEs keep their files."""

_NETWORK = (
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
    *("HF_ENDPOINT", "HF_HUB_DOWNLOAD_TIMEOUT", "HF_HUB_ETAG_TIMEOUT"),
)
"""For the download of a model, and for the IDEs' own programs; the window reaches no network."""

_DESKTOP = (
    *("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "ICEAUTHORITY", "SESSION_MANAGER", "DBUS_SESSION_BUS_ADDRESS"),
    *("DESKTOP_SESSION", "DESKTOP_STARTUP_ID", "GNOME_DESKTOP_SESSION_ID", "KDE_FULL_SESSION", "KDE_SESSION_VERSION"),
    *("BROWSER", "XMODIFIERS", "QT_IM_MODULE", "QT_IM_MODULES", "GTK_IM_MODULE", "XCURSOR_THEME", "XCURSOR_SIZE"),
    *("QT_QPA_PLATFORM", "QT_QPA_PLATFORMTHEME", "QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI"),
    *("QT_AUTO_SCREEN_SCALE_FACTOR", "QT_ENABLE_HIGHDPI_SCALING", "QT_SCALE_FACTOR_ROUNDING_POLICY"),
    *("QT_ACCESSIBILITY", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "AT_SPI_BUS_ADDRESS", "WSL_DISTRO_NAME", "WSL_INTEROP"),
    *("GDK_SCALE", "GDK_DPI_SCALE", "GDK_BACKEND", "LIBGL_ALWAYS_SOFTWARE", "QT_QUICK_BACKEND"),
    "QTWEBENGINE_DISABLE_SANDBOX",  # Qt's own word for whoever is root; BigMind starts no window there without it
)
PLATFORMS = frozenset({"xcb", "wayland", "wayland-egl", "offscreen", "minimal"})
"""The screens that Qt may be told to draw on."""

_LINUX_FAMILIES = ("LC_", "XDG_")

_WINDOWS = (
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "OS", "NUMBER_OF_PROCESSORS"),
    *("USERPROFILE", "USERNAME", "USERDOMAIN", "COMPUTERNAME", "HOMEDRIVE", "HOMEPATH", "SESSIONNAME", "PUBLIC"),
    *("APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "ALLUSERSPROFILE", "ONEDRIVE", "PROGRAMFILES", "PROGRAMFILES(X86)"),
    *("PROGRAMW6432", "COMMONPROGRAMFILES", "COMMONPROGRAMFILES(X86)", "COMMONPROGRAMW6432"),
)
_MACOS = ("__CF_USER_TEXT_ENCODING", "__CFBUNDLEIDENTIFIER", "COMMAND_MODE")

_BUNDLE = ("APPIMAGE", "APPDIR")
"""Where a bundle lies that is one file; what else its starter sets, app/bundled.py takes back."""

_FAMILIES = ("LC_", "BIGMIND_", "COVERAGE", "COV_CORE_")
"""Beginnings of names: the language, what is ours, and what measures tests where that is installed."""

_OF_SYSTEM: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "win32": (_WINDOWS, ("PROCESSOR_",)),
    "darwin": (_MACOS, ()),
}
_OF_OTHERS = (_DESKTOP, _LINUX_FAMILIES)
_OF_COMMANDS = {"win32": (*_WINDOWS, "PROCESSOR_ARCHITECTURE"), "darwin": _MACOS}


_PATH_OF_LAUNCHD = "/usr/bin:/bin:/usr/sbin:/sbin"
"""What Finder and the start at login give a program of macOS."""
_FOLDERS_OF_MACOS = ("/opt/homebrew/bin", "/usr/local/bin")
"""What terminals search before: Homebrew on Apple's processors; all else that a person installs (/etc/paths)."""


def complete_search_path(environment: MutableMapping[str, str], system: str = sys.platform) -> None:
    """Have programs found that were installed by Homebrew, also where no terminal started this.

    Args:
        environment: of this process; a search path that somebody set in it is left alone.
        system: as `sys.platform` says it.
    """
    if system == "darwin" and environment.get("PATH", _PATH_OF_LAUNCHD) == _PATH_OF_LAUNCHD:
        environment["PATH"] = ":".join((*_FOLDERS_OF_MACOS, _PATH_OF_LAUNCHD))


def core_environment(given: Mapping[str, str], system: str = sys.platform) -> dict[str, str]:
    """What the core gets of an environment.

    Args:
        given: the whole one.
        system: as `sys.platform` says it.
    """
    return _named(given, system, (*_CLIENTS, *_NETWORK))


def window_environment(given: Mapping[str, str], system: str = sys.platform) -> dict[str, str]:
    """What the window gets of it: the same, and nothing by which a network is reached or an IDE found."""
    return _named(given, system, ())


def command_environment(given: Mapping[str, str], system: str = sys.platform) -> dict[str, str]:
    """What a command of a workspace gets of it: the person, the system and the language.

    Nothing of BigMind's, of Python's or of the desktop's, nothing by which a network or an agent of keys is reached,
    and nothing that chooses code: what a check needs beside this, it sets itself.
    """
    of_system = _OF_COMMANDS.get(system, ())
    names = {*_PERSON, *of_system}
    return {name: value for name, value in given.items() if (upper := name.upper()) in names or upper.startswith("LC_")}


def _named(given: Mapping[str, str], system: str, more: tuple[str, ...]) -> dict[str, str]:
    """The variables of that system, their names in whatever case: proxies are written in both, Windows knows none."""
    of_system, families = _OF_SYSTEM.get(system, _OF_OTHERS)
    bundle = _BUNDLE if getattr(sys, "frozen", False) else ()
    names = {*_PERSON, *_PYTHON, *of_system, *bundle, *more}
    beginnings = (*_FAMILIES, *families)
    return {
        name: value
        for name, value in given.items()
        if ((upper := name.upper()) in names or upper.startswith(beginnings)) and _is_harmless(upper, value)
    }


def _is_harmless(name: str, value: str) -> bool:
    """Whether a variable that has a name here also has a value that is meant.

    Qt's `vnc` hands the screen to others. A Python that may not take UTF-8 knows but ASCII in the locale C, and starts
    no core in a folder with any other character.
    """
    if name == "QT_QPA_PLATFORM":
        return set(value.split(";")) <= PLATFORMS
    return (name, value) != ("PYTHONUTF8", "0")
